"""Metrics with their scores on one language pair: ours are computed on the spot, others come from files."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tertium.errors import InputError
from tertium.families.base import Metric
from tertium.io.scorematrix import ScoreMatrix
from tertium.measured import Measured
from tertium.measuring import analyses, measure
from tertium.meta.metric_lists import MetricEntry
from tertium.progress import steps
from tertium.testset import TestSet


@dataclass(frozen=True, eq=False)
class ScoredMetric:
    """A metric's scores of systems, of segments and of documents, as far as it has them."""

    name: str
    higher_is_better: bool
    systems: ScoreMatrix | None = None
    segments: ScoreMatrix | None = None
    documents: ScoreMatrix | None = None
    ensemble: bool = False
    aggregation: str = ""  # how systems were scored: "corpus", "segments", or empty: by its authors
    signature: str = ""
    seconds: float | None = None  # that scoring all systems took, rows that variants share included
    metric: Metric | None = None  # None: not one of ours

    @property
    def sign(self) -> int:
        """What turns its scores so that more is better."""
        return 1 if self.higher_is_better else -1

    def by_document(self, documents: Sequence[str]) -> ScoredMetric:
        """With scores of documents; those of a metric that is not ours are the means of its segments' scores."""
        if self.documents is not None or self.segments is None:
            return self
        return replace(self, documents=self.segments.document_means(documents))


def measure_metrics(
    testset: TestSet,
    entries: Iterable[MetricEntry],
    pair: str,
    *,
    systems: Sequence[str] | None = None,
    threads: int = 1,
    judged: Mapping[str, Sequence[int]] | None = None,
) -> tuple[tuple[ScoredMetric, ...], Measured | None]:
    """Our metrics on a test set, and the rows behind them (None where there are no metrics).

    With `judged`, the places of each system's judged segments, metrics that read parses score these segments only and
    no systems: nobody parses a whole test set for some hundred judgements.

    >>> found, _ = measure_metrics(TestSet.sample(), [MetricEntry("BLEU", "bleu")], "de-en")
    >>> round(found[0].systems.system("strong"), 1), found[0].segments.values.shape
    (64.2, (3, 69))
    """
    names = tuple(testset.systems) if systems is None else tuple(systems)
    items = tuple(str(i) for i in range(1, len(testset) + 1))
    all_metrics = [(entry, entry.metric(pair)) for entry in entries]
    parsed = [] if judged is None else [(e, m) for e, m in all_metrics if reads_parses(m)]
    chosen = [one for one in all_metrics if one not in parsed]
    of = analyses([metric for _, metric in chosen], testset.references.number)
    rows_of: dict[Metric, tuple[Measured, float]] = {}  # by analysis, and how long it took
    scored: list[ScoredMetric] = []
    whole: Measured | None = None
    for entry, metric in steps(chosen, lambda one: one[0].name):
        if of[metric] not in rows_of:
            alike = [other for _, other in chosen if of[other] == of[metric]]
            start = time.perf_counter()
            found = measure(testset, alike, systems=names, threads=threads)
            rows_of[of[metric]] = found, time.perf_counter() - start
            whole = found if whole is None else whole.joined(found)
        measured, seconds = rows_of[of[metric]]
        start = time.perf_counter()
        segments = np.stack([measured.segment_scores(name, metric) for name in names])
        totals = {name: measured.corpus_score(name, metric) for name in names}
        seconds += time.perf_counter() - start
        by_segment = ScoreMatrix(entry.name, "segment", names, items, segments)
        by_document = _of_documents(testset, measured, metric, entry.name)
        means = entry.aggregation == "segments"
        of_systems = (
            by_segment.system_means(entry.name) if means else ScoreMatrix.of_systems(entry.name, totals)
        )
        scored.append(
            ScoredMetric(
                name=entry.name,
                higher_is_better=metric.higher_is_better,
                systems=of_systems if "system" in entry.levels else None,
                segments=by_segment if "segment" in entry.levels and metric.scope == "segment" else None,
                documents=by_document,
                ensemble=entry.ensemble,
                aggregation=entry.aggregation,
                signature=metric.signature(testset.references.number, pseudo=testset.references.pseudo),
                seconds=seconds,
                metric=metric,
            )
        )
    assert judged is not None or not parsed
    scored += [
        _scored_where_judged(testset, one, metric, names, judged or {}, threads) for one, metric in parsed
    ]
    order = [entry.name for entry, _ in all_metrics]
    scored.sort(key=lambda own: order.index(own.name))
    return tuple(scored), whole


def reads_parses(metric: Metric) -> bool:
    """Whether a metric of segments looks its parses up in files, segment by segment."""
    values = [getattr(metric, name, "") for name in ("parser", "source_parser", "parses")]
    return metric.scope == "segment" and not metric.needs_whole_set and any(values)


def _scored_where_judged(
    testset: TestSet,
    entry: MetricEntry,
    metric: Metric,
    systems: Sequence[str],
    judged: Mapping[str, Sequence[int]],
    threads: int,
) -> ScoredMetric:
    """A metric's scores of judged segments alone."""
    start = time.perf_counter()
    values = np.full((len(systems), len(testset)), np.nan)
    for row, name in enumerate(systems):
        places = list(judged.get(name, ()))
        if places:
            found = measure(testset.take(places), [metric], systems=[name], threads=threads)
            values[row, places] = found.segment_scores(name, metric)
    items = tuple(str(i) for i in range(1, len(testset) + 1))
    return ScoredMetric(
        name=entry.name,
        higher_is_better=metric.higher_is_better,
        segments=ScoreMatrix(entry.name, "segment", tuple(systems), items, values),
        ensemble=entry.ensemble,
        aggregation=entry.aggregation,
        signature=metric.signature(testset.references.number, pseudo=testset.references.pseudo),
        seconds=time.perf_counter() - start,
        metric=metric,
    )


def _of_documents(testset: TestSet, measured: Measured, metric: Metric, name: str) -> ScoreMatrix | None:
    """A metric's scores of documents: rows add, so a document's is the sum of its segments'."""
    if testset.documents is None:
        return None
    items = tuple(dict.fromkeys(testset.documents))
    place = {item: i for i, item in enumerate(items)}
    groups = [place[item] for item in testset.documents]
    rows = (measured.rows[system, metric].grouped(groups, len(items)) for system in measured.systems)
    values = np.stack([metric.score_rows(own, "document") for own in rows])
    return ScoreMatrix(name, "document", measured.systems, items, values)


def outside_metric(
    matrices: Sequence[ScoreMatrix],
    name: str | None = None,
    *,
    higher_is_better: bool = True,
    ensemble: bool = False,
    derive: bool = False,
) -> ScoredMetric:
    """A metric that is not ours, from its scores of systems, of segments, or both. With `derive`, systems without
    scores get the means of their segments' scores.

    >>> outside_metric([ScoreMatrix.of_systems("BEER", {"A": 0.6, "B": 0.5})]).systems.system("A")
    0.6
    """
    found: dict[str, ScoreMatrix] = {}
    for matrix in matrices:
        if matrix.level in found:
            raise InputError(f"{matrix.label}: {matrix.name} has {matrix.level} scores already")
        found[matrix.level] = matrix
    if not found:
        raise InputError("a metric without any scores")
    first = next(iter(found.values()))
    if derive and "segment" in found:
        found.setdefault("system", found["segment"].system_means(first.name))
    return ScoredMetric(
        name=name or first.name,
        higher_is_better=higher_is_better,
        systems=found.get("system"),
        segments=found.get("segment"),
        ensemble=ensemble,
    )
