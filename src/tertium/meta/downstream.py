"""Metrics judged by what translations are used for: do better scores mean that more is found? (Gowda et al. 2021, 3.3)

Documents are translated by several systems; for each system retrieval runs on its translations and is measured; then
the systems' metric scores are correlated with their retrieval scores. Where nobody judged relevance, what is retrieved
from human translations is taken for relevant (pseudo-relevance, as Lignos et al. 2019).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium.errors import InputError, MissingExtraError, SpecError, did_you_mean
from tertium.io.tables import Column, Table, Value, number_column
from tertium.io.trec import Qrels, Run, ranked
from tertium.results import Result
from tertium.stats import retrieval
from tertium.text.tokenizers import tokenize

MEASURES = ("map", "ndcg", "ndcg@K", "p@K", "r@K")
DEPTH = 1000
USUAL = ("map", "ndcg@10", "p@10", "r@100")


@dataclass(frozen=True)
class RetrievalScores(Result):
    """A measure for each query of one run. `mean` is over queries with a relevant document; one for which the run
    has nothing counts 0."""

    kind = "retrieval scores"
    run: str
    measure: str
    queries: Mapping[str, float]
    without_relevant: tuple[str, ...] = ()  # judged queries with no relevant document: left out
    without_judgements: tuple[str, ...] = ()  # queries of the run that nobody judged: left out
    nothing_retrieved: tuple[str, ...] = ()  # queries that the run has nothing for: they count 0
    cutoff: int | None = (
        None  # documents of each query that count as returned, where the best number was chosen
    )

    @property
    def mean(self) -> float | None:
        return sum(self.queries.values()) / len(self.queries) if self.queries else None

    def contents(self) -> Mapping[str, Any]:
        return {
            "run": self.run,
            "measure": self.measure,
            "mean": self.mean,
            "cutoff": self.cutoff,
            "queries": self.queries,
            "nothing_retrieved": self.nothing_retrieved,
            "left_out": {
                "no relevant document": self.without_relevant,
                "not judged": self.without_judgements,
            },
        }

    def table(self) -> Table:
        """A row for each query."""
        rows: list[tuple[Value, ...]] = [*self.queries.items(), ("mean", self.mean)]
        notes = [f"{self.run} by {self.measure}"]
        if self.cutoff is not None:
            notes.append(f"the first {self.cutoff} documents of each query count as returned")
        if self.nothing_retrieved:
            notes.append(f"{len(self.nothing_retrieved)} queries retrieve nothing and count as 0")
        if self.without_relevant:
            notes.append(f"{len(self.without_relevant)} queries without a relevant document are left out")
        if self.without_judgements:
            notes.append(
                f"{len(self.without_judgements)} queries of the run were not judged and are left out"
            )
        columns = (Column("query"), number_column(self.measure, digits=4))
        return Table("Retrieval", columns, tuple(rows), tuple(notes))


def evaluate_run(run: Run, qrels: Qrels, measure: str = "map") -> RetrievalScores:
    """A run measured by "map", "ndcg", "ndcg@10", "p@5", "r@10" (any rank), as trec_eval measures it.

    >>> run = Run("bm25", {"q": (("d1", 2.0), ("d2", 1.0))})
    >>> evaluate_run(run, Qrels("qrels", {"q": {"d2": 1, "d3": 1}}), "map").mean
    0.25
    """
    function = _measure(measure)
    scores: dict[str, float] = {}
    without = []
    for query in qrels.queries:
        relevant = qrels.relevant(query)
        if not relevant:
            without.append(query)
            continue
        gains = [relevant.get(document, 0) for document in run.documents(query)]
        scores[query] = function(gains, list(relevant.values()))
    if not scores:
        raise InputError(f"{qrels.name}: no query has a relevant document")
    return RetrievalScores(
        run.name, measure, scores, tuple(without), _unjudged(run, qrels), _nothing(run, scores)
    )


def _unjudged(run: Run, qrels: Qrels) -> tuple[str, ...]:
    return tuple(query for query in run.queries if query not in qrels.queries)


def _nothing(run: Run, queries: Iterable[str]) -> tuple[str, ...]:
    return tuple(query for query in queries if not run.documents(query))


_Measure = Callable[[list[int], list[int], int], float]
_AT_RANK: dict[str, _Measure] = {  # gains of what was found, gains of what is relevant, rank
    "ndcg": lambda gains, relevant, k: retrieval.ndcg(gains, relevant, k),
    "p": lambda gains, _, k: retrieval.precision_at(gains, k),
    "r": lambda gains, relevant, k: retrieval.recall_at(gains, len(relevant), k),
}
_WHOLE: dict[str, _Measure] = {
    "map": lambda gains, relevant, _: retrieval.average_precision(gains, len(relevant)),
    "ndcg": lambda gains, relevant, _: retrieval.ndcg(gains, relevant, None),
}


def _measure(name: str) -> Callable[[list[int], list[int]], float]:
    family, at, rank = name.partition("@")
    found = (_AT_RANK if at else _WHOLE).get(family)
    if found is None or (at and not re.fullmatch(r"[1-9]\d{0,6}", rank)):
        raise SpecError(f"unknown measure of retrieval {name!r}{did_you_mean(name, MEASURES)}")
    return lambda gains, relevant: found(gains, relevant, int(rank or 0))


def overlap_with(
    run: Run,
    reference: Run,
    *,
    p: float = retrieval.PERSISTENCE,
    extrapolate: bool = True,
    depth: int | None = None,
) -> RetrievalScores:
    """RBO of a run with another one, such as the one on human translations; a query that one of them has nothing for
    counts 0.

    `measure` of the result says which form it is: "rbo_ext(p=0.98)" extrapolated, "rbo(p=0.98)" the lower bound.

    >>> one = Run("mt", {"q": (("d1", 2.0), ("d2", 1.0))})
    >>> overlap_with(one, Run("human", {"q": (("d1", 5.0), ("d3", 4.0))})).mean.__round__(3)
    0.51
    """
    scores = {}
    for query in dict.fromkeys([*reference.queries, *run.queries]):
        numbers: dict[str, int] = {}
        lists = [
            [numbers.setdefault(d, len(numbers)) for d in own.documents(query)] for own in (run, reference)
        ]
        # Two empty rankings are equal, but what retrieves nothing is of no use.
        empty = not lists[0] or not lists[1]
        scores[query] = (
            0.0 if empty else retrieval.rank_biased_overlap(*lists, p=p, depth=depth, extrapolate=extrapolate)
        )
    if not scores:
        raise InputError("two runs without a query cannot be compared")
    name = f"{'rbo_ext' if extrapolate else 'rbo'}(p={p:g}{'' if depth is None else f',depth={depth}'})"
    return RetrievalScores(run.name, name, scores, nothing_retrieved=_nothing(run, scores))


def query_weighted_value(
    run: Run, qrels: Qrels, n_documents: int, *, beta: float = retrieval.FALSE_ALARM_WEIGHT
) -> RetrievalScores:
    """AQWV of a run whose every document counts as returned: 1 - (P_miss + beta P_FA) for each query, and its mean.

    `n_documents` is the size of the collection: a false alarm is a share of all documents that are not relevant.

    >>> run = Run("mt", {"q": (("d1", 2.0), ("d2", 1.0))})
    >>> query_weighted_value(run, Qrels("qrels", {"q": {"d1": 1, "d3": 1}}), 402).mean.__round__(4)
    0.4
    """
    counted, without = _counted(run, qrels, n_documents)
    scores = {
        query: retrieval.query_weighted_value(
            [(relevant - hits[-1]) / relevant],
            [(len(hits) - 1 - hits[-1]) / (n_documents - relevant)],
            beta=beta,
        )
        for query, (hits, relevant) in counted.items()
    }
    name = f"aqwv(beta={beta:g})"
    return RetrievalScores(run.name, name, scores, without, _unjudged(run, qrels), _nothing(run, scores))


def best_query_weighted_value(
    run: Run, qrels: Qrels, n_documents: int, *, beta: float = retrieval.FALSE_ALARM_WEIGHT
) -> RetrievalScores:
    """AQWV of a run at its best cut-off: the number of documents, the same for every query, that count as returned so
    that the mean is highest (the smallest of several). Returning nothing is worth 0, so no run is worth less.

    >>> run = Run("mt", {"q": (("d1", 2.0), ("d2", 1.0))})
    >>> found = best_query_weighted_value(run, Qrels("qrels", {"q": {"d1": 1, "d3": 1}}), 402)
    >>> found.mean, found.cutoff
    (0.5, 1)
    """
    counted, without = _counted(run, qrels, n_documents)
    longest = max(len(hits) for hits, _ in counted.values())
    values = np.empty((len(counted), longest))
    for row, (hits, relevant) in enumerate(counted.values()):
        returned = np.minimum(np.arange(longest), len(hits) - 1)
        found = np.asarray(hits)[returned]
        values[row] = found / relevant - beta * (returned - found) / (n_documents - relevant)
    cutoff = int(np.argmax(values.mean(axis=0)))
    scores = dict(zip(counted, values[:, cutoff].tolist(), strict=True))
    return RetrievalScores(
        run.name,
        f"aqwv(beta={beta:g}, best cut-off)",
        scores,
        without,
        _unjudged(run, qrels),
        _nothing(run, scores),
        cutoff,
    )


def _counted(
    run: Run, qrels: Qrels, n_documents: int
) -> tuple[dict[str, tuple[list[int], int]], tuple[str, ...]]:
    """By query the relevant documents among the first 0, 1, 2... retrieved, and all relevant ones; and the queries
    without a relevant document."""
    counted: dict[str, tuple[list[int], int]] = {}
    without = []
    for query in qrels.queries:
        relevant = qrels.relevant(query)
        if not relevant:
            without.append(query)
            continue
        hits = [0]
        for document in run.documents(query):
            hits.append(hits[-1] + (document in relevant))
        others = n_documents - len(relevant)
        if others < 1 or len(hits) - 1 - hits[-1] > others:
            raise InputError(f"a collection of {n_documents} documents is too small for query {query!r}")
        counted[query] = hits, len(relevant)
    if not counted:
        raise InputError(f"{qrels.name}: no query has a relevant document")
    return counted, tuple(without)


@dataclass(frozen=True)
class RetrievalRuns(Result):
    """Several runs by several measures."""

    kind = "retrieval runs"
    runs: Mapping[str, tuple[RetrievalScores, ...]]

    @classmethod
    def of(cls, found: Iterable[tuple[RetrievalScores, ...]]) -> RetrievalRuns:
        """The measures of each run; no two runs may have one name."""
        runs: dict[str, tuple[RetrievalScores, ...]] = {}
        for own in found:
            if own[0].run in runs:
                raise InputError(f"two runs are called {own[0].run!r}")
            runs[own[0].run] = own
        return cls(runs)

    def contents(self) -> Mapping[str, Any]:
        means = {name: {own.measure: own.mean for own in found} for name, found in self.runs.items()}
        cutoffs = {
            name: {own.measure: own.cutoff for own in found if own.cutoff is not None}
            for name, found in self.runs.items()
        }
        nothing = {name: len(self._nothing(found)) for name, found in self.runs.items()}
        left_out = {name: len(found[0].without_relevant) for name, found in self.runs.items()}
        return {
            "runs": means,
            "cutoffs": cutoffs,
            "nothing_retrieved": nothing,
            "without_relevant": left_out,
        }

    @staticmethod
    def _nothing(found: Sequence[RetrievalScores]) -> set[str]:
        return {query for own in found for query in own.nothing_retrieved}

    def table(self) -> Table:
        """A row for each run, a column for each measure, and one for the cut-off where the best one was chosen."""
        first = next(iter(self.runs.values()))
        columns = [Column("run")]
        for own in first:
            columns.append(number_column(own.measure, digits=4))
            if own.cutoff is not None:
                columns.append(number_column("cut-off"))
        rows = tuple((name, *self._cells(found)) for name, found in self.runs.items())
        return Table("Retrieval", tuple(columns), rows, tuple(self.notes()))

    @staticmethod
    def _cells(found: Sequence[RetrievalScores]) -> Iterator[Value]:
        for own in found:
            yield own.mean
            if own.cutoff is not None:
                yield own.cutoff

    def notes(self) -> Iterator[str]:
        """Which queries count as 0, and which do not count."""
        first = next(iter(self.runs.values()))
        if any(own.cutoff is not None for own in first):
            yield "cut-off: the number of documents, for every query, with which aqwv is highest"
        nothing = {name: len(self._nothing(found)) for name, found in self.runs.items()}
        if any(nothing.values()):
            counts = ", ".join(f"{name} {count}" for name, count in nothing.items() if count)
            yield f"queries that retrieve nothing count as 0: {counts}"
        if left_out := first[0].without_relevant:
            yield f"{len(left_out)} queries without a relevant document are left out"


def measure_runs(
    runs: Iterable[Run],
    qrels: Qrels,
    measures: Sequence[str] = USUAL,
    *,
    n_documents: int | None = None,
    beta: float = 40.0,
    returned: int | None = None,
) -> RetrievalRuns:
    """Runs by the measures of `evaluate_run` and by "aqwv", which needs the size of the collection. There the first
    `returned` documents of a query count as returned; without, as many as are best for the run."""

    def measured(run: Run, measure: str) -> RetrievalScores:
        if measure != "aqwv":
            return evaluate_run(run, qrels, measure)
        if n_documents is None:
            raise InputError("aqwv needs the size of the collection: --collection N")
        if returned is None:
            return best_query_weighted_value(run, qrels, n_documents, beta=beta)
        first = {query: own[:returned] for query, own in run.queries.items()}
        return query_weighted_value(Run(run.name, first), qrels, n_documents, beta=beta)

    return RetrievalRuns.of(tuple(measured(run, name) for name in measures) for run in runs)


def overlap_runs(runs: Iterable[Run], reference: Run) -> RetrievalRuns:
    """Runs by their rank-biased overlap with another one."""
    return RetrievalRuns.of((overlap_with(run, reference),) for run in runs)


def retrieve(
    name: str,
    documents: Mapping[str, str],
    queries: Mapping[str, str],
    *,
    tok: str = "13a",
    depth: int = DEPTH,
    k1: float = 1.2,
    b: float = 0.75,
) -> Run:
    """Index documents and retrieve by BM25 (Robertson and Zaragoza 2009, in Lucene's form and with its
    parameters, by the library bm25s): a run.

    Texts are tokenised by `tok` and lower-cased. Documents that share no word with a query are not retrieved.
    Needs `pip install 'tertium[retrieval]'`.

    >>> found = retrieve("human", {"d1": "the cat sat", "d2": "a dog"}, {"q": "Cat"})
    >>> found.documents("q")
    ('d1',)
    """
    if not documents or not queries:
        raise InputError(f"{name}: there must be documents and queries to retrieve with")
    try:
        import bm25s
    except ImportError:
        raise MissingExtraError("retrieval by BM25", "retrieval") from None
    words = [[w.lower() for w in line] for line in tokenize(list(documents.values()), tok)]
    if not any(words):
        raise InputError(f"{name}: all documents are empty")
    index = bm25s.BM25(k1=k1, b=b, method="lucene", dtype="float64")
    index.index(words, show_progress=False)
    known = {word for line in words for word in line}
    found = {}
    for query, text in queries.items():
        asked = [w for w in (w.lower() for w in tokenize([text], tok)[0]) if w in known]
        scores = index.get_scores(asked) if asked else np.zeros(len(documents))
        hits = {document: float(s) for document, s in zip(documents, scores.tolist(), strict=True) if s > 0}
        found[query] = ranked(hits)[:depth]
    return Run(name, found)


def pseudo_relevance(run: Run, depth: int = 100) -> Qrels:
    """The first documents of each query of a run, taken for relevant: what human translations bring up stands for what
    people would judge relevant.

    >>> pseudo_relevance(Run("human", {"q": (("d1", 2.0), ("d2", 1.0))}), depth=1).relevant("q")
    {'d1': 1}
    """
    if depth < 1:
        raise InputError(f"at least one document must be relevant, not {depth}")
    return Qrels(
        f"first {depth} of {run.name}",
        {
            query: {document: 1 for document, _ in documents[:depth]}
            for query, documents in run.queries.items()
        },
    )
