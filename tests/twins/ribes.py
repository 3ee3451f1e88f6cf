"""RIBES as one would explain it on paper: the slow twin of native/ribes.hpp.

Isozaki et al., "Automatic evaluation of translation quality for distant language pairs", EMNLP 2010, with the
alignment of nltk.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import exp

Words = Sequence[str]


def places(part: Words, text: Words) -> list[int]:
    """Where a stretch of words stands in a text."""
    n = len(part)
    return [i for i in range(len(text) - n + 1) if list(text[i : i + n]) == list(part)]


def aligned(hypothesis: Words, reference: Words) -> list[int]:
    """The reference positions of the hypothesis words that can be aligned, in the hypothesis' order."""

    def only_place(part: Words) -> int | None:
        there = places(part, reference)
        return there[0] if len(there) == 1 == len(places(part, hypothesis)) else None

    found = []
    n = len(hypothesis)
    for i, word in enumerate(hypothesis):
        if word not in reference:
            continue
        place = only_place([word])
        size = 1
        while place is None and size < min(max(i, n - i + 1), len(reference)):
            if i + size < n:
                place = only_place(hypothesis[i : i + size + 1])
            if place is None and size <= i:
                start = only_place(hypothesis[i - size : i + 1])
                place = None if start is None else start + size
            size += 1
        if place is not None:
            found.append(place)
    return found


def ribes(hypothesis: Words, reference: Words, alpha: float = 0.25, beta: float = 0.1) -> float:
    if not hypothesis:
        return 0.0
    order = aligned(hypothesis, reference)
    if len(order) < 2:
        return 0.0
    pairs = list(combinations(order, 2))
    rising = sum(a < b for a, b in pairs) / len(pairs)
    brevity = min(1.0, exp(1 - len(reference) / len(hypothesis)))
    return float(rising * (len(order) / len(hypothesis)) ** alpha * brevity**beta)
