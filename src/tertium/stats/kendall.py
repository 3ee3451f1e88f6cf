"""Kendall's tau in its three forms, with exact and asymptotic p-values, in O(n log n)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium import _native
from tertium.stats.correlation import FEWEST, Correlation, paired_scores, why_undefined
from tertium.stats.distributions import normal_tail

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

EXACT_UP_TO = 33  # items; beyond it the normal distribution is close enough


@dataclass(frozen=True)
class PairCounts:
    """Pairs of items: ordered the same way by both, the other way, tied by one or by both."""

    concordant: int
    discordant: int
    human_ties: int  # by people only
    metric_ties: int  # by the metric only
    both_ties: int

    @property
    def pairs(self) -> int:
        return self.concordant + self.discordant + self.human_ties + self.metric_ties + self.both_ties

    @property
    def tau_a(self) -> float | None:
        """(C - D) / pairs; None without pairs."""
        return (self.concordant - self.discordant) / self.pairs if self.pairs else None

    @property
    def tau_b(self) -> float | None:
        """(C - D) / sqrt((pairs not tied by people) (pairs not tied by the metric)); None where one of them is 0."""
        ordered = self.concordant + self.discordant
        by_people, by_metric = ordered + self.metric_ties, ordered + self.human_ties
        if not by_people or not by_metric:
            return None
        return (self.concordant - self.discordant) / math.sqrt(by_people * by_metric)

    @property
    def accuracy(self) -> float | None:
        """(C + ties of both) / pairs: Deutsch, Foster and Freitag's (2023) accuracy, acc_eq; None without pairs."""
        return (self.concordant + self.both_ties) / self.pairs if self.pairs else None

    @property
    def tau_eq(self) -> float | None:
        """The same as a correlation: 2 accuracy - 1; a tie that only one side sees costs as much as an error."""
        return None if self.accuracy is None else 2 * self.accuracy - 1


def pair_counts(human: ArrayLike, metric: ArrayLike, *, epsilon: float = 0.0) -> PairCounts:
    """Count all pairs; metric scores that differ by `epsilon` at most are tied.

    >>> pair_counts([1, 2, 2, 3], [1, 3, 2, 2])
    PairCounts(concordant=3, discordant=1, human_ties=1, metric_ties=1, both_ties=0)
    """
    first, second = paired_scores(human, metric)
    if not epsilon >= 0:
        raise ValueError(f"epsilon is a distance, not {epsilon}")
    starts = np.array([0, len(first)], dtype=np.int64)
    return PairCounts(*np.asarray(_native.pair_counts(first, second, starts, epsilon))[0].tolist())


def tau_a(human: ArrayLike, metric: ArrayLike) -> Correlation:
    """Kendall's tau-a = (C - D) / (n (n - 1) / 2): ties count for nothing, so with ties it never reaches 1.

    >>> tau_a([1, 2, 3, 4], [1, 2, 4, 4]).value.__round__(4)
    0.8333
    """
    return _tau(human, metric, lambda counts, *_: counts.tau_a)


def tau_b(human: ArrayLike, metric: ArrayLike) -> Correlation:
    """Kendall's tau-b = (C - D) / sqrt((pairs not tied by people) (pairs not tied by the metric)) (Kendall 1945).

    >>> found = tau_b([1, 2, 3, 4], [1, 2, 4, 4])
    >>> round(found.value, 4), round(found.p, 4)
    (0.9129, 0.071)
    """
    return _tau(human, metric, lambda counts, *_: counts.tau_b)


def rounded_decimals(scores: ArrayLike) -> int | None:
    """The number of decimals, one or two, that scores were rounded to; None where they are whole numbers or finer.

    >>> rounded_decimals([0.25, 0.5]), rounded_decimals([1.0, 2.0]), rounded_decimals([0.125, 0.5])
    (2, None, None)
    """
    values = np.asarray(scores, dtype=np.float64)
    for decimals in (0, 1, 2):
        if np.abs(np.round(values, decimals) - values).max(initial=0.0) < 1e-9 * max(
            1.0, float(np.abs(values).max(initial=0.0))
        ):
            return decimals or None
    return None


def tie_bounds(human: ArrayLike, metric: ArrayLike) -> tuple[float, float] | None:
    """The lowest and the highest tau-b that the metric could have if its ties were broken, such as by the digits that
    rounding took away; None where it has no ties that matter, or tau is undefined.

    >>> tie_bounds([1, 2, 3], [0.1, 0.1, 0.2])
    (0.3333333333333333, 1.0)
    """
    counts = pair_counts(human, metric)
    by_people = counts.concordant + counts.discordant + counts.metric_ties
    if not counts.metric_ties or counts.tau_b is None:
        return None
    scale = math.sqrt(by_people * counts.pairs)
    lead = counts.concordant - counts.discordant
    return (lead - counts.metric_ties) / scale, (lead + counts.metric_ties) / scale


def tau_c(human: ArrayLike, metric: ArrayLike) -> Correlation:
    """Stuart's (1953) tau-c = 2 (C - D) / (n^2 (m - 1) / m), m the smaller number of different values.

    >>> tau_c([1, 2, 3, 4], [1, 2, 4, 4]).value.__round__(4)
    0.9375
    """

    def value(counts: PairCounts, first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
        m = min(len(np.unique(first)), len(np.unique(second)))
        return 2 * (counts.concordant - counts.discordant) / (len(first) ** 2 * (m - 1) / m)

    return _tau(human, metric, value)


def _tau(
    human: ArrayLike,
    metric: ArrayLike,
    value: Callable[[PairCounts, NDArray[np.float64], NDArray[np.float64]], float | None],
) -> Correlation:
    first, second = paired_scores(human, metric)
    if reason := why_undefined(first, second):
        return Correlation(None, None, len(first), reason)
    counts = pair_counts(first, second)
    found = value(counts, first, second)
    assert found is not None  # both have different values
    return Correlation(max(-1.0, min(1.0, found)), kendall_p(first, second, counts), len(first))


def kendall_p(human: NDArray[np.float64], metric: NDArray[np.float64], counts: PairCounts) -> float | None:
    """The two-sided p-value of C - D: exact without ties up to 33 items (or with one pair out of order at most),
    else from the normal distribution with the variance that ties leave (Kendall 1970, sections 4.8 and 5.8).

    All three forms of tau have the same one. None for two items, where nothing can be tested.

    >>> a, b = np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 3.0])
    >>> kendall_p(a, b, pair_counts(a, b)).__round__(4)
    0.3333
    """
    n = len(human)
    if n <= FEWEST:
        return None
    untied = not (counts.human_ties or counts.metric_ties or counts.both_ties)
    fewer = min(counts.concordant, counts.discordant)
    if untied and (n <= EXACT_UP_TO or fewer <= 1):
        return _exact_p(n, fewer)
    pairs = n * (n - 1)
    a0, a1, a2 = _tie_sums(human) if counts.human_ties + counts.both_ties else (0.0, 0.0, 0.0)
    b0, b1, b2 = _tie_sums(metric) if counts.metric_ties + counts.both_ties else (0.0, 0.0, 0.0)
    variance = (pairs * (2 * n + 5) - a2 - b2) / 18 + a0 * b0 / (2 * pairs) + a1 * b1 / (9 * pairs * (n - 2))
    z = (counts.concordant - counts.discordant) / math.sqrt(variance)
    return min(1.0, 2 * normal_tail(abs(z)))


def _tie_sums(scores: NDArray[np.float64]) -> tuple[float, float, float]:
    """Over classes of t equal scores, the sums of t (t - 1), t (t - 1) (t - 2) and t (t - 1) (2 t + 5)."""
    sizes = np.unique(scores, return_counts=True)[1].astype(np.float64)
    pairs = sizes * (sizes - 1)
    return float(pairs.sum()), float((pairs * (sizes - 2)).sum()), float((pairs * (2 * sizes + 5)).sum())


def _exact_p(n: int, inversions: int) -> float:
    """Twice the share of the n! orders with so few pairs out of order, or fewer."""
    if n > EXACT_UP_TO:  # none or one pair out of order: 1 or n orders
        return min(1.0, math.exp(math.log(2) - math.lgamma(n + 1 - inversions)))
    orders = [1]  # by number of inversions: item i can stand in i places, with 0 to i - 1 inversions more
    for i in range(2, n + 1):
        wider = [0] * min(inversions + 1, len(orders) + i - 1)
        running = 0
        for k in range(len(wider)):
            running += orders[k] if k < len(orders) else 0
            running -= orders[k - i] if 0 <= k - i < len(orders) else 0
            wider[k] = running
        orders = wider
    if 4 * inversions == n * (n - 1):
        return 1.0
    return min(1.0, 2 * sum(orders[: inversions + 1]) / math.factorial(n))
