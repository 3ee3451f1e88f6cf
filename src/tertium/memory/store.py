"""A memory on disk: an SQLite file of units that can grow while others read it.

Units have numbers that only grow. A unit is known by a hash of everything but its bytes in TMX; how often each occurs
is kept beside the units, so that a file that is imported again adds nothing, while a sentence that occurs twice in a
document stays there twice. Whoever reads sees the memory as it was when the last import ended.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from tertium.errors import InputError
from tertium.io.memories.pairs import NoMemoryError, Pair, covers
from tertium.io.memories.unit import Unit
from tertium.io.streams import check_readable

APPLICATION = 0x5445524D  # "TERM", in the file's header
VERSION = 1
MAGIC = b"SQLite format 3\0"
ENDINGS = (".db", ".sqlite", ".sqlite3")
_PAGE = 2000  # units read at a time
COLUMNS = Unit._fields
_PROPERTIES = COLUMNS.index("properties")
SCHEMA = f"""
CREATE TABLE units (id INTEGER PRIMARY KEY, {", ".join(COLUMNS)});
CREATE TABLE hashes (hash BLOB PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE imports (id INTEGER PRIMARY KEY, file TEXT, at TEXT, units INTEGER, added INTEGER);
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
"""


def is_memory(path: str) -> bool:
    """Whether a file is an SQLite file, or is named like one."""
    if not os.path.isfile(path):  # what a pipe holds can be read once
        return path.endswith(ENDINGS)
    try:
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC or path.endswith(ENDINGS)
    except OSError:
        return path.endswith(ENDINGS)


def unit_hash(unit: Unit) -> bytes:
    """What a unit is known by.

    >>> unit_hash(Unit("One", "Un")) == unit_hash(Unit("One", "Un", raw="<tu>...</tu>"))
    True
    """
    parts: tuple[str, ...] = (
        *unit[:7],
        "" if unit.position is None else str(unit.position),
        unit.date,
        "" if unit.used is None else str(unit.used),
        unit.source_markup,
        unit.target_markup,
    )
    if unit.properties:
        parts += tuple(part for pair in unit.properties for part in pair)
    text = "\0".join(parts)
    if text.count("\0") != len(parts) - 1:  # a text that holds one itself
        text = "\0\0" + json.dumps(parts)
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def row_of(unit: Unit) -> tuple[Any, ...]:
    """A unit as a row of the table."""
    if not unit.properties:
        return (*unit[:_PROPERTIES], "", *unit[_PROPERTIES + 1 :])
    return (*unit[:_PROPERTIES], json.dumps(unit.properties, ensure_ascii=False), *unit[_PROPERTIES + 1 :])


def unit_of(row: tuple[Any, ...]) -> Unit:
    """A row of the table, without its number, as a unit."""
    listed = row[_PROPERTIES]
    properties = tuple((name, value) for name, value in json.loads(listed)) if listed else ()
    return Unit._make((*row[:_PROPERTIES], properties, *row[_PROPERTIES + 1 :]))


@contextmanager
def database_errors(path: str) -> Iterator[None]:
    """What is wrong with the file, in one line."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise InputError(f"{path}: another program is writing to this memory: try again later") from None
        raise InputError(f"{path}: cannot be used as a memory: {error}") from None
    except sqlite3.DatabaseError as error:
        raise InputError(f"{path}: is damaged, or no memory: {error}") from None


@dataclass(frozen=True)
class Memory:
    """A memory on disk, open for reading. It may grow at any time; `units` gives what there is when it is asked.

    >>> from tertium.memory.importing import import_memory
    >>> folder = written("a.tsv", "One\\tUn\\nTwo\\tDeux\\n").parent
    >>> path = str(folder / "m.db")
    >>> import_memory([str(folder / "a.tsv")], path, pair=Pair("en", "fr")).added
    2
    >>> [unit.target for unit in Memory.open(path)], len(Memory.open(path))
    (['Un', 'Deux'], 2)
    """

    path: str

    @classmethod
    def open(cls, path: str) -> Memory:
        """A memory that is there; anything else is refused."""
        check_readable(path, path)
        if os.path.getsize(path) == 0:
            raise InputError(f"{path}: the file is empty")
        with open(path, "rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise InputError(f"{path}: is no memory: `tertium memory import` makes one")
        memory = cls(path)
        with memory.connected() as connection:
            found = [
                connection.execute(f"PRAGMA {name}").fetchone()[0]
                for name in ("application_id", "user_version")
            ]
        if found[0] != APPLICATION:
            raise InputError(f"{path}: is a database, but no memory of ours")
        if found[1] != VERSION:
            raise InputError(
                f"{path}: is a memory of version {found[1]}; this program knows version {VERSION}"
            )
        return memory

    @contextmanager
    def connected(self) -> Iterator[sqlite3.Connection]:
        """A connection for reading; who may write leaves none of SQLite's files behind."""
        folder = os.path.dirname(os.path.abspath(self.path))
        writable = os.access(folder, os.W_OK) and os.access(self.path, os.W_OK)
        mode = "mode=rw" if writable else "mode=ro&immutable=1"
        name = os.path.abspath(self.path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
        with (
            database_errors(self.path),
            closing(sqlite3.connect(f"file:{name}?{mode}", uri=True)) as connection,
        ):
            connection.execute("PRAGMA query_only = ON")
            yield connection

    def units(self, after: int = 0) -> Iterator[tuple[int, Unit]]:
        """Units with their numbers, those above `after`. Read in pages, so that nobody has to wait for a reader."""
        query = f"SELECT id, {', '.join(COLUMNS)} FROM units WHERE id > ? ORDER BY id LIMIT {_PAGE}"
        with self.connected() as connection:
            while rows := connection.execute(query, (after,)).fetchall():
                for row in rows:
                    yield row[0], unit_of(row[1:])
                after = rows[-1][0]

    def chosen(self, numbers: Sequence[int]) -> list[tuple[int, Unit]]:
        """Units by their numbers, in the order of these; those that are not there are left out."""
        marks = ", ".join("?" * len(numbers))
        query = f"SELECT id, {', '.join(COLUMNS)} FROM units WHERE id IN ({marks})"
        with self.connected() as connection:
            rows = {row[0]: unit_of(row[1:]) for row in connection.execute(query, tuple(numbers))}
        return [(number, rows[number]) for number in numbers if number in rows]

    def places(self) -> Iterator[tuple[int, str, str]]:
        """Of every unit its number, its client and its document."""
        with self.connected() as connection:
            yield from connection.execute("SELECT id, client, document FROM units ORDER BY id")

    def containing(
        self, text: str, *, target: bool = False, most: int = 20
    ) -> tuple[int, list[tuple[int, Unit]]]:
        """How many units contain a text, capitals or not, and the shortest of them."""
        side = "target" if target else "source"
        pattern = "%" + text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
        where = f"FROM units WHERE {side} LIKE ? ESCAPE '\\'"
        query = f"SELECT id, {', '.join(COLUMNS)} {where} ORDER BY length({side}), id DESC LIMIT ?"
        with self.connected() as connection:
            count = int(connection.execute(f"SELECT count(*) {where}", (pattern,)).fetchone()[0])
            rows = connection.execute(query, (pattern, most)).fetchall()
        return count, [(row[0], unit_of(row[1:])) for row in rows]

    def __iter__(self) -> Iterator[Unit]:
        return (unit for _, unit in self.units())

    def __len__(self) -> int:
        with self.connected() as connection:
            return int(connection.execute("SELECT count(*) FROM units").fetchone()[0])

    def reader(self, pair: Pair | None = None) -> MemoryReader:
        return MemoryReader(self, pair)


class MemoryReader:
    """The units of a memory on disk in two languages, as those of a file."""

    def __init__(self, memory: Memory, pair: Pair | None) -> None:
        self.name, self.n_bytes = memory.path, 0
        self._memory, self._pair = memory, pair

    def __iter__(self) -> Iterator[Unit]:
        found = 0
        for unit in self._memory:
            if self._pair is None or (
                covers(self._pair.source, unit.source_language)
                and covers(self._pair.target, unit.target_language)
            ):
                found += 1
                yield unit
        if not found:
            languages = f" in {self._pair}" if self._pair else ""
            raise NoMemoryError(f"{self.name}: there are no units{languages} in this memory")
