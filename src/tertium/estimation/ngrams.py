"""A small n-gram model of the words of one side: how surprising a text is.

Absolute discounting, interpolated (Ney, Essen and Kneser 1994):

    p(w | h) = max(c(hw) - D, 0) / c(h) + D N(h) / c(h) p(w | h')

where N(h) is how many different words follow h; of words, counts of how many words they follow (Kneser and Ney 1995).
Counts are kept by 32-bit keys of n-grams in sorted arrays, which is what the model's file holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tertium.estimation.words import KeyedWords, Keys, Numbers, Places, mixed

ORDER = 3
DISCOUNT = 0.75
_EDGE = np.uint64(1)  # before the first word
Short = npt.NDArray[np.uint32]
Arrays = Mapping[str, npt.NDArray[np.generic]]


def shortened(keys: Keys) -> Short:
    return (keys >> np.uint64(32)).astype(np.uint32)


@dataclass(frozen=True, eq=False)
class CountTable:
    """Counts by key; what is not there has none."""

    keys: Short
    counts: npt.NDArray[np.float32]

    @classmethod
    def of(cls, keys: Short, weights: Numbers | None = None) -> CountTable:
        found, place = np.unique(keys, return_inverse=True)
        return cls(found, np.bincount(place, weights, len(found)).astype(np.float32))

    def arrays(self, values: type[np.generic], most: float = np.inf) -> dict[str, npt.NDArray[np.generic]]:
        """Keys as differences, which pack well, and counts in few bytes."""
        return {
            "keys": np.diff(self.keys, prepend=np.uint32(0)),
            "counts": np.minimum(self.counts, most).astype(values),
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays, name: str = "") -> CountTable:
        keys, counts = np.asarray(arrays[f"{name}keys"]), np.asarray(arrays[f"{name}counts"])
        if len(keys) != len(counts):
            raise ValueError("numbers of keys and counts differ")
        return cls(np.cumsum(keys, dtype=np.uint64).astype(np.uint32), counts.astype(np.float32))

    def __getitem__(self, keys: Short) -> Numbers:
        if not len(self.keys):
            return np.zeros(len(keys))
        place = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[place] == keys, self.counts[place], 0.0).astype(float)


@dataclass(frozen=True, eq=False)
class NgramModel:
    """Counts of n-grams, of their beginnings, and of how many different words follow each."""

    ngrams: tuple[CountTable, ...]
    contexts: tuple[CountTable, ...]
    followers: tuple[CountTable, ...]
    words: float  # different ones

    @classmethod
    def learnt(cls, words: KeyedWords, order: int = ORDER) -> NgramModel:
        made: list[tuple[CountTable, CountTable, CountTable]] = []
        for size in range(order, 0, -1):
            whole, context = _ngrams(words, size)
            if size == 1:  # how many different words stand before each, rather than how often it occurs
                pairs, first = np.unique(_ngrams(words, 2)[0], return_index=True)
                whole, context = whole[first], context[first]
                del pairs
            ngrams = CountTable.of(whole)
            _, once = np.unique(whole, return_index=True)
            contexts, followers = CountTable.of(context), CountTable.of(context[once])
            followers = CountTable(contexts.keys, np.maximum(followers[contexts.keys], 1).astype(np.float32))
            if size > 2:  # what occurred once says little
                often = ngrams.counts > 1
                ngrams = CountTable(ngrams.keys[often], ngrams.counts[often])
            made.append((ngrams, contexts, followers))
        made.reverse()
        tables = [tuple(own) for own in zip(*made, strict=True)]
        return cls(tables[0], tables[1], tables[2], float(len(tables[0][0].keys)))

    def log_probabilities(self, words: KeyedWords) -> Numbers:
        """The logarithm of the probability of every word."""
        found = np.full(len(words.keys), 1.0 / (self.words + 1))
        for size, (ngrams, contexts, followers) in enumerate(
            zip(self.ngrams, self.contexts, self.followers, strict=True), 1
        ):
            whole, context = _ngrams(words, size)
            all_of = np.maximum(contexts[context], 1e-9)
            known = contexts[context] > 0
            direct = np.maximum(ngrams[whole] - DISCOUNT, 0.0) / all_of
            rest = DISCOUNT * followers[context] / all_of
            found = np.where(known, direct + rest * found, found)
        return np.asarray(np.log(found))

    def counts(self, words: KeyedWords) -> Numbers:
        """How many words stand before each word in what was learnt: 0 for a word that was not there."""
        return self.ngrams[0][_ngrams(words, 1)[0]]

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        found: dict[str, npt.NDArray[np.generic]] = {"words": np.array([self.words])}
        for name in ("ngrams", "contexts", "followers"):
            for size, table in enumerate(getattr(self, name), 1):
                own = table.arrays(np.uint16, 65_535)
                if name == "followers":
                    del own["keys"]  # those of the contexts
                found |= {f"{name}{size}.{key}": values for key, values in own.items()}
        return found

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> NgramModel:
        sizes = range(1, ORDER + 1)
        shared = {f"followers{size}.keys": arrays[f"contexts{size}.keys"] for size in sizes}
        ngrams, contexts, followers = (
            tuple(CountTable.from_arrays({**arrays, **shared}, f"{name}{size}.") for size in sizes)
            for name in ("ngrams", "contexts", "followers")
        )
        return cls(ngrams, contexts, followers, float(np.asarray(arrays["words"])[0]))


def _ngrams(words: KeyedWords, size: int) -> tuple[Short, Short]:
    """The n-gram that ends at each word, and what stands before the word in it."""
    before: list[Keys] = []
    place: Places = np.arange(len(words.keys))
    begins = words.starts[words.segments]
    for back in range(size - 1, 0, -1):
        inside = place - back >= begins
        before.append(np.where(inside, words.keys[np.maximum(place - back, 0)], _EDGE))
    context = mixed(*before) if before else np.zeros(len(words.keys), np.uint64)
    whole = mixed(*before, words.keys)
    return shortened(whole), shortened(context)
