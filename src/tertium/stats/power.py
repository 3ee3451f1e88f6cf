"""What a test set can show: the smallest difference that would probably have been found."""

from __future__ import annotations

from tertium.stats.distributions import student_quantile


def smallest_detectable(error: float, n_units: int, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """The true difference that a two-sided test at level `alpha` finds with probability `power`, for differences of
    `n_units` segments or documents with standard error `error`: (t(1 - alpha/2) + t(power)) error (Cohen 1988).

    >>> round(smallest_detectable(1.0, 2000), 2), round(smallest_detectable(1.0, 10), 2)
    (2.8, 3.15)
    """
    return sum(student_quantile(share, n_units - 1) for share in (1 - alpha / 2, power)) * error
