"""Everything at once: which system is better, is it real, on which segments, words and lengths, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from tertium.compare.buckets import Buckets, score_buckets
from tertium.compare.components import Components, compare_components
from tertium.compare.doctor import Diagnosis, examine_testset
from tertium.compare.favouritism import Favouritism, measure_favouritism
from tertium.compare.groupings import Grouping, by_document, by_length, by_metadata
from tertium.compare.measured import Measured, better
from tertium.compare.pair_results import PairTests
from tertium.compare.preferences import Preferences, preference_rates
from tertium.compare.significance import pair_tests
from tertium.compare.types import TypeCurve, type_curve
from tertium.errors import InputError
from tertium.statistics import TypeStatistics
from tertium.stats.resampling import SEED

if TYPE_CHECKING:
    from tertium.io.tables import Table
    from tertium.metrics.base import Metric
    from tertium.testset import TestSet


@dataclass(frozen=True, eq=False)
class Comparison:
    """Systems compared by several metrics. Prints itself; `.data()` is everything as plain JSON types."""

    measured: Measured
    baseline: str | None
    seed: int
    tests: tuple[PairTests, ...]  # one a metric
    groupings: tuple[Grouping, ...]
    buckets: tuple[Buckets, ...]  # one a grouping
    components: Components
    preferences: tuple[Preferences, ...]  # one a pair
    favouritism: tuple[Favouritism, ...]  # one a pair and metric
    curve: TypeCurve | None  # None: no metric counts types
    doctor: Diagnosis

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The pairs that are looked at closely: each system with the baseline, or with the best."""
        return list(dict.fromkeys(found.systems for found in self.preferences))

    def words(self) -> Iterator[str]:
        """The outcome in sentences."""
        for found in self.tests:
            yield from (found.words(pair) for pair in found)
        for own in self.buckets:
            yield from own.reversals

    def tables(self) -> Iterator[Table]:
        """Systems and pairs of each metric, then buckets, preferences and components."""
        for found in self.tests:
            yield found.system_table()
            if len(found):
                yield found.table()
        yield from (own.table() for own in self.buckets)
        yield from (own.table() for own in self.preferences)
        yield self.components.table()

    def __str__(self) -> str:
        return "\n\n".join([str(table.text()) for table in self.tables()] + ["\n".join(self.words())])

    def data(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "name": self.measured.testset.name,
            "systems": list(self.measured.systems),
            "metrics": [str(metric) for metric in self.measured.metrics],
            "baseline": self.baseline,
            "seed": self.seed,
            "significance": {str(found.metric): found.data() for found in self.tests},
            "buckets": [own.data() for own in self.buckets],
            "preferences": [own.data() for own in self.preferences],
            "components": self.components.data(),
            "favouritism": [
                {
                    "metric": str(own.metric),
                    "systems": list(own.systems),
                    "strongest": [
                        {"segment": i + 1, "favouritism": float(own.values[i])} for i in own.strongest(10)
                    ],
                }
                for own in self.favouritism
            ],
            "types": None if self.curve is None else self.curve.data(),
            "findings": [finding.text() for finding in self.doctor.findings],
            "words": list(self.words()),
        }


def compare(
    testset: TestSet,
    metrics: Sequence[str | Metric] = ("bleu", "chrf"),
    *,
    baseline: str | None = None,
    method: str = "bootstrap",
    resamples: int | None = None,
    seed: int = SEED,
    like: str | None = None,
    metadata: Sequence[str] = (),
    tok: str = "13a",
    threads: int = 1,
) -> Comparison:
    """Compare the systems of a test set: significance, buckets, preferences, favouritism, types, components.

    >>> from tertium import TestSet
    >>> found = compare(TestSet.sample(), ["chrf"], baseline="smooth", resamples=200)
    >>> next(found.words()).partition(" by ")[0]
    'literal is better than smooth'
    """
    if len(testset) < 2:
        raise InputError("one segment only: there is nothing to resample, and no difference can be tested")
    measured = Measured.of(testset, metrics, threads=threads)
    documents = testset.documents
    settings: Mapping[str, Any] = {
        "baseline": baseline,
        "method": method,
        "resamples": resamples,
        "like": like,
    }
    tests = tuple(
        pair_tests(
            {name: measured.statistics(name, metric) for name in measured.systems},
            metric,
            seed=seed,
            documents=None if like is not None else documents,
            threads=threads,
            **settings,
        )
        for metric in measured.metrics
    )
    pairs = _pairs(measured, baseline)
    side = measured.word_weights(tok)[1]
    groupings = [by_length(measured, side, tok=tok)]
    if documents is not None and 1 < len(set(documents)) <= 50:
        groupings.append(by_document(measured))
    groupings += [by_metadata(measured, column) for column in metadata]
    counting = [
        metric
        for metric in measured.metrics
        if isinstance(measured.statistics(measured.systems[0], metric), TypeStatistics)
    ]
    return Comparison(
        measured=measured,
        baseline=baseline,
        seed=seed,
        tests=tests,
        groupings=tuple(groupings),
        buckets=tuple(
            score_buckets(measured, grouping, tok=tok, pairs=pairs, test="bootstrap")
            for grouping in groupings
        ),
        components=compare_components(measured),
        preferences=tuple(preference_rates(measured, pair, tok=tok) for pair in pairs),
        favouritism=tuple(
            measure_favouritism(measured, metric, pair) for pair in pairs for metric in measured.metrics
        ),
        curve=type_curve(measured, counting[0], measured.systems) if counting else None,
        doctor=examine_testset(testset),
    )


def _pairs(measured: Measured, baseline: str | None) -> list[tuple[str, str]]:
    """Each system with the baseline; without one with the best by the first metric; two are the only pair."""
    if len(measured.systems) == 2:
        return list(combinations(measured.systems, 2))
    first = measured.metrics[0]
    centre = baseline
    if centre is None:
        for name in measured.systems:
            found = measured.corpus_score(name, first)
            if centre is None or better(first, found, measured.corpus_score(centre, first)) > 0:
                centre = name
    return [(centre, name) for name in measured.systems if name != centre] if centre is not None else []
