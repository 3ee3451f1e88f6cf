"""Files into a memory on disk: all of them or none, and nothing twice.

A file's units and their hashes are put aside first, in a temporary table of SQLite's, which lies in an unnamed file
beside the memory; sorting the hashes tells which units are new. So the memory's index is written in its own order,
once, however large it is, and units that are there already are never written.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tertium.errors import InputError, TertiumError, many
from tertium.io.memories.pairs import NoMemoryError, Pair
from tertium.io.memories.unit import Unit
from tertium.memory.reading import Source, batches
from tertium.memory.store import COLUMNS, SCHEMA, Memory, database_errors, row_of, unit_hash
from tertium.progress import parts
from tertium.results import Result

if TYPE_CHECKING:
    from tertium.io.tables import Table

PARTIAL = ".partial"
_NAMES = ", ".join(COLUMNS)
_PLACES = ", ".join("?" * len(COLUMNS))
_WAIT = 30.0  # seconds for somebody else who writes


@dataclass(frozen=True)
class ImportedFile:
    """A file, how many units it has, and how many of them were new."""

    file: str
    units: int
    added: int


@dataclass(frozen=True)
class ImportedMemory(Result):
    """What an import did."""

    kind = "imported memory"
    memory: str
    files: tuple[ImportedFile, ...]
    total: int  # units of the memory now

    @property
    def added(self) -> int:
        return sum(file.added for file in self.files)

    def table(self) -> Table:
        from tertium.io.tables import Column, Table, number_column

        columns = (
            Column("file", whole=True),
            *(number_column(name, digits=None) for name in ("units", "added")),
        )
        rows = tuple((file.file, file.units, file.added) for file in self.files)
        return Table("", columns, rows, (f"{self.memory}: {many(self.total, 'unit')} now",))


def import_memory(
    inputs: Sequence[str],
    output: str,
    *,
    form: str | None = None,
    pair: Pair | None = None,
    encoding: str | None = None,
) -> ImportedMemory:
    """Add the units of files to a memory on disk, which is made if it is not there.

    If a file is broken, the memory stays as it was, and the units before the break are in a memory called
    `output` + ".partial".
    """
    sources = [Source(path, form, pair, encoding) for path in inputs]
    for source in sources:
        if os.path.realpath(source.path) == os.path.realpath(output):
            raise InputError(f"{output}: a memory cannot be imported into itself")
        source.check()
    try:
        return _import(sources, output)
    except _BrokenError as broken:
        if broken.units:
            left = output + PARTIAL
            with suppress(FileNotFoundError):
                os.unlink(left)
            found = _import(sources, left, stop=True)
            number = sum(file.units for file in found.files)
            are = "is" if number == 1 else "are"
            raise InputError(
                f"{broken.error} (the {many(number, 'unit')} before it {are} in {left})"
            ) from None
        raise broken.error from None


def add_units(units: Sequence[Unit], path: str) -> int:
    """Add single units to a memory that is there, all or none, as an edit does; how many of them were new."""
    Memory.open(path)
    added = 0
    with database_errors(path), _writing(path) as connection:
        for unit in units:
            known = unit_hash(unit)
            if connection.execute("SELECT 1 FROM hashes WHERE hash = ?", (known,)).fetchone():
                continue
            connection.execute(f"INSERT INTO units ({_NAMES}) VALUES ({_PLACES})", row_of(unit))
            connection.execute("INSERT INTO hashes VALUES (?, 1)", (known,))
            added += 1
    return added


class _BrokenError(Exception):
    """A file that broke after so many units of this import."""

    def __init__(self, error: TertiumError, units: int) -> None:
        super().__init__(str(error))
        self.error, self.units = error, 0 if isinstance(error, NoMemoryError) else units


def _import(sources: Sequence[Source], output: str, *, stop: bool = False) -> ImportedMemory:
    with ExitStack() as stack:
        stack.enter_context(database_errors(output))
        connection = stack.enter_context(_writing(output))
        done: list[ImportedFile] = []
        for source in sources:
            file = _File(connection, source)
            number, error = file.staged()
            if error is not None and not stop:
                raise _BrokenError(error, number + sum(own.units for own in done))
            done.append(file.merged(number))
            if error is not None:
                break
        total = connection.execute("SELECT count(*) FROM units").fetchone()[0]
    return ImportedMemory(output, tuple(done), total)


@contextmanager
def _writing(path: str) -> Iterator[sqlite3.Connection]:
    """One transaction. A new memory is made beside its place and moved there: it is there as a whole or not at all."""
    new = not os.path.exists(path)
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK):
        raise InputError(f"{path}: cannot be written: no such folder, or no permission")
    made = f"{os.path.join(folder, '.' + os.path.basename(path))}.{os.getpid()}-{os.urandom(4).hex()}.part"
    if not new:
        Memory.open(path)
    with _temporary_files(folder):
        try:
            with closing(
                sqlite3.connect(made if new else path, timeout=_WAIT, isolation_level=None)
            ) as connection:
                run = connection.execute
                run("PRAGMA cache_size = -8000")
                if new:
                    run("PRAGMA page_size = 8192")  # a unit has half a kilobyte
                    run("PRAGMA journal_mode = OFF")
                    run("PRAGMA synchronous = OFF")
                    connection.executescript(SCHEMA)
                run("BEGIN IMMEDIATE")
                yield connection
                run("COMMIT")
                if new:
                    run("PRAGMA journal_mode = WAL")
            if new:
                with open(made, "rb") as file:
                    os.fsync(file.fileno())
                os.replace(made, path)
        finally:
            if new:
                for left in (made, f"{made}-wal", f"{made}-shm"):
                    with suppress(FileNotFoundError):
                        os.unlink(left)


@contextmanager
def _temporary_files(folder: str) -> Iterator[None]:
    """SQLite's own temporary files lie beside the memory, where there is space for it."""
    before = os.environ.get("SQLITE_TMPDIR")
    os.environ["SQLITE_TMPDIR"] = folder
    try:
        yield
    finally:
        del os.environ["SQLITE_TMPDIR"]
        if before is not None:
            os.environ["SQLITE_TMPDIR"] = before


class _File:
    """One file of an import."""

    def __init__(self, connection: sqlite3.Connection, source: Source) -> None:
        self._run, self._many, self._source = connection.execute, connection.executemany, source
        self._direct = self._run("SELECT 1 FROM hashes LIMIT 1").fetchone() is None
        self._table = "main.units" if self._direct else "temp.staged"  # nothing can be there already
        self._last = self._run("SELECT coalesce(max(id), 0) FROM units").fetchone()[0] if self._direct else 0

    def staged(self) -> tuple[int, TertiumError | None]:
        """Put the units aside: how many there are, or are before a break, and what broke."""
        for name in ("staged", "seen", "dropped"):
            self._run(f"DROP TABLE IF EXISTS temp.{name}")
        self._run(f"CREATE TABLE temp.staged (id INTEGER PRIMARY KEY, {_NAMES})")
        self._run("CREATE TABLE temp.seen (hash BLOB, id INTEGER)")
        insert = f"INSERT INTO {self._table} (id, {_NAMES}) VALUES (?, {_PLACES})"
        number = self._last
        try:
            for batch in batches(self._source.open(), self._source.path):
                first, number = number + 1, number + len(batch)
                ids = range(first, number + 1)
                self._many(insert, [(i, *row_of(unit)) for i, unit in zip(ids, batch, strict=True)])
                self._many(
                    "INSERT INTO temp.seen VALUES (?, ?)", zip(map(unit_hash, batch), ids, strict=True)
                )
        except TertiumError as error:
            return number - self._last, error
        return number - self._last, None

    def merged(self, number: int) -> ImportedFile:
        """New units to the memory, in their order."""
        with parts(3) as part:
            part("looking for units that are there already")
            dropped = 0
            if not self._direct:
                self._run(
                    "CREATE TABLE temp.dropped AS SELECT id FROM (SELECT seen.id AS id, number, "
                    "row_number() OVER (PARTITION BY seen.hash ORDER BY seen.id) AS nth "
                    "FROM temp.seen LEFT JOIN main.hashes USING (hash)) "
                    "WHERE nth <= number ORDER BY id"
                )
                dropped = self._run("SELECT count(*) FROM temp.dropped").fetchone()[0]
                part("adding new units")
                if dropped < number:
                    self._run(
                        f"INSERT INTO main.units ({_NAMES}) SELECT {_NAMES} FROM temp.staged "
                        "WHERE id NOT IN (SELECT id FROM temp.dropped) ORDER BY id"
                    )
            part("adding to the index")
            if dropped < number:
                self._run(
                    "INSERT INTO main.hashes SELECT hash, count(*) FROM temp.seen GROUP BY hash ORDER BY hash "
                    "ON CONFLICT (hash) DO UPDATE SET number = max(number, excluded.number)"
                )
        added = number - dropped
        now = datetime.now(UTC).isoformat(timespec="seconds")
        if added:
            self._run(
                "INSERT INTO imports (file, at, units, added) VALUES (?, ?, ?, ?)",
                (self._source.path, now, number, added),
            )
        return ImportedFile(self._source.path, number, added)
