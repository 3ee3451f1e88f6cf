"""Plain and length-weighted means of segment scores, and what it means when they disagree.

For a metric whose corpus score is a mean of segment scores the plain mean gives a "Thank you." as much say as a
sentence of sixty words. The weighted mean

    sum_i |r_i| M(h_i, r_i) / sum_i |r_i|,    |r_i| = tokens of the reference of segment i,

is what Simard (2019) calls w-YiSi for YiSi; it is here for every metric that has segment scores.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from tertium.comparison.reversals import mean_reversal
from tertium.families.base import Metric
from tertium.io.tables import Column, Table, Value, number_column
from tertium.measured import Measured
from tertium.results import Result, metric_labels
from tertium.statistics import weighted_scores


@dataclass(frozen=True)
class MetricMeans:
    """Means of segment scores by one metric, a value for each system; None where no segment has a score."""

    metric: Metric
    corpus: tuple[float | None, ...]
    plain: tuple[float | None, ...]
    weighted: tuple[float | None, ...]
    undefined: int  # segments left out for all systems, because one of them has no score there


@dataclass(frozen=True)
class Means(Result):
    """Plain and length-weighted means of segment scores, beside the corpus scores."""

    kind = "means"
    systems: tuple[str, ...]
    tok: str
    metrics: tuple[MetricMeans, ...]

    def of(self, metric: Metric) -> MetricMeans:
        """The means of one metric."""
        return next(found for found in self.metrics if found.metric == metric)

    def words(self) -> Iterator[str]:
        """Pairs of systems that the plain and the weighted mean put in different order."""
        for own, label in zip(self.metrics, metric_labels(own.metric for own in self.metrics), strict=True):
            for (i, a), (j, b) in combinations(enumerate(self.systems), 2):
                plain, weighted = (own.plain[i], own.plain[j]), (own.weighted[i], own.weighted[j])
                sentence = mean_reversal(own.metric, (a, b), plain, weighted, label)
                if sentence is not None:
                    yield sentence

    def contents(self) -> Mapping[str, Any]:
        return {
            "weights": f"reference tokens ({self.tok})",
            "metrics": {
                own.metric: {
                    "systems": {
                        name: {"corpus": own.corpus[i], "plain": own.plain[i], "weighted": own.weighted[i]}
                        for i, name in enumerate(self.systems)
                    },
                    "segments_left_out": own.undefined,
                }
                for own in self.metrics
            },
            "reversals": tuple(self.words()),
        }

    def table(self) -> Table:
        """A row for each metric and system."""
        labels = metric_labels(own.metric for own in self.metrics)
        rows: list[tuple[Value, ...]] = [
            (label, name, own.corpus[i], own.plain[i], own.weighted[i])
            for own, label in zip(self.metrics, labels, strict=True)
            for i, name in enumerate(self.systems)
        ]
        columns = (
            Column("metric"),
            Column("system"),
            number_column("corpus"),
            number_column("mean of segments", "plain_mean"),
            number_column("weighted by length", "weighted_mean"),
        )
        notes = [f"weights are reference tokens ({self.tok})"]
        notes += [
            f"{label}: {own.undefined} segments without a score are left out"
            for own, label in zip(self.metrics, labels, strict=True)
            if own.undefined
        ]
        return Table("Means of segment scores", columns, tuple(rows), (*notes, *self.words()))


def segment_means(measured: Measured, *, tok: str = "13a") -> Means:
    """Plain and length-weighted means of the segment scores of every system by every metric.

    >>> from tertium import TestSet, measure
    >>> found = segment_means(measure(TestSet.sample(), "chrf"))
    >>> [round(value, 1) for value in found.metrics[0].weighted]
    [45.7, 37.9, 71.4]
    """
    import numpy as np

    lengths = measured.lengths("reference", tok).astype(np.float64)
    found = []
    for metric in measured.metrics:
        scores = np.stack([measured.segment_scores(name, metric) for name in measured.systems])
        defined = ~np.isnan(scores).any(axis=0)
        found.append(
            MetricMeans(
                metric,
                tuple(measured.corpus_score(name, metric) for name in measured.systems),
                tuple(_mean(own[defined], None) for own in scores),
                tuple(_mean(own[defined], lengths[defined]) for own in scores),
                int((~defined).sum()),
            )
        )
    return Means(measured.systems, tok, tuple(found))


def _mean(values: Any, weights: Any) -> float | None:
    total = weighted_scores(values, weights).total()
    weight = total.only("weight")
    return None if not weight else total.only("weighted") / weight
