"""The features of rare words as one would explain them on paper: the slow twin of native/rare_words.hpp."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence


def features(hypothesis: Sequence[str], reference: Sequence[str], places: Mapping[str, int]) -> list[float]:
    """The 13 features of two texts in lower case."""

    def weight(word: str) -> float:
        return math.log(2 + places.get(word, len(places))) if word[0].isalpha() else 2.0

    def strange(word: str) -> bool:
        return word[0].isalpha() and word not in places

    def mean(values: Sequence[float]) -> float:
        return math.fsum(values) / len(values) if values else 0.0

    found = [mean([weight(word) for word in words]) for words in (hypothesis, reference)]
    found += [mean([float(strange(word)) for word in words]) for words in (hypothesis, reference)]
    found.append(mean([float(strange(word) and word not in reference) for word in hypothesis]))
    for words, others in ((hypothesis, reference), (reference, hypothesis)):
        missing = sorted((weight(word) for word in words if word not in others), reverse=True)
        total = math.fsum(map(weight, words))
        found.append(1 - math.fsum(missing) / total if total else 0.0)
        found += [math.fsum(missing[:number]) for number in (1, 3, len(missing))]
    return found
