"""BLEU as one would explain it on paper: the slow twin of native/bleu.hpp.

Kishore Papineni, Salim Roukos, Todd Ward, Wei-Jing Zhu, "BLEU: a method for automatic evaluation of machine
translation", ACL 2002; smoothing after Boxing Chen and Colin Cherry, WMT 2014.

    BLEU = 100 BP (p_1 p_2 ... p_N)^(1/N),    p_n = matches of order n / n-grams of order n,

BP = 1 if the hypotheses are as long as the references, else e^(1 - references/hypotheses).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence


def ngrams(tokens: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    """How often each n-gram of one order stands in the tokens."""
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def bleu_row(hypothesis: Sequence[str], references: Sequence[Sequence[str]], order: int = 4) -> list[int]:
    """Hypothesis length, reference length, matches of each order, n-grams of each order.

    The reference length is that of the reference nearest in length, the shorter of two. An n-gram matches at
    most as often as the reference that has most of it.

    >>> bleu_row("a a b".split(), ["a b".split()], 2)
    [3, 2, 2, 1, 3, 2]
    """
    nearest = min((len(reference) for reference in references), key=lambda n: (abs(n - len(hypothesis)), n))
    matches, counts = [], []
    for n in range(1, order + 1):
        ours, allowed = ngrams(hypothesis, n), Counter[tuple[str, ...]]()
        for reference in references:
            allowed |= ngrams(reference, n)
        matches.append((ours & allowed).total())
        counts.append(ours.total())
    return [len(hypothesis), nearest, *matches, *counts]


def bleu_score(
    total: Sequence[int], smooth: str = "exp", value: float = 0.0, *, effective: bool = False
) -> float:
    """In percent, from a sum of rows. `effective` leaves orders out for which the hypotheses are too short.

    >>> round(bleu_score([3, 2, 2, 1, 3, 2]), 2)
    57.74
    """
    order = len(total) // 2 - 1
    length, reference = total[0], total[1]
    matches, counts = total[2 : 2 + order], total[2 + order :]
    if not any(matches):
        return 0.0
    precisions = []
    zeros = 0
    for n, (match, count) in enumerate(zip(matches, counts, strict=True), start=1):
        k = value if smooth == "add-k" and n > 1 else 0.0
        if count + k == 0:
            break
        if match + k > 0:
            precision = (match + k) / (count + k)
        elif smooth == "exp":
            zeros += 1
            precision = 0.5**zeros / count
        else:
            precision = value / count if smooth == "floor" else 0.0
        precisions.append(precision)
    if len(precisions) < order and not effective:
        return 0.0
    if not all(precisions):
        return 0.0
    brevity = 1.0 if length >= reference else math.exp(1 - reference / length)
    return 100 * brevity * math.exp(math.fsum(math.log(p) for p in precisions) / len(precisions))
