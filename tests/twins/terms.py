"""Consistency of terms, pair by pair: for each term of a document the choice of each occurrence, None if unknown."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations


def consistency(documents: Sequence[Sequence[Sequence[str | None]]]) -> float | None:
    pairs = [
        one == other
        for document in documents
        for choices in document
        for one, other in combinations([choice for choice in choices if choice is not None], 2)
    ]
    return 100 * sum(pairs) / len(pairs) if pairs else None
