"""Metric scores that were printed with few digits: how far Kendall's tau could move if their ties were broken."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tertium.stats.kendall import rounded_decimals, tie_bounds

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from tertium.meta.scored_metrics import ScoredMetric

Bounds = tuple[float, float]


def rounding_bounds(human: ArrayLike, scores: ArrayLike) -> Bounds | None:
    """The range of tau-b with a metric's ties broken, where its scores have two decimals or fewer."""
    return None if rounded_decimals(scores) is None else tie_bounds(human, scores)


def rounding_note(name: str, bounds: Sequence[tuple[str, Bounds]]) -> str:
    """What is said of a rounded metric, over the settings where it has ties.

    >>> rounding_note("chrF", [("de-en", (0.5, 0.75))])
    'chrF has scores of two decimals or fewer, and ties: broken, they would give a tau of .500 to .750 on de-en'
    """
    places = [
        f"{_decimals(low)} to {_decimals(high)}{f' on {place}' if place else ''}"
        for place, (low, high) in bounds
    ]
    return f"{name} has scores of two decimals or fewer, and ties: broken, they would give a tau of {', '.join(places)}"


def _decimals(value: float) -> str:
    return f"{value:.3f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.3f}"


def rounding_notes(
    human: ArrayLike, metrics: Sequence[ScoredMetric], table: Iterable[ArrayLike], statistic: str
) -> list[str]:
    """Notes on the metrics of others whose scores are rounded, where the statistic is Kendall's."""
    if statistic != "kendall":
        return []
    found = [
        (metric.name, rounding_bounds(human, scores))
        for metric, scores in zip(metrics, table, strict=True)
        if metric.metric is None
    ]
    return [rounding_note(name, [("", bounds)]) for name, bounds in found if bounds is not None]
