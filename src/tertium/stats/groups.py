"""Means over segments that come in groups (clients, documents): intervals and tests that take each group as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tertium.stats.pvalues import MANY_UNITS, Interval, resample_interval
from tertium.stats.resampling import SEED, Draws

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def group_mean_interval(
    sums: ArrayLike, sizes: ArrayLike | None = None, *, resamples: int = 10_000, seed: int = SEED
) -> Interval:
    """The 95% interval of a mean over values in groups, from resampled groups: `sums` of the values of each group, and
    how many values (or which weight) each has; one each where `sizes` is None.

    Student's with fewer than 100 groups (`stats.pvalues.resample_interval`), and none where these have all the same
    mean: that says nothing about how far other groups are from it.

    >>> found = group_mean_interval([2.0, 3.0, 4.0, 7.0])
    >>> round(found.low, 1), round(found.high, 1)
    (0.6, 7.4)
    >>> group_mean_interval([3.0, 3.0, 3.0]).low is None
    True
    """
    totals = np.asarray(sums, dtype=np.float64)
    weights = np.ones(len(totals)) if sizes is None else np.asarray(sizes, dtype=np.float64)
    n, whole = len(totals), float(weights.sum())
    if n < 2 or not whole:
        return Interval()
    means = totals / np.where(weights > 0, weights, 1.0)
    if n < MANY_UNITS and np.ptp(means[weights > 0]) <= 1e-12 * np.abs(means).max():
        return Interval()
    drawn = [
        (counts @ totals) / np.maximum(counts @ weights, 1e-300)
        for counts in Draws(seed).counts(n, resamples)
    ]
    return resample_interval(np.concatenate(drawn), float(totals.sum()) / whole, n)
