"""Scores in buckets of segments, and the places where the whole and its parts disagree, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

from tertium.comparison.favouritism import leave_one_out
from tertium.comparison.groupings import Grouping, by_length
from tertium.comparison.means import segment_means
from tertium.comparison.reversals import reversals
from tertium.comparison.significance import ResamplingPlan, pair_tests_by_metric
from tertium.comparison.winners import better
from tertium.families.base import Metric
from tertium.io.tables import Column, Table, Value, chance_column, number_column, p_text
from tertium.measured import Measured
from tertium.results import Result, metric_labels
from tertium.statistics import Statistics, ValueStatistics
from tertium.stats.distributions import student_quantile
from tertium.stats.multiple import holm

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Test = Callable[[Metric, Statistics, Statistics], float | None]
"""A paired test: rows of two systems for the same segments in, a p-value out (None: undefined)."""


@dataclass(frozen=True)
class Bucket:
    """Some segments: how much of the text they are, and what every metric says of every system there."""

    name: str
    segments: int
    words: int
    share_of_segments: float
    share_of_words: float | None
    scores: Mapping[tuple[str, Metric], float | None]
    undefined: Mapping[Metric, str] = field(default_factory=dict)  # why a metric has no score here
    p_values: Mapping[tuple[str, str, Metric], float | None] = field(default_factory=dict)
    p_holm: Mapping[tuple[str, str, Metric], float | None] = field(
        default_factory=dict
    )  # over buckets and pairs
    intervals: Mapping[tuple[str, Metric], tuple[float, float]] = field(
        default_factory=dict
    )  # 95%, by jackknife

    def p_value(self, a: str, b: str, metric: Metric) -> float | str | None:
        """Of a pair in either order, after Holm over all buckets and pairs by this metric; None where it is undefined,
        empty where the pair was not tested."""
        return self.p_holm.get((a, b, metric), self.p_holm.get((b, a, metric), ""))

    def clearly_best(self, metric: Metric) -> str | None:
        """The system that is significantly better than all others here (p < 0.05 after Holm), where that was tested."""
        systems = [system for system, other in self.scores if other == metric]

        def beats(one: str, other: str) -> bool:
            p = self.p_value(one, other, metric)
            ahead = better(metric, self.scores[one, metric], self.scores[other, metric]) > 0
            return isinstance(p, float) and p < 0.05 and ahead

        found = (one for one in systems if all(beats(one, other) for other in systems if other != one))
        return next(found, None)

    def contents(self) -> Mapping[str, Any]:
        """For the data of all buckets."""
        scores: dict[str, dict[str, float | None]] = {}
        intervals: dict[str, dict[str, tuple[float, float]]] = {}
        for (system, metric), value in self.scores.items():
            scores.setdefault(str(metric), {})[system] = value
        for (system, metric), ends in self.intervals.items():
            intervals.setdefault(str(metric), {})[system] = ends
        return {
            "name": self.name,
            "segments": self.segments,
            "words": self.words,
            "share_of_segments": self.share_of_segments,
            "share_of_words": self.share_of_words,
            "scores": scores,
            "intervals": intervals,
            "undefined": self.undefined,
            "clearly_best": {metric: self.clearly_best(metric) for _, metric in self.scores},
            "p_values": [
                {"systems": [a, b], "metric": metric, "p": p, "p_holm": self.p_holm[a, b, metric]}
                for (a, b, metric), p in self.p_values.items()
            ],
        }


@dataclass(frozen=True)
class Buckets(Result):
    """All buckets of a grouping."""

    kind = "buckets"
    by: str
    systems: tuple[str, ...]
    metrics: tuple[Metric, ...]
    counted: str  # whose tokens the words are
    buckets: tuple[Bucket, ...]
    reversals: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Bucket:
        for bucket in self.buckets:
            if bucket.name == name:
                return bucket
        raise KeyError(name)

    def contents(self) -> Mapping[str, Any]:
        return {**super().contents(), "buckets": [bucket.contents() for bucket in self.buckets]}

    def words(self) -> Iterator[str]:
        return iter(self.reversals)

    @property
    def centre(self) -> str | None:
        """The system that all tested pairs have in common, if there is one (of a single pair the first)."""
        pairs = list(dict.fromkeys(pair[:2] for bucket in self.buckets for pair in bucket.p_values))
        return next((name for name in self._names(pairs) if all(name in pair for pair in pairs)), None)

    @staticmethod
    def _names(pairs: Sequence[tuple[str, str]]) -> list[str]:
        return [name for pair in pairs for name in pair]

    def table(self) -> Table:
        """A row for each bucket and system; the best system of each bucket is marked, p-values stand beside."""
        centre = self.centre
        beside = 1 if centre is None else 2  # columns of each metric
        rows: list[tuple[Value, ...]] = []
        best: set[tuple[int, int]] = set()
        labels = metric_labels(self.metrics)
        notes: list[str] = [f"words are {self.counted}"]
        if centre is not None:
            notes.append(f"p: of the difference from {centre} in this bucket, Holm over all rows")
        for bucket in self.buckets:
            first = len(rows)
            share = bucket.share_of_words
            for name in self.systems:
                row: list[Value] = [
                    bucket.name,
                    bucket.segments,
                    None if share is None else 100 * share,
                    name,
                ]
                for metric in self.metrics:
                    row.append(bucket.scores[name, metric])
                    if centre is not None:
                        row.append(bucket.p_value(centre, name, metric))
                rows.append(tuple(row))
            for c, metric in enumerate(self.metrics):
                best |= _best(rows[first:], first, 4 + beside * c, metric)
            notes += [
                f"{bucket.name}: {label} is undefined, because {bucket.undefined[metric]}"
                for metric, label in zip(self.metrics, labels, strict=True)
                if metric in bucket.undefined
            ]
            if centre is None:
                notes += [
                    f"{bucket.name}: {a} and {b} in {labels[self.metrics.index(metric)]}: p {_p_sign(p)} (Holm)"
                    for (a, b, metric), p in bucket.p_holm.items()
                    if p is not None
                ]
        columns = [
            Column("bucket"),
            number_column("segments", digits=None),
            number_column("% of words", "percent_of_words", 1),
            Column("system"),
        ]
        for metric, label in zip(self.metrics, labels, strict=True):
            arrow = "↑" if metric.higher_is_better else "↓"
            columns.append(number_column(f"{label} {arrow}", str(metric), 2 + metric.finer))
            if centre is not None:
                columns.append(chance_column("p", f"{metric} p"))
        return Table(f"By {self.by}", tuple(columns), tuple(rows), (*notes, *self.reversals), frozenset(best))


def _p_sign(p: float) -> str:
    text = p_text(p)
    return text if text.startswith("<") else f"= {text}"


def _best(rows: Sequence[tuple[Any, ...]], first: int, column: int, metric: Metric) -> set[tuple[int, int]]:
    values = {r: row[column] for r, row in enumerate(rows, first) if row[column] is not None}
    if len(values) < 2:
        return set()
    top = (max if metric.higher_is_better else min)(values.values())
    return {
        (r, column)
        for r, value in values.items()
        if not better(metric, value, top) and not better(metric, top, value)
    }


def score_buckets(
    measured: Measured,
    grouping: Grouping | None = None,
    *,
    test: Test | ResamplingPlan | str | None = None,
    tok: str = "13a",
    pairs: Sequence[tuple[str, str]] | None = None,
) -> Buckets:
    """Every metric in every bucket; by default of reference length (source length where there is no reference).

    `test` gives p-values for the `pairs` (by default all): a function of two systems' rows, or how to resample
    (a plan, or only its method: "bootstrap", "randomisation"), documents where the plan has them and a bucket is not
    part of one. They are corrected over all buckets and pairs. Reversals are named for the same pairs.

    >>> from tertium import TestSet, measure
    >>> found = score_buckets(measure(TestSet.sample(), "chrf"))
    >>> [(bucket.name, bucket.segments) for bucket in found.buckets]
    [('1-7', 3), ('8-24', 59), ('25+', 7)]
    """
    import numpy as np

    if isinstance(test, str):
        test = ResamplingPlan(method=test)
    chosen = by_length(measured, measured.length_side, tok=tok) if grouping is None else grouping
    bare = bare_buckets(measured, chosen, tok)
    compared = (
        list(combinations(measured.systems, 2)) if pairs is None else [measured.pair(pair) for pair in pairs]
    )
    kinds = [
        measured.by_metrics([metric for metric in measured.metrics if _drawn(measured, metric) == kind])
        for kind in dict.fromkeys(_drawn(measured, metric) for metric in measured.metrics)
    ]
    asked = [(a, b, metric) for metric in measured.metrics for a, b in compared]
    found = []
    for g, bucket in enumerate(bare.buckets):
        members = np.flatnonzero(chosen.groups == g)
        p_values: dict[tuple[str, str, Metric], float | None] = {}
        intervals: dict[tuple[str, Metric], tuple[float, float]] = {}
        for alike in kinds:  # not the rows of all at a time
            rows = alike.each(lambda own, members=members: own.take(members))  # type: ignore[misc]
            if test is not None:
                p_values |= _tested(alike, rows, members, compared, test)
            intervals |= _intervals(rows, bucket)
            del rows
        found.append(
            replace(
                bucket,
                p_values={key: p_values[key] for key in asked if key in p_values},
                intervals={key: intervals[key] for key in measured.rows if key in intervals},
            )
        )
    averages = segment_means(measured, tok=tok)
    found = _corrected(found, measured.metrics)
    return replace(
        bare, buckets=tuple(found), reversals=reversals(measured, bare.buckets, compared, averages)
    )


def _corrected(buckets: Sequence[Bucket], metrics: Sequence[Metric]) -> list[Bucket]:
    """With p-values after Holm: by each metric, over all buckets and pairs."""
    adjusted: dict[tuple[int, tuple[str, str, Metric]], float | None] = {}
    for metric in metrics:
        places = [(g, key) for g, bucket in enumerate(buckets) for key in bucket.p_values if key[2] == metric]
        p_holm = holm([buckets[g].p_values[key] for g, key in places])
        adjusted |= dict(zip(places, p_holm, strict=True))
    return [
        replace(bucket, p_holm={key: adjusted[g, key] for key in bucket.p_values})
        for g, bucket in enumerate(buckets)
    ]


def _drawn(measured: Measured, metric: Metric) -> tuple[bool, str]:
    """How resamples of its rows are drawn: rows of which this is the same are resampled together."""
    rows = measured.rows[measured.systems[0], metric]
    return rows.bootstrappable, rows.usual_test


def bare_buckets(measured: Measured, grouping: Grouping, tok: str = "13a") -> Buckets:
    """The scores of all buckets, made once; no tests, no intervals."""
    return measured.once(("buckets", grouping, tok), lambda: _bare(measured, grouping, tok))


def _bare(measured: Measured, grouping: Grouping, tok: str) -> Buckets:
    import numpy as np

    side = measured.length_side
    weights = measured.lengths(side, tok)
    n = len(grouping.labels)
    grouped = measured.each(lambda rows: rows.grouped(grouping.groups, n))
    scores = {key: key[1].score_rows(rows, "corpus").tolist() for key, rows in grouped.items()}
    all_words = int(weights.sum())
    made = []
    for g, label in enumerate(grouping.labels):
        members = np.flatnonzero(grouping.groups == g)
        words = int(weights[members].sum())
        values, undefined = _defined(measured, scores, g, len(members))
        made.append(
            Bucket(
                name=label,
                segments=len(members),
                words=words,
                share_of_segments=len(members) / len(measured),
                share_of_words=words / all_words if all_words else None,
                scores=values,
                undefined=undefined,
            )
        )
    return Buckets(
        by=grouping.by,
        systems=measured.systems,
        metrics=measured.metrics,
        counted=f"{side} tokens ({tok})",
        buckets=tuple(made),
    )


def _defined(
    measured: Measured, scores: Mapping[tuple[str, Metric], list[float]], g: int, segments: int
) -> tuple[dict[tuple[str, Metric], float | None], dict[Metric, str]]:
    values: dict[tuple[str, Metric], float | None] = {}
    undefined: dict[Metric, str] = {}
    for (system, metric), own in scores.items():
        if segments and own[g] == own[g]:
            values[system, metric] = own[g]
            continue
        values[system, metric] = None
        undefined[metric] = (
            "there are no segments"
            if not segments
            else f"there is {metric.undefined or 'nothing to compare'}"
        )
    return values, undefined


def _intervals(
    chosen: Mapping[tuple[str, Metric], Statistics], bucket: Bucket
) -> dict[tuple[str, Metric], tuple[float, float]]:
    """95% intervals from the scores without each segment (Tukey's jackknife) and Student's t; none of few segments."""
    import numpy as np

    found = {}
    for (system, metric), rows in chosen.items():
        score = bucket.scores[system, metric]
        # Of a median no jackknife is right.
        if isinstance(rows, ValueStatistics) or score is None or len(rows) < metric.fewest_for_interval:
            continue
        without = leave_one_out(metric, rows)
        half = student_quantile(0.975, len(without) - 1) * float(np.sqrt((len(without) - 1) * without.var()))
        if half == half:
            found[system, metric] = score - half, score + half
    return found


def _tested(
    measured: Measured,
    chosen: Mapping[tuple[str, Metric], Statistics],
    members: NDArray[np.int64],
    pairs: Sequence[tuple[str, str]],
    test: Test | ResamplingPlan,
) -> dict[tuple[str, str, Metric], float | None]:
    if len(members) < 2:
        return {(a, b, metric): None for metric in measured.metrics for a, b in pairs}
    names = dict.fromkeys(name for pair in pairs for name in pair)
    shared = [(metrics, {name: chosen[name, metrics[0]] for name in names}) for metrics in measured.sharing()]
    if isinstance(test, ResamplingPlan):  # all pairs and metrics from the same resamples
        centre = next((name for name in names if all(name in pair for pair in pairs)), None)
        documents = None if test.documents is None else [test.documents[i] for i in members]
        whole = documents is None or len(set(documents)) > 1
        plan = replace(test, baseline=centre, documents=documents if whole else None, intervals=0)
        found = pair_tests_by_metric(shared, plan) if names else {}
        return {(a, b, metric): own.pair(a, b).p for metric, own in found.items() for a, b in pairs}
    return {
        (a, b, metric): test(metric, rows[a], rows[b])
        for metrics, rows in shared
        for metric in metrics
        for a, b in pairs
    }
