"""Wilcoxon's tests of ranks: signed ranks for pairs, rank sums (Mann and Whitney's U) for two groups.

p-values are scipy's, exact for few values and by the normal distribution for many.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from tertium.stats.correlation import average_ranks
from tertium.stats.distributions import normal_tail

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

Alternative = Literal["two-sided", "less", "greater"]
Method = Literal["auto", "exact", "approximate"]
_EXACT_PAIRS = 50  # up to here the exact distribution is used where nothing is tied
_EXACT_TIED_PAIRS = 13
_EXACT_GROUP = 8  # the smaller group


@dataclass(frozen=True)
class RankTest:
    """The statistic of a test of ranks, its p-value (None: nothing to test), how many values counted, and how."""

    statistic: float
    p: float | None
    n: int
    method: Literal["exact", "approximate"]


def signed_rank_test(
    first: ArrayLike,
    second: ArrayLike | None = None,
    *,
    alternative: Alternative = "two-sided",
    method: Method = "auto",
    correction: bool = False,
) -> RankTest:
    """Wilcoxon's signed-rank test: are the differences of pairs centred at zero? `less`: the first are lower.

    Differences of zero are dropped (Wilcoxon 1945), the others ranked by size; the statistic is the sum of the ranks
    of the positive ones. Exact where at most 50 pairs have no ties and no zeros, or at most 13 have some; elsewhere
    normal, with the variance corrected for ties, and `correction` for continuity where asked for.

    >>> signed_rank_test([1, 2, 3, 4, 5], [3, 3, 6, 8, 10], alternative="less")
    RankTest(statistic=0.0, p=0.03125, n=5, method='exact')
    """
    _check(alternative, method)
    differences = np.asarray(first, dtype=np.float64)
    if second is not None:
        differences = differences - np.asarray(second, dtype=np.float64)
    if differences.ndim != 1 or np.isnan(differences).any():
        raise ValueError("a signed-rank test needs two columns of numbers")
    kept = differences[differences != 0]
    n = len(kept)
    if not n:
        return RankTest(0.0, None, 0, "exact")
    ranks = average_ranks(np.abs(kept))
    statistic = float(ranks[kept > 0].sum())
    _, ties = np.unique(ranks, return_counts=True)
    untied = len(ties) == n and n == len(differences)
    limit = _EXACT_PAIRS if untied else _EXACT_TIED_PAIRS
    if method == "exact" or (method == "auto" and len(differences) <= limit):
        lower, upper = _signed_rank_tails(ranks, statistic)
        return RankTest(statistic, _chosen(lower, upper, alternative), n, "exact")
    spread = math.sqrt((n * (n + 1) * (2 * n + 1) - float((ties**3 - ties).sum()) / 2) / 24)
    z = (statistic - n * (n + 1) / 4) / spread
    if correction:
        sign = {"greater": 1.0, "less": -1.0, "two-sided": math.copysign(1.0, z) if z else 0.0}[alternative]
        z -= sign * 0.5 / spread
    return RankTest(statistic, _normal(z, alternative), n, "approximate")


def _signed_rank_tails(ranks: NDArray[np.float64], statistic: float) -> tuple[float, float]:
    """P(S <= statistic) and P(S >= statistic) when each rank is positive or negative by a fair coin.

    Ranks are doubled, so that shared ones are whole numbers too.
    """
    doubled = np.rint(2 * ranks).astype(np.int64)
    chances = np.zeros(int(doubled.sum()) + 1)
    chances[0] = 1.0
    reach = 0
    for rank in doubled:
        moved = np.zeros_like(chances)
        moved[rank : rank + reach + 1] = chances[: reach + 1]
        chances = (chances + moved) / 2
        reach += int(rank)
    at = round(2 * statistic)
    return float(chances[: at + 1].sum()), float(chances[at:].sum())


def rank_sum_test(
    first: ArrayLike,
    second: ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    method: Method = "auto",
    correction: bool = True,
) -> RankTest:
    """Wilcoxon's rank-sum test, which is Mann and Whitney's U: does one group tend to be larger? `less`: the first
    is lower. The statistic is U of the first: in how many pairs its value is the larger one, ties counting a half.

    Exact where nothing is tied and a group has at most 8 values; elsewhere normal, with the variance corrected for
    ties and, unless `correction` is off, for continuity.

    >>> rank_sum_test([19, 22, 16, 29, 24], [20, 11, 17, 12])
    RankTest(statistic=17.0, p=0.1111111111111111, n=9, method='exact')
    """
    _check(alternative, method)
    x, y = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if x.ndim != 1 or y.ndim != 1 or np.isnan(x).any() or np.isnan(y).any():
        raise ValueError("a rank-sum test needs two groups of numbers")
    m, k = len(x), len(y)
    n = m + k
    if not m or not k:
        return RankTest(0.0, None, n, "exact")
    ranks = average_ranks(np.concatenate([x, y]))
    statistic = float(ranks[:m].sum()) - m * (m + 1) / 2
    _, ties = np.unique(ranks, return_counts=True)
    tied = len(ties) < n
    if method == "exact" and tied:
        raise ValueError("the exact rank-sum test needs values without ties")
    if method == "exact" or (method == "auto" and min(m, k) <= _EXACT_GROUP and not tied):
        lower, upper = _rank_sum_tails(m, k, round(statistic))
        return RankTest(statistic, _chosen(lower, upper, alternative), n, "exact")
    variance = m * k / 12 * ((n + 1) - float((ties**3 - ties).sum()) / (n * (n - 1)))
    if variance <= 0:
        return RankTest(statistic, None, n, "approximate")
    excess = statistic - m * k / 2
    excess = {"greater": excess, "less": -excess, "two-sided": abs(excess)}[alternative]
    z = (excess - (0.5 if correction else 0.0)) / math.sqrt(variance)
    p = normal_tail(z) * (2 if alternative == "two-sided" else 1)
    return RankTest(statistic, min(1.0, p), n, "approximate")


def _rank_sum_tails(m: int, k: int, statistic: int) -> tuple[float, float]:
    """P(U <= statistic) and P(U >= statistic) of Mann and Whitney's U without ties.

    The number of ways to a value of U is a coefficient of the Gaussian binomial of m + k over m, which is multiplied
    up factor by factor in whole numbers.
    """
    if m > k:
        m, k = k, m
    size = m * k
    ways = [1] + [0] * size
    for i in range(1, m + 1):
        for u in range(size, k + i - 1, -1):  # times 1 - q^(k + i)
            ways[u] -= ways[u - k - i]
        for u in range(i, size + 1):  # divided by 1 - q^i
            ways[u] += ways[u - i]
    total = sum(ways)
    return sum(ways[: statistic + 1]) / total, sum(ways[statistic:]) / total


def _chosen(lower: float, upper: float, alternative: Alternative) -> float:
    if alternative == "two-sided":
        return min(1.0, 2 * min(lower, upper))
    return lower if alternative == "less" else upper


def _normal(z: float, alternative: Alternative) -> float:
    if alternative == "two-sided":
        return min(1.0, 2 * normal_tail(abs(z)))
    return normal_tail(-z) if alternative == "less" else normal_tail(z)


def _check(alternative: str, method: str) -> None:
    if alternative not in ("two-sided", "less", "greater"):
        raise ValueError(f"the alternative must be two-sided, less or greater, not {alternative!r}")
    if method not in ("auto", "exact", "approximate"):
        raise ValueError(f"the method must be auto, exact or approximate, not {method!r}")
