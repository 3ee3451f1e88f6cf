"""Units in a batch, with what all checks and learners want of it, made once: texts as kernels take them, and signs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING

import numpy as np

from tertium import _native
from tertium._native import CharacterTables, Lines, SignWords
from tertium.io.memories.unit import Unit
from tertium.vetting.checks.language import language_words
from tertium.vetting.checks.measures import measure_words
from tertium.vetting.checks.negation import negation_words
from tertium.vetting.signs import TARGET

if TYPE_CHECKING:
    from numpy.typing import NDArray


class UnitBatch(list[Unit]):
    """Some units of a memory.

    >>> from tertium.vetting.signs import DIGIT
    >>> UnitBatch([Unit("Wait 10 s", "Attendez"), Unit("No", "Non")]).has(DIGIT).tolist()
    [True, False]
    """

    @classmethod
    def of(cls, units: Sequence[Unit]) -> UnitBatch:
        """These units; a batch is one already."""
        return units if isinstance(units, cls) else cls(units)

    @cached_property
    def sources(self) -> Lines:
        return Lines([unit.source for unit in self])

    @cached_property
    def targets(self) -> Lines:
        return Lines([unit.target for unit in self])

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """Characters of sources and of targets."""
        sides = [[len(unit.source) for unit in self], [len(unit.target) for unit in self]]
        return np.array(sides, dtype=np.int64).T

    @property
    def longest(self) -> int:
        return int(self.lengths.max(initial=0))

    @cached_property
    def plain_sources(self) -> NDArray[np.uint64]:
        """Hashes of sources without what differs for no reason: marks of keys, capitals, what stands at both ends."""
        return np.asarray(_native.plain_hashes(self.sources, _tables()))

    @cached_property
    def plain_targets(self) -> NDArray[np.uint64]:
        return np.asarray(_native.plain_hashes(self.targets, _tables()))

    @cached_property
    def hashes(self) -> NDArray[np.uint64]:
        """Hashes of sources and targets, letter by letter."""
        return _together(*(np.asarray(_native.text_hashes(side)) for side in (self.sources, self.targets)))

    @cached_property
    def _documents(self) -> NDArray[np.uint64]:
        names = [[unit.client for unit in self], [unit.document for unit in self]]
        return _together(*(np.asarray(_native.text_hashes(Lines(own))) for own in names))

    def in_documents(self, hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Hashes of what has these, within a client's document."""
        return _together(self._documents, hashes)

    @cached_property
    def signs(self) -> NDArray[np.int64]:
        """The signs of each unit, as bits."""
        pairs = {(unit.source_language, unit.target_language) for unit in self}
        if len(pairs) == 1:
            return _signs(self.sources, self.targets, *pairs.pop())
        found = np.zeros(len(self), dtype=np.int64)
        for pair in pairs:
            places = [
                i for i, unit in enumerate(self) if (unit.source_language, unit.target_language) == pair
            ]
            sides = (Lines([self[i].source for i in places]), Lines([self[i].target for i in places]))
            found[places] = _signs(*sides, *pair)
        return found

    def has(self, source: int = 0, target: int = 0, either: int = 0) -> NDArray[np.bool_]:
        """Which units have all of these signs of the source and of the target, and one of some, if any are named."""
        all_of = source | target << TARGET
        found: NDArray[np.bool_] = (self.signs & all_of) == all_of
        return found & ((self.signs & either) != 0) if either else found


class WholeDocuments(UnitBatch):
    """Units that follow each other in a memory; no document has units outside, but very long ones."""


def _signs(sources: Lines, targets: Lines, source: str, target: str) -> NDArray[np.int64]:
    return np.asarray(_native.unit_signs(sources, targets, _tables(), _words(source), _words(target)))


def _together(first: NDArray[np.uint64], second: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """One hash of two."""
    mixed: NDArray[np.uint64] = (first ^ (first >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9) + second
    mixed = (mixed ^ (mixed >> np.uint64(32))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


@cache
def _tables() -> CharacterTables:
    """Classes of characters and their small forms, as Python has them."""
    letters = [chr(i) for i in range(1 << 16)]
    classes = bytes(
        4 if c == "_" else 2 if c.isdecimal() else 1 if c.isalnum() else 3 if c.isspace() else 0
        for c in letters
    )
    small = [ord(low) if len(low := c.lower()) == 1 else 0 for c in letters]
    return CharacterTables(classes, np.array(small, dtype=np.uint16))


@cache
def _words(language: str) -> SignWords:
    """Words that mean something to checks of texts in a language."""
    made = SignWords()
    for words in (language_words, negation_words, measure_words):
        for word, kinds in words(language).items():
            made.add(word, kinds)
    return made
