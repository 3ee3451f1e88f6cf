"""A small n-gram model of words: how surprising a text is.

Absolute discounting, interpolated (Ney, Essen and Kneser 1994):

    p(w | h) = max(c(hw) - D, 0) / c(h) + D N(h) / c(h) p(w | h')

where N(h) is how many different words follow h; of words, counts of how many words they follow (Kneser and Ney 1995).
Counts are kept by 32-bit keys of n-grams in sorted arrays, which is what files hold; those of `save` are mapped into
memory, not read. Looking words up is native (native/ngram_model.hpp).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tertium import _native
from tertium.errors import InputError
from tertium.io.arrayfiles import read_arrays, write_arrays
from tertium.io.streams import FilePath, display_name
from tertium.text.keyed import KeyedWords, Keys, Numbers, Places, ShortKeys, mixed, shortened

ORDER = 3
DISCOUNT = 0.75
FORM = "n-gram model"
_EDGE = np.uint64(1)  # before the first word
_TABLES = ("keys", "counts", "contexts", "followers")
Table = tuple[npt.NDArray[np.uint32], ...]
Arrays = Mapping[str, npt.NDArray[np.generic]]


def _counted(keys: ShortKeys) -> tuple[ShortKeys, npt.NDArray[np.uint32]]:
    found, counts = np.unique(keys, return_counts=True)
    return found, counts.astype(np.uint32)


def _joined(ngrams: Table, contexts: Table) -> Table:
    """One table of n-grams and of what is known of what follows them; most are both."""
    keys = np.union1d(ngrams[0], contexts[0])
    found: list[npt.NDArray[np.uint32]] = [keys]
    for own, values in ((ngrams[0], ngrams[1]), (contexts[0], contexts[1]), (contexts[0], contexts[2])):
        found.append(np.zeros(len(keys), np.uint32))
        found[-1][np.searchsorted(keys, own)] = values
    return tuple(found)


@dataclass(frozen=True, eq=False)
class NgramModel:
    """For n-grams of each length, nothing first: how often they were seen (of words: behind how many others), how often
    a word follows them, and how many different ones do.

    >>> model = NgramModel.learn(["the cat sat", "the cat ran", "a dog sat"])
    >>> [round(float(value), 2) for value in model.log_probabilities(["the cat", "the dog"])]
    [-0.42, -0.13, -0.42, -4.02]
    """

    tables: tuple[Table, ...]  # of each length the arrays of `_TABLES`
    words: float  # different ones

    @classmethod
    def learn(cls, lines: Sequence[str] | KeyedWords, order: int = ORDER) -> NgramModel:
        words = _keyed(lines)
        own: list[tuple[ShortKeys, npt.NDArray[np.uint32]]] = [_counted(np.zeros(0, np.uint32))]
        before: list[tuple[ShortKeys, npt.NDArray[np.uint32], npt.NDArray[np.uint32]]] = []
        for size in range(1, order + 1):
            whole, context = _ngrams(words, size)
            if size == 1:  # how many different words stand before each, rather than how often it occurs
                first = np.unique(_ngrams(words, 2)[0], return_index=True)[1]
                whole, context = whole[first], context[first]
            ngrams, counts = _counted(whole)
            known, follow = _counted(context[np.unique(whole, return_index=True)[1]])
            contexts, times = _counted(context)
            followers = np.ones(len(contexts), np.uint32)
            followers[np.searchsorted(contexts, known)] = follow
            often = counts > (1 if size > 2 else 0)  # what occurred once says little
            own.append((ngrams[often], counts[often]))
            before.append((contexts, times, followers))
        before.append((*_counted(np.zeros(0, np.uint32)), np.zeros(0, np.uint32)))
        tables = tuple(_joined(*both) for both in zip(own, before, strict=True))
        return cls(tables, float(len(own[1][0])))

    def pruned(self, most: Sequence[int]) -> NgramModel:
        """Less what was seen least often, so that no more n-grams are left of any length, words first, than these."""
        tables = [self.tables[0]]
        for table, limit in zip(self.tables[1:], most, strict=True):
            often = np.maximum(table[1], table[2])  # as an n-gram, or before a word
            least = np.sort(often)[-limit - 1] + 1 if len(often) > limit else 0
            tables.append(tuple(own[often >= least] for own in table))
        return NgramModel(tuple(tables), self.words)

    @cached_property
    def _native(self) -> _native.NgramTables:
        arrays = [np.ascontiguousarray(own, np.uint32) for tables in self.tables for own in tables]
        return _native.NgramTables(arrays, self.words, DISCOUNT)

    def read(self, lines: Sequence[str] | KeyedWords, *, threads: int = 1) -> tuple[Numbers, Numbers]:
        """The probability of every word, and how many words stand before it in what was learnt."""
        words = _keyed(lines)
        found, counts = self._native.probabilities(words.keys, words.starts, threads)
        return np.asarray(found), np.asarray(counts)

    def log_probabilities(self, lines: Sequence[str] | KeyedWords, *, threads: int = 1) -> Numbers:
        """The logarithm of the probability of every word."""
        return np.asarray(np.log(self.read(lines, threads=threads)[0]))

    def counts(self, lines: Sequence[str] | KeyedWords) -> Numbers:
        """How many words stand before each word in what was learnt: 0 for a word that was not there."""
        return self.read(lines)[1]

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """All of it, for files that are packed: keys as differences."""
        found: dict[str, npt.NDArray[np.generic]] = {"words": np.array([self.words])}
        for size, tables in enumerate(self.tables):
            for name, own in zip(_TABLES, tables, strict=True):
                found[f"{name}{size}"] = np.diff(own, prepend=np.uint32(0)) if name == "keys" else own
        return found

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> NgramModel:
        """Refuses arrays that do not fit each other: KeyError, ValueError."""

        def table(name: str, size: int) -> npt.NDArray[np.uint32]:
            own = np.asarray(arrays[f"{name}{size}"], np.uint32)
            return np.cumsum(own, dtype=np.uint32) if name == "keys" else own

        tables = [tuple(table(name, size) for name in _TABLES) for size in range(_lengths(arrays))]
        found = cls(tuple(tables), float(np.asarray(arrays["words"])[0]))
        found._native  # noqa: B018  which says, too, whether they fit
        return found

    def save(self, path: FilePath) -> None:
        """Write a file that `load` maps into memory."""
        arrays = {
            f"{name}{size}": own
            for size, tables in enumerate(self.tables)
            for name, own in zip(_TABLES, tables, strict=True)
        }
        write_arrays(path, FORM, {"words": self.words, "discount": DISCOUNT}, arrays)

    @classmethod
    def load(cls, path: FilePath) -> NgramModel:
        about, arrays = read_arrays(path, FORM)
        try:
            tables = [
                tuple(np.asarray(arrays[f"{name}{size}"], np.uint32) for name in _TABLES)
                for size in range(_lengths(arrays))
            ]
            found = cls(tuple(tables), float(about["words"]))
            found._native  # noqa: B018
        except (KeyError, ValueError, TypeError):
            raise InputError(f"{display_name(path)}: is no {FORM}, or damaged") from None
        return found


def _lengths(arrays: Arrays) -> int:
    found = 0
    while f"keys{found}" in arrays:
        found += 1
    return found


def _keyed(lines: Sequence[str] | KeyedWords) -> KeyedWords:
    return lines if isinstance(lines, KeyedWords) else KeyedWords.of(lines)


def _ngrams(words: KeyedWords, size: int) -> tuple[ShortKeys, ShortKeys]:
    """The n-gram that ends at each word, and what stands before the word in it."""
    before: list[Keys] = []
    place: Places = np.arange(len(words.keys))
    begins = words.starts[words.segments]
    for back in range(size - 1, 0, -1):
        inside = place - back >= begins
        before.append(np.where(inside, words.keys[np.maximum(place - back, 0)], _EDGE))
    whole = shortened(mixed(*before, words.keys))
    return whole, shortened(mixed(*before)) if before else np.zeros(len(whole), np.uint32)
