"""Challenge sets in files: JSON Lines (`.jsonl`) and tables (`.tsv`), there and back without loss."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from tertium.challenge.items import OBJECTS, REQUIRED, TEXTS, ChallengeSet, Item
from tertium.challenge.spans import marked, unmarked
from tertium.errors import InputError
from tertium.io.files import write_atomically
from tertium.io.records import (
    Header,
    escaped,
    json_line,
    json_record,
    json_text,
    numbered_lines,
    parsed_json,
    tsv_line,
)
from tertium.io.settings import all_wrong
from tertium.io.streams import FilePath, display_name

COLUMNS = (*TEXTS, *OBJECTS)
_MARKED = ("source", "reference")
_RAW = (*_MARKED, *OBJECTS)  # columns with escapes of their own
_PACKED = (".gz", ".xz", ".zst")


def form_of(path: FilePath) -> str:
    """`jsonl` or `tsv`, by the ending of the file's name (before `.gz`, `.xz` or `.zst`).

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
            "(tertium challenge convert makes one of the authors' .json)"
        )
    return form


def read_set(path: FilePath, *, name: str | None = None) -> ChallengeSet:
    """The challenge set in a file; the first line with something wrong in it is refused.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "set.tsv")
    ...     _ = path.write_text("id\\tcategory\\tquestion\\tsource\\n1\\tLexical\\tWell?\\tIt *rains*.\\n")
    ...     read_set(path)["1"].source_spans
    ((3, 8),)
    """
    items: list[Item] = []
    for item in each_item(path):
        if isinstance(item, InputError):
            raise item
        items.append(item)
    return ChallengeSet(tuple(items), display_name(path) if name is None else name)


def each_item(path: FilePath) -> Iterator[Item | InputError]:
    """The items of a file; in place of an item, what is wrong with its line."""
    lines = numbered_lines(path)
    header: Header | None = None
    if form_of(path) == "tsv":
        where, first = next(lines)
        header = Header(first.split("\t"), where, required=REQUIRED, known=COLUMNS)
    places: dict[str, str] = {}
    for where, line in lines:
        if not line.strip():
            continue
        values: dict[str, Any] = {}
        item = None
        try:
            values = json_record(line, where).values if header is None else _row(header, line, where)
            item = Item.of(values, where)
        except InputError as error:
            yield from (values and [*all_wrong(Item, values, where)]) or [error]
        name = values.get("id")
        if isinstance(name, str) and name in places:
            yield InputError(f"{where}: the id {name!r} occurs twice (first at {places[name]})")
        elif isinstance(name, str):
            places[name] = where.rpartition(": ")[2]
            if item is not None:
                yield item


def _row(header: Header, line: str, where: str) -> dict[str, Any]:
    """A row of a table as JSON Lines would have it: spans apart from their texts, objects read."""
    values = header.record(line, where, _RAW).values
    for key in _MARKED:
        if key in values:
            values[key], values[f"{key}_spans"] = unmarked(values[key], f"{where}, column {key}")
    for key in OBJECTS:
        if key in values:
            values[key] = parsed_json(values[key], f"{where}, column {key}")
    return values


def write_set(path: FilePath, items: ChallengeSet) -> None:
    """Write a set as JSON Lines or as a table, as the name of the file says."""
    form = form_of(path)
    if os.fspath(path).lower().endswith(_PACKED):
        raise InputError(f"{display_name(path)}: a set is written uncompressed: leave out the last ending")
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
