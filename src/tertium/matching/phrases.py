"""Phrases of a memory's sources: the longest runs of a segment's words that are stored somewhere, and where.

All words of all sources stand one behind the other, as numbers, and their places are sorted by the words that follow
(a suffix array, `LONGEST` words deep, by prefix doubling). The table lies beside the memory (`.phrases`), written whole
or not at all; what has been added since is a second, small table.
"""

from __future__ import annotations

import os
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tertium.errors import InputError
from tertium.io.arrayfiles import read_arrays, write_arrays
from tertium.text.keyed import KeyedWords

if TYPE_CHECKING:
    import numpy.typing as npt

    from tertium.matching.index import MemoryIndex
    from tertium.text.keyed import Keys

    Places = npt.NDArray[np.int64]
    Words = npt.NDArray[np.int32]

ENDING = ".phrases"
FORM = "phrases of a memory"
VERSION = 1
LONGEST = 16  # words of a phrase: a power of two
_GROWN = 1.2  # times as many units as before: made anew
_BATCH = 65_536


class StoredRun(NamedTuple):
    """Words of a segment that are stored in this order: the first of them, how many, and in how many places."""

    begin: int
    size: int
    times: int


@dataclass(frozen=True, eq=False)
class PhraseTable:
    """Words of sources, 0 between two of them; `keys` are sorted, and a word's number is its place there plus 1."""

    keys: Keys
    words: Words
    starts: Places  # where each source begins, and where the last ends
    order: Words  # places, sorted by what follows
    first: int = 0  # the source that is the first here

    @classmethod
    def of(cls, texts: Sequence[str], first: int = 0) -> PhraseTable:
        """Of sources.

        >>> table = PhraseTable.of(["open the file", "close the file now"])
        >>> [tuple(run) for run in table.runs(KeyedWords.of(["Then open the file now"]))[0]]
        [(1, 3, 1), (2, 3, 1), (3, 2, 1), (4, 1, 1)]
        """
        cut = [KeyedWords.of(texts[at : at + _BATCH]) for at in range(0, len(texts), _BATCH)]
        flat = np.concatenate([own.keys for own in cut] or [np.zeros(0, np.uint64)])
        sizes = np.concatenate([own.sizes for own in cut] or [np.zeros(0, np.int64)])
        keys, numbers = np.unique(flat, return_inverse=True)
        starts = np.concatenate([[0], np.cumsum(sizes + 1)]).astype(np.int64)
        words = np.zeros(int(starts[-1]), np.int32)
        inside = np.ones(len(words), bool)
        inside[starts[1:] - 1] = False
        words[inside] = numbers + 1
        return cls(keys, words, starts, _sorted(words), first)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def numbered(self, keys: Keys) -> Words:
        """Words by number; -1 of those that are in no source."""
        if not len(self.keys):
            return np.full(len(keys), -1, np.int32)
        places = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[places] == keys, places + 1, -1).astype(np.int32)

    def runs(self, texts: KeyedWords) -> list[list[StoredRun]]:
        """For each word of each text the longest stored run that begins there."""
        found: list[list[StoredRun]] = [[] for _ in range(len(texts))]
        low, high, sizes = self._longest(self.numbered(texts.keys), texts)
        rows = zip(texts.segments.tolist(), sizes.tolist(), (high - low).tolist(), strict=True)
        for place, (segment, size, times) in enumerate(rows):
            if size:
                found[segment].append(StoredRun(place - int(texts.starts[segment]), size, times))
        return found

    def _longest(self, words: Words, texts: KeyedWords) -> tuple[Places, Places, Places]:
        """The bounds of the places that go on as long as possible as each word's text does, and how long that is."""
        ends = np.repeat(texts.starts[1:], texts.sizes)
        low, high = np.zeros(len(words), np.int64), np.full(len(words), len(self.order))
        sizes = np.zeros(len(words), np.int64)
        left = np.arange(len(words))
        for depth in range(LONGEST):
            left = left[left + depth < ends[left]]
            wanted = words[left + depth]
            begin = self._bound(low[left], high[left], wanted, depth, after=False)
            end = self._bound(begin, high[left], wanted, depth, after=True)
            there = (begin < end) & (wanted > 0)
            left = left[there]
            if not len(left):
                break
            low[left], high[left], sizes[left] = begin[there], end[there], depth + 1
        return low, high, sizes

    def bounds(self, words: Words) -> tuple[int, int]:
        """The bounds of the places where words stand in this order."""
        low, high = 0, len(self.order)
        for depth, word in enumerate(words.tolist()):

            def own(place: int, depth: int = depth) -> int:
                at = int(self.order[place]) + depth
                return int(self.words[at]) if at < len(self.words) else 0

            places = range(len(self.order))
            low = bisect_left(places, word, low, high, key=own)
            high = bisect_right(places, word, low, high, key=own)
        return low, high

    def _bound(self, low: Places, high: Places, wanted: Words, depth: int, *, after: bool) -> Places:
        """Where a word begins (or ends) among the places between bounds, by the words so far behind them."""
        low, high = low.copy(), high.copy()
        while (open_ := low < high).any():
            middle = (low + high) // 2
            at = self.order[np.minimum(middle, len(self.order) - 1)].astype(np.int64) + depth
            own = np.where(at < len(self.words), self.words[np.minimum(at, len(self.words) - 1)], 0)
            less = (own <= wanted if after else own < wanted) & open_
            low = np.where(less, middle + 1, low)
            high = np.where(open_ & ~less, middle, high)
        return low

    def sources(self, keys: Keys, most: int) -> tuple[int, list[int]]:
        """In how many places words stand in this order, and some of the sources, evenly spread."""
        words = self.numbered(keys)
        if not len(words) or words.min() < 1:
            return 0, []
        low, high = self.bounds(words)
        chosen = low + np.arange(min(most, high - low)) * (high - low) // max(1, min(most, high - low))
        own = np.searchsorted(self.starts, self.order[chosen], side="right") - 1
        return high - low, (np.unique(own) + self.first).tolist()

    def save(self, path: str, about: dict[str, object]) -> None:
        arrays: dict[str, npt.NDArray[np.generic]] = {
            "keys": self.keys,
            "words": self.words,
            "starts": self.starts,
            "order": self.order,
        }
        write_arrays(path, FORM, {**about, "units": len(self)}, arrays)

    @classmethod
    def load(cls, path: str, about: dict[str, object]) -> PhraseTable | None:
        """None where the file is of something else; InputError where there is none, or a damaged one."""
        facts, arrays = read_arrays(path, FORM)
        if any(facts.get(name) != value for name, value in about.items()):
            return None
        return cls(
            np.asarray(arrays["keys"], np.uint64),
            np.asarray(arrays["words"], np.int32),
            np.asarray(arrays["starts"], np.int64),
            np.asarray(arrays["order"], np.int32),
        )


def _sorted(words: Words) -> Words:
    """Places sorted by the next `LONGEST` words: first by one, then by twice as many each time."""
    ranks, depth = words.astype(np.int64), 1
    while depth < LONGEST:
        behind = np.zeros(len(ranks), np.int64)
        behind[:-depth] = ranks[depth:]
        pairs = ranks * (int(ranks.max(initial=0)) + 1) + behind
        order = np.argsort(pairs, kind="stable")
        new = np.zeros(len(pairs), np.int64)
        new[1:] = pairs[order][1:] != pairs[order][:-1]
        ranks = np.empty_like(ranks)
        ranks[order] = np.cumsum(new)
        depth *= 2
    return np.argsort(ranks, kind="stable").astype(np.int32)


def phrases_of(index: MemoryIndex, *, keep: bool = True) -> list[PhraseTable]:
    """The phrases of an index's sources: as they lie beside the memory, with a table of what has come since; or made
    anew where much has."""
    path = os.path.abspath(index.memory.path) + ENDING
    about: dict[str, object] = {"version": VERSION, **index.facts()}
    found = None
    if keep:
        try:
            found = PhraseTable.load(path, about)
        except (InputError, KeyError, ValueError):
            found = None  # none, or damaged: it is made again
    total = len(index)
    if found is None or not len(found) <= total < len(found) * _GROWN + _BATCH:
        found = PhraseTable.of([index.texts.text(n) for n in range(total)])
        if keep:
            with suppress(InputError):  # a folder that nothing can be written to
                found.save(path, about)
    if len(found) == total:
        return [found]
    return [found, PhraseTable.of([index.texts.text(n) for n in range(len(found), total)], len(found))]
