"""The words of a text as numbers that all texts of an examination share, so that lines are compared by arrays."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache, cached_property

import numpy as np
import numpy.typing as npt

from tertium._native import Lines, NumberedLines, WordNumbers
from tertium.comparison.doctor.survey import Codes, Integers

Numbers = npt.NDArray[np.uint32]
DENSE = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"  # scripts without spaces, and Korean: a character is a word
_DENSE = re.compile(f"[{DENSE}]")
LETTERS, TELLING, CHARACTER = (
    1,
    2,
    4,
)  # only letters; long enough to tell lines apart; of a script without spaces


@dataclass(eq=False)
class Vocabulary:
    """A number for each word, in order of appearance."""

    native: WordNumbers = field(default_factory=WordNumbers)

    def __len__(self) -> int:
        return len(self.native)

    def known(self, words: Iterable[str]) -> Integers:
        """Numbers of those of these words that occurred."""
        found = map(self.native.find, words)
        return np.array([number for number in found if number is not None], np.int64)

    def name(self, number: int) -> str:
        return self.native.name(number)

    def kinds(self) -> npt.NDArray[np.uint8]:
        """What each number stands for, by flags."""
        return np.asarray(self.native.kinds())


@dataclass(frozen=True, eq=False)
class NumberedWords:
    """Lower-cased words and punctuation marks of a text, line by line."""

    vocabulary: Vocabulary
    native: NumberedLines

    @classmethod
    def of(cls, lines: Lines, codes: Codes, vocabulary: Vocabulary) -> NumberedWords:
        """The words of lines in which these characters occur.

        >>> from tertium.comparison.doctor.survey import codes_of
        >>> lines = Lines(["No, no!", "Yes"])
        >>> words = NumberedWords.of(lines, codes_of(lines), Vocabulary())
        >>> words.number.tolist(), words.starts.tolist()
        ([0, 1, 0, 2, 3], [0, 4, 5])
        """
        found = set(map(chr, codes.tolist()))
        found = found.union("ς", *map(str.lower, found))  # a sigma at the end of a word
        known = np.fromiter(map(ord, found), np.uint32)
        vocabulary.native.learn(known, np.fromiter(map(_flags, found), np.uint8))
        return cls(
            vocabulary,
            NumberedLines(lines, vocabulary.native, known, list(map(_rewritten, found))),
        )

    @cached_property
    def number(self) -> Numbers:
        return np.asarray(self.native.numbers)

    @cached_property
    def starts(self) -> Integers:
        """Where the words of each line begin; at last, where those of the last one end."""
        return np.asarray(self.native.starts)

    @property
    def kinds(self) -> npt.NDArray[np.uint8]:
        return self.vocabulary.kinds()[self.number]

    @cached_property
    def types(self) -> NumberedLines:
        """The words that tell lines apart, each once a line; characters go in pairs."""
        return self.native.types(self.vocabulary.native)

    def line_of(self, places: Integers) -> Integers:
        """The lines (from 0) of words at these places."""
        return np.searchsorted(self.starts, places, side="right") - 1

    def per_line(self, times: npt.NDArray[np.uint8]) -> Integers:
        """The sum of what each word counts, by line."""
        return np.diff(np.concatenate([[0], np.cumsum(times, dtype=np.int64)])[self.starts])

    def repeated(self, longest: int, times: int) -> list[int]:
        """Lines in which up to so many words (one of letters) are said so often in a row; characters once more."""
        return self.native.repeated(self.vocabulary.native, longest, times)


@cache
def _flags(character: str) -> int:
    """What the native core must know of a character to say what kind a word is of."""
    dense = 4 if _DENSE.match(character) else 0
    return character.isalpha() | 2 * character.isalnum() | dense


@cache
def _rewritten(character: str) -> str:
    """A character in lower case, with spaces around it if it is a word by itself.

    >>> _rewritten("A"), _rewritten("!"), _rewritten("本"), _rewritten("\\t")
    ('a', ' ! ', ' 本 ', ' ')
    """
    if character.isspace():
        return " "
    lower = character.lower()
    alone = _DENSE.match(lower) or unicodedata.category(lower[0])[0] in "PS"
    return f" {lower} " if alone else lower
