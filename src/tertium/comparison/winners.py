"""Which of two scores is better."""

from __future__ import annotations

from tertium.families.base import Metric


def better(metric: Metric, first: float | None, second: float | None, tolerance: float = 1e-9) -> int:
    """1 where the first score is better, -1 where the second is, 0 where they are equal or one is undefined."""
    if first is None or second is None or first != first or second != second:
        return 0
    gap = (first - second) if metric.higher_is_better else (second - first)
    return 0 if abs(gap) <= tolerance * max(1.0, abs(first), abs(second)) else 1 if gap > 0 else -1
