"""CharacTER, slow and readable: what `native/character.hpp` must agree with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

Words = list[str]


def character(hypothesis: Words, reference: Words) -> float:
    """Character edits after shifting words towards the reference, per character of the hypothesis, 1 at most.

    Wang, Peter, Rosendahl and Ney (2016): CharacTER: translation edit rate on character level. WMT.

    >>> character(["ab", "c"], ["c", "ab"])
    0.5
    """
    if not hypothesis:
        return 1.0
    words = shifted_towards(hypothesis, reference)
    text = " ".join(words)
    edits = distance(text, " ".join(reference)) + shift_cost(hypothesis, words)
    return min(1.0, edits / len(text))


def distance(one: Sequence[str], other: Sequence[str]) -> int:
    """Edit distance of any two sequences."""
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        diagonal, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (a != b))
    return row[-1]


def shifted_towards(words: Words, reference: Words) -> Words:
    """Shift by shift the one that lowers the word distance most; of equals, the largest list of words."""
    while True:
        before = distance(words, reference)
        best = max(
            ((before - distance(moved, reference), moved) for moved in shifts(words, reference)),
            default=(0, words),
        )
        if best[0] <= 0:
            return words
        words = best[1]


def shifts(words: Words, reference: Words) -> Iterator[Words]:
    """Each word that stands elsewhere in the reference moves there, with all that follows it in both."""
    for i in range(len(words)):
        for j in range(len(reference)):
            if i == j or words[i] != reference[j]:
                continue
            size = 1
            while words[i + size : i + size + 1] == reference[j + size : j + size + 1] != []:
                size += 1
            rest = words[:i] + words[i + size :]
            yield rest[:j] + words[i : i + size] + rest[j:]


def shift_cost(original: Words, words: Words) -> float:
    """What seems to have been shifted, from the first and the last order of words: mean characters of each block."""
    cost, i = 0.0, 0
    while i < len(words):
        size = 1
        if original[i] != words[i] and original[i] in words[i + 1 :]:
            there = words.index(original[i], i + 1)
            while there + size < len(words) and original[i + size] == words[there + size]:
                size += 1
            cost += sum(map(len, original[i : i + size])) / size
        i += size
    return cost
