"""Quality estimation: features and scores on one core, training, and what the file and its use take.

    python -m benchmarks.estimation

Texts are the 7,000 English to German translations of MLQE-PE's training part, with their judgements and
log-probabilities (../shared); where they are not there, a corpus with made ones. Peers read the same lines in the same
run: sacrebleu's chrF of each line (one metric, no model), and the same features by the plain Python twins of the tests,
without the regression. The least CPU time of several runs, one thread.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

from benchmarks.measure import seconds
from benchmarks.texts import SHARED, Corpus, corpus
from tertium.estimation.corpora import MOST_LINES, Corpora
from tertium.estimation.estimator import Estimator, trained
from tertium.estimation.view import MARKS, Learnt
from tertium.io.translations import Translations, read_token_scores, read_translations
from tests.twins import keyed as twin

TARGET = 20_000  # segments a second and core, black box
TRAINING, BYTES = 60, 5_000_000
SEGMENTS, REPEATS = 7_000, 7
TWINS, SCORED = 300, 1_000  # segments that the peers read: they take long
HEADER = f"{'':<52}{'':>14}{'target':>12}"


def material(text: Corpus) -> Translations:
    """Translations with judgements and log-probabilities: real ones, or made of the corpus."""
    folder = SHARED / "data" / "mlqe-pe" / "en-de" / "direct-assessments"
    if folder.is_dir():
        found = read_translations(folder / "train.ende.df.short.tsv.xz")
        pieces, scores = read_token_scores(folder / "word_probas.train.ende.xz", folder / "mt.train.ende.xz")
        return replace(found, pieces=pieces, token_scores=scores)
    draw = Random(1)
    words = [line.split() for line in text.hypotheses]
    scores = [[-draw.random() for _ in own] for own in words]
    values = [sum(own) / max(1, len(own)) + draw.random() for own in scores]
    return Translations(
        text.name, text.references, text.hypotheses, values, "made", pieces=words, token_scores=scores
    )


def run(text: Corpus) -> Iterator[str]:
    glass = material(text if len(text) >= SEGMENTS else corpus(SEGMENTS))
    black = replace(glass, pieces=None, token_scores=None)
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the texts are those of the training
        path = Path(folder, "qe.model")
        rates = {}
        beside = corpus(MOST_LINES)
        lines = list(zip(beside.references, beside.hypotheses, strict=True))
        corpora = Corpora(lines, beside.references, beside.hypotheses)  # as many as are learnt from, and more
        for name, texts, given in (
            ("black box", black, None),
            ("black box, with corpora", black, corpora),
            ("with log-probabilities", glass, None),
        ):
            began = time.process_time()
            learnt = trained(texts, corpora=given)
            took = time.process_time() - began
            size = learnt.write(path)
            estimator = Estimator.read(path)
            rates[name] = len(texts) / seconds(lambda e=estimator, t=texts: e.estimates(t), REPEATS)  # type: ignore[misc]
            wanted = TARGET if texts is black else None
            yield _line(f"{name}, features and score", f"{rates[name]:,.0f}/s", wanted and f"{wanted:,}/s")
            yield _line(f"  training on {len(texts):,}", f"{took:.0f} s", f"{TRAINING} s")
            yield _line("  its file", f"{size / 1e6:.1f} MB", f"{BYTES / 1e6:.0f} MB")
            if name == "black box":
                yield _line("  imported when it is used, beside numpy", _imported(path), "nothing")
                yield from _peers(black, estimator.learnt, rates[name])


def _peers(texts: Translations, learnt: Learnt, rate: float) -> Iterator[str]:
    theirs = {
        "sacrebleu, chrF of each line": _chrf(texts),
        "the features by their Python twins": _twins(texts, learnt),
    }
    for name, value in theirs.items():
        yield _line(f"  {name}", f"{value:,.0f}/s", f"ours {rate / value:.0f}x")


def _line(what: str, value: str, target: str | None) -> str:
    return f"{what:<52}{value:>14}{target or '':>12}"


def _chrf(texts: Translations) -> float:
    from sacrebleu.metrics import CHRF

    metric, pairs = CHRF(), list(zip(texts.translations[:SCORED], texts.sources[:SCORED], strict=True))
    return len(pairs) / seconds(lambda: [metric.sentence_score(a, [b]) for a, b in pairs], 2)


def _twins(texts: Translations, learnt: Learnt) -> float:
    """What features are made of, in plain Python; models were learnt before."""
    sides = [[twin.keys(line) for line in side[:TWINS]] for side in (texts.sources, texts.translations)]
    models = [twin.Ngrams(side, 3, 0.75) for side in sides]
    tables = [
        dict(zip(own.keys.tolist(), own.chances.tolist(), strict=True))
        for own in (learnt.backward, learnt.forward)
    ]
    weights = learnt.tendencies[0].weights.astype(float).tolist()
    halves = weights[: len(weights) // 2], weights[len(weights) // 2 :]

    def features() -> None:
        for source, target in zip(texts.sources[:TWINS], texts.translations[:TWINS], strict=True):
            twin.surface(source, target, list(MARKS.values()))
            keys = twin.keys(source), twin.keys(target)
            for own in (0, 1):
                for i in range(len(keys[own])):
                    models[own].probability(keys[own], i)
                table = tables[own]
                twin.best_links(
                    lambda a, b, t=table: t.get(twin.short(a, b), 0.0), keys[own], keys[1 - own], 100
                )  # type: ignore[misc]
                twin.letter_sum((source, target)[own], halves[own])

    return min(TWINS, len(texts)) / seconds(features, 1)


def _imported(path: Path) -> str:
    """Packages of others that a process has loaded once it has read and used the estimator."""
    program = (
        "import sys; from tertium.triage.results import estimate; import tertium\n"
        f"estimate({str(path)!r}, ['ein Haus'], ['a house'])\n"
        "roots = {name.partition('.')[0] for name in sys.modules}\n"
        "from importlib.metadata import packages_distributions as known\n"
        "print(*sorted((roots & set(known())) - {'tertium', 'numpy'}))"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=os.environ
    )
    return found.stdout.strip() or "nothing"


def main() -> None:
    print(HEADER)
    for line in run(corpus(SEGMENTS)):
        print(line, flush=True)


if __name__ == "__main__":
    main()
