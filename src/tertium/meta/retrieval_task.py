"""Retrieval as a task for metrics, end to end: documents and their translations, queries, runs, who foresees them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tertium.errors import InputError, did_you_mean
from tertium.io.tables import Column, Table, number_column
from tertium.io.trec import Qrels, Run
from tertium.meta.downstream import (
    DEPTH,
    RetrievalRuns,
    RetrievalScores,
    measure_runs,
    overlap_with,
    pseudo_relevance,
    retrieve,
)
from tertium.meta.downstream_correlations import DownstreamCorrelations, correlate_downstream
from tertium.meta.metric_lists import entries_of
from tertium.meta.scored_metrics import ScoredMetric, measure_metrics
from tertium.results import Result
from tertium.testset import TestSet

MEASURES = ("map", "ndcg@10", "aqwv")
HUMAN = "human"  # the run on the reference translations
RELEVANT = 10  # documents of a query, at most, that stand for what people would find relevant


@dataclass(frozen=True, eq=False)
class RetrievalTask(Result):
    """What each system's translations bring up, its scores by metrics, and the correlation of the two over systems."""

    kind = "retrieval task"
    runs: Mapping[str, Run]  # by system, and "human": on the reference translations
    measured: RetrievalRuns
    metrics: tuple[ScoredMetric, ...]
    correlations: DownstreamCorrelations
    relevance: str  # who says what is relevant
    documents: int
    queries: int
    reference: tuple[RetrievalScores, ...] = ()  # of the run on the reference translations
    scored_documents: int = 0  # those that metrics scored, where the collection is another one

    def contents(self) -> Mapping[str, Any]:
        return {
            "documents": self.documents,
            "scored_documents": self.scored_documents or self.documents,
            "queries": self.queries,
            "relevance": self.relevance,
            "retrieval": self.measured,
            "reference": {own.measure: own.mean for own in self.reference},
            "scores": {metric.name: self._scores(metric) for metric in self.metrics},
            "correlations": self.correlations,
        }

    def _scores(self, metric: ScoredMetric) -> dict[str, float | None]:
        assert metric.systems is not None
        return {name: metric.systems.system(name) for name in self.measured.runs}

    def tables(self) -> Iterator[Table]:
        own = self.measured.table()
        columns = (
            Column("system"),
            *own.columns[1:],
            *(number_column(metric.name, digits=3) for metric in self.metrics),
        )
        scores = [self._scores(metric) for metric in self.metrics]
        rows = [(*row, *(by_system[str(row[0])] for by_system in scores)) for row in own.rows]
        if self.reference:
            _, *cells = RetrievalRuns({HUMAN: self.reference}).table().rows[0]
            blank = [None] * (len(columns) - 1 - len(cells))
            rows.append((f"{HUMAN} (reference)", *cells, *blank))
        scored = f", of which metrics score {self.scored_documents}" if self.scored_documents else ""
        facts = f"{self.documents} documents{scored}, {self.queries} queries; relevant: {self.relevance}"
        notes = (facts, *own.notes)
        yield Table("Retrieval from translations, and the systems' scores", columns, tuple(rows), notes)
        yield self.correlations.table()


def judge_by_retrieval(
    testset: TestSet,
    queries: Mapping[str, str],
    metrics: Iterable[Any] = ("bleu", "chrf", "macrof1"),
    *,
    qrels: Qrels | None = None,
    collection: TestSet | None = None,
    measures: Sequence[str] = MEASURES,
    relevant: int | None = None,
    returned: int | None = None,
    depth: int = DEPTH,
    tok: str = "13a",
    beta: float = 40.0,
    threads: int = 1,
) -> RetrievalTask:
    """Retrieve from every system's translations by BM25 and correlate what that is worth with metric scores.

    Segments of one document (`testset.documents`; without, each is one) are joined. Without `qrels` the first
    `relevant` documents that the reference translations bring up for a query are taken for relevant (a tenth of them
    all, ten at most). Beside `measures` stands the rank-biased overlap with that run. In AQWV the first `returned`
    documents of a query count as returned; without, as many as are best for each run. Queries that retrieve nothing
    count as 0.

    Metrics score `testset`; documents are retrieved from `collection` where that is another test set with the same
    systems, such as a larger one that holds these documents and others (Gowda et al. 2021, table 4: In+Ext).

    >>> testset = TestSet.sample()
    >>> queries = {"1": "police officers", "2": "the weather tomorrow"}
    >>> found = judge_by_retrieval(testset, queries, ["chrf"])
    >>> found.documents, list(found.measured.runs), found.correlations.measures[-1]
    (8, ['literal', 'smooth', 'strong'], 'rbo_ext(p=0.98)')
    """
    if len(testset.systems) < 2:
        raise InputError("metrics are judged over systems: at least two are needed")
    searched = testset if collection is None else collection
    if absent := [name for name in testset.systems if name not in searched.systems]:
        raise InputError(
            f"the collection has no translation by {absent[0]!r}{did_you_mean(absent[0], list(searched.systems))}"
        )
    ids = _document_ids(searched)
    human = retrieve(HUMAN, _joined(ids, searched.references.streams[0]), queries, tok=tok, depth=depth)
    if qrels is not None:
        _check_documents(qrels, set(ids))
    size = len(set(ids))
    first = relevant or max(1, min(RELEVANT, size // 10))
    truth = pseudo_relevance(human, first) if qrels is None else qrels
    runs = {
        name: retrieve(name, _joined(ids, searched.systems[name]), queries, tok=tok, depth=depth)
        for name in testset.systems
    }
    how: dict[str, Any] = {"n_documents": size, "beta": beta, "returned": returned}
    measured = measure_runs(runs.values(), truth, measures, **how)
    together = RetrievalRuns.of(
        (*own, overlap_with(runs[name], human)) for name, own in measured.runs.items()
    )
    scored, _ = measure_metrics(testset, entries_of(metrics), "xx-yy", threads=threads)
    by_measure: dict[str, list[float]] = {}
    for own in together.runs.values():
        for one in own:
            by_measure.setdefault(one.measure, []).append(one.mean or 0.0)
    by_metric = {metric.name: [_defined(metric, name) for name in runs] for metric in scored}
    errors = [metric.name for metric in scored if not metric.higher_is_better]
    return RetrievalTask(
        {HUMAN: human, **runs},
        together,
        scored,
        correlate_downstream(by_metric, by_measure, errors=errors),
        f"the first {first} from the reference translations" if qrels is None else qrels.name,
        size,
        len(queries),
        (*measure_runs([human], truth, measures, **how).runs[HUMAN], overlap_with(human, human)),
        0 if collection is None else len(set(_document_ids(testset))),
    )


def _document_ids(testset: TestSet) -> tuple[str, ...]:
    return testset.documents or tuple(str(i) for i in range(1, len(testset) + 1))


def _defined(metric: ScoredMetric, system: str) -> float:
    value = None if metric.systems is None else metric.systems.system(system)
    if value is None:
        raise InputError(f"{metric.name} has no score for {system}, so it cannot be correlated")
    return value


def _joined(ids: Sequence[str], lines: Iterable[str | None]) -> dict[str, str]:
    """The text of each document: its segments, one after the other."""
    parts: dict[str, list[str]] = {}
    for document, line in zip(ids, lines, strict=True):
        parts.setdefault(document, []).append(line or "")
    return {document: " ".join(own) for document, own in parts.items()}


def _check_documents(qrels: Qrels, known: set[str]) -> None:
    for query, documents in qrels.queries.items():
        for document in documents:
            if document not in known:
                raise InputError(
                    f"{qrels.name}: query {query!r} judges document {document!r}, which is not in the test set "
                    "(--documents says which segments are whose)"
                )
