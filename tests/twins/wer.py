"""WER, PER and CDER, slow and readable: what `native/word_errors.hpp` must agree with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

Words = list[str]
Edits = tuple[int, ...]  # errors by kind; their sum is what a rate divides


def wer(hypothesis: Words, reference: Words) -> Edits:
    """Insertions, deletions, substitutions on a cheapest path.

    From the end, two words are paired where that is cheapest, else a hypothesis word is deleted, else a reference
    word inserted.

    >>> wer("a b c".split(), "a x b c d".split())
    (2, 0, 0)
    """
    table = [list(range(len(reference) + 1))]
    for i, word in enumerate(hypothesis, 1):
        row = [i]
        for j, other in enumerate(reference, 1):
            row.append(min(table[-1][j - 1] + (word != other), table[-1][j] + 1, row[-1] + 1))
        table.append(row)
    i, j = len(hypothesis), len(reference)
    insertions = deletions = substitutions = 0
    while i and j:
        wrong = hypothesis[i - 1] != reference[j - 1]
        if table[i][j] == table[i - 1][j - 1] + wrong:
            substitutions += wrong
            i, j = i - 1, j - 1
        elif table[i][j] == table[i - 1][j] + 1:
            deletions += 1
            i -= 1
        else:
            insertions += 1
            j -= 1
    return insertions + j, deletions + i, substitutions


def common(hypothesis: Words, reference: Words) -> int:
    """Words that the two have in common, each as often as in both."""
    return (Counter(hypothesis) & Counter(reference)).total()


def per(hypothesis: Words, reference: Words) -> Edits:
    """Words missing, words too many, and other words that do not match."""
    missing, surplus = len(reference) - len(hypothesis), len(hypothesis) - len(reference)
    wrong = min(len(hypothesis), len(reference)) - common(hypothesis, reference)
    return max(0, missing), max(0, surplus), wrong


def cder(hypothesis: Words, reference: Words) -> Edits:
    """Leusch, Ueffing and Ney (2006), unit costs: after each reference word any position costs one jump at most.

    >>> cder("on the mat the cat sat".split(), "the cat sat on the mat".split())
    (3,)
    """
    row = [0] + [1] * len(hypothesis)
    for word in reference:
        after = [row[0] + 1]
        for i, other in enumerate(hypothesis, 1):
            after.append(min(after[-1] + 1, row[i - 1] + (word != other), row[i] + 1))
        row = [min(cost, min(after) + 1) for cost in after]
    return (row[-1],)


Metric = Callable[[Words, Words], Edits]


def best(metric: Metric, hypothesis: Words, references: list[Words]) -> list[int]:
    """The row of the reference with the lowest rate; one without words counts only for a hypothesis without."""

    def rate(i: int) -> tuple[float, int]:
        errors, length = sum(metric(hypothesis, references[i])), len(references[i])
        return (errors / length if length else float("inf") if errors else 0.0), i

    chosen = references[min(range(len(references)), key=rate)]
    return [*metric(hypothesis, chosen), len(chosen)]


def moses(metric: Metric, hypothesis: Words, references: list[Words]) -> list[int]:
    """The row that the Moses evaluator takes: 1 - rate as an integer decides, and the first of equals."""

    def accuracy(reference: Words) -> int:
        return int(1 - sum(metric(hypothesis, reference)) / len(reference)) if reference else 1

    chosen = max(references, key=accuracy)
    return [*metric(hypothesis, chosen), len(chosen)]
