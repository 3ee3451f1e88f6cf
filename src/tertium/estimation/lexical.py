"""How likely words of one side are as translations of the other's: IBM model 1 (Brown et al. 1993), kept as a table.

t(made | given) is learnt by expectation maximisation over all pairs of words that stand in one segment, with an empty
word on the given side. The file holds pairs by 32-bit keys with their probabilities; unlikely ones are not kept.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tertium.estimation.ngrams import Arrays, CountTable, shortened
from tertium.estimation.words import KeyedWords, Keys, Numbers, Places, mixed

ITERATIONS = 5
LEAST = 0.015  # probability of a pair that is kept
UNSEEN = 1e-4  # that of a pair that is not
LONGEST = 100  # words of a segment that are looked at
MOST = 20_000  # segments that are learnt from, evenly spread
_EMPTY = np.uint64(2)


@dataclass(frozen=True, eq=False)
class CrossedWords:
    """All pairs of a made and a given word of each segment; the empty word is the first given one of each."""

    made: Places  # which made word, among all
    keys: Keys  # of pairs
    given: Keys

    @classmethod
    def of(cls, made: KeyedWords, given: KeyedWords) -> CrossedWords:
        width = np.minimum(given.sizes, LONGEST) + 1
        each = np.where(_position(made) < LONGEST, width[made.segments], 0)
        place = np.repeat(np.arange(len(made.keys)), each)
        within = np.arange(len(place)) - np.repeat(np.cumsum(each) - each, each)
        where = given.starts[:-1][made.segments[place]] + within - 1
        own = given.keys if len(given.keys) else np.array([_EMPTY])
        keys = np.where(within == 0, _EMPTY, own[np.clip(where, 0, len(own) - 1)])
        return cls(place, mixed(keys, made.keys[place]), keys)


def _position(words: KeyedWords) -> Places:
    return np.arange(len(words.keys)) - words.starts[words.segments]


@dataclass(frozen=True, eq=False)
class LexicalModel:
    """t(made | given) of pairs of words."""

    table: CountTable

    @classmethod
    def learnt(cls, made: KeyedWords, given: KeyedWords) -> LexicalModel:
        if len(made) > MOST:
            places = np.arange(MOST) * len(made) // MOST
            made, given = made.take(places), given.take(places)
        pairs = CrossedWords.of(made, given)
        _, kind = np.unique(pairs.keys, return_inverse=True)
        kinds = int(kind.max(initial=-1)) + 1
        first = np.zeros(kinds, np.int64)
        first[kind] = np.arange(len(kind))
        _, of_given = np.unique(pairs.given[first], return_inverse=True)
        probable = np.ones(kinds)
        for _ in range(ITERATIONS):
            weights = probable[kind]
            weights /= np.bincount(pairs.made, weights, len(made.keys))[pairs.made]
            counts = np.bincount(kind, weights, kinds)
            probable = counts / np.bincount(of_given, counts)[of_given]
        keys, kept = shortened(pairs.keys[first]), probable >= LEAST
        order = np.argsort(keys[kept], kind="stable")
        return cls(CountTable(keys[kept][order], probable[kept][order].astype(np.float32)))

    def best(self, made: KeyedWords, given: KeyedWords) -> tuple[Numbers, Numbers]:
        """For each made word the probability of its best link to a word of the other side, and the mean over all."""
        pairs = CrossedWords.of(made, given)
        found = np.maximum(self.table[shortened(pairs.keys)], 0.0)
        total = np.bincount(pairs.made, found, len(made.keys))
        number = np.maximum(np.bincount(pairs.made, minlength=len(made.keys)), 1)
        most = np.zeros(len(made.keys))
        if len(found):
            begins = np.flatnonzero(np.diff(pairs.made, prepend=-1))
            real = np.where(pairs.given == _EMPTY, 0.0, found)
            most[pairs.made[begins]] = np.maximum.reduceat(real, begins)
        return np.maximum(most, UNSEEN), np.maximum(total / number, UNSEEN / 10)

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        return self.table.arrays(np.float16)

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> LexicalModel:
        return cls(CountTable.from_arrays(arrays))
