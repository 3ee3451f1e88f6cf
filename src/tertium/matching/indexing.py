"""The index of a memory, made and written."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tertium.errors import InputError, many
from tertium.matching.index import ENDING, MemoryIndex
from tertium.results import Result

if TYPE_CHECKING:
    from tertium.io.memories.pairs import Pair
    from tertium.io.tables import Table


@dataclass(frozen=True)
class IndexedMemory(Result):
    """What was written."""

    kind = "indexed memory"
    memory: str
    index: str
    units: int
    bytes: int

    def words(self) -> Iterator[str]:
        yield f"{self.index}: {many(self.units, 'unit')}, {self.bytes / 1e6:,.1f} MB."

    def table(self) -> Table:
        from tertium.io.tables import Column, Table, number_column

        numbers = (number_column("units", digits=None), number_column("bytes", digits=None))
        return Table("", (Column("index"), *numbers), ((self.index, self.units, self.bytes),))


def index_memory(path: str, pair: Pair | None = None) -> IndexedMemory:
    """Write the index of a memory beside it."""
    index = MemoryIndex.open_filled(path, pair, keep=False)
    if not index.save():
        raise InputError(f"{path}{ENDING}: cannot be written")
    return IndexedMemory(path, path + ENDING, len(index), os.path.getsize(path + ENDING))
