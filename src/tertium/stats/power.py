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


def power_to_detect(difference: float, spread: float, *, alpha: float = 0.05) -> float:
    """The probability that a true difference of this size is found; the inverse of `smallest_detectable`.

    >>> round(power_to_detect(2.8, 1.0), 2)
    0.8
    """
    if spread == 0:
        return 1.0 if difference else alpha
    normal, size = NormalDist(), abs(difference) / spread
    edge = normal.inv_cdf(1 - alpha / 2)
    return normal.cdf(size - edge) + normal.cdf(-size - edge)
