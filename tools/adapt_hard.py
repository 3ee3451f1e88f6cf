"""Training on divergences mined as hard, against the same budget spent on random units (docs/adapt-results.md).

    python -m tools.adapt_hard EXAMPLES WORK --every 5 --steps 400 --more 200 --hard 0.5

EXAMPLES is a folder that `adapt train` prepares (MODEL.examples), or what `prepare` writes. A model is trained on every
so-manieth of its examples, then twice further with as many steps: on units drawn at random, and on units of which a
share is drawn by how far they diverge. With `--model MODEL` it is that model that is trained further, on all EXAMPLES.
Printed: cross-entropy of held-out pieces, of units that diverge (at least 0.5 points) and of others; how often the
right version of the starter set's items is more probable than a wrong one; and how many outputs the pattern judge
accepts.
"""

from __future__ import annotations

import argparse
import os
import shutil

from tertium.adaptation.nmt import examples
from tertium.adaptation.nmt.decoding import Decoder
from tertium.adaptation.nmt.examples import TaggedPair
from tertium.adaptation.nmt.hardness import with_points
from tertium.adaptation.nmt.learning import continued
from tertium.adaptation.nmt.settings import NetworkSetting, setting
from tertium.adaptation.nmt.training import Trainer
from tertium.challenge.judges.patterns import PatternJudge
from tertium.challenge.outputs import System
from tertium.challenge.starter import starter_set

HARD = 0.5  # points of a held-out unit that counts as hard


def prepared(folder: str, work: str, every: int) -> str:
    """Examples with points."""
    place = os.path.join(work, "examples")
    os.makedirs(place, exist_ok=True)
    for name in ("pieces.model", "marks.json"):
        shutil.copy(os.path.join(folder, name), place)
    examples.write(place, "train", with_points(examples.read(folder, "train")[::every]))
    examples.write(place, "dev", with_points(examples.read(folder, "dev")))
    return place


def trained(place: str, own: NetworkSetting, output: str, start: str = "", processes: int = 0) -> None:
    if not os.path.exists(output):
        tell = lambda line: print(line, flush=True)  # noqa: E731
        trainer = Trainer(place, own, output, start=start, mixed=True, processes=processes, tell=tell)
        trainer.run(evaluate=100_000)


def further_trained(given: argparse.Namespace) -> tuple[str, dict[str, str]]:
    """The folder of examples, and the models: as it was, and trained further in both ways."""
    models = {name: os.path.join(given.work, f"{name}-{given.seed}") for name in ("random", "hard")}
    place = os.path.join(given.work, "examples")
    if given.model:
        before, changes = given.model, {"rate": given.rate or 3e-4}
        if given.tokens:
            changes["tokens"] = given.tokens
        own = continued(given.model, setting("base"), changes)
        if not os.path.exists(os.path.join(place, "dev.jsonl.gz")):
            prepared(given.examples, given.work, 1)
    else:
        before = os.path.join(given.work, "before")
        if not os.path.exists(os.path.join(place, "dev.jsonl.gz")):
            prepared(given.examples, given.work, given.every)
        sizes = {"pieces": 4000, "width": 128, "encoder": 2, "inner": 512, "longest": 64}
        own = setting("tiny", **sizes, tokens=given.tokens or 1500, rate=2e-3, steps=given.steps)
        trained(place, own, before, processes=given.processes)
        own = own.with_(rate=given.rate or 5e-4)
    own = own.with_(steps=given.more, seed=given.seed)
    trained(place, own, models["random"], before, given.processes)
    trained(place, own.with_(hard=given.hard), models["hard"], before, given.processes)
    return place, {"before": before, **models}


def measured(model: str, dev: list[TaggedPair]) -> list[str]:
    """A row of the table."""
    decoder = Decoder(model, threads=1)
    vocabulary = decoder.vocabulary

    def likelihood(source: str, target: str) -> tuple[float, int]:
        pieces = vocabulary.target(TaggedPair("", target), longest=200)
        asked = vocabulary.source(TaggedPair(source, ""), longest=200)
        return decoder.likelihood([asked], pieces)[0], len(pieces)

    cells = []
    for part in ([own for own in dev if own.points >= HARD], [own for own in dev if own.points < HARD]):
        found = [likelihood(own.source, own.target) for own in part]
        cells.append(f"{-sum(a for a, _ in found) / sum(b for _, b in found):.3f} ({len(part)} units)")
    items = list(starter_set("en-fr"))
    pairs = [
        (item.source, item.reference, wrong)
        for item in items
        for wrong in (item.judge or {}).get("wrong", ())
    ]
    better = sum(likelihood(s, right)[0] > likelihood(s, wrong)[0] for s, right, wrong in pairs)
    cells.append(f"{better} of {len(pairs)}")
    sources = [vocabulary.source(TaggedPair(item.source, ""), longest=200) for item in items]
    texts = [own[0].text for own in decoder.translate(sources)]
    rulings = PatternJudge().rule(System("model"), items, texts)
    cells.append(f"{sum(own[0] == 'yes' for own in rulings)} of {len(items)}")
    return cells


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("examples")
    parser.add_argument("work")
    parser.add_argument("--every", type=int, default=5)
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--more", type=int, default=200)
    parser.add_argument("--hard", type=float, default=0.5)
    parser.add_argument("--dev", type=int, default=3)
    parser.add_argument("--model", default="")
    parser.add_argument("--rate", type=float, default=0.0)
    parser.add_argument("--tokens", type=int, default=0)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--processes", type=int, default=0)
    given = parser.parse_args()
    place, models = further_trained(given)
    dev = examples.read(place, "dev")[:: given.dev]
    print("| model | cross-entropy, hard units | others | right before wrong | accepted by patterns |")
    print("|---|--:|--:|--:|--:|")
    for name, model in models.items():
        print("| " + " | ".join([name, *measured(model, dev)]) + " |", flush=True)


if __name__ == "__main__":
    main()
