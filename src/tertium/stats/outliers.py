"""Systems so good or so bad that a correlation says little but that they are there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

CUTOFF = 2.5
NORMAL = 1.483  # the standard deviation of a normal distribution, in median absolute deviations


@dataclass(frozen=True, eq=False)
class Outliers:
    """`distances` in robust standard deviations, and which are `outlying`; `reason` where that cannot be said."""

    distances: NDArray[np.float64]
    outlying: NDArray[np.bool_]
    reason: str | None = None

    @property
    def kept(self) -> NDArray[np.bool_]:
        return ~self.outlying


def find_outliers(human: ArrayLike, *, cutoff: float = CUTOFF) -> Outliers:
    """Systems whose human score s lies far from all others: |s - median| / (1.483 MAD) > 2.5, MAD the median of
    |s - median| (Mathur, Baldwin and Cohn 2020, section 4.2). Both ends count; the scores are looked at once.

    >>> find_outliers([0.1, 0.2, 0.15, 0.12, -1.5]).outlying.tolist()
    [False, False, False, False, True]
    """
    scores = np.asarray(human, dtype=np.float64)
    if scores.ndim != 1 or not np.isfinite(scores).all():
        raise InputError("outliers need a plain list of finite human scores")
    nobody = np.zeros(scores.shape, dtype=bool)
    if len(scores) < 3:
        return Outliers(np.full(scores.shape, np.nan), nobody, "two systems have no outlier")
    away = np.abs(scores - np.median(scores))
    spread = NORMAL * float(np.median(away))
    if spread == 0:
        return Outliers(
            np.full(scores.shape, np.nan), nobody, "more than half of the systems have the same score"
        )
    return Outliers(away / spread, away / spread > cutoff)
