"""Texts as flat arrays: the words of all segments one behind the other, as 64-bit keys that are the same everywhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

Keys = npt.NDArray[np.uint64]
Places = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]
WORD = re.compile(r"\w+(?:['’]\w+)?|[^\w\s]")
_MIXING = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


class _KeyOf(dict[str, int]):
    """Keys of words, made when they are first asked for."""

    def __missing__(self, word: str) -> int:
        key = int.from_bytes(blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
        self[word] = key
        return key


def mixed(*keys: Keys) -> Keys:
    """One key of several, in their order."""
    found = keys[0]
    for key in keys[1:]:
        found = (found ^ (found >> _SHIFT)) * _MIXING + key
    return (found ^ (found >> _SHIFT)) * _MIXING


@dataclass(frozen=True, eq=False)
class KeyedWords:
    """The words of segments, cut at white space and punctuation, without case.

    >>> KeyedWords.of(["A cat, a cat.", ""]).sizes.tolist()
    [6, 0]
    """

    lines: Sequence[str]
    forms: list[list[str]]  # as they are written
    keys: Keys
    starts: Places  # where the words of each segment begin, and where the last end

    @classmethod
    def of(cls, lines: Sequence[str]) -> KeyedWords:
        known = _KeyOf()
        forms = [WORD.findall(line) for line in lines]
        sizes = [len(own) for own in forms]
        flat = (known[word.lower()] for own in forms for word in own)
        starts = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64)
        return cls(lines, forms, np.fromiter(flat, np.uint64, int(starts[-1])), starts)

    def __len__(self) -> int:
        return len(self.lines)

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
        own = places.tolist()
        return KeyedWords(
            [self.lines[i] for i in own],
            [self.forms[i] for i in own],
            self.keys[chosen[self.segments]],
            starts,
        )

    def mean(self, values: Numbers) -> Numbers:
        """The mean of values of words, for each segment; 0 of no words."""
        return np.asarray(self.sums(values) / np.maximum(self.sizes, 1))

    def sums(self, values: Numbers) -> Numbers:
        return np.asarray(np.bincount(self.segments, values, len(self)), float)

    def least(self, values: Numbers, empty: float = 0.0) -> Numbers:
        """The least of the values of words, for each segment."""
        found = np.full(len(self), np.inf)
        np.minimum.at(found, self.segments, values)
        return np.where(self.sizes > 0, found, empty)
