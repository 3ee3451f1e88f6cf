"""Correlation of metric scores with human scores: Pearson's r and Spearman's rho, for one metric and for many."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError
from tertium.stats.distributions import student_tail

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

FEWEST = 2


@dataclass(frozen=True)
class Correlation:
    """A correlation of `n` pairs of scores with its two-sided p-value.

    `value` is None where there is none, and `reason` says why; `p` is None where n is too small for a test. Two
    points always lie on a line: with n = 2 a correlation is 1 or -1 `by_construction` and says nothing.
    """

    value: float | None
    p: float | None
    n: int
    reason: str | None = None

    @property
    def by_construction(self) -> bool:
        return self.n == FEWEST and self.value is not None

    def significant(self, alpha: float = 0.05) -> bool:
        """Whether the correlation differs significantly from 0."""
        return self.p is not None and self.p < alpha

    def data(self) -> dict[str, float | int | bool | str | None]:
        """For JSON."""
        return {
            "value": self.value,
            "p": self.p,
            "n": self.n,
            "by_construction": self.by_construction,
            "reason": self.reason,
        }


def paired_scores(human: ArrayLike, metric: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Both as vectors of finite numbers, equally long. What is missing must be left out before, and counted there.

    >>> [len(scores) for scores in paired_scores([1, 2], [3.0, 4.0])]
    [2, 2]
    """
    first = np.ascontiguousarray(human, dtype=np.float64)
    second = np.ascontiguousarray(metric, dtype=np.float64)
    if first.ndim != 1 or second.ndim != 1:
        raise InputError(
            f"scores to correlate must be two plain lists, not of shapes {first.shape} and {second.shape}"
        )
    if len(first) != len(second):
        raise InputError(f"there are {len(first)} human scores, but {len(second)} metric scores")
    for name, scores in (("human", first), ("metric", second)):
        bad = np.flatnonzero(~np.isfinite(scores))
        if len(bad):
            raise InputError(
                f"{name} score {bad[0] + 1} of {len(scores)} is {scores[bad[0]]}: remove such items first"
            )
    return first, second


def why_undefined(human: NDArray[np.float64], metric: NDArray[np.float64]) -> str | None:
    """Why these scores have no correlation; None where they have one."""
    if len(human) < FEWEST:
        return f"{len(human)} score{'' if len(human) == 1 else 's'} cannot be correlated: at least two are needed"
    if human.min() == human.max():
        return "all human scores are equal"
    if metric.min() == metric.max():
        return "all metric scores are equal"
    return None


def pearson(human: ArrayLike, metric: ArrayLike) -> Correlation:
    """Pearson's r = sum (H - mean H)(M - mean M) / (|H - mean H| |M - mean M|) (seed WMT17, equation 3).

    The p-value is exact for normal scores: t = r sqrt((n - 2) / (1 - r^2)) follows Student's t with n - 2 degrees.

    >>> found = pearson([1, 2, 3, 4], [1, 3, 2, 4])
    >>> round(found.value, 3), round(found.p, 3)
    (0.8, 0.2)
    >>> pearson([1, 2, 3], [5, 5, 5]).reason
    'all metric scores are equal'
    """
    first, second = paired_scores(human, metric)
    if reason := why_undefined(first, second):
        return Correlation(None, None, len(first), reason)
    r = _cosine(_centred(first), _centred(second))
    return Correlation(_clipped(r, len(first)), correlation_p(r, len(first)), len(first))


def spearman(human: ArrayLike, metric: ArrayLike) -> Correlation:
    """Spearman's rho: Pearson's r of the ranks, tied scores sharing the mean of their ranks.

    Without ties that is 1 - 6 sum d^2 / (n (n^2 - 1)) (`spearman_without_ties`).

    >>> spearman([1, 2, 3, 4], [10, 30, 20, 20]).value.__round__(3)
    0.316
    """
    first, second = paired_scores(human, metric)
    if reason := why_undefined(first, second):
        return Correlation(None, None, len(first), reason)
    n = len(first)
    r = _cosine(2 * average_ranks(first) - (n + 1), 2 * average_ranks(second) - (n + 1))  # whole numbers
    return Correlation(_clipped(r, n), correlation_p(r, n), n)


def spearman_without_ties(human: ArrayLike, metric: ArrayLike) -> float:
    """rho = 1 - 6 sum d^2 / (n (n^2 - 1)), d the difference of ranks (Song, Cohn and Specia 2013, equation 4).

    >>> spearman_without_ties([1, 2, 3], [1, 3, 2])
    0.5
    """
    first, second = paired_scores(human, metric)
    n = len(first)
    if n < FEWEST or len(np.unique(first)) < n or len(np.unique(second)) < n:
        raise InputError("this form of Spearman's rho needs at least two scores, without ties")
    distances = average_ranks(first) - average_ranks(second)
    return 1 - 6 * float(distances @ distances) / (n * (n * n - 1))


def average_ranks(scores: ArrayLike) -> NDArray[np.float64]:
    """Ranks from 1 along the last axis, lowest first; tied scores share the mean of their ranks.

    >>> average_ranks([[3, 1, 3], [1, 2, 3]]).tolist()
    [[2.5, 1.0, 2.5], [1.0, 2.0, 3.0]]
    """
    given = np.asarray(scores, dtype=np.float64)
    order = np.argsort(given, axis=-1, kind="stable")
    ordered = np.take_along_axis(given, order, axis=-1)
    n = given.shape[-1]
    places = np.broadcast_to(np.arange(n), ordered.shape)
    new = np.ones(ordered.shape, dtype=bool)
    new[..., 1:] = ordered[..., 1:] != ordered[..., :-1]
    first = np.maximum.accumulate(np.where(new, places, 0), axis=-1)
    ends = np.ones(ordered.shape, dtype=bool)
    ends[..., :-1] = new[..., 1:]
    last = np.flip(np.minimum.accumulate(np.flip(np.where(ends, places, n), axis=-1), axis=-1), axis=-1)
    ranks = np.empty(given.shape)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=-1)
    return ranks


def correlation_p(r: float, n: int) -> float | None:
    """The two-sided p-value of r over n pairs, from Student's t with n - 2 degrees; None below three pairs.

    >>> round(correlation_p(0.8, 4), 6)
    0.2
    """
    if n <= FEWEST:
        return None
    if abs(r) >= 1:
        return 0.0
    t = abs(r) * math.sqrt((n - 2) / ((1 - abs(r)) * (1 + abs(r))))
    return min(1.0, 2 * float(student_tail(t, n - 2)))


def correlation_matrix(scores: ArrayLike) -> NDArray[np.float64]:
    """Pearson's r of every row with every row; NaN where a row is constant.

    >>> correlation_matrix([[1, 2, 3], [3, 2, 1], [5, 5, 5]]).tolist()
    [[1.0, -1.0, nan], [-1.0, 1.0, nan], [nan, nan, nan]]
    """
    rows = np.asarray(scores, dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] < FEWEST:
        raise InputError(f"correlations need rows of at least two scores, not the shape {rows.shape}")
    if not np.isfinite(rows).all():
        metric, item = np.argwhere(~np.isfinite(rows))[0] + 1
        raise InputError(
            f"score {item} in row {metric} is not a finite number: remove such items before correlating"
        )
    constant = rows.min(axis=1) == rows.max(axis=1)
    centred = rows - rows.mean(axis=1, keepdims=True)
    centred[constant] = 0.0
    centred /= np.where(constant, 1.0, np.abs(centred).max(axis=1))[:, None]
    products = centred @ centred.T
    squares = np.where(constant, 1.0, np.diagonal(products))
    found = np.clip(products / np.sqrt(np.outer(squares, squares)), -1.0, 1.0)
    found[constant, :] = np.nan
    found[:, constant] = np.nan
    return np.asarray(found)


def _centred(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Moved to mean 0; scaled before anything is squared, so that no score is too small or too large."""
    centred = values - values.mean()
    return np.asarray(centred / np.abs(centred).max())


def _cosine(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    """One root of a product, not a product of roots: equal vectors give exactly 1."""
    return float(first @ second) / math.sqrt(float(first @ first) * float(second @ second))


def _clipped(r: float, n: int) -> float:
    return math.copysign(1.0, r) if n == FEWEST else max(-1.0, min(1.0, r))
