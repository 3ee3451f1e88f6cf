"""Sources that occur again: duplicates, conflicts, and translations that the memory itself shows to be rare.

Counts are kept by hash. When there are too many, those of what was seen least go (lossy counting): memory is flat, a
count may be too low in a large memory, but never too high, so that nothing is doubted that was not seen.
"""

from __future__ import annotations

from collections.abc import Sequence

from tertium.io.memories.unit import Unit
from tertium.vetting.checks.base import Doubt

_MOST = 200_000  # hashes that are kept
_LEAST = 5  # times that a source occurs before anything is said about its usual translation
_SHARE = 0.6  # of a source's units that have one translation: then it is the usual one
_RARE = 0.2  # at most so many have this one
_WORDS = 4  # of a source that hardly means several things


def _plain(text: str) -> str:
    """Without what differs for no reason: marks of keys, capitals, white space and marks at the ends."""
    return text.replace("&", "").replace("_", "").strip(" \t\n\r.:…\u00a0\u202f").lower()


class _Translations:
    """How often each source had each target, by hash: a target that was seen once is a number, others a table."""

    def __init__(self) -> None:
        self._known: dict[int, int | dict[int, int]] = {}

    def add(self, source: int, target: int) -> None:
        before = self._known.get(source)
        if before is None:
            self._known[source] = target
        elif isinstance(before, int):
            self._known[source] = {before: 2} if before == target else {before: 1, target: 1}
        else:
            before[target] = before.get(target, 0) + 1

    def prune(self) -> None:
        """Forget what was seen least, if there is too much; what was seen once goes first."""
        least = 2
        while len(self._known) > (_MOST if least == 2 else _MOST // 2):
            self._known = {
                source: own
                for source, own in self._known.items()
                if not isinstance(own, int) and sum(own.values()) >= least
            }
            least *= 2

    def of(self, source: int) -> dict[int, int]:
        """Targets that a source had; empty if it had one."""
        found = self._known.get(source, 0)
        return {} if isinstance(found, int) else found


class Inconsistency:
    """A translation that is rare for its source, where another one is usual."""

    name = "inconsistency"
    sentence = "A source that occurs often is translated as usual."

    def __init__(self) -> None:
        self._seen = _Translations()

    def learn(self, units: Sequence[Unit]) -> None:
        for unit in units:
            self._seen.add(hash(_plain(unit.source)), hash(_plain(unit.target)))
        self._seen.prune()

    def look(self, unit: Unit) -> Doubt | None:
        """
        >>> check, usual, other = Inconsistency(), Unit("Save as", "Enregistrer sous"), Unit("Save as", "Sauver")
        >>> check.learn([usual] * 9 + [other])
        >>> check.look(usual), check.look(other).sentence
        (None, 'of 10 units with this source, 9 have one other translation, 1 has this')
        """
        source = _plain(unit.source)
        found = self._seen.of(hash(source))
        if len(found) < 2 or not source:
            return None
        times, usual = sum(found.values()), max(found.values())
        own = found.get(hash(_plain(unit.target)), 0)
        if times < _LEAST or usual < _SHARE * times or own > _RARE * times:
            return None
        score = 0.2 + 0.4 * min(source.count(" ") / _WORDS, 1)
        has = "has" if own == 1 else "have"
        told = f"of {times} units with this source, {usual} have one other translation, {own} {has} this"
        return Doubt(self.name, told, score, (), ((0, len(unit.target)),) if unit.target else ())


class Conflicts:
    """Two translations of a source within one document."""

    name = "conflicts"
    sentence = "A source has one translation within a document."

    def __init__(self) -> None:
        self._seen = _Translations()

    @staticmethod
    def _place(unit: Unit) -> int:
        return hash((unit.client, unit.document, _plain(unit.source)))

    def learn(self, units: Sequence[Unit]) -> None:
        for unit in units:
            self._seen.add(self._place(unit), hash(_plain(unit.target)))
        self._seen.prune()

    def look(self, unit: Unit) -> Doubt | None:
        """
        >>> check = Conflicts()
        >>> units = [Unit("Open it", "Ouvrez-le", document="a"), Unit("Open it", "Ouvrez", document="a")]
        >>> check.learn(units)
        >>> check.look(units[1]).sentence
        'this source has 2 translations in the same document'
        """
        found = self._seen.of(self._place(unit))
        if len(found) < 2:
            return None
        words = unit.source.count(" ")
        score = 0.05 + 0.25 * min(words / _WORDS, 1)
        return Doubt(self.name, f"this source has {len(found)} translations in the same document", score)


class Duplicates:
    """The same unit again: no mistake, but work for whoever looks."""

    name = "duplicates"
    sentence = "No unit occurs twice in a document."

    def __init__(self) -> None:
        self._seen = _Translations()

    @staticmethod
    def _unit(unit: Unit) -> int:
        return hash((unit.client, unit.document, unit.source, unit.target))

    def learn(self, units: Sequence[Unit]) -> None:
        for unit in units:
            self._seen.add(self._unit(unit), 0)
        self._seen.prune()

    def look(self, unit: Unit) -> Doubt | None:
        """
        >>> check, unit = Duplicates(), Unit("One", "Un")
        >>> check.learn([unit, unit])
        >>> check.look(unit).sentence
        'the same unit occurs 2 times'
        """
        times = self._seen.of(self._unit(unit)).get(0, 0)
        return Doubt(self.name, f"the same unit occurs {times} times", 0.01) if times > 1 else None
