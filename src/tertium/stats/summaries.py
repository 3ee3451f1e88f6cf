"""Correlations of several metrics over several language pairs: mean, median, deviation, and who wins how often."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, eq=False)
class Summary:
    """A value for each metric. `used` are the language pairs behind mean, median and deviation."""

    mean: NDArray[np.float64]
    median: NDArray[np.float64]
    deviation: NDArray[np.float64]  # divided by n - 1
    wins: NDArray[np.int64]
    used: NDArray[np.bool_]


def summarise(
    correlations: ArrayLike, p: ArrayLike, *, alpha: float = 0.05, digits: int | None = None
) -> Summary:
    """Over language pairs x metrics, as in tables 3 and 9-11 of Gowda et al. (2021).

    A language pair is left out of mean, median and deviation as soon as any metric is not significant there. Wins are
    counted over all language pairs; a correlation that is not significant cannot win, and those that tie for the best
    all win. `digits`: what reads the same is a tie. Undefined (NaN) is not significant.

    >>> found = summarise([[0.9, 0.8], [0.5, 0.7], [0.6, 0.6]], [[0.01, 0.01], [0.2, 0.03], [0.04, 0.04]])
    >>> found.mean.round(2).tolist(), found.wins.tolist(), found.used.tolist()
    ([0.75, 0.7], [2, 2], [True, False, True])
    """
    values, tests = np.asarray(correlations, dtype=np.float64), np.asarray(p, dtype=np.float64)
    if values.ndim != 2 or values.shape != tests.shape:
        raise InputError(
            f"correlations and p-values are pairs x metrics, not {values.shape} and {tests.shape}"
        )
    significant = ~np.isnan(values) & (np.nan_to_num(tests, nan=1.0) < alpha)
    used = np.asarray(significant.all(axis=1))
    able = np.where(significant, values, -np.inf)
    if digits is not None:
        able = np.round(able, digits)
    best = able.max(axis=1, keepdims=True)
    wins = ((able >= best - 1e-12) & significant).sum(axis=0)
    kept = values[used]
    nothing = np.full(values.shape[1], np.nan)
    return Summary(
        kept.mean(axis=0) if len(kept) else nothing,
        np.median(kept, axis=0) if len(kept) else nothing,
        kept.std(axis=0, ddof=1) if len(kept) > 1 else nothing,
        wins,
        used,
    )
