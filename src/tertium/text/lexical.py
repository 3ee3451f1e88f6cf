"""How likely words of one side are as translations of the other's: IBM model 1 (Brown et al. 1993), kept as a table.

t(made | given) is learnt by expectation maximisation over all pairs of words that stand in one segment, with an empty
word on the given side (native/ibm1.hpp). The table holds pairs by 32-bit keys with their probabilities; unlikely ones
are not kept. `ibm1.py` learns in the same way, for the links of one text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tertium import _native
from tertium.errors import InputError
from tertium.io.arrayfiles import read_arrays, write_arrays
from tertium.io.streams import FilePath, display_name
from tertium.text.keyed import KeyedWords, Keys, Numbers, Places, ShortKeys, mixed, shortened
from tertium.text.ngrams import Arrays

ITERATIONS = 5
LEAST = 0.015  # probability of a pair that is kept
UNSEEN = 1e-4  # that of a pair that is not
LONGEST = 100  # words of a segment that are looked at
MOST = 20_000  # segments that are learnt from, evenly spread
FORM = "lexical model"
_EMPTY = np.uint64(2)


@dataclass(frozen=True, eq=False)
class LexicalModel:
    """t(made | given) of pairs of words.

    >>> given, made = ["das Haus", "das Buch", "ein Buch"], ["the house", "the book", "a book"]
    >>> model = LexicalModel.learn(made, given)
    >>> best, mean = model.best(["a house", "a zebra"], ["ein Haus", "ein Haus"])
    >>> [bool(value > 0.4) for value in best]
    [True, True, True, False]
    """

    keys: ShortKeys
    chances: npt.NDArray[np.float32]

    @classmethod
    def learn(
        cls, made: Sequence[str] | KeyedWords, given: Sequence[str] | KeyedWords, *, most: int = MOST
    ) -> LexicalModel:
        ours, theirs = (own if isinstance(own, KeyedWords) else KeyedWords.of(own) for own in (given, made))
        known, numbers = np.unique(np.concatenate([ours.keys, theirs.keys]), return_inverse=True)
        numbered = (
            *_beginnings(ours, numbers[: len(ours.keys)]),
            *_beginnings(theirs, numbers[len(ours.keys) :]),
        )
        found = _native.ibm1_chances(
            *numbered, len(known), iterations=ITERATIONS, longest=LONGEST, most=most, alike=1.0, least=LEAST
        )
        words: Keys = np.append(known, _EMPTY)
        first, second, chances = map(np.asarray, found)
        keys = shortened(mixed(words[first], words[second]))
        order = np.lexsort((-chances, keys))
        return cls(keys[order], chances[order].astype(np.float32))

    def pruned(self, most: int) -> LexicalModel:
        """The pairs that are likeliest, no more than so many."""
        if len(self.keys) <= most:
            return self
        kept = self.chances > np.sort(self.chances)[-most - 1]
        return LexicalModel(self.keys[kept], self.chances[kept])

    @cached_property
    def _native(self) -> _native.PairChances:
        return _native.PairChances(
            np.ascontiguousarray(self.keys, np.uint32), np.ascontiguousarray(self.chances, np.float32)
        )

    def of(self, given: Keys, made: Keys) -> Numbers:
        """t(made | given) of pairs of keys; 0 of those that are not kept."""
        starts: Places = np.arange(len(made) + 1, dtype=np.int64)
        return np.asarray(self._native.best(made, starts, given, starts, 1)[0])

    def best(
        self, made: Sequence[str] | KeyedWords, given: Sequence[str] | KeyedWords, *, threads: int = 1
    ) -> tuple[Numbers, Numbers]:
        """For each made word the probability of its best link to a word of the other side, and the mean over all."""
        ours, theirs = (own if isinstance(own, KeyedWords) else KeyedWords.of(own) for own in (made, given))
        found = self._native.best(ours.keys, ours.starts, theirs.keys, theirs.starts, LONGEST, threads)
        best, mean = map(np.asarray, found)
        return np.maximum(best, UNSEEN), np.maximum(mean, UNSEEN / 10)

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """All of it, for files that are packed: keys as differences, probabilities in two bytes."""
        return {
            "keys": np.diff(self.keys, prepend=np.uint32(0)),
            "chances": self.chances.astype(np.float16),
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> LexicalModel:
        """Refuses arrays that do not fit each other: KeyError, ValueError."""
        keys = np.cumsum(np.asarray(arrays["keys"], np.uint32), dtype=np.uint32)
        found = cls(keys, np.asarray(arrays["chances"], np.float32))
        found._native  # noqa: B018  which says, too, whether they fit
        return found

    def save(self, path: FilePath) -> None:
        """Write a file that `load` maps into memory."""
        write_arrays(path, FORM, {}, {"keys": self.keys, "chances": self.chances})

    @classmethod
    def load(cls, path: FilePath) -> LexicalModel:
        _, arrays = read_arrays(path, FORM)
        try:
            found = cls(np.asarray(arrays["keys"], np.uint32), np.asarray(arrays["chances"], np.float32))
            found._native  # noqa: B018
        except (KeyError, ValueError, TypeError):
            raise InputError(f"{display_name(path)}: is no {FORM}, or damaged") from None
        return found


def _beginnings(side: KeyedWords, numbers: Places) -> tuple[npt.NDArray[np.uint32], Places]:
    """The numbers of the words that are looked at, and where those of each segment begin."""
    inside = np.arange(len(side.keys)) - side.starts[side.segments] < LONGEST
    starts = np.concatenate([[0], np.cumsum(np.minimum(side.sizes, LONGEST))]).astype(np.int64)
    return numbers[inside].astype(np.uint32), starts
