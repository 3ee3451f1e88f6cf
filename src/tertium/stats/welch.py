"""Welch's t test: do two groups of different spread have the same mean?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium.stats.distributions import student_tail

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from tertium.stats.ranktests import Alternative


@dataclass(frozen=True)
class WelchTest:
    """t, its degrees of freedom (Welch and Satterthwaite's), the p-value; None where nothing can be tested."""

    t: float | None
    degrees: float | None
    p: float | None


def welch_test(first: ArrayLike, second: ArrayLike, *, alternative: Alternative = "two-sided") -> WelchTest:
    """Welch's t test (1947); `less`: the mean of the first is lower.

        t = (mean1 - mean2) / sqrt(v1/n1 + v2/n2)
        degrees = (v1/n1 + v2/n2)^2 / ((v1/n1)^2 / (n1 - 1) + (v2/n2)^2 / (n2 - 1))

    Undefined with fewer than two values in a group, or where neither group varies.

    >>> found = welch_test([1, 2, 3, 4], [3, 5, 8, 9], alternative="less")
    >>> round(found.t, 4), round(found.degrees, 3), round(found.p, 4)
    (-2.466, 4.258, 0.0327)
    """
    if alternative not in ("two-sided", "less", "greater"):
        raise ValueError(f"an alternative is two-sided, less or greater, not {alternative!r}")
    x, y = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if x.ndim != 1 or y.ndim != 1 or np.isnan(x).any() or np.isnan(y).any():
        raise ValueError("Welch's test needs two groups of numbers")
    if len(x) < 2 or len(y) < 2:
        return WelchTest(None, None, None)
    a, b = float(x.var(ddof=1)) / len(x), float(y.var(ddof=1)) / len(y)
    if a + b == 0:
        return WelchTest(None, None, None)
    t = float(x.mean() - y.mean()) / math.sqrt(a + b)
    degrees = (a + b) ** 2 / (a**2 / (len(x) - 1) + b**2 / (len(y) - 1))
    above = float(student_tail(t, degrees))
    p = above if alternative == "greater" else float(student_tail(-t, degrees))
    if alternative == "two-sided":
        p = 2 * float(student_tail(abs(t), degrees))
    return WelchTest(t, degrees, p)
