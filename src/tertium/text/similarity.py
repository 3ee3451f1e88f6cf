"""How similar words are, behind one small interface: anything with `similarity(words_a, words_b)` will do.

It gives a matrix, a row for each word of `words_a` and a column for each of `words_b`, of numbers that are 1 for
"the same" and 0 for "nothing in common"; less than 0 or not a number counts as 0. `Cosines` makes one of word vectors,
`Letters` needs no file.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Protocol

from tertium.errors import InputError, SpecError

LETTERS = "letters"


class WordSimilarity(Protocol):
    """Anything that can compare words."""

    def similarity(self, words_a: Sequence[str], words_b: Sequence[str]) -> Any: ...


class Letters:
    """Words are similar as far as they share pairs of neighbouring letters (Dice's coefficient).

    >>> Letters().similarity(["night"], ["nights", "day"])
    [[0.8888888888888888, 0.0]]
    """

    def similarity(self, words_a: Sequence[str], words_b: Sequence[str]) -> list[list[float]]:
        theirs = [_counted(word) for word in words_b]
        return [
            [
                0.0 if own.isdisjoint(other) else 2 * len(own & other) / (len(own) + len(other))
                for other in theirs
            ]
            for own in map(_counted, words_a)
        ]

    def of_pairs(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """The same for pairs of words, without all the others."""
        known: dict[str, Counter[str]] = {}
        found = []
        for one, other in pairs:
            a, b = (known.get(word) or known.setdefault(word, _pairs(word)) for word in (one, other))
            common = sum(min(count, b[pair]) for pair, count in a.items() if pair in b)
            found.append(2 * common / (max(1, len(one) - 1) + max(1, len(other) - 1)))
        return found


@lru_cache(maxsize=20_000)
def _counted(word: str) -> frozenset[str]:
    """Pairs of letters, the second of the same with its number: what two words share is then a set."""
    return frozenset(
        pair if number == 1 else f"{pair}{number}"
        for pair, count in _pairs(word).items()
        for number in range(1, count + 1)
    )


def _pairs(word: str) -> Counter[str]:
    return Counter(word[i : i + 2] for i in range(max(1, len(word) - 1)))


class Cosines:
    """Words are similar as far as their vectors point the same way; 0 for words without a vector."""

    def __init__(self, vectors: Any) -> None:
        self.vectors = vectors  # whatever has `cosines(words_a, words_b)`

    @property
    def identity(self) -> str:
        """A hash of the vectors, for signatures."""
        return str(getattr(self.vectors, "hash", ""))

    def similarity(self, words_a: Sequence[str], words_b: Sequence[str]) -> Any:
        return self.vectors.cosines(words_a, words_b)


def word_similarity(name: str) -> WordSimilarity:
    """The similarity that an option names: `letters`, or a file of word vectors.

    >>> type(word_similarity("letters")).__name__
    'Letters'
    """
    return _vectors(name, os.environ.get("TERTIUM_CACHE", "")) if name != LETTERS else Letters()


@lru_cache(maxsize=4)
def _vectors(path: str, cache: str) -> WordSimilarity:
    if not path:
        raise SpecError("word vectors are needed: vectors=<file>, or vectors=letters to compare by letters")
    if not os.path.exists(path):
        raise InputError(f"vectors={path}: no such file")
    from tertium.text.vectors import Vectors

    return Cosines(Vectors.open(path))


def pair_weights(pairs: Sequence[tuple[str, str]], similarity: WordSimilarity) -> list[float]:
    """The similarity of each pair, from 0 to 1, asked for in blocks.

    >>> pair_weights([("night", "nights"), ("night", "day")], Letters())
    [0.8888888888888888, 0.0]
    """
    if isinstance(similarity, Letters):
        return similarity.of_pairs(pairs)
    found = [0.0] * len(pairs)
    order = sorted(range(len(pairs)), key=lambda i: pairs[i])
    for begin in range(0, len(order), 128):
        block = order[begin : begin + 128]
        ours = list(dict.fromkeys(pairs[i][0] for i in block))
        theirs = list(dict.fromkeys(pairs[i][1] for i in block))
        matrix = similarity.similarity(ours, theirs)
        rows, places = ({word: k for k, word in enumerate(words)} for words in (ours, theirs))
        for i in block:
            value = float(matrix[rows[pairs[i][0]]][places[pairs[i][1]]])
            found[i] = min(1.0, value) if value > 0 else 0.0
    return found
