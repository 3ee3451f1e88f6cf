"""Texts as flat arrays: the words of all segments one behind the other, as 64-bit keys that are the same everywhere.

A word is a run of letters, digits and `_`, with one apostrophe inside, or any other character that is no space; its key
is BLAKE2b of its small letters. The work is native (native/keyed_words.hpp).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import numpy.typing as npt

from tertium import _native
from tertium._native import Lines, WordCharacters

Keys = npt.NDArray[np.uint64]
ShortKeys = npt.NDArray[np.uint32]
Places = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]
WORD = re.compile(r"\w+(?:['’]\w+)?|[^\w\s]")
_MIXING = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)
_PLANES = 0x40000  # characters beyond are no letters
_DOTTED, _SIGMA = (
    "\u0130",
    "\u03a3",
)  # the one becomes two small letters, the other depends on what stands beside it


def mixed(*keys: Keys) -> Keys:
    """One key of several, in their order."""
    found = keys[0]
    for key in keys[1:]:
        found = (found ^ (found >> _SHIFT)) * _MIXING + key
    return (found ^ (found >> _SHIFT)) * _MIXING


def shortened(keys: Keys) -> ShortKeys:
    return (keys >> np.uint64(32)).astype(np.uint32)


@cache
def characters() -> WordCharacters:
    """What characters are, as Python has them: parts of words, digits, capitals; and their small letters."""
    every = "".join(map(chr, range(_PLANES)))
    kinds = np.zeros(_PLANES, np.uint8)
    for kind, pattern in ((1, r"\w+"), (2, r"\d+")):
        for found in re.finditer(pattern, every):
            kinds[found.start() : found.end()] |= kind
    kinds[[i for i, c in enumerate(every) if c.isupper()]] |= 4
    # A small sigma at the end of a word looks different; what counts as its end, str.lower() tells.
    before = "".join(f"\n{c}{_SIGMA}\n" for c in every.replace(_DOTTED, "-")).lower()[2::4]
    beside = "".join(f"A{_SIGMA}{c}A\n" for c in every.replace(_DOTTED, "-")).lower()[1::5]
    cased = _codes(before) == ord("ς")
    kinds[cased] |= 8
    kinds[(_codes(beside) == ord("σ")) & ~cased] |= 16
    kinds[ord(_DOTTED)] |= 8
    small = _codes(every.replace(_DOTTED, "-").replace(_SIGMA, "-").lower()).copy()
    return WordCharacters(kinds, small)


def _codes(text: str) -> npt.NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


@dataclass(frozen=True, eq=False)
class KeyedWords:
    """The words of segments, cut at white space and punctuation, without case.

    >>> KeyedWords.of(["A cat, a cat.", ""]).sizes.tolist()
    [6, 0]
    """

    lines: Sequence[str]
    texts: Lines
    keys: Keys
    characters: npt.NDArray[np.uint32]  # how many each word has
    starts: Places  # where the words of each segment begin, and where the last end

    @classmethod
    def of(cls, lines: Sequence[str], *, threads: int = 1) -> KeyedWords:
        texts = Lines(lines)
        keys, sizes, starts = map(np.asarray, _native.keyed_words(texts, characters(), threads))
        return cls(lines, texts, keys, sizes, starts)

    def __len__(self) -> int:
        return len(self.starts) - 1

    @cached_property
    def forms(self) -> list[list[str]]:
        """The words as they are written."""
        return [WORD.findall(line) for line in self.lines]

    @cached_property
    def sizes(self) -> Places:
        return np.diff(self.starts)

    @cached_property
    def segments(self) -> Places:
        """The segment of each word."""
        return np.repeat(np.arange(len(self)), self.sizes)

    def take(self, places: Places) -> KeyedWords:
        """Some of the segments."""
        chosen = np.zeros(len(self), bool)
        chosen[places] = True
        if not np.array_equal(np.flatnonzero(chosen), places):
            raise ValueError("segments are taken in their order")
        starts = np.concatenate([[0], np.cumsum(self.sizes[places])]).astype(np.int64)
        lines = [self.lines[i] for i in places.tolist()]
        inside = chosen[self.segments]
        return KeyedWords(lines, Lines(lines), self.keys[inside], self.characters[inside], starts)

    def plus(self, other: KeyedWords) -> KeyedWords:
        """These segments, and others behind them."""
        lines = [*self.lines, *other.lines]
        return KeyedWords(
            lines,
            Lines(lines),
            np.concatenate([self.keys, other.keys]),
            np.concatenate([self.characters, other.characters]),
            np.concatenate([self.starts, other.starts[1:] + self.starts[-1]]),
        )

    def mean(self, values: Numbers) -> Numbers:
        """The mean of values of words, for each segment; 0 of no words."""
        return np.asarray(self.sums(values) / np.maximum(self.sizes, 1))

    def sums(self, values: Numbers) -> Numbers:
        return np.asarray(np.bincount(self.segments, values, len(self)), float)

    def least(self, values: Numbers, empty: float = 0.0) -> Numbers:
        """The least of the values of words, for each segment."""
        found = np.full(len(self), empty)
        some = self.sizes > 0
        if some.any():
            found[some] = np.minimum.reduceat(values, self.starts[:-1][some])
        return found
