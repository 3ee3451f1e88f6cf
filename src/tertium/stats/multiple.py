"""Many tests at once: p-values adjusted so that chance findings stay as rare as promised."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm (1979): the chance of any false finding stays below alpha. Step down: the i-th smallest of m p-values
    times m - i + 1, and never below the one before. None (no test) stays None and does not count.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = _ascending(p_values)
    adjusted: list[float | None] = [None] * len(p_values)
    least = 0.0
    for rank, (p, i) in enumerate(order):
        least = max(least, min(1.0, (len(order) - rank) * p))
        adjusted[i] = least
    return adjusted


def benjamini_hochberg(p_values: Sequence[float | None]) -> list[float | None]:
    """Benjamini and Hochberg (1995): of what is called significant, a share of at most alpha is chance. Step up:
    the i-th smallest of m p-values times m / i, and never above the one behind.

    >>> benjamini_hochberg([0.01, 0.04, 0.03])
    [0.03, 0.04, 0.04]
    """
    order = _ascending(p_values)
    adjusted: list[float | None] = [None] * len(p_values)
    most = 1.0
    for rank, (p, i) in reversed(list(enumerate(order, 1))):
        most = min(most, len(order) * p / rank)
        adjusted[i] = most
    return adjusted


def _ascending(p_values: Sequence[float | None]) -> list[tuple[float, int]]:
    return sorted((p, i) for i, p in enumerate(p_values) if p is not None)
