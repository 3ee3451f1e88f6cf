"""Memories from one format to another, unit by unit, in flat memory."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tertium.errors import InputError, TertiumError, many
from tertium.io.files import write_atomically
from tertium.io.memories.formats import MemoryFormat, files_of, format_named
from tertium.io.memories.notes import Notes
from tertium.io.memories.pairs import NoMemoryError, Pair
from tertium.memory.reading import Source, batches
from tertium.memory.store import ENDINGS
from tertium.results import Result

if TYPE_CHECKING:
    from tertium.io.tables import Table

PARTIAL = ".partial"


@dataclass(frozen=True)
class ConvertedMemory(Result):
    """What was written: the file, its format, how many units, in which languages."""

    kind = "converted memory"
    output: str
    units: int
    languages: tuple[str, ...]  # pairs, as in en-fr

    def table(self) -> Table:
        from tertium.io.tables import Column, Table, number_column

        columns = (Column("file", whole=True), number_column("units", digits=None), Column("languages"))
        return Table("", columns, ((self.output, self.units, ", ".join(self.languages)),))


def convert_memory(
    inputs: Sequence[str],
    output: str,
    *,
    form: str | None = None,
    to: str | None = None,
    pair: Pair | None = None,
    encoding: str | None = None,
) -> ConvertedMemory:
    """Write the units of some files to another, whose format is that of its name, or `to`.

    If one of them turns out to be broken, the units before that are in `output` + ".partial", and the error says so.

    >>> path = written("a.tsv", "One\\tUn\\n")
    >>> print(convert_memory([str(path)], str(path) + ".jsonl", pair=Pair("en", "fr")).units)
    1
    """
    if to is None and output.endswith(ENDINGS):
        raise InputError(f"{output}: a memory on disk is made by tertium memory import ... -o {output}")
    made = format_named(output, to)
    sources = [Source(path, form, pair, encoding) for path in inputs]
    for source in sources:
        source.check()
        if set(map(os.path.realpath, files_of(source.path))) & set(map(os.path.realpath, files_of(output))):
            raise InputError(f"{output}: is to be read and written at once: name another file")
    counted = _Counted()
    with _written(output, made, counted, only=len(inputs) == 1) as write:
        for source in sources:
            write(source)
    return ConvertedMemory(output, counted.units, tuple(counted.languages))


class _Counted:
    def __init__(self) -> None:
        self.units, self.languages = 0, dict[str, None]()


@contextmanager
def _written(path: str, form: MemoryFormat, counted: _Counted, *, only: bool) -> Iterator[Any]:
    """A function that writes the units of a reader. What broken files hold before the break stays in `.partial`."""
    files = files_of(path) if form.files == 2 else (path,)
    devices = [own for own in files if os.path.exists(own) and not os.path.isfile(own)]
    beside = "" if devices else PARTIAL
    notes = Notes(path)
    broken: BaseException | None = None
    with ExitStack() as stack:
        opened = [
            stack.enter_context(write_atomically(own + beside, packed=own.endswith(".gz"))) for own in files
        ]
        writer: Any = None

        def write(source: Source) -> None:
            nonlocal writer
            reader = source.open()
            if writer is None:
                writer = form.write(
                    opened[0] if form.files == 1 else tuple(opened), notes, reader if only else None
                )
            for batch in batches(reader, source.path):
                for unit in batch:
                    writer.write(unit)
                counted.units += len(batch)
                last = batch[-1]
                counted.languages[f"{last.source_language}-{last.target_language}"] = None

        try:
            yield write
        except BaseException as error:
            kept = isinstance(error, TertiumError) and not isinstance(error, NoMemoryError) and not devices
            if writer is None or not counted.units or not kept:
                with suppress(Exception):  # nothing of it stays, but Parquet's library wants to end
                    writer.finish()
                raise
            broken = error
        writer.finish()
    if broken is not None:
        left = " and ".join(own + PARTIAL for own in files)
        raise InputError(f"{broken} ({_before(counted.units)} in {left})") from None
    for own in files:
        if beside:
            os.replace(own + PARTIAL, own)
    notes.warn()


def _before(number: int) -> str:
    return f"the {many(number, 'unit')} before it {'is' if number == 1 else 'are'}"
