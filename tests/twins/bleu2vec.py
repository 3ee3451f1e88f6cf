"""bleu2vec as one would explain it on paper: the slow twin of native/fuzzy_bleu.hpp.

Tättar and Fishel, "bleu2vec: the painfully familiar metric on continuous vector space steroids", 2017.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence

Similarity = Callable[[tuple[str, ...], tuple[str, ...]], float | None]  # None: one has no vector
WEIGHTS = (0.33, 0.34, 0.33)


def ngrams(words: Sequence[str], n: int) -> list[tuple[str, ...]]:
    return [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]


def matches(
    hypothesis: Sequence[str],
    reference: Sequence[str],
    n: int,
    similarity: Similarity,
    threshold: float = -1,
    *,
    original: bool = False,
) -> float:
    """Equal n-grams, and the similarities of pairs of what is left, the best first."""
    ours, theirs = Counter(ngrams(hypothesis, n)), Counter(ngrams(reference, n))
    total = float((ours & theirs).total())
    left, right = list((ours - theirs).elements()), list((theirs - ours).elements())
    while left and right:
        scored = []
        for one in dict.fromkeys(left):
            for other in dict.fromkeys(right):
                value = similarity(one, other)
                scored.append((0.001 if value is None else value, one, other))
        value, one, other = max(scored, key=lambda found: found[0])
        if value <= threshold:
            break
        total += value
        if original:  # dropped by name: all that are spelt alike
            left = [gram for gram in left if gram != one]
            right = [gram for gram in right if gram != other]
        else:
            left.remove(one)
            right.remove(other)
    return total


def score(rows: Sequence[Sequence[float]]) -> float:
    """From rows of three matches, three numbers of n-grams and two lengths."""
    sums = [sum(column) for column in zip(*rows, strict=True)]
    length, reference = sums[6:]
    logs = 0.0
    for n in range(3):
        if sums[3 + n] == 0 or sums[n] <= 0:
            if n == 0:
                return 0.0
            break
        logs += WEIGHTS[n] * math.log(sums[n] / sums[3 + n])
    penalty = 0.0 if length >= reference else 1 - reference / length
    return 100 * math.exp(logs + penalty)
