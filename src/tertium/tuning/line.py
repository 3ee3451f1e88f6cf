"""Exact line search: the score of what weights choose, everywhere along a line of weights.

Along w + x d a candidate's sum is a straight line in x. Of each sentence the highest line counts; the choice changes
where it turns into another one (Och 2003). Between two turns of any sentences nothing changes: one sum of rows for each
interval gives the corpus score everywhere, exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium import _native
from tertium.tuning.objective import Objective

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_BEYOND = 0.1  # how far behind the last turn weights are set, as a share of their size


@dataclass(frozen=True, eq=False)
class ScoreLine:
    """Scores along w + x d: `values[i]` between the turns `turns[i - 1]` and `turns[i]`, at `places[i]` for example."""

    turns: Array
    places: Array
    values: Array

    def best(self) -> tuple[float, float]:
        """The place with the highest score, and that score; of several intervals the one nearest to x = 0."""
        most = self.values.max()
        ends = np.concatenate([[-np.inf], self.turns, [np.inf]])
        away = np.maximum(np.maximum(ends[:-1], -ends[1:]), 0.0)
        nearest = np.flatnonzero(self.values == most)
        place = nearest[np.argmin(away[nearest])]
        return float(self.places[place]), float(most)


def line(objective: Objective, weights: Array, direction: Array) -> ScoreLine:
    """The scores of all weights w + x d."""
    part = objective.part
    offsets, slopes = part.sums(weights), part.sums(direction)
    first, where, before, after = map(np.asarray, _native.envelopes(offsets, slopes, part.starts))
    last = np.flatnonzero(np.append(where[1:] != where[:-1], True)) if len(where) else np.zeros(0, np.int64)
    turns = where[last]
    ends = np.concatenate([[0], last + 1]).astype(np.int64)
    return ScoreLine(turns, _places(turns, weights, direction), objective.along(first, before, after, ends))


def _places(turns: Array, weights: Array, direction: Array) -> Array:
    """A place inside each interval: its middle, or a little beyond the first and the last turn."""
    if not len(turns):
        return np.zeros(1)
    size = float(np.abs(weights).sum() / np.abs(direction).sum()) or 1.0
    low, high = turns[0], turns[-1]
    ends = low - _BEYOND * max(abs(low), size), high + _BEYOND * max(abs(high), size)
    return np.concatenate([[ends[0]], turns[:-1] + np.diff(turns) / 2, [ends[1]]])
