"""The formats of translation memories by name, and which one a file has. Packages add theirs (`tertium.memories`)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TextIO

from tertium.errors import InputError, SpecError
from tertium.io.memories import aligned, catalogues, records, tmx, tmxwriting, xliff, xliffwriting
from tertium.io.memories.notes import Notes
from tertium.io.memories.pairs import Pair
from tertium.io.memories.unit import Unit
from tertium.io.streams import unpacked_name
from tertium.registry import Registry


class UnitReader(Protocol):
    """Units of a file, once, in flat memory; `n_bytes` says how far it is."""

    name: str
    n_bytes: int

    def __iter__(self) -> Iterator[Unit]: ...


class UnitWriter(Protocol):
    """Takes units, one at a time; `finish` writes what stands at the end."""

    def write(self, unit: Unit) -> None: ...
    def finish(self) -> None: ...


@dataclass(frozen=True)
class MemoryFormat:
    """A format: a sentence, the endings of its files, how to read and to write it.

    `read` takes the file, the pair of languages asked for and the encoding, both None where nobody asked; `write` the
    open file, notes for what cannot be written, and the reader whose units they are (None: there are several).
    A format of two `files` takes and gives both. `sources` reads a document: its units may have no targets yet.
    """

    sentence: str
    endings: tuple[str, ...]
    read: Callable[[Any, Pair | None, str | None], UnitReader]
    write: Callable[[Any, Notes, UnitReader | None], UnitWriter]
    files: int = 1
    sources: Callable[[Any, Pair | None, str | None], UnitReader] | None = None


def _tmx_like(file: TextIO, notes: Notes, reader: UnitReader | None) -> UnitWriter:
    return tmxwriting.TmxWriter(file, notes, like=reader if isinstance(reader, tmx.TmxReader) else None)


TMX = MemoryFormat(
    "TMX 1.4b, and 1.1 to 1.3 as far as they are the same",
    (".tmx",),
    tmx.TmxReader,
    _tmx_like,
    sources=partial(tmx.TmxReader, untranslated=True),
)
JSON_LINES = MemoryFormat(
    "JSON Lines: an object for each unit",
    (".jsonl", ".ndjson"),
    records.json_lines,
    lambda file, notes, _: records.JsonLinesWriter(file, notes),
    sources=partial(records.json_lines, untranslated=True),
)
TABLE = MemoryFormat(
    "tab-separated: source and target, or columns with names",
    (".tsv", ".txt", ".tab"),
    records.table,
    lambda file, notes, _: records.TableWriter(file, notes),
    sources=partial(records.table, untranslated=True),
)
PARQUET = MemoryFormat(
    "Parquet: a row for each unit",
    (".parquet",),
    records.parquet,
    lambda file, notes, _: records.ParquetWriter(file, notes),
    sources=partial(records.parquet, untranslated=True),
)
XLIFF = MemoryFormat(
    "XLIFF 1.2 and 2.x; written as 1.2",
    (".xlf", ".xliff", ".sdlxliff"),
    xliff.XliffReader,
    lambda file, notes, _: xliffwriting.XliffWriter(file, notes),
    sources=partial(xliff.XliffReader, untranslated=True),
)
XLIFF_2 = MemoryFormat(
    "XLIFF 1.2 and 2.x; written as 2.0",
    (),
    xliff.XliffReader,
    lambda file, notes, _: xliffwriting.XliffWriter(file, notes, xliffwriting.TWO),
)
PO = MemoryFormat(
    "PO, gettext's catalogues",
    (".po", ".pot"),
    partial(catalogues.CatalogueReader, compiled=False),
    lambda file, notes, _: catalogues.CatalogueWriter(file, notes, compiled=False),
    sources=partial(catalogues.CatalogueReader, compiled=False, untranslated=True),
)
MO = MemoryFormat(
    "MO, gettext's catalogues as programs read them",
    (".mo", ".gmo"),
    partial(catalogues.CatalogueReader, compiled=True),
    lambda file, notes, _: catalogues.CatalogueWriter(file, notes, compiled=True),
)
ALIGNED = MemoryFormat(
    "two text files, line by line: corpus.en,corpus.fr",
    (),
    aligned.AlignedReader,
    lambda files, notes, _: aligned.AlignedWriter(files, notes),
    files=2,
)

FORMATS: Registry[MemoryFormat] = Registry(
    "format of memories",
    "tertium.memories",
    {
        "tmx": "tertium.io.memories.formats:TMX",
        "xliff": "tertium.io.memories.formats:XLIFF",
        "xliff2": "tertium.io.memories.formats:XLIFF_2",
        "po": "tertium.io.memories.formats:PO",
        "mo": "tertium.io.memories.formats:MO",
        "tsv": "tertium.io.memories.formats:TABLE",
        "jsonl": "tertium.io.memories.formats:JSON_LINES",
        "parquet": "tertium.io.memories.formats:PARQUET",
        "text": "tertium.io.memories.formats:ALIGNED",
    },
)


def files_of(path: str) -> tuple[str, ...]:
    """The file, or two: `corpus.en,corpus.fr`.

    >>> files_of("a.en,a.fr"), files_of("memory.tmx")
    (('a.en', 'a.fr'), ('memory.tmx',))
    """
    parts = path.split(",")
    return (path,) if len(parts) != 2 or not all(parts) or os.path.exists(path) else (parts[0], parts[1])


def format_named(path: str, name: str | None = None) -> MemoryFormat:
    """The format of this name, or else that of a file's ending."""
    files = files_of(path)
    if name is not None:
        found = FORMATS[name]
        if found.files != len(files):
            need = "two files, as in corpus.en,corpus.fr" if found.files == 2 else "one file"
            raise SpecError(f"{path}: the format {name} takes {need}")
        return found
    if len(files) == 2:
        return ALIGNED
    ending = os.path.splitext(unpacked_name(path))[1].lower()
    for known in FORMATS:
        if ending in FORMATS[known].endings:
            return FORMATS[known]
    endings = [end for known in FORMATS for end in FORMATS[known].endings]
    raise InputError(
        f"{path}: which format? Its name should end in {', '.join(endings)}, or name the format "
        f"(--from, --to: {', '.join(FORMATS)})"
    )


def open_units(
    path: str,
    *,
    form: str | None = None,
    pair: Pair | None = None,
    encoding: str | None = None,
    untranslated: bool = False,
) -> UnitReader:
    """The units of a file of any format; `untranslated`: those without a target, too.

    >>> path = written("a.jsonl", '{"source": "One", "target": "Un"}')
    >>> [unit.target for unit in open_units(str(path), pair=Pair("en", "fr"))]
    ['Un']
    """
    found = format_named(path, form)
    files = files_of(path)
    read = (found.sources or found.read) if untranslated else found.read
    return read(files[0] if found.files == 1 else files, pair, encoding)
