"""BEER's features as one would explain them on paper: the slow twin of native/beer.hpp."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence


def shares(ours: Sequence[Hashable], theirs: Sequence[Hashable]) -> list[float]:
    """The smaller and the larger of precision and recall, F1, and the geometric mean."""
    matches = sum((Counter(ours) & Counter(theirs)).values())
    p = matches / len(ours) if ours else 0.0
    r = matches / len(theirs) if theirs else 0.0
    return [min(p, r), max(p, r), 2 * p * r / (p + r) if p + r else 0.0, math.sqrt(p * r)]


def characters(text: str, n: int) -> list[str]:
    """Runs of n characters, as many as there are runs of n + 1."""
    return [text[i : i + n] for i in range(len(text) - n)]


def word_runs(words: list[str], n: int) -> list[Hashable]:
    """Runs of n words, the first n words as a beginning, the last n as an end."""
    runs: list[Hashable] = [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]
    return [*runs, ("begins", *words[:n]), ("ends", *words[max(0, len(words) - n) :])]


def pairs(words: list[str], gap: int) -> list[Hashable]:
    """Pairs of words with at most so many between them."""
    return [
        (words[i], words[j]) for i in range(len(words)) for j in range(i + 1, min(len(words), i + gap + 2))
    ]


def features(hypothesis: list[str], reference: list[str]) -> list[float]:
    """The 62 features of two texts."""
    ours, theirs = " ".join(hypothesis), " ".join(reference)
    found: list[float] = []
    for n in range(6):
        found += shares(characters(ours, n), characters(theirs, n))
    for n in range(1, 5):
        found += shares(word_runs(hypothesis, n), word_runs(reference, n))
    for gap in (1, 2, 3, 4, len(hypothesis) + len(reference)):
        found += shares(pairs(hypothesis, gap), pairs(reference, gap))
    for a, b in ((len(hypothesis), len(reference)), (len(ours), len(theirs))):
        found.append(max(a, b) / max(min(a, b), 1) - 1)
    return found
