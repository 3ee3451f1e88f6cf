"""What a test set can show: the smallest difference that would probably have been found."""

from __future__ import annotations

from statistics import NormalDist


def smallest_detectable(spread: float, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """The true difference that a two-sided test at level `alpha` finds with probability `power`, for differences
    that vary with standard deviation `spread`: (z(1 - alpha/2) + z(power)) spread (Cohen 1988).

    >>> round(smallest_detectable(1.0), 2)
    2.8
    """
    normal = NormalDist()
    return (normal.inv_cdf(1 - alpha / 2) + normal.inv_cdf(power)) * spread
