"""Stored translations that are shown to a network: a memory from before, and corrections, which are added."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from tertium import _native
from tertium.adaptation.base import Materials, SourceSegment
from tertium.adaptation.nmt.pieces import LEAST
from tertium.io.memories.pairs import Pair
from tertium.matching.index import plain
from tertium.memory.reading import Source

Row = tuple[str, str, str]  # a source, its target, the client


@dataclass(frozen=True)
class StoredMatch:
    """A stored target, how alike its source is (by characters, 0 to 1), and whether it is a correction."""

    target: str
    likeness: float
    corrected: bool


class StoredRows:
    """Rows that can be asked for and added to."""

    def __init__(self, rows: Sequence[Row] = ()) -> None:
        self.rows = list(rows)
        self.index = _native.TextIndex()
        for place in range(0, len(self.rows), 4096):
            self.index.add([plain(source) for source, _, _ in self.rows[place : place + 4096]])

    def add(self, row: Row) -> None:
        self.rows.append(row)
        self.index.add([plain(row[0])])

    def best(self, text: str, client: str, *, same: bool) -> tuple[str, float] | None:
        """The target of the source most alike: of equal ones the client's own, then the last. `same`: copies count."""
        wanted = plain(text)
        found = [
            (likeness, self.rows[place][2] == client, place)
            for place, likeness in self.index.find(wanted, LEAST, 10)
            if same or self.index.text(place) != wanted
        ]
        if not found:
            return None
        likeness, _, place = max(found)
        if likeness >= 1.0 and self.index.text(place) != wanted:
            likeness = 0.999  # capitals
        return self.rows[place][1], likeness


class Corrections:
    """Corrections, and a memory of before that is never added to."""

    def __init__(self, base: StoredRows | None = None) -> None:
        self.base, self.own = base, StoredRows()

    def best(self, segment: SourceSegment) -> StoredMatch | None:
        """The best match; of equal ones the correction."""
        own = self.own.best(segment.source, segment.client, same=True)
        old = None if self.base is None else self.base.best(segment.source, segment.client, same=True)
        if own is not None and (old is None or own[1] >= old[1]):
            return StoredMatch(*own, corrected=True)
        return None if old is None else StoredMatch(*old, corrected=False)

    def add(self, segment: SourceSegment, correction: str) -> None:
        self.own.add((segment.source, correction, segment.client))

    def cut(self, length: int) -> None:
        """Only the first so many corrections stay."""
        if length < len(self.own.rows):
            self.own = StoredRows(self.own.rows[:length])

    def state(self) -> list[list[str]]:
        return [list(row) for row in self.own.rows]

    def take(self, rows: Sequence[Sequence[str]]) -> None:
        self.own = StoredRows([(source, target, client) for source, target, client in rows])


def before(materials: Materials) -> StoredRows | None:
    """What is known before the first correction."""
    if materials.memory is None:
        return None
    return _read(materials.memory, materials.pair, materials.before)


@lru_cache(maxsize=2)
def _read(path: str, pair: Pair | None, day: str) -> StoredRows:
    units = Source(path, pair=pair).open()
    rows = ((own.source, own.target, own.client) for own in units if not day or (own.date and own.date < day))
    return StoredRows([row for row in dict.fromkeys(rows) if row[0].strip() and row[1].strip()])
