"""The variants of "BLEU Deconstructed" as the paper's letters say: the slow twin of native/bleu_family.hpp.

Xingyi Song, Trevor Cohn, Lucia Specia, "BLEU Deconstructed: Designing a Better MT Evaluation Metric", IJCLA 2013.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tests.twins.bleu import ngrams

ORDER = 9


def family_row(hypothesis: Sequence[str], references: Sequence[Sequence[str]]) -> list[int]:
    """Two lengths, then for orders 1 to 9: clipped, present, recalled, covered, count, reference count.

    >>> row = family_row("a a b".split(), ["a b c".split()])
    >>> [row[2 + 9 * kind] for kind in range(6)]
    [2, 3, 2, 2, 3, 3]
    """
    nearest = min(references, key=lambda r: (abs(len(r) - len(hypothesis)), len(r)))
    kinds: list[list[int]] = [[] for _ in range(6)]
    for n in range(1, ORDER + 1):
        ours, own = ngrams(hypothesis, n), ngrams(nearest, n)
        all_of_them = [ngrams(reference, n) for reference in references]
        most = {gram: max(counts[gram] for counts in all_of_them) for gram in ours}
        values = (
            sum(min(count, most[gram]) for gram, count in ours.items()),
            sum(count for gram, count in ours.items() if most[gram]),
            sum(min(count, ours[gram]) for gram, count in own.items()),
            sum(count for gram, count in own.items() if ours[gram]),
            ours.total(),
            own.total(),
        )
        for kind, value in zip(kinds, values, strict=True):
            kind.append(value)
    return [len(hypothesis), len(nearest), *(value for kind in kinds for value in kind)]


def family_score(
    total: Sequence[int], name: str, alpha: float, *, from_order: int = 1, smooth_brevity: float | None = None
) -> float:
    """In percent, from a sum of rows. `name` is without suffixes: [PRF][GA]B?C?[1-9].

    >>> round(family_score(family_row("a a b".split(), ["a b c".split()]), "PAC1", 0.0), 2)
    66.67
    """
    length, reference = total[0], total[1]
    clipped, present, recalled, covered, counts, wanted = (
        total[2 + ORDER * kind : 2 + ORDER * (kind + 1)] for kind in range(6)
    )
    if length == 0:
        return 0.0
    terms = []
    for n in range(1, int(name[-1]) + 1):
        a = alpha if n >= from_order else 0.0
        hits = (clipped if "C" in name else present)[n - 1]
        found = (recalled if "C" in name else covered)[n - 1]
        precision = (hits + a) / (counts[n - 1] + a) if counts[n - 1] + a else 0.0
        recall = (found + a) / (wanted[n - 1] + a) if wanted[n - 1] + a else 0.0
        both = 1 / (0.9 / recall + 0.1 / precision) if precision and recall else 0.0
        terms.append({"P": precision, "R": recall, "F": both}[name[0]])
    mean = math.prod(terms) ** (1 / len(terms)) if name[1] == "G" else math.fsum(terms) / len(terms)
    b = smooth_brevity or 0.0
    short = "B" in name and length < reference
    return 100 * mean * (math.exp(1 - (reference + b) / (length + b)) if short else 1.0)
