"""Challenge sets in files: JSON Lines (`.jsonl`) and tables (`.tsv`), there and back without loss."""

from __future__ import annotations

import os
from collections.abc import Iterator

from tertium.challenge.items import KEYS, OBJECTS, REQUIRED, SPANS, ChallengeSet, Item
from tertium.challenge.spans import marked, unmarked
from tertium.errors import InputError
from tertium.io.files import write_atomically
from tertium.io.records import (
    Record,
    escaped,
    json_line,
    json_text,
    parsed_json,
    read_json_lines,
    read_tsv,
    tsv_line,
)
from tertium.io.streams import FilePath, display_name

COLUMNS = tuple(key for key in KEYS if key not in SPANS)
_MARKED = ("source", "reference")
RAW = (*_MARKED, *OBJECTS)  # columns with a way of their own of writing what is special
_PACKED = (".gz", ".xz", ".zst")


def form_of(path: FilePath) -> str:
    """`jsonl` or `tsv`, by the end of the file's name (before `.gz`, `.xz` or `.zst`).

    >>> form_of("set.tsv.gz")
    'tsv'
    """
    name = os.fspath(path).lower()
    for end in _PACKED:
        name = name.removesuffix(end)
    form = name.rpartition(".")[2]
    if form == "ndjson":
        return "jsonl"
    if form not in ("jsonl", "tsv"):
        raise InputError(
            f"{display_name(path)}: a challenge set is a .jsonl or a .tsv file "
            "(the authors' .json becomes one by: tertium challenge convert)"
        )
    return form


def read_set(path: FilePath, *, name: str | None = None) -> ChallengeSet:
    """The challenge set in a file. The first thing wrong is refused with its line.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "set.tsv")
    ...     _ = path.write_text("id\\tcategory\\tquestion\\tsource\\n1\\tLexical\\tWell?\\tIt *rains*.\\n")
    ...     read_set(path)["1"].source_spans
    ((3, 8),)
    """
    shown = display_name(path) if name is None else name
    records = read_json_lines(path) if form_of(path) == "jsonl" else _from_table(path)
    items: list[Item] = []
    places: dict[str, str] = {}
    for where, values in records:
        item = Item.of(values, where)
        if item.id in places:
            raise InputError(f"{where}: the id {item.id!r} occurs twice (first at {places[item.id]})")
        places[item.id] = where.rpartition(": ")[2]
        items.append(item)
    if not items:
        raise InputError(f"{shown}: has no items")
    return ChallengeSet(tuple(items), shown)


def _from_table(path: FilePath) -> Iterator[Record]:
    return map(table_record, read_tsv(path, COLUMNS, REQUIRED, raw=RAW))


def table_record(record: Record) -> Record:
    """A row of a table as JSON Lines would have it: spans apart from their texts, objects read."""
    where, values = record
    for key in _MARKED:
        if key in values:
            values[key], values[f"{key}_spans"] = unmarked(values[key], f"{where}, column {key}")
    for key in OBJECTS:
        if key in values:
            values[key] = parsed_json(values[key], f"{where}, column {key}")
    for key in REQUIRED:
        values.setdefault(key, "")  # so that it is called empty, not missing
    return record


def write_set(path: FilePath, items: ChallengeSet) -> None:
    """Write a set as JSON Lines or as a table, by the end of the file's name."""
    form = form_of(path)
    if os.fspath(path).lower().endswith(_PACKED):
        raise InputError(f"{display_name(path)}: is written uncompressed only: leave out the last ending")
    with write_atomically(path) as file:
        if form == "jsonl":
            file.writelines(json_line(item.data()) for item in items)
        else:
            file.write(tsv_line(COLUMNS))
            file.writelines(tsv_line(_fields(item)) for item in items)


def _fields(item: Item) -> Iterator[str]:
    for key in COLUMNS:
        value = getattr(item, key)
        if key in _MARKED:
            yield marked(value, getattr(item, f"{key}_spans"))
        elif key in OBJECTS:
            empty = value is None if key == "judge" else not value
            yield "" if empty else json_text(value)
        else:
            yield escaped(value)
