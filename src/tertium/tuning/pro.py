"""Pairwise ranking optimisation (Hopkins and May 2011): which of two candidates is better, by logistic regression."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError
from tertium.tuning.objective import Objective
from tertium.tuning.tuners import Tuner, TuningOptions, normalised

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Numbers = NDArray[np.int64]

ROUNDS = 30
LEAST_DIFFERENCE = 0.05  # of the range of segment scores (all but the lowest and highest hundredth)
RIDGE = 1e-3  # on weights of features scaled alike, for each pair
DIGITS = 10  # of weights: libraries of other machines differ behind them
_NEWTON = 50


def steps(
    objective: Objective, start: Array, rng: np.random.Generator, options: TuningOptions
) -> Iterator[Array]:
    """Each round draws pairs anew and mixes their weights with those of the round before."""
    part = objective.part
    active = np.flatnonzero(part.spread)
    weights = normalised(start[active] * part.spread[active])  # of features scaled alike
    features = np.ascontiguousarray((part.features[active] / part.spread[active, None]).T)
    low, high = np.quantile(objective.gains, [0.01, 0.99])
    least = LEAST_DIFFERENCE * float(high - low)
    found = np.zeros(len(active))
    for _ in range(ROUNDS if options.steps is None else options.steps):
        better, worse = _pairs(objective, least, rng, options)
        if not len(better):
            raise InputError(f"no two candidates of a sentence differ enough by {objective.metric}")
        found = logistic(features[better] - features[worse], found)
        new = normalised(_short(found))
        weights = normalised(options.interpolate * new + (1 - options.interpolate) * weights)
        given = np.zeros(len(part.spread))
        given[active] = weights / part.spread[active]
        yield normalised(given)


def _pairs(
    objective: Objective, least: float, rng: np.random.Generator, options: TuningOptions
) -> tuple[Numbers, Numbers]:
    """Better and worse candidates of the same sentence: those drawn that differ most."""
    found: list[tuple[Numbers, Numbers]] = []
    starts, gains = objective.part.starts.tolist(), objective.gains
    for begin, end in pairwise(starts):
        n = end - begin
        if n < 2:
            continue
        if n * (n - 1) // 2 <= options.samples:
            one, other = np.triu_indices(n, 1)
        else:
            one, other = rng.integers(n, size=(2, options.samples))
        difference = gains[begin + one] - gains[begin + other]
        size = np.abs(difference)
        kept = np.flatnonzero((size >= least) & (size > 0))
        if len(kept) > options.kept:
            drawn = rng.permutation(kept)  # of equal differences not always the first
            kept = drawn[np.argsort(-size[drawn], kind="stable")[: options.kept]]
        ahead = difference[kept] > 0
        pair = np.where(ahead, one[kept], other[kept]), np.where(ahead, other[kept], one[kept])
        found.append((begin + pair[0], begin + pair[1]))
    if not found:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    better, worse = (np.concatenate([pair[i] for pair in found]) for i in (0, 1))
    return better, worse


def logistic(differences: Array, start: Array) -> Array:
    """Weights w with the least mean of log(1 + exp(-w x)) over rows x, and a ridge, by Newton's method.

    >>> logistic(np.array([[1.0, 0.0], [1.0, 1.0], [1.0, -1.0]]), np.zeros(2)).round(2).tolist()
    [5.25, 0.0]
    """
    n, d = differences.shape
    weights, value = start, _loss(differences, start)
    for _ in range(_NEWTON):
        likely = 1 / (1 + np.exp(np.clip(differences @ weights, -500, 500)))
        gradient = RIDGE * weights - differences.T @ likely / n
        curved = differences * (likely * (1 - likely))[:, None]
        step = np.linalg.solve(curved.T @ differences / n + RIDGE * np.eye(d), gradient)
        size = 1.0
        while (found := _loss(differences, weights - size * step)) > value and size > 1e-10:
            size /= 2
        if value - found < 1e-12:
            break
        weights, value = weights - size * step, found
    return weights


def _loss(differences: Array, weights: Array) -> float:
    return float(np.logaddexp(0, -(differences @ weights)).mean() + RIDGE / 2 * (weights @ weights))


def _short(values: Array) -> Array:
    return np.array([float(f"{value:.{DIGITS}g}") for value in values.tolist()])


PRO = Tuner(
    "PRO",
    "Logistic regression on pairs of candidates that differ most by segment score (Hopkins and May 2011).",
    "round",
    0,
    steps,
)
