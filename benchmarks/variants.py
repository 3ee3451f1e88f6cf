"""Eight variants of BLEU beside one: they share rows, and so all that is done with rows (at most 1.3 times one)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import tertium as tt
from benchmarks.measure import seconds
from benchmarks.texts import Corpus
from tertium.comparison.significance import ResamplingPlan, pair_tests_by_metric

EIGHT = (
    "bleu",
    "bleu:smooth=floor",
    "bleu:smooth=add-k",
    "bleu:smooth=none",
    "bleu:smooth=add-k,smooth_value=2",
    "bleu:order=2",
    "bleu:order=3,smooth=floor",
    "bleu:eff=always",
)
TARGET = 1.3


def run(text: Corpus) -> Iterator[str]:
    """Lines with the time of eight and of one: scored, tested, and compared in every way."""
    systems = {"A": text.hypotheses, "B": [*text.hypotheses[1:], text.hypotheses[0]]}
    testset = tt.TestSet.of(text.references, systems)

    def tested(metrics: tuple[str, ...]) -> None:
        measured = tt.measure(testset, metrics)
        shared = [
            (alike, {name: measured.rows[name, alike[0]] for name in systems}) for alike in measured.sharing()
        ]
        pair_tests_by_metric(shared, ResamplingPlan())

    ways: dict[str, Callable[[tuple[str, ...]], object]] = {
        "score": lambda metrics: tt.score(systems, testset.references, metrics),
        "measure and test": tested,
        "compare": lambda metrics: str(tt.compare(testset, metrics).with_details()),
    }
    for name, way in ways.items():
        repeats = 3 if name == "compare" else 9
        one, eight = (seconds(lambda w=way, m=m: w(m), repeats) for m in (EIGHT[:1], EIGHT))  # type: ignore[misc]
        yield (
            f"{name:<20}{len(text):>8} segments   one {1e3 * one:8.1f} ms   eight {1e3 * eight:8.1f} ms   "
            f"{eight / one:5.2f} times (target at most {TARGET})"
        )
