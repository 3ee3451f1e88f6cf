"""Sources that occur again: duplicates, conflicts, and translations that the memory itself shows to be rare.

Counts are kept by hash. When there are too many, those of what was seen least go (lossy counting): memory is flat, a
count may be too low in a large memory, but never too high, so that nothing is doubted that was not seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from tertium._native import SeenTranslations
from tertium.io.memories.unit import Unit
from tertium.vetting.batches import UnitBatch
from tertium.vetting.checks.base import Doubt

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST = 200_000  # hashes that are kept
_LEAST = 5  # times that a source occurs before anything is said about its usual translation
_SHARE = 0.6  # of a source's units that have one translation: then it is the usual one
_RARE = 0.2  # at most so many have this one
_WORDS = 4  # of a source that hardly means several things


class _Counting:
    """Counts by what units are known by (`_keys`): targets of a source, times it was seen, times it had its most
    frequent target, times it had this one; all 0 of what was seen once.
    """

    def __init__(self) -> None:
        self._seen = SeenTranslations(_MOST)

    def _keys(self, batch: UnitBatch) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        raise NotImplementedError

    def _doubtful(self, counts: NDArray[np.int64]) -> NDArray[np.bool_]:
        raise NotImplementedError

    def _doubt(self, unit: Unit, counts: Sequence[int]) -> Doubt | None:
        raise NotImplementedError

    def learn(self, units: Sequence[Unit]) -> None:
        self._seen.add(*self._keys(UnitBatch.of(units)))

    def look_through(self, batch: UnitBatch) -> Iterator[tuple[int, Doubt]]:
        counts = np.asarray(self._seen.counts(*self._keys(batch)))
        places = self._doubtful(counts).nonzero()[0]
        for i, own in zip(places.tolist(), counts[places].tolist(), strict=True):
            found = self._doubt(batch[i], own)
            if found is not None:
                yield i, found

    def look(self, unit: Unit) -> Doubt | None:
        return next((doubt for _, doubt in self.look_through(UnitBatch([unit]))), None)


class Inconsistency(_Counting):
    """A translation that is rare for its source, where another one is usual.

    >>> check, usual, other = Inconsistency(), Unit("Save as", "Enregistrer sous"), Unit("Save as", "Sauver")
    >>> check.learn([usual] * 9 + [other])
    >>> check.look(usual), check.look(other).sentence
    (None, 'of 10 units with this source, 9 have one other translation, 1 has this')
    """

    name = "inconsistency"
    sentence = "A source that occurs often is translated as usual."

    def _keys(self, batch: UnitBatch) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        return batch.plain_sources, batch.plain_targets

    def _doubtful(self, counts: NDArray[np.int64]) -> NDArray[np.bool_]:
        targets, times, usual, own = counts.T
        found: NDArray[np.bool_] = (
            (targets > 1) & (times >= _LEAST) & (usual >= _SHARE * times) & (own <= _RARE * times)
        )
        return found

    def _doubt(self, unit: Unit, counts: Sequence[int]) -> Doubt | None:
        _, times, usual, own = counts
        source = unit.source.replace("&", "").replace("_", "").strip(" \t\n\r.:…\u00a0\u202f")
        if not source:
            return None
        score = 0.2 + 0.4 * min(source.count(" ") / _WORDS, 1)
        has = "has" if own == 1 else "have"
        told = f"of {times} units with this source, {usual} have one other translation, {own} {has} this"
        return Doubt(self.name, told, score, (), ((0, len(unit.target)),) if unit.target else ())


class Conflicts(_Counting):
    """Two translations of a source within one document.

    >>> check = Conflicts()
    >>> units = [Unit("Open it", "Ouvrez-le", document="a"), Unit("Open it", "Ouvrez", document="a")]
    >>> check.learn(units)
    >>> check.look(units[1]).sentence
    'this source has 2 translations in the same document'
    """

    name = "conflicts"
    sentence = "A source has one translation within a document."

    def _keys(self, batch: UnitBatch) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        return batch.in_documents(batch.plain_sources), batch.plain_targets

    def _doubtful(self, counts: NDArray[np.int64]) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = counts[:, 0] > 1
        return found

    def _doubt(self, unit: Unit, counts: Sequence[int]) -> Doubt:
        score = 0.05 + 0.25 * min(unit.source.count(" ") / _WORDS, 1)
        return Doubt(self.name, f"this source has {counts[0]} translations in the same document", score)


class Duplicates(_Counting):
    """The same unit again: no mistake, but work for whoever looks.

    >>> check, unit = Duplicates(), Unit("One", "Un")
    >>> check.learn([unit, unit])
    >>> check.look(unit).sentence
    'the same unit occurs 2 times'
    """

    name = "duplicates"
    sentence = "No unit occurs twice in a document."

    def _keys(self, batch: UnitBatch) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        return batch.in_documents(batch.hashes), np.zeros(len(batch), dtype=np.uint64)

    def _doubtful(self, counts: NDArray[np.int64]) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = counts[:, 1] > 1
        return found

    def _doubt(self, _unit: Unit, counts: Sequence[int]) -> Doubt:
        return Doubt(self.name, f"the same unit occurs {counts[1]} times", 0.01)
