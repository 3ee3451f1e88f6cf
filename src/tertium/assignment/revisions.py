"""What became of translations: segments that somebody else later translated again, and whether otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from itertools import pairwise
from typing import NamedTuple

from tertium.io.memories.unit import Unit

REMEMBERED = 1_000_000  # segments that are watched; of more, a fixed sample is


class PastTranslation(NamedTuple):
    """A translation of a segment: its day, who did it, and a number for its text."""

    day: int
    translator: str
    text: int


class Revisions:
    """Segments by client, document and source, with their translations; those without a date have no order.

    >>> watched = Revisions()
    >>> for day, who, text in (3, "ben", "Salut"), (1, "ann", "Bonjour"):
    ...     watched.add(Unit("Hello", text, client="acme", document="d", translator=who), day)
    >>> watched.counted()
    {'ann': (1, 1)}
    """

    def __init__(self) -> None:
        self._versions: dict[int, tuple[PastTranslation, ...]] = {}
        self._every = 1

    def add(self, unit: Unit, day: int) -> None:
        key = _number(unit.client, unit.document, unit.source)
        if not day or key % self._every:
            return
        known = self._versions.get(key, ())
        if not known and len(self._versions) >= REMEMBERED:
            self._every *= 2
            self._versions = {own: found for own, found in self._versions.items() if not own % self._every}
            if key % self._every:
                return
        self._versions[key] = (*known, PastTranslation(day, unit.translator, _number(unit.target)))

    def counted(self) -> dict[str, tuple[int, int]]:
        """By translator: segments that the next one changed, and segments that somebody else did next."""
        found: dict[str, tuple[int, int]] = {}
        for first, second in self._followed():
            changed, seen = found.get(first.translator, (0, 0))
            found[first.translator] = (changed + (first.text != second.text), seen + 1)
        return found

    def _followed(self) -> Iterator[tuple[PastTranslation, PastTranslation]]:
        for versions in self._versions.values():
            for first, second in pairwise(sorted(versions)):
                if first.day < second.day and first.translator != second.translator:
                    yield first, second


def _number(*texts: str) -> int:
    """A number for texts, the same in every run."""
    joined = "\0".join(texts).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(joined, digest_size=8).digest(), "little")
