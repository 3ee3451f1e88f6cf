"""Trained metrics as one would explain them on paper: the slow twin of families/trained.apply_model."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tertium.io.metricfiles import MetricModel


def predicted(model: MetricModel, row: Sequence[float]) -> float:
    """One number from the features of a segment."""
    values = list(row)
    if model.low:
        ranges = zip(values, model.low, model.high, strict=True)
        values = [2 * (value - low) / ((high - low) or 1) - 1 for value, low, high in ranges]
    if model.kind == "linear":
        return model.intercept + sum(w * value for w, value in zip(model.weights, values, strict=True))
    near = [math.exp(-model.gamma * math.dist(values, vector) ** 2) for vector in model.support]
    return model.intercept + sum(w * value for w, value in zip(model.weights, near, strict=True))
