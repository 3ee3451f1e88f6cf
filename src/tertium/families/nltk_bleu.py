"""BLEU as nltk computes it: where its corpus_bleu and sentence_bleu differ from sacrebleu's."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from typing import Any

_EPSILON, _K = 0.1, 5  # of nltk's SmoothingFunction

Precisions = list[tuple[int, int]]  # matches and n-grams of each order


def at_least_one(rows: Any, order: int) -> Any:
    """Rows in which a segment too short for an order counts one n-gram of it, as nltk's modified_precision does."""
    import numpy as np

    made = np.array(rows, dtype=np.int64)
    counts = made[:, 2 + order :]
    np.maximum(counts, 1, out=counts)
    return made


def _none(precisions: Precisions, length: int) -> list[float]:
    return [m / n if m else sys.float_info.min for m, n in precisions]


def _epsilon(precisions: Precisions, length: int) -> list[float]:
    return [(m or _EPSILON) / n for m, n in precisions]


def _add_one(precisions: Precisions, length: int) -> list[float]:
    return [(m + (i > 0)) / (n + (i > 0)) for i, (m, n) in enumerate(precisions)]


def _halved(precisions: Precisions, length: int) -> list[float]:
    found, times = [], 0
    for matches, n in precisions:
        times += not matches
        found.append(matches / n if matches else 1 / (2**times * n))
    return found


def _by_length(precisions: Precisions, length: int) -> list[float]:
    found, times = [], 0
    for matches, n in precisions:
        times += not matches and length > 1
        if matches or length < 2:
            found.append(matches / n)
        else:
            found.append(1 / (2**times * _K / math.log(length)) / n)
    return found


_Method = Callable[[Precisions, int], list[float]]
METHODS: tuple[_Method, ...] = (_none, _epsilon, _add_one, _halved, _by_length)


def precisions(row: Sequence[int], order: int, method: int) -> list[float]:
    """Smoothed precisions of summed rows, by nltk's smoothing method of that number."""
    pairs = [(m, max(1, n)) for m, n in zip(row[2 : 2 + order], row[2 + order :], strict=True)]
    return METHODS[method](pairs, row[0])


def score(row: Sequence[int], order: int, method: int) -> float:
    """BLEU in percent of summed rows: 0 without a common word; orders whose precision stays 0 are left out."""
    length, reference = row[0], row[1]
    if not length or not row[2]:
        return 0.0
    penalty = 1.0 if length > reference else math.exp(1 - reference / length)
    logs = (math.log(p) / order for p in precisions(row, order, method) if p > 0)
    return 100 * penalty * math.exp(math.fsum(logs))


def scores(rows: Sequence[Sequence[int]], order: int, method: int) -> Any:
    """BLEU of each row."""
    import numpy as np

    return np.array([score(row, order, method) for row in rows], dtype=np.float64)
