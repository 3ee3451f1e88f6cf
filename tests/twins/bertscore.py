"""BERTScore as one would explain it on paper: the slow twin of native/greedy.hpp and tertium.families.bertscore.

Zhang et al., "BERTScore: evaluating text generation with BERT", 2020.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

Vector = Sequence[float]


def cosine(one: Vector, other: Vector) -> float:
    size = math.sqrt(sum(x * x for x in one) * sum(y * y for y in other))
    return sum(x * y for x, y in zip(one, other, strict=True)) / size if size else 0.0


def score(
    hypothesis: Sequence[Vector],
    reference: Sequence[Vector],
    own_weights: Sequence[float] | None = None,
    other_weights: Sequence[float] | None = None,
) -> tuple[float, float, float]:
    """Precision, recall and F: every unit with the most similar one of the other text."""
    if not hypothesis or not reference:
        return 0.0, 0.0, 0.0
    own, other = own_weights or [1.0] * len(hypothesis), other_weights or [1.0] * len(reference)
    table = [[cosine(mine, theirs) for theirs in reference] for mine in hypothesis]
    precision = sum(w * max(row) for w, row in zip(own, table, strict=True)) / sum(own)
    columns = zip(*table, strict=True)
    recall = sum(w * max(column) for w, column in zip(other, columns, strict=True)) / sum(other)
    return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0
