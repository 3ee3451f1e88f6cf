"""Sentence vectors as one would explain them on paper: the slow twin of tertium.families.sentvec."""

from __future__ import annotations

import math
from collections.abc import Sequence

Vector = Sequence[float]


def pooled(tokens: Sequence[Vector]) -> list[float]:
    """The mean of the tokens of a text."""
    return [sum(column) / len(tokens) for column in zip(*tokens, strict=True)]


def cosine(one: Vector, other: Vector) -> float:
    return sum(x * y for x, y in zip(one, other, strict=True)) / (math.hypot(*one) * math.hypot(*other))


def score(hypothesis: Vector, references: Sequence[Vector]) -> float:
    """The nearest reference counts; in percent."""
    return 100 * max(cosine(hypothesis, reference) for reference in references)
