"""Who beats whom: matrices of significant wins, and the set that nobody beats (printed in bold at WMT)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tertium.stats.clusters import descending_clusters

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from tertium.stats.pvalues import Interval


def significant_wins(p: ArrayLike, alpha: float = 0.05) -> NDArray[np.bool_]:
    """wins[i, j]: i is significantly better than j, from one-sided p-values p[i, j] of "i is better"; NaN is no win.

    >>> significant_wins([[np.nan, 0.01], [0.99, np.nan]]).tolist()
    [[False, True], [False, False]]
    """
    given = np.asarray(p, dtype=np.float64)
    return np.less(given, alpha, where=~np.isnan(given), out=np.zeros(given.shape, dtype=bool))


def interval_wins(intervals: Sequence[Interval]) -> NDArray[np.bool_]:
    """wins[i, j]: all of i's confidence interval lies above all of j's (WMT17 for DARR). Undefined wins nothing.

    >>> from tertium.stats.pvalues import Interval
    >>> interval_wins([Interval(low=0.4, high=0.5), Interval(low=0.2, high=0.3)]).tolist()
    [[False, True], [False, False]]
    """
    low = np.array([np.nan if i.low is None else i.low for i in intervals])
    high = np.array([np.nan if i.high is None else i.high for i in intervals])
    return np.asarray(low[:, None] > high[None, :])


def not_outperformed(wins: ArrayLike) -> NDArray[np.bool_]:
    """For each one, whether no other is significantly better.

    >>> not_outperformed([[False, True], [False, False]]).tolist()
    [True, False]
    """
    return np.asarray(~np.asarray(wins, dtype=bool).any(axis=0))


def metric_clusters(values: ArrayLike, p: ArrayLike, alpha: float = 0.05) -> tuple[tuple[int, ...], ...]:
    """Metrics by their numbers in significance clusters, best first, as the WMT metrics tasks rank them since 2021:
    going down from the best, a metric that some metric of the current cluster beats significantly starts the next.

    >>> metric_clusters([0.7, 0.9, 0.8], [[1, 1, 0.9], [0.01, 1, 0.3], [0.2, 0.7, 1]])
    ((1, 2), (0,))
    """
    scores, wins = np.asarray(values, dtype=np.float64), significant_wins(p, alpha)
    ranked = sorted((int(i) for i in np.flatnonzero(~np.isnan(scores))), key=lambda i: -scores[i])
    found = descending_clusters(ranked, lambda above, it: bool(wins[above, it]))
    return tuple(tuple(cluster) for cluster in found)
