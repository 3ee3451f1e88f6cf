"""WMT's Kendall-like tau: one formula for all years, and a 3 x 3 matrix that says what ties are worth.

Each comparison of two translations falls into one of nine sets S[h, m], by what people say (h) and what the metric says
(m): the first is better (<), tied (=), the second is better (>). With a coefficient C[h, m] for each set, or X to leave
the set out,

    tau = sum C[h, m] |S[h, m]| / sum |S[h, m]|,    both sums over the sets with C != X

(Macháček and Bojar 2014; Bojar, Graham and Kamran 2017, equation 2). X is NaN here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError
from tertium.stats.permutation import RESAMPLES, PermutationTests, compare_all, of_ratios
from tertium.stats.pvalues import Interval, percentile_interval
from tertium.stats.resampling import SEED, Draws

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_X = np.nan


def _matrix(*rows: tuple[float, float, float]) -> NDArray[np.float64]:
    made = np.array(rows)
    made.setflags(write=False)
    return made


# Rows: what people say (<, =, >); columns: what the metric says.
WMT12 = _matrix((1, -1, -1), (_X, _X, _X), (-1, -1, 1))  # a metric's tie is an error
WMT13 = _matrix((1, _X, -1), (_X, _X, _X), (-1, _X, 1))  # a metric's tie is left out
WMT14 = _matrix(
    (1, 0, -1), (_X, _X, _X), (-1, 0, 1)
)  # a metric's tie counts in the denominator only; to WMT17
TIES_IGNORED = WMT13  # of Song, Cohn and Specia 2013, equation 3: ties of either side are left out
WMT14_TIES = _matrix(
    (1, 0, -1), (0, 1, 0), (-1, 0, 1)
)  # "xties": ties of people count, and agreeing on one is right
STRICT = _matrix(
    (1, -1, -1), (-1, -1, -1), (-1, -1, 1)
)  # mt-metrics-eval: whatever is not concordant is discordant


@dataclass(frozen=True)
class TauLike:
    """tau = numerator / denominator; None where no comparison counts."""

    numerator: float
    denominator: int
    left_out: int  # comparisons in sets that do not count

    @property
    def value(self) -> float | None:
        return self.numerator / self.denominator if self.denominator else None


def verdicts(first: ArrayLike, second: ArrayLike, *, higher_is_better: bool = True) -> NDArray[np.int64]:
    """What scores say of each comparison: 0 the first is better, 1 tied, 2 the second is better.

    >>> verdicts([0.3, 0.2, 0.1], [0.1, 0.2, 0.3]).tolist()
    [0, 1, 2]
    """
    one, other = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if one.shape != other.shape or one.ndim != 1:
        raise InputError(f"{one.size} first and {other.size} second scores cannot be paired")
    bad = np.flatnonzero(~(np.isfinite(one) & np.isfinite(other)))
    if len(bad):
        raise InputError(f"comparison {bad[0] + 1} of {len(one)} has a score that is not a finite number")
    sign = np.sign(other - one) if higher_is_better else np.sign(one - other)
    return (sign + 1).astype(np.int64)


def verdict_counts(human: ArrayLike, metric: ArrayLike) -> NDArray[np.int64]:
    """|S[h, m]|: how many comparisons people and the metric judge so, from verdicts 0, 1, 2.

    >>> verdict_counts([0, 0, 2], [0, 1, 0]).tolist()
    [[1, 1, 0], [0, 0, 0], [1, 0, 0]]
    """
    by_people, by_metric = _checked_verdicts(human, metric)
    return np.bincount(3 * by_people + by_metric, minlength=9).reshape(3, 3)


def _checked_verdicts(human: ArrayLike, metric: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    first, second = np.asarray(human, dtype=np.int64), np.asarray(metric, dtype=np.int64)
    if first.shape != second.shape or first.ndim != 1:
        raise InputError(f"there are {first.size} verdicts of people and {second.size} of the metric")
    if first.size and (min(first.min(), second.min()) < 0 or max(first.max(), second.max()) > 2):
        raise InputError("verdicts are 0 (the first is better), 1 (tied) or 2 (the second is better)")
    return first, second


def tau_like(counts: ArrayLike, matrix: ArrayLike = WMT14) -> TauLike:
    """tau of a table of comparisons |S[h, m]| under a tie matrix.

    >>> table = [[7, 2, 3], [2, 1, 1], [2, 1, 6]]
    >>> [round(tau_like(table, m).value, 3) for m in (WMT12, WMT13, WMT14, WMT14_TIES)]
    [0.238, 0.444, 0.381, 0.36]
    """
    table, worth = np.asarray(counts), np.asarray(matrix, dtype=np.float64)
    if table.shape != (3, 3) or worth.shape != (3, 3):
        raise InputError(f"tau needs tables of 3 x 3, not of {table.shape} and {worth.shape}")
    used = ~np.isnan(worth)
    return TauLike(float((worth * table)[used].sum()), int(table[used].sum()), int(table[~used].sum()))


@dataclass(frozen=True)
class TauIntervals:
    """tau of several metrics on the same comparisons with bootstrap intervals; NaN where tau is undefined."""

    taus: NDArray[np.float64]
    intervals: tuple[Interval, ...]
    resamples: int
    seed: int
    n_units: int  # what was resampled: comparisons, or groups of them


def tau_intervals(
    human: ArrayLike,
    metrics: ArrayLike,
    matrix: ArrayLike = WMT14,
    *,
    units: ArrayLike | None = None,
    resamples: int = 1000,
    seed: int = SEED,
) -> TauIntervals:
    """95% bootstrap intervals of tau for metrics x comparisons of verdicts, all metrics under the same resamples.

    WMT17 resamples comparisons. Comparisons of one source sentence depend on each other: with `units` (a number for
    each comparison) whole sentences are resampled, and intervals become as wide as they should be.

    >>> found = tau_intervals([0] * 200, [[0] * 150 + [2] * 50, [0] * 100 + [1] * 50 + [2] * 50])
    >>> found.taus.tolist(), [round(i.low, 2) for i in found.intervals]
    ([0.5, 0.25], [0.38, 0.14])
    """
    cells = _sums_by_unit(human, metrics, matrix, units)
    sums = np.concatenate([counts @ cells for counts in Draws(seed).counts(len(cells), resamples)])
    totals = cells.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        resampled, taus = sums[:, ::2] / sums[:, 1::2], totals[::2] / totals[1::2]
    found = tuple(percentile_interval(column) for column in resampled.T)
    return TauIntervals(taus, found, resamples, seed, len(cells))


def tau_tests(
    human: ArrayLike,
    metrics: ArrayLike,
    matrix: ArrayLike = WMT14,
    *,
    units: ArrayLike | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> PermutationTests:
    """Permutation tests of every pair of metrics, the better one against the worse, on the same comparisons.

    All verdicts of a unit change sides together. Comparisons of one source sentence depend on each other: give the
    number of each comparison's sentence in `units`; without it each comparison changes sides alone.

    >>> right, half = [0] * 200, [0, 2] * 100
    >>> tau_tests([0] * 200, [half, right]).p.round(3).tolist()
    [[nan, nan], [0.001, nan]]
    """
    cells = _sums_by_unit(human, metrics, matrix, units)
    numerators, denominators = cells[:, ::2].T, cells[:, 1::2].T
    with np.errstate(invalid="ignore", divide="ignore"):
        taus = numerators.sum(axis=1) / denominators.sum(axis=1)
    resampled = of_ratios(numerators, denominators)
    return compare_all(taus.tolist(), len(cells), resampled, resamples=resamples, seed=seed)


def _sums_by_unit(
    human: ArrayLike, metrics: ArrayLike, matrix: ArrayLike, units: ArrayLike | None
) -> NDArray[np.float64]:
    """Units x (numerator, denominator) of each metric's tau; without `units` each comparison is one."""
    rows = np.atleast_2d(np.asarray(metrics, dtype=np.int64))
    worth = np.asarray(matrix, dtype=np.float64)
    parts = []
    for row in rows:
        by_people, by_metric = _checked_verdicts(human, row)
        coefficients = worth[by_people, by_metric]
        counted = ~np.isnan(coefficients)
        parts += [np.where(counted, coefficients, 0.0), counted.astype(np.float64)]
    cells = np.stack(parts, axis=1)
    if not len(cells):
        raise InputError("there are no comparisons to resample")
    if units is not None:
        numbers = np.unique(np.asarray(units), return_inverse=True)[1]
        if numbers.shape != (len(cells),):
            raise InputError(f"there are {len(cells)} comparisons, but {numbers.size} units")
        grouped = np.zeros((int(numbers.max()) + 1, cells.shape[1]))
        np.add.at(grouped, numbers, cells)
        cells = grouped
    return cells
