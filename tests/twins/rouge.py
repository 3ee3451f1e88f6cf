"""ROUGE as one would explain it on paper: the slow twin of native/rouge.hpp, lcs.hpp and skip_bigrams.hpp.

Chin-Yew Lin, "ROUGE: A package for automatic evaluation of summaries", 2004. Functions take lists of words and
return (precision, recall). `original` is what ROUGE 1.5.5 makes of -W and -SU.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

Words = Sequence[str]
Scores = tuple[float, float]


def words(text: str) -> list[str]:
    """Lower case; letters a to z and digits only."""
    return re.findall("[a-z0-9]+", text.lower())


def of_counts(ours: Counter[Any], theirs: Counter[Any]) -> Scores:
    matches = (ours & theirs).total()
    return matches / max(1, ours.total()), matches / max(1, theirs.total())


def ngrams(ours: Words, theirs: Words, n: int) -> Scores:
    def bag(text: Words) -> Counter[Any]:
        return Counter(tuple(text[i : i + n]) for i in range(len(text) - n + 1))

    return of_counts(bag(ours), bag(theirs))


def skip_bigrams(
    ours: Words, theirs: Words, gap: int | None, unigrams: bool = False, original: bool = False
) -> Scores:
    def bag(text: Words) -> Counter[Any]:
        places = combinations(range(len(text)), 2)
        found = Counter((text[i], text[j]) for i, j in places if gap is None or j - i - 1 <= gap)
        singles = text[:-1] if original else text
        return found + Counter((word,) for word in singles) if unigrams else found

    return of_counts(bag(ours), bag(theirs))


def subsequence_table(rows: Words, columns: Words) -> list[list[int]]:
    table = [[0] * (len(columns) + 1) for _ in range(len(rows) + 1)]
    for i, a in enumerate(rows):
        for j, b in enumerate(columns):
            table[i + 1][j + 1] = table[i][j] + 1 if a == b else max(table[i][j + 1], table[i + 1][j])
    return table


def longest_subsequence(ours: Words, theirs: Words) -> Scores:
    length = subsequence_table(theirs, ours)[-1][-1]
    return length / max(1, len(ours)), length / max(1, len(theirs))


def taken(rows: Words, columns: Words) -> set[int]:
    """Rows of one longest common subsequence, read from the end."""
    table = subsequence_table(rows, columns)
    i, j = len(rows), len(columns)
    found = set()
    while i and j:
        if rows[i - 1] == columns[j - 1]:
            i, j = i - 1, j - 1
            found.add(i)
        elif table[i][j - 1] > table[i - 1][j]:
            j -= 1
        else:
            i -= 1
    return found


def summary(ours: Sequence[Words], theirs: Sequence[Words]) -> Scores:
    """Lsum, over sentences."""
    left = Counter(word for sentence in ours for word in sentence)
    hits = 0
    for sentence in theirs:
        union = set().union(*(taken(sentence, own) for own in ours)) if ours else set()
        for i in sorted(union):
            if left[sentence[i]] > 0:
                left[sentence[i]] -= 1
                hits += 1
    return hits / max(1, sum(map(len, ours))), hits / max(1, sum(map(len, theirs)))


def weighted(ours: Words, theirs: Words, weight: float, original: bool = False) -> Scores:
    n, m = len(ours), len(theirs)
    if not n or not m:
        return 0.0, 0.0
    best = [[0.0] * (n + 1) for _ in range(m + 1)]
    runs = [[0] * (n + 1) for _ in range(m + 1)]
    for i, a in enumerate(theirs):
        for j, b in enumerate(ours):
            if a == b:
                k = runs[i][j]
                best[i + 1][j + 1] = best[i][j] + ((k + 1) ** weight - k**weight)
                runs[i + 1][j + 1] = k + 1
            else:
                best[i + 1][j + 1] = max(best[i][j + 1], best[i + 1][j])
    if not original:
        return (best[m][n] / n**weight) ** (1 / weight), (best[m][n] / m**weight) ** (1 / weight)
    marks = [" "] * m
    i, j = m, n
    while i and j:
        if theirs[i - 1] == ours[j - 1]:
            i, j = i - 1, j - 1
            marks[i] = "x"
        elif best[i][j - 1] > best[i - 1][j]:
            j -= 1
        else:
            i -= 1
    length = sum(len(run) ** weight for run in "".join(marks).split()) ** (1 / weight)
    return length / n, length / m**weight


def f_measure(scores: Scores, beta: float = 1.0) -> float:
    precision, recall = scores
    if precision == 0 or recall == 0:
        return 0.0
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
