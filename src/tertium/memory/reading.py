"""Units of memories, whatever holds them: files of any format, or a memory on disk; in batches, with progress."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple, Protocol

from tertium.errors import InputError, TertiumError
from tertium.io.memories.formats import UnitReader, files_of, format_named, open_units
from tertium.io.memories.pairs import Pair
from tertium.io.memories.unit import Unit
from tertium.io.streams import check_readable, unpacked_name
from tertium.memory.store import Memory, is_memory
from tertium.progress import steps

BATCH = 1024


class UnitSource(Protocol):
    """Where units come from, whatever that is."""

    @property
    def path(self) -> str: ...
    @property
    def form(self) -> str | None: ...
    @property
    def pair(self) -> Pair | None: ...
    @property
    def encoding(self) -> str | None: ...
    def check(self) -> None: ...
    def check_file(self) -> None: ...
    def languages(self) -> tuple[str, str]: ...
    def open(self) -> UnitReader: ...


class Source(NamedTuple):
    """Where units come from, and how to read them: `form` and `encoding` are those of the file, where it is one."""

    path: str
    form: str | None = None
    pair: Pair | None = None
    encoding: str | None = None

    def check(self) -> None:
        """Refuse what is not there or has no format, before anything is read."""
        if self.form is None and is_memory(self.path):
            Memory.open(self.path)
            return
        format_named(self.path, self.form)
        for file in files_of(self.path):
            check_readable(file, file)

    def check_file(self) -> None:
        """Refuse what cannot be read more than once."""
        for file in files_of(self.path):
            if not os.path.isfile(file):
                raise InputError(f"{file}: is read more than once, and so must be a file")

    def languages(self) -> tuple[str, str]:
        """Those of the first unit."""
        first = next(iter(self.open()))
        return first.source_language, first.target_language

    def open(self) -> UnitReader:
        """The units, which can be read once."""
        if self.form is None and is_memory(self.path):
            return Memory.open(self.path).reader(self.pair)
        return open_units(self.path, form=self.form, pair=self.pair, encoding=self.encoding)


def batches(reader: UnitReader, path: str, doing: str = "reading") -> Iterator[list[Unit]]:
    """Units in lists, told to whoever listens. What is read before an error comes out, too."""
    told = 0

    def size(_batch: list[Unit]) -> int:
        nonlocal told
        before, told = told, reader.n_bytes
        return told - before

    return iter(steps(_batches(reader), f"{doing} {reader.name}", size, _bytes(path)))


def _bytes(path: str) -> int | None:
    """How much there is to read; None where nobody knows."""
    files = files_of(path)
    known = all(os.path.isfile(own) and unpacked_name(own) == own for own in files)
    return sum(map(os.path.getsize, files)) if known and not is_memory(path) else None


def _batches(reader: UnitReader) -> Iterator[list[Unit]]:
    units = iter(reader)
    while True:
        batch: list[Unit] = []
        try:
            batch.extend(islice(units, BATCH))  # what came before an error is in it
        except TertiumError:
            if batch:
                yield batch
            raise
        if not batch:
            return
        yield batch
