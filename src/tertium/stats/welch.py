"""Student's t tests of two means: Welch's for groups of different spread, and the one for pairs."""

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
class MeanTest:
    """t, its degrees of freedom (Welch and Satterthwaite's), the p-value; None where nothing can be tested."""

    t: float | None
    degrees: float | None
    p: float | None


def welch_test(first: ArrayLike, second: ArrayLike, *, alternative: Alternative = "two-sided") -> MeanTest:
    """Welch's t test (1947); `less`: the mean of the first is lower.

        t = (mean1 - mean2) / sqrt(v1/n1 + v2/n2)
        degrees = (v1/n1 + v2/n2)^2 / ((v1/n1)^2 / (n1 - 1) + (v2/n2)^2 / (n2 - 1))

    Undefined with fewer than two values in a group, or where neither group varies.

    >>> found = welch_test([1, 2, 3, 4], [3, 5, 8, 9], alternative="less")
    >>> round(found.t, 4), round(found.degrees, 3), round(found.p, 4)
    (-2.466, 4.258, 0.0327)
    """
    if alternative not in ("two-sided", "less", "greater"):
        raise ValueError(f"the alternative must be two-sided, less or greater, not {alternative!r}")
    x, y = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if x.ndim != 1 or y.ndim != 1 or np.isnan(x).any() or np.isnan(y).any():
        raise ValueError("Welch's test needs two groups of numbers")
    if len(x) < 2 or len(y) < 2:
        return MeanTest(None, None, None)
    a, b = float(x.var(ddof=1)) / len(x), float(y.var(ddof=1)) / len(y)
    if a + b == 0:
        return MeanTest(None, None, None)
    t = float(x.mean() - y.mean()) / math.sqrt(a + b)
    degrees = (a + b) ** 2 / (a**2 / (len(x) - 1) + b**2 / (len(y) - 1))
    return MeanTest(t, degrees, _p(t, degrees, alternative))


def paired_t_test(first: ArrayLike, second: ArrayLike, *, alternative: Alternative = "two-sided") -> MeanTest:
    """Student's t test of the differences of pairs, t = mean / (sd / sqrt(n)); `less`: the first are lower.

    Differences that are all the same make t infinite; nothing can be tested where all are zero, or with one pair.

    >>> found = paired_t_test([1, 2, 3, 4], [3, 3, 6, 5], alternative="less")
    >>> round(found.t, 4), found.degrees, round(found.p, 4)
    (-3.6556, 3, 0.0177)
    """
    differences = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    if differences.ndim != 1 or np.isnan(differences).any():
        raise ValueError("a test of pairs needs two columns of numbers")
    n = len(differences)
    if n < 2 or not differences.any():
        return MeanTest(None, None, None)
    mean, spread = float(differences.mean()), float(differences.std(ddof=1))
    t = mean / (spread / math.sqrt(n)) if spread else math.copysign(math.inf, mean)
    return MeanTest(t, n - 1, _p(t, n - 1, alternative))


def _p(t: float, degrees: float, alternative: Alternative) -> float:
    if alternative == "two-sided":
        return 2 * float(student_tail(abs(t), degrees))
    return float(student_tail(-t if alternative == "less" else t, degrees))
