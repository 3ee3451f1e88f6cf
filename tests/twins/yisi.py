"""YiSi as one would explain it on paper: the slow twin of native/phrases.hpp.

Lo, "YiSi - a unified semantic MT quality evaluation and estimation metric", 2019.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence

Words = Sequence[str]
Similarity = Callable[[str, str], float]
Vectors = dict[str, list[float]]


def lower(word: str) -> str:
    """ASCII letters only, as in C."""
    return "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in word)


def substring(one: str, other: str) -> float:
    """2 x the longest common string of bytes / both lengths."""
    a, b = (word.encode("utf-8", "surrogatepass") for word in (one, other))
    longest = 0
    for begin in range(len(a)):
        while begin + longest < len(a) and a[begin : begin + longest + 1] in b:
            longest += 1
    return 2 * longest / (len(a) + len(b))


def vector(word: str, vectors: Vectors) -> list[float] | None:
    return vectors.get(word) or vectors.get(lower(word)) or vectors.get("<unk>")


def cosine(one: list[float] | None, other: list[float] | None) -> float:
    if one is None or other is None:
        return 0.0
    size = math.hypot(*one) * math.hypot(*other)
    return max(0.0, sum(x * y for x, y in zip(one, other, strict=True)) / size) if size else 0.0


def by_vectors(vectors: Vectors) -> Similarity:
    """YiSi-1: capitals do not matter, else the cosine."""

    def similarity(reference: str, hypothesis: str) -> float:
        if lower(reference) == lower(hypothesis):
            return 1.0
        return cosine(vector(reference, vectors), vector(hypothesis, vectors))

    return similarity


def by_two_languages(own: Vectors, other: Vectors) -> Similarity:
    """YiSi-2: the same word counts as such only where one of the languages has no vector for it."""

    def similarity(source: str, hypothesis: str) -> float:
        if lower(source) == lower(hypothesis) and (source not in other or hypothesis not in own):
            return 1.0
        return cosine(vector(source, other), vector(hypothesis, own))

    return similarity


def weights(corpus: Sequence[Words]) -> Callable[[str], float]:
    """log2(1 + (N + 1) / (c + 1)), c sentences of N hold the word, or else its lower-cased form."""
    counts = Counter(word for sentence in corpus for word in set(sentence))

    def weight(word: str) -> float:
        count = counts[word] or counts[lower(word)]
        return math.log2(1 + (len(corpus) + 1) / (count + 1))

    return weight


def agreement(
    hypothesis: Words,
    other: Words,
    similarity: Similarity,
    own_weight: Callable[[str], float],
    other_weight: Callable[[str], float],
    order: int,
) -> tuple[float, float]:
    """Precision and recall of a phrase."""
    if not hypothesis or not other:
        return 0.0, 0.0
    n = min(order, len(hypothesis), len(other))
    ours, theirs = ([words[i : i + n] for i in range(len(words) - n + 1)] for words in (hypothesis, other))
    precise = recalled = own_total = other_total = 0.0
    for mine in ours:
        weighed = [own_weight(word) for word in mine]
        scores = [
            sum(w * similarity(f, e) for w, e, f in zip(weighed, mine, their, strict=True))
            for their in theirs
        ]
        precise += max(scores)
        own_total += sum(weighed)
    for their in theirs:
        weighed = [other_weight(word) for word in their]
        scores = [
            sum(w * similarity(f, e) for w, e, f in zip(weighed, mine, their, strict=True)) for mine in ours
        ]
        recalled += max(scores)
        other_total += sum(weighed)
    return precise / own_total, recalled / other_total


def f_score(precision: float, recall: float, alpha: float) -> float:
    if precision <= 0 or recall <= 0:
        return 0.0
    return precision * recall / (alpha * precision + (1 - alpha) * recall)
