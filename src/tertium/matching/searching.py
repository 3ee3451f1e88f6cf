"""Units of a memory that contain a text: how something was translated before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tertium.errors import InputError, many
from tertium.memory.store import Memory
from tertium.results import Result

if TYPE_CHECKING:
    from tertium.io.memories.unit import Unit
    from tertium.io.tables import Table


@dataclass(frozen=True)
class FoundUnit:
    """A unit that contains the text."""

    unit: int
    source: str
    target: str
    client: str
    document: str
    date: str

    @classmethod
    def of(cls, number: int, unit: Unit) -> FoundUnit:
        return cls(number, unit.source, unit.target, unit.client, unit.document, unit.date)


@dataclass(frozen=True)
class Concordance(Result):
    """Where a text occurs."""

    kind = "concordance"
    memory: str
    text_asked: str
    side: str
    count: int
    found: tuple[FoundUnit, ...]

    def words(self) -> Iterator[str]:
        verb = "contains" if self.count == 1 else "contain"
        more = f", of which the {len(self.found):,} shortest follow" if self.count > len(self.found) else ""
        yield f"{many(self.count, self.side)} of {self.memory} {verb} {self.text_asked!r}{more}."

    def table(self) -> Table:
        from tertium.io.tables import Column, Table

        columns = (Column("source"), Column("target"), Column("client"), Column("date", whole=True))
        rows = tuple((own.source, own.target, own.client, own.date[:10]) for own in self.found)
        return Table("", columns, rows)


def search_memory(text: str, memory: str, *, target: bool = False, most: int = 20) -> Concordance:
    """The shortest units whose source (or target) contains a text; ASCII capitals do not matter."""
    if not text.strip():
        raise InputError("there is nothing to search for")
    count, found = Memory.open(memory).containing(text, target=target, most=most)
    units = tuple(FoundUnit.of(number, unit) for number, unit in found)
    return Concordance(memory, text, "target" if target else "source", count, units)
