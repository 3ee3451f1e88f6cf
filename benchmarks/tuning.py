"""What tuning costs: lists of a decoder's size, made of real references and drawn features. No peer can be installed
from PyPI (Moses' mert and kbmira are C++ programs of its own tree), so the line search is measured beside the same
algorithm in Python.

python -m benchmarks.tuning
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.measure import seconds
from benchmarks.texts import Corpus, corpus
from tertium.io.nbest import NBest
from tertium.io.nbestfeatures import FeatureLists
from tertium.tuning.line import line
from tertium.tuning.objective import Objective
from tertium.tuning.tuners import TUNERS, Tuner, TuningOptions
from tertium.tuning.tuning import prepared

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

SENTENCES, CANDIDATES, FEATURES = 1_000, 100, 14
METRICS = ("bleu", "bleu:PGBC4", "chrf", "ter", "macrof1")
HEADER = f"{'what':<44}{'candidates':>11}{'ms':>10}{'us a candidate':>16}"


def lists(text: Corpus) -> FeatureLists:
    """Candidates are references with some words of another one; features are drawn."""
    rng, numbers = random.Random(1), np.random.default_rng(1)
    segments, texts = [], []
    for i in range(SENTENCES):
        words = text.references[i].split() or ["none"]
        other = text.hypotheses[i].split() or ["none"]
        for _ in range(CANDIDATES):
            mixed = [rng.choice(other) if rng.random() < 0.3 else word for word in words]
            segments.append(i)
            texts.append(" ".join(mixed))
    values = numbers.normal(size=(len(texts), FEATURES)).round(5)
    features = tuple("f= " + " ".join(map(str, row)) for row in values.tolist())
    return FeatureLists.of(NBest(tuple(segments), tuple(texts), (0.0,) * len(texts), features))


def in_python(own: Objective, weights: Array, direction: Array) -> float:
    """The same line search, readable and slow: the best score along the line."""
    offsets, slopes = own.part.sums(weights).tolist(), own.part.sums(direction).tolist()
    turns, first = [], []
    for begin, end in pairwise(own.part.starts.tolist()):
        hull: list[tuple[float, int]] = []
        for i in sorted(range(begin, end), key=lambda i: (slopes[i], -offsets[i], i)):
            if hull and slopes[hull[-1][1]] == slopes[i]:
                continue
            place = -float("inf")
            while hull:
                top = hull[-1][1]
                place = (offsets[top] - offsets[i]) / (slopes[i] - slopes[top])
                if place > hull[-1][0]:
                    break
                hull.pop()
                place = -float("inf")
            hull.append((place, i))
        first.append(hull[0][1])
        turns += [(place, before, after) for (_, before), (place, after) in pairwise(hull)]
    turns.sort()
    rows = own.rows.array  # type: ignore[attr-defined]
    moved = [rows[after] - rows[before] for _, before, after in turns]
    sums = np.cumsum([rows[first].sum(axis=0), *moved], axis=0)
    made = type(own.rows)(own.rows.columns, sums)  # type: ignore[attr-defined, call-arg]
    return float(own.metric.oriented(own.metric.score_rows(made)).max())


def run(text: Corpus) -> Iterator[str]:
    made = lists(text)
    n = len(made.nbest)
    references = text.references[:SENTENCES]

    def told(what: str, taken: float) -> str:
        return f"{what:<44}{n:>11,}{1e3 * taken:>10.1f}{1e6 * taken / n:>16.2f}"

    yield told("features read", seconds(lambda: FeatureLists.of(made.nbest), 1))
    for spec in METRICS:
        tuning = prepared(made, references, [spec], heldout=0)
        own = tuning.objective(tuning.metrics[0])
        weights, direction = np.random.default_rng(2).normal(size=(2, FEATURES))
        yield told(f"{spec}: line search", seconds(partial(line, own, weights, direction), 5))
        if spec == METRICS[0]:
            slow = partial(in_python, own, weights, direction)
            assert slow() == line(own, weights, direction).best()[1]
            yield told(f"{spec}: line search in Python", seconds(slow, 2))
            for name in TUNERS:
                step = partial(_step, TUNERS[name], own, tuning.start)
                yield told(f"{spec}: {TUNERS[name].title}, one {TUNERS[name].step}", seconds(step, 2))


def _step(tuner: Tuner, own: Objective, start: Array) -> Array:
    options = TuningOptions(steps=1, directions=0)
    return next(tuner.steps(own, start, np.random.default_rng(3), options))


def main() -> None:
    print(HEADER)
    for told in run(corpus(3_000, "en")):
        print(told, flush=True)


if __name__ == "__main__":
    main()
