"""The words of a text as numbers that all texts of an examination share, so that lines are compared by arrays."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, count

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
PIECE = 8192  # lines whose words are held as strings at a time
DENSE = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"  # scripts without spaces, and Korean: a character is a word
_DENSE = re.compile(f"[{DENSE}]")
LETTERS, TELLING, CHARACTER = (
    1,
    2,
    4,
)  # only letters; long enough to tell lines apart; of a script without spaces


@dataclass
class Vocabulary:
    """A number for each word, in order of appearance."""

    numbers: defaultdict[str, int] = field(default_factory=lambda: defaultdict(count().__next__))
    _names: list[str] = field(default_factory=list)
    _kinds: bytearray = field(default_factory=bytearray)

    def number(self, words: Iterable[str]) -> Integers:
        return np.fromiter(map(self.numbers.__getitem__, words), np.int64)

    def known(self, words: Iterable[str]) -> Integers:
        """Numbers of those of these words that occurred."""
        return np.fromiter((self.numbers[word] for word in words if word in self.numbers), np.int64)

    def names(self) -> list[str]:
        """The words by their numbers."""
        if len(self._names) < len(self.numbers):
            self._names = list(self.numbers)
        return self._names

    def kinds(self) -> npt.NDArray[np.uint8]:
        """What each number stands for, by flags."""
        if len(self._kinds) < len(self.numbers):
            for word in self.names()[len(self._kinds) :]:
                dense = CHARACTER if _DENSE.match(word) else 0
                telling = TELLING if len(word) > (1 if dense else 2) and word[0].isalnum() else 0
                self._kinds.append(dense | telling | (LETTERS if word.isalpha() else 0))
        return np.frombuffer(bytes(self._kinds), np.uint8)


@dataclass(frozen=True, eq=False)
class NumberedWords:
    """Lower-cased words and punctuation marks of a text, each with its line (from 0)."""

    vocabulary: Vocabulary
    lines: int
    number: Integers
    line: Integers

    @classmethod
    def of(cls, text: str, lines: int, vocabulary: Vocabulary) -> NumberedWords:
        """The words of lines that are joined by line feeds.

        >>> words = NumberedWords.of("No, no!\\nYes", 2, Vocabulary())
        >>> words.number.tolist(), words.line.tolist()
        ([0, 1, 0, 2, 3], [0, 0, 0, 0, 1])
        """
        lower = text.lower()
        if not lower.isascii() and _DENSE.search(lower):
            lower = _apart(lower)
        for mark in set(lower):
            if unicodedata.category(mark)[0] in "PS":
                lower = lower.replace(mark, f" {mark} ")
        numbers, sizes = [], []
        texts = lower.split("\n")
        for begin in range(0, len(texts), PIECE):
            split = [line.split() for line in texts[begin : begin + PIECE]]
            numbers.append(vocabulary.number(chain.from_iterable(split)))
            sizes.append(np.fromiter(map(len, split), np.int64))
        line = np.repeat(np.arange(len(texts)), np.concatenate(sizes))
        return cls(vocabulary, lines, np.concatenate(numbers), line)

    @cached_property
    def kinds(self) -> npt.NDArray[np.uint8]:
        return self.vocabulary.kinds()[self.number]

    @cached_property
    def types(self) -> tuple[Integers, Integers]:
        """Line and number of the words that tell lines apart, each once a line; characters go in pairs."""
        chosen = (self.kinds & TELLING) > 0
        number, line = self.number[chosen], self.line[chosen]
        dense = np.flatnonzero((self.kinds & CHARACTER) > 0)
        if len(dense):
            names, starts = self.vocabulary.names(), dense[:-1][np.diff(dense) == 1]
            starts = starts[self.line[starts] == self.line[starts + 1]]
            pairs = [
                names[a] + names[b] for a, b in zip(self.number[starts], self.number[starts + 1], strict=True)
            ]
            number = np.concatenate([number, self.vocabulary.number(pairs)])
            line = np.concatenate([line, self.line[starts]])
        keys = np.sort(line << 32 | number)
        keys = keys[np.diff(keys, prepend=-1) > 0]
        return keys >> 32, keys & 0xFFFFFFFF

    def name(self, place: int) -> str:
        """The word at a place."""
        return self.vocabulary.names()[int(self.number[place])]

    def per_line(self, chosen: Flags) -> Integers:
        """How many of the chosen words each line has."""
        return np.bincount(self.line[chosen], minlength=self.lines)

    def repeated(self, period: int, times: int) -> Integers:
        """Lines in which so many words (one of them of letters) are said so often in a row; characters once more."""
        number, line, kinds = self.number, self.line, self.kinds
        if len(number) <= period:
            return np.zeros(0, np.int64)
        same = (number[:-period] == number[period:]) & (line[:-period] == line[period:])
        breaks = np.concatenate([[-1], np.flatnonzero(~same), [len(same)]])
        starts, runs = breaks[:-1] + 1, np.diff(breaks) - 1
        enough = runs >= (times - 1) * period
        starts, runs = starts[enough], runs[enough]
        enough = ((kinds[starts] & CHARACTER) == 0) | (runs >= times * period)
        found = [i for i in starts[enough] if (kinds[i : i + period] & LETTERS).any()]
        return line[np.array(found, np.int64)]


def _apart(text: str) -> str:
    """A text with spaces around each character of a script without them."""
    dense = {ord(character) for character in set(text) if _DENSE.match(character)}
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    chosen = np.isin(codes, np.fromiter(dense, np.uint32), kind="table")
    spaced = np.repeat(codes, np.where(chosen, 3, 1))
    middle = np.cumsum(np.where(chosen, 3, 1))[chosen] - 2
    spaced[middle - 1] = spaced[middle + 1] = ord(" ")
    return spaced.tobytes().decode("utf-32-le", "surrogatepass")
