"""Minimum error rate training (Och 2003): line after line, each searched exactly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from tertium.tuning.line import line
from tertium.tuning.objective import Objective
from tertium.tuning.tuners import Tuner, TuningOptions, normalised

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

PASSES = 25
ENOUGH = 1e-9  # a pass that gains less is the last


def steps(
    objective: Objective, start: Array, rng: np.random.Generator, options: TuningOptions
) -> Iterator[Array]:
    """Each pass searches along every feature and some random directions, and goes to the best place of each line."""
    weights, value = start, objective.of_weights(start)
    spread = objective.part.spread
    for _ in range(PASSES if options.steps is None else options.steps):
        before = value
        for direction in _directions(spread, rng, options.directions):
            place, _ = line(objective, weights, direction).best()
            moved = normalised(weights + place * direction)
            found = objective.of_weights(moved) if place and moved.any() else value
            if (
                found > value
            ):  # asked again: a place between two turns that are nearly one may round to another
                weights, value = moved, found
        yield weights
        if value - before <= ENOUGH:
            return


def _directions(spread: Array, rng: np.random.Generator, number: int | None) -> Iterator[Array]:
    """One feature alone, for each that matters; then random ones, features scaled alike."""
    active = np.flatnonzero(spread)
    for feature in active:
        direction = np.zeros(len(spread))
        direction[feature] = 1 / spread[feature]
        yield direction
    for _ in range((len(active) if number is None else number) if len(active) > 1 else 0):
        direction = np.zeros(len(spread))
        direction[active] = rng.standard_normal(len(active)) / spread[active]
        yield direction


MERT = Tuner(
    "MERT",
    "Exact line search along features and random directions (Och 2003; Macherey et al. 2008).",
    "pass",
    20,
    steps,
)
