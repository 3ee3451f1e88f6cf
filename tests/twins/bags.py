"""GLEU and lexical overlap as one would explain them on paper: the slow twin of native/bags.hpp."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any


def gleu_row(
    hypothesis: Sequence[str], references: Sequence[Sequence[str]], least: int = 1, most: int = 4
) -> tuple[int, int]:
    """Matches, and n-grams of the longer text, for the reference with the best ratio (Wu et al. 2016)."""

    def bag(text: Sequence[str]) -> Counter[Any]:
        orders = range(least, most + 1)
        return Counter(tuple(text[i : i + n]) for n in orders for i in range(len(text) - n + 1))

    ours = bag(hypothesis)
    rows = [((ours & theirs).total(), max(ours.total(), theirs.total())) for theirs in map(bag, references)]
    return max((row for row in rows if row[1]), key=lambda row: row[0] / row[1], default=(0, 0))


def overlap(hypothesis: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """Words in common over words in either, with repetition; the best reference."""
    ours = Counter(hypothesis)
    pairs = [((ours & theirs).total(), (ours | theirs).total()) for theirs in map(Counter, references)]
    return max(common / every if every else 0.0 for common, every in pairs)
