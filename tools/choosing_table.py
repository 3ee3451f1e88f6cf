"""Writes the table of docs/estimate-scale.md on a real memory: Debian's catalogues, English to French, in the order of
their dates.

    python -m tools.choosing_table [--shared ../shared] [--page FILE]

The memory is what was there first. There is no machine translation of these texts, so that the machine is the plainest
there is, and named so: word for word, by IBM model 1 learnt from the memory. Its estimator is trained on later units
(with what it makes of them, and their translations in the place of post-edits), calibrated on later ones still, and
memory and machine are put beside each other on the last; sources that an earlier part has are left out of both. Nothing
was chosen on these.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from tertium.estimation.estimator import Estimator, edit_rates, trained
from tertium.io.memories.formats import open_units
from tertium.io.memories.pairs import Pair
from tertium.io.memories.unit import Unit
from tertium.io.translations import Translations
from tertium.matching.index import plain
from tertium.memory.importing import import_memory
from tertium.triage.calibration import calibrated
from tertium.triage.choosing import MEMORY, Choices, choose
from tertium.triage.proposals import best_proposals, opened, with_matches
from tertium.triage.results import estimate
from tools.pages import put, table_parser

_HERE = Path(__file__).resolve().parent.parent
PARTS = {"memory": (0.0, 0.8), "train": (0.8, 0.9), "fresh": (0.9, 0.95), "test": (0.95, 1.0)}  # by date
NUMBERS = {"train": 4000, "fresh": 1000, "test": 2000, "lexicon": 60_000}
SEEN = {"fresh": ("train",), "test": ("train", "fresh")}
PASSES = 5
_WORD = re.compile(r"\w+|[^\w\s]")


class WordForWord:
    """Each word by the one that IBM model 1 holds most likely; unknown words stay as they are."""

    def __init__(self, units: Sequence[Unit]) -> None:
        ours: dict[str, int] = {}
        theirs: dict[str, int] = {}
        first, second, target = [], [], []  # source word, target word, and which target word of all it is
        place = 0
        for unit in units:
            source = [ours.setdefault(word, len(ours)) for word in _WORD.findall(unit.source.lower())]
            for word in _WORD.findall(unit.target):
                own = theirs.setdefault(word, len(theirs))
                first += source
                second += [own] * len(source)
                target += [place] * len(source)
                place += 1
        kinds, pair = np.unique(
            np.array(first, np.int64) * len(theirs) + np.array(second), return_inverse=True
        )
        words, places = kinds // len(theirs), np.array(target)
        chance = np.ones(len(kinds))
        for _ in range(PASSES):
            each = chance[pair] / np.bincount(places, chance[pair], place)[places]
            counts = np.bincount(pair, each, len(kinds))
            chance = counts / np.bincount(words, counts, len(ours))[words]
        order = np.lexsort((chance, words))
        last = np.append(np.flatnonzero(np.diff(words[order])), len(order) - 1)
        forms, sources = list(theirs), list(ours)
        self.best = {sources[words[i]]: forms[kinds[i] % len(theirs)] for i in order[last].tolist()}

    def __call__(self, text: str) -> str:
        found = " ".join(self.best.get(word.lower(), word) for word in _WORD.findall(text))
        return found[:1].upper() + found[1:]


def parts_of(path: Path) -> dict[str, list[Unit]]:
    """Units by date: those of three to forty words, those that are looked at drawn by chance."""
    units = sorted(
        (
            unit
            for unit in open_units(str(path), pair=Pair("en", "fr"))
            if unit.date and 3 <= len(unit.source.split()) <= 40
        ),
        key=lambda unit: unit.date,
    )
    draw = np.random.default_rng(12345)
    found = {}
    for name, (begin, end) in PARTS.items():
        own = units[int(begin * len(units)) : int(end * len(units))]
        if name in NUMBERS:
            own = [own[i] for i in np.sort(draw.choice(len(own), NUMBERS[name], replace=False)).tolist()]
        if name in SEEN:  # a source that was learnt from tells nothing here
            known = {plain(unit.source) for part in SEEN[name] for unit in found[part]}
            own = [unit for unit in own if plain(unit.source) not in known]
        found[name] = own
    return found


def _line(unit: Unit) -> str:
    return f"{' '.join(unit.source.split())}\t{' '.join(unit.target.split())}\n"


def viewed(texts: Mapping[str, Translations], memory: str) -> tuple[Estimator, Choices]:
    """An estimator, trained and calibrated, and what it makes of the test."""
    test = texts["test"]
    estimator = calibrated(trained(texts["train"], pair="en-fr"), texts["fresh"])
    estimates = estimate(estimator, test.sources, test.translations, detectors=False, memory=memory)
    return estimator, choose(estimator, estimates, test.sources, test.translations, memory)


def table(shared: Path) -> str:
    parts = parts_of(shared / "data" / "memory" / "en-fr.jsonl.xz")
    draw = np.random.default_rng(1)
    chosen = draw.choice(len(parts["memory"]), NUMBERS["lexicon"], replace=False).tolist()
    machine = WordForWord([parts["memory"][i] for i in chosen])
    texts = {
        name: Translations(
            name,
            [unit.source for unit in own],
            [machine(unit.source) for unit in own],
            post_edits=[unit.target for unit in own],
        )
        for name, own in parts.items()
        if name != "memory"
    }
    test, wanted = texts["test"], list(texts["test"].post_edits or ())
    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder, "units.tsv")
        lines.write_text("".join(map(_line, parts["memory"])), "utf-8")
        memory = str(Path(folder, "memory.db"))
        import_memory([str(lines)], memory, pair=Pair("en", "fr"))
        estimator, view = viewed(texts, memory)
        matched = {name: with_matches(texts[name], memory, training=True) for name in ("train", "fresh")}
        agreeing, second = viewed({**texts, **matched}, memory)
        proposals = best_proposals(opened(memory), test.sources)
    saved = 100 * (1 - edit_rates(test.translations, wanted))
    stored = 100 * (1 - edit_rates([own.target if own else "" for own in proposals], wanted))
    shown, agreed = (
        100 * (1 - edit_rates([own.target for own in one.segments], wanted)) for one in (view, second)
    )
    rates = np.array([own.rate if own else 0 for own in proposals])
    rows = {
        "the machine alone": saved,
        "the memory alone": stored,
        "the memory where it has anything, else the machine": np.where(rates > 0, stored, saved),
        "the memory from 75% on, else the machine": np.where(rates >= 75, stored, saved),
        "the view": shown,
        "the view, with agreement as a feature": agreed,
        "the better of both, if one knew": np.maximum(saved, stored),
    }
    ours = np.array([own.show == MEMORY for own in view.segments])
    both = rates > 0
    right = np.where(ours, stored >= saved, saved >= stored)
    said = float(np.mean([own.mark for own in view.segments]))
    print(", ".join(f"{len(own):,} {name}" for name, own in parts.items()))
    print(f"r = {estimator.correlation:.3f} on parts left out; said {said:.1f}, true {shown.mean():.1f}")
    print(f"with agreement as a feature r = {agreeing.correlation:.3f}")
    print(f"{int(both.sum())} of {len(test)} have a proposal; the memory is shown for {int(ours.sum())}")
    print(f"of those with both, the better one is shown for {right[both].mean():.1%}", flush=True)
    return "\n".join(
        [
            "| shown | edits saved of 100 |",
            "| --- | ---: |",
            *(f"| {name} | {own.mean():.1f} |" for name, own in rows.items()),
        ]
    )


def main() -> None:
    given = table_parser(__doc__).parse_args()
    put({"catalogues": table(given.shared)}, given.page)


if __name__ == "__main__":
    main()
