"""Measures of retrieval, for one query each: how good a ranked list of documents is.

A ranking comes as the gains of its documents, best-ranked first (the relevance that was judged; 0 where a document is
not relevant or was not judged), together with what all relevant documents of the query would give.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

PERSISTENCE = 0.98  # of RBO, as Gowda et al. (2021) take it
FALSE_ALARM_WEIGHT = 40.0  # of AQWV


def average_precision(gains: ArrayLike, relevant: int) -> float:
    """AP = 1/R sum over ranks k of relevant documents of precision at k; R all relevant documents, found or not.

    >>> average_precision([1, 0, 1], 2).__round__(4)
    0.8333
    """
    hits = _hits(gains, relevant)
    found = np.flatnonzero(hits) + 1
    return float((np.arange(1, len(found) + 1) / found).sum()) / relevant


def precision_at(gains: ArrayLike, k: int) -> float:
    """Relevant documents among the first k, divided by k even where fewer were retrieved.

    >>> precision_at([1, 0, 1], 5)
    0.4
    """
    return float((np.asarray(gains, dtype=np.float64)[: _cut(k)] > 0).sum()) / k


def recall_at(gains: ArrayLike, relevant: int, k: int) -> float:
    """Relevant documents among the first k, divided by all relevant ones.

    >>> recall_at([1, 0, 1], 4, 3)
    0.5
    """
    return float(_hits(gains, relevant)[: _cut(k)].sum()) / relevant


def ndcg(gains: ArrayLike, all_gains: ArrayLike, k: int | None = None) -> float:
    """nDCG = DCG / DCG of the ideal ranking, DCG = sum of gain / log2(rank + 1) (Järvelin and Kekäläinen 2002), to
    rank k or over all. `all_gains` are those of all relevant documents. Gains are plain, as trec_eval has them.

    >>> ndcg([0, 3, 1], [3, 1]).__round__(4)
    0.659
    """
    ideal = np.sort(np.maximum(np.asarray(all_gains, dtype=np.float64), 0.0))[::-1]
    if not ideal.size or ideal[0] <= 0:
        raise InputError("nDCG needs a relevant document: leave out queries that have none")
    end = None if k is None else _cut(k)
    return _dcg(np.maximum(np.asarray(gains, dtype=np.float64), 0.0)[:end]) / _dcg(ideal[:end])


def _dcg(gains: np.ndarray) -> float:
    return float((gains / np.log2(np.arange(2, len(gains) + 2))).sum())


def _hits(gains: ArrayLike, relevant: int) -> np.ndarray:
    hits = np.asarray(gains, dtype=np.float64) > 0
    if relevant < 1:
        raise InputError("the query has no relevant document: leave it out")
    if hits.sum() > relevant:
        raise InputError(
            f"{int(hits.sum())} relevant documents were retrieved, but there are only {relevant}"
        )
    return hits


def _cut(k: int) -> int:
    if k < 1:
        raise InputError(f"a ranking can be cut at rank 1 or later, not at {k}")
    return k


def query_weighted_value(
    miss: ArrayLike, false_alarm: ArrayLike, *, beta: float = FALSE_ALARM_WEIGHT
) -> float:
    """AQWV = 1 - mean over queries of (P_miss + beta P_FA): 1 is perfect, 0 is returning nothing, less is possible.

    P_miss is the share of relevant documents not returned, P_FA the share of the other documents that were.

    >>> query_weighted_value([0.5, 0.0], [0.0, 0.005]).__round__(4)
    0.65
    """
    missed, alarms = np.asarray(miss, dtype=np.float64), np.asarray(false_alarm, dtype=np.float64)
    if missed.shape != alarms.shape or missed.size == 0:
        raise InputError(
            f"{missed.size} rates of misses and {alarms.size} of false alarms do not make queries"
        )
    return 1 - float((missed + beta * alarms).mean())


def rank_biased_overlap(
    first: Sequence[int],
    second: Sequence[int],
    *,
    p: float = PERSISTENCE,
    depth: int | None = None,
    extrapolate: bool = False,
) -> float:
    """RBO, how much two rankings agree, with most weight on top (Webber, Moffat and Zobel 2010):

        RBO = (1 - p) sum over depths d of p^(d - 1) A_d,    A_d = |first d of both| / d.

    Rankings end, the sum does not. The base form stops where the shorter ranking (or `depth`) ends: a lower bound,
    below 1 even for equal rankings. `extrapolate` goes on as if agreement stayed what it is (equation 32). With p = 1
    the base form is the plain mean of A_d, average overlap. Items are numbers, none twice in a ranking.

    >>> round(rank_biased_overlap([1, 2, 3], [2, 1, 3], p=0.9), 4)
    0.171
    >>> round(rank_biased_overlap([1, 2, 3], [2, 1, 3], p=0.9, extrapolate=True), 4)
    0.9
    """
    if not 0 < p <= 1 or (p == 1 and extrapolate):
        limit = ", for extrapolation below 1" if extrapolate else ""
        raise InputError(f"the persistence of RBO must be between 0 and 1{limit}, not {p}")
    lists = [list(ranking) for ranking in (first, second)]
    for ranking in lists:
        if len(set(ranking)) < len(ranking):
            raise InputError("an item occurs twice in a ranking")
    if not lists[0] or not lists[1]:
        return 1.0 if lists[0] == lists[1] else 0.0
    short, long = sorted(lists, key=len)
    if depth is not None:
        short, long = short[: _cut(depth)], long[:depth]
    overlap = _overlaps(short, long)
    s, n = len(short), len(long)
    if not extrapolate:
        agreement = [overlap[d] / d for d in range(1, s + 1)]
        if p == 1:
            return sum(agreement) / s
        return (1 - p) * math.fsum(p ** (d - 1) * a for d, a in enumerate(agreement, 1))
    seen = math.fsum(overlap[d] / d * p**d for d in range(1, n + 1))
    assumed = math.fsum(overlap[s] * (d - s) / (s * d) * p**d for d in range(s + 1, n + 1))
    return (1 - p) / p * (seen + assumed) + ((overlap[n] - overlap[s]) / n + overlap[s] / s) * p**n


def _overlaps(short: list[int], long: list[int]) -> list[int]:
    """Common items of the first d of both, for each d up to the length of the longer."""
    found = [0]
    ours: set[int] = set()
    theirs: set[int] = set()
    for d in range(len(long)):
        count = found[-1]
        if d < len(short):
            count += short[d] in theirs
            ours.add(short[d])
        count += long[d] in ours
        theirs.add(long[d])
        found.append(count)
    return found


def weight_of_top(p: float, depth: int) -> float:
    """How much of RBO the first `depth` ranks decide (Webber, Moffat and Zobel 2010, equation 21).

    >>> weight_of_top(0.9, 10).__round__(3)
    0.856
    """
    if not 0 < p < 1:
        raise InputError(f"the persistence of RBO must be between 0 and 1, not {p}")
    partial = math.fsum(p**i / i for i in range(1, _cut(depth)))
    return 1 - p ** (depth - 1) + (1 - p) / p * depth * (math.log(1 / (1 - p)) - partial)
