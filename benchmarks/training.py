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
    ours, theirs = list(text.hypotheses), list(text.references)
    lines, stream = Lines(ours), References((Lines(theirs),))
    parts = [Component.of(spec) for spec in bundled_model("blend").components]
    metric = tt.metric("tertium:blend")

    def alone() -> None:
        for one in parts:
            one.rows(lines, one.prepare(stream, 1), None, 1)

    total = together = float("inf")
    for _ in range(REPEATS):  # in turn, so that both see the same machine
        total = min(total, seconds(alone, 1))
        together = min(together, seconds(lambda: metric.statistics(lines, stream), 1))
    yield _line(f"tertium:blend, {len(text):,} segments", together, total)
    yield f"  times its {len(parts)} components one by one: {together / total:.3f}"


def _line(name: str, taken: float, target: float) -> str:
    return f"{name:<44}{taken:>10.3f}{target:>10.3f}{'  above the target' if taken > 1.05 * target else ''}"


def main() -> None:
    print(HEADER)
    for line in run(corpus(3_000, "en")):
        print(line, flush=True)


if __name__ == "__main__":
    main()
