"""Trained metrics: training on 5,000 judgements once features are there, and scoring beside its components one by one.

python -m benchmarks.training
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

import tertium as tt
from benchmarks.measure import seconds
from benchmarks.texts import Corpus, corpus
from tertium._native import Lines
from tertium.families.features import Component
from tertium.io.metricfiles import bundled_model
from tertium.text.segments import References
from tertium.training.models import LEARNERS

JUDGEMENTS, FEATURES, REPEATS = 5_000, 23, 15
TARGET = 60  # seconds for 5,000 judgements
HEADER = f"{'':<44}{'seconds':>10}{'target':>10}"


def run(text: Corpus) -> Iterator[str]:
    """Fits of each learner on made features, then tertium:blend beside what it is made of."""
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(JUDGEMENTS, FEATURES))
    human = rows @ rng.normal(size=FEATURES) + rng.normal(size=JUDGEMENTS)
    for name in ("ridge", "svr"):
        how = LEARNERS[name]
        began = time.process_time()
        how.fit(rows, human, how.settings[0])
        yield _line(
            f"{name}, {JUDGEMENTS:,} judgements, {FEATURES} features", time.process_time() - began, TARGET
        )
    parts = [Component.of(spec) for spec in bundled_model("blend").components]
    metric = tt.metric("tertium:blend")
    total = together = float("inf")
    for turn in range(REPEATS):  # in turn, so that both see the same machine
        total = min(total, sum(_alone(one, text, f"{turn}.{i}") for i, one in enumerate(parts)))
        given = _texts(text, f"{turn}")
        together = min(together, seconds(lambda given=given: metric.statistics(*given), 1))  # type: ignore[misc]
    yield _line(f"tertium:blend, {len(text):,} segments", together, total)
    yield f"  times its {len(parts)} components one by one: {together / total:.3f}"


def _texts(text: Corpus, mark: str) -> tuple[Lines, References]:
    """Hypotheses and references that nobody has seen before: nothing is remembered of them."""
    ours, theirs = ([f"{line} {mark}" for line in lines] for lines in (text.hypotheses, text.references))
    return Lines(ours), References((Lines(theirs),))


def _alone(one: Component, text: Corpus, mark: str) -> float:
    lines, stream = _texts(text, mark)
    return seconds(lambda: one.rows(lines, one.prepare(stream, 1), None, 1), 1)


def _line(name: str, taken: float, target: float) -> str:
    return f"{name:<44}{taken:>10.3f}{target:>10.3f}{'  above the target' if taken > 1.05 * target else ''}"


def main() -> None:
    print(HEADER)
    for line in run(corpus(3_000, "en")):
        print(line, flush=True)


if __name__ == "__main__":
    main()
