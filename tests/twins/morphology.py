"""Morphology preservation, word by word: a word is (tag, {feature: value}), links are pairs of places."""

from __future__ import annotations

Word = tuple[str, dict[str, str]]


def has(word: Word, feature: str, tags: list[str]) -> bool:
    return (not tags or word[0] in tags) and feature in word[1]


def same(one: Word, other: Word, feature: str) -> bool:
    return any(value in other[1][feature].split(",") for value in one[1][feature].split(","))


def scores(
    feature: str, tags: list[str], hypothesis: list[Word], reference: list[Word], links: list[tuple[int, int]]
) -> tuple[float | None, float | None]:
    """F1 and accuracy."""
    ours = {i for i, word in enumerate(hypothesis) if has(word, feature, tags)}
    theirs = {j for j, word in enumerate(reference) if has(word, feature, tags)}
    kept = {
        (i, j) for i, j in links if i in ours and j in theirs and same(hypothesis[i], reference[j], feature)
    }
    concerned = [(i, j) for i, j in links if i in ours or j in theirs]
    f1 = accuracy = None
    if ours or theirs:
        precision = len(kept) / len(ours) if ours else 0.0
        recall = len(kept) / len(theirs) if theirs else 0.0
        f1 = 2 * precision * recall / (precision + recall) if kept else 0.0
    if concerned:
        accuracy = len(kept) / len(concerned)
    return f1, accuracy
