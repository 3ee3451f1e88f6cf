"""What single words say of the level, beyond their rank and their letters: a number for each of many words.

It is learnt through vectors of words by a sentence encoder that knows all languages of the scale, so that what English
words teach holds of French ones, too. What is kept is one number a word, under its hash: the encoder is needed in
training alone. A table is a string of pairs, a sign that tells words with the same place apart and the score; a word
has two places to be in.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tertium.readability.features import Numbers, WordTable, bare_form
from tertium.text.sentences import sentence_vectors

PLACES = 1 << 16
MOST = 30_000  # words of a language, by rank
_SIGNS = "".join(map(chr, range(35, 127))).replace("\\", "")  # of checks and scores, without quotes in JSON
_MIDDLE = len(_SIGNS) // 2
_EMPTY = "  "


def _places(word: str) -> tuple[int, int, str]:
    """Where a word may be, and by which sign it is known."""
    data = word.encode("utf-8", "replace")
    key = zlib.crc32(data)
    return key % PLACES, key >> 16, _SIGNS[zlib.crc32(data + b"#") % len(_SIGNS)]


@dataclass(frozen=True)
class WordScores:
    """Words of one language: scores in units of `unit`, and their mean over texts."""

    unit: float
    centre: float
    table: str  # two characters for each place

    def of(self, word: str) -> float:
        """The score of a word, 0 where it is not known."""
        first, second, sign = _places(word)
        for place in (first, second):
            if self.table[2 * place] == sign:
                return (_SIGNS.index(self.table[2 * place + 1]) - _MIDDLE) * self.unit
        return 0.0

    def every(self, words: Sequence[str]) -> Numbers:
        """The scores of words."""
        return np.array([self.of(word) for word in words], float)

    def problem(self) -> str:
        """What is wrong with a table that was read, if anything."""
        if len(self.table) != 2 * PLACES or set(self.table) - set(_SIGNS) - {" "}:
            return "a table of words is damaged"
        pairs = {self.table[i + 1] == " " for i in range(0, 2 * PLACES, 2) if self.table[i] != " "}
        return "a table of words is damaged" if True in pairs else ""


def packed(words: Iterable[str], scores: Mapping[str, float], centre: float = 0.0) -> WordScores:
    """A table of words, the most frequent first: one that finds both its places taken is left out.

    >>> made = packed(["cat", "dog"], {"cat": -1.0, "dog": 0.5})
    >>> [round(made.of(word), 2) for word in ("cat", "dog", "mat")]
    [-1.0, 0.49, 0.0]
    """
    known = list(dict.fromkeys(words))
    unit = max((abs(scores[word]) for word in known), default=0.0) / _MIDDLE or 1.0
    table = [_EMPTY] * PLACES
    for word in known:
        first, second, sign = _places(word)
        if sign in (table[first][0], table[second][0]):
            continue
        free = next((place for place in (first, second) if table[place] == _EMPTY), None)
        if free is not None:
            table[free] = sign + _SIGNS[min(len(_SIGNS) - 1, _MIDDLE + round(scores[word] / unit))]
    return WordScores(unit, centre, "".join(table))


def word_vectors(encoder: str, words: Sequence[str]) -> Numbers:
    """A unit vector for each word, zeros for what is none."""
    return sentence_vectors(encoder, words).astype(float)


def form_vectors(encoder: str, table: WordTable) -> tuple[Numbers, Numbers]:
    """Vectors of all forms that a table has seen, less their mean over different ones, and that mean.

    Only content words of the first `MOST` ranks have one: a text to come has others beyond.
    """
    ranks = table.frequencies.ranks
    bare = [bare_form(form) for form in table.forms]
    kept = table.content & np.array([ranks.get(word, MOST + 1) <= MOST for word in bare], bool)
    vectors = word_vectors(encoder, [word if own else "" for word, own in zip(bare, kept, strict=True)])
    centre = vectors[kept].mean(axis=0) if kept.any() else np.zeros(vectors.shape[1])
    return np.where(kept[:, None], vectors - centre, 0.0), centre
