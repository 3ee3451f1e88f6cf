"""Batch MIRA (Cherry and Foster 2012): a large margin between hope and fear, over lists that stay the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from tertium.tuning.objective import Objective
from tertium.tuning.tuners import Tuner, TuningOptions, normalised

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

EPOCHS = 60
POINTS = 100.0  # a gain of so many points is a margin of 1


def steps(
    objective: Objective, start: Array, rng: np.random.Generator, options: TuningOptions
) -> Iterator[Array]:
    """Each epoch goes through all sentences in a new order; weights are the mean of all there were so far.

    The pseudo-corpus around a sentence is what the weights at the begin of the epoch choose for all others: rows are
    whole numbers, so that a sum that fades, as in the paper, is not to be had; and none is needed where lists stay.
    """
    part = objective.part
    active = np.flatnonzero(part.spread)
    scale = np.where(part.spread > 0, part.spread, 1.0)
    features = np.ascontiguousarray((part.features[active] / scale[active, None]).T)
    weights = normalised(start * scale)[active]
    added, seen = np.zeros(len(active)), 0
    for _ in range(EPOCHS if options.steps is None else options.steps):
        gains = objective.corpus_gains(part.highest(_sums(features, weights))) / POINTS
        for sentence in rng.permutation(len(part)).tolist():
            own = slice(*part.starts[sentence : sentence + 2].tolist())
            weights = _moved(features[own], gains[own], weights, options.aggressiveness)
            added = added + weights
            seen += 1
        mean = np.zeros(len(part.spread))
        mean[active] = added / seen / scale[active]
        yield normalised(mean)


def _sums(features: Array, weights: Array) -> Array:
    found = np.zeros(len(features))
    for weight, column in zip(weights.tolist(), features.T, strict=True):
        found += weight * column
    return found


def _moved(features: Array, gains: Array, weights: Array, most: float) -> Array:
    """Weights after one sentence: hope has a high sum and a high gain, fear a high sum and a low gain."""
    sums = _sums(features, weights)
    hope, fear = int(np.argmax(sums + gains)), int(np.argmax(sums - gains))
    away = features[hope] - features[fear]
    length = float(np.square(away).sum())
    loss = float(gains[hope] - gains[fear] - (sums[hope] - sums[fear]))
    return weights + min(most, loss / length) * away if loss > 0 and length > 0 else weights


MIRA = Tuner(
    "MIRA",
    "A margin between hope and fear as wide as they differ in corpus score, means of weights (Cherry and Foster 2012).",
    "epoch",
    0,
    steps,
)
