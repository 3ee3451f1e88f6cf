"""Weights of evidence: a choice among those who were there, learned from who was chosen (conditional logit)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

STRENGTH = 1.0  # of the pull towards the prior weights
_STEPS = 50
_ENOUGH = 1e-9


class PastChoice(NamedTuple):
    """What was known of each candidate (rows), and which of them was chosen."""

    columns: NDArray[np.float64]
    chosen: int


def probabilities(columns: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """How likely each row is chosen.

    >>> probabilities(np.array([[0.0], [0.0]]), np.array([1.0])).tolist()
    [0.5, 0.5]
    """
    values = columns @ weights
    powers = np.exp(values - values.max())
    return np.asarray(powers / powers.sum())


def learned(
    choices: Sequence[PastChoice], prior: NDArray[np.float64], strength: float = STRENGTH
) -> NDArray[np.float64]:
    """The most likely weights, near the prior where choices say little: Newton's method on a concave function.

    >>> rows = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> weights = learned([PastChoice(rows, 0)] * 50, np.zeros(2))
    >>> bool(weights[0] > 1 > -1 > weights[1])
    True
    """
    weights = prior.astype(float)
    for _ in range(_STEPS):
        slope, bend = strength * (prior - weights), strength * np.eye(len(prior))
        for columns, chosen in choices:
            p = probabilities(columns, weights)
            mean = p @ columns
            slope += columns[chosen] - mean
            bend += (columns * p[:, None]).T @ columns - np.outer(mean, mean)
        step = np.linalg.solve(bend, slope)
        length = float(np.abs(step).max())
        weights = weights + step * min(1.0, 2.0 / max(length, _ENOUGH))
        if length < _ENOUGH:
            break
    return weights
