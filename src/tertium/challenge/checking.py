"""All that is wrong with a file of items, line by line, and what looks odd in a set that can be used."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tertium.challenge.authors import Release, read_release
from tertium.challenge.items import REQUIRED, ChallengeSet, Item
from tertium.challenge.setfiles import COLUMNS, RAW, form_of, table_record
from tertium.errors import InputError
from tertium.io.records import Header, Record, json_record, numbered_lines
from tertium.io.streams import FilePath
from tertium.io.tables import Column, Table, Value, number_column

FEW = 3  # items of a subcategory below which its rate says little


def problems(path: FilePath) -> list[str]:
    """Everything wrong with the items of a file, one line each; empty if the set can be used."""
    try:
        if Path(path).is_dir() or os.fspath(path).lower().endswith(".json"):
            read_release(path)
            return []
        form = form_of(path)
        lines = numbered_lines(path)
        header: Header | None = None
        if form == "tsv":
            where, first = next(lines)
            header = Header(first.split("\t"), where, required=REQUIRED, known=COLUMNS)
    except InputError as error:
        return [str(error)]
    found: list[str] = []
    places: dict[str, str] = {}
    try:
        for where, line in lines:
            if line.strip():
                found += _problem(line, where, header, places)
    except InputError as error:  # the file itself cannot be read any further
        found.append(str(error))
    return found or ([] if places else [f"{os.fspath(path)}: has no items"])


def _problem(line: str, where: str, header: Header | None, places: dict[str, str]) -> list[str]:
    """What is wrong with one line, if anything."""
    try:
        item = Item.of(_record(line, where, header).values, where)
    except InputError as error:
        return [str(error)]
    if item.id in places:
        return [f"{where}: the id {item.id!r} occurs twice (first at {places[item.id]})"]
    places[item.id] = where.rpartition(": ")[2]
    return []


def _record(line: str, where: str, header: Header | None) -> Record:
    return json_record(line, where) if header is None else table_record(header.record(line, where, RAW))


def contents_table(items: ChallengeSet) -> Table:
    """How many items of each category and subcategory, and what they have."""
    columns = (
        Column("category"),
        Column("subcategory"),
        *map(number_column, ("items", "references", "highlighted", "judge")),
    )
    rows: list[tuple[Value, ...]] = []
    for category, subcategories in items.categories.items():
        for subcategory in subcategories:
            chosen = [i for i in items if (i.category, i.subcategory) == (category, subcategory)]
            rows.append((category, subcategory, *_counts(chosen)))
    rows.append(("Overall", "", *_counts(list(items))))
    languages = Counter(item.languages or "not said" for item in items)
    notes = ("languages: " + ", ".join(f"{pair} ({n})" for pair, n in languages.items()),)
    return Table(items.name, columns, tuple(rows), notes)


def _counts(items: list[Item]) -> tuple[int, int, int, int]:
    return (
        len(items),
        sum(bool(item.reference) for item in items),
        sum(bool(item.source_spans or item.reference_spans) for item in items),
        sum(item.judge is not None for item in items),
    )


def doubts(release: Release) -> Iterator[str]:
    """What can be used but looks odd, or is not finished."""
    items = release.items
    sources = Counter(item.source for item in items)
    for source, number in sources.items():
        if number > 1:
            ids = ", ".join(item.id for item in items if item.source == source)
            yield f"the same source sentence occurs {number} times ({ids})"
    sizes = Counter((item.category, item.subcategory) for item in items)
    few = [subcategory for (_, subcategory), number in sizes.items() if subcategory and number < FEW]
    if few:
        yield f"fewer than {FEW} items, so a rate says little: {', '.join(few)}"
    if release.outputs is not None:
        yield f"outputs of {', '.join(system.label for system in release.outputs.systems)}"
        for system, lacking in release.outputs.missing(items).items():
            shown = ", ".join(lacking[:5]) + (", ..." if len(lacking) > 5 else "")
            yield f"{system.label} has no output for {len(lacking)} items: {shown}"
        for system, texts in release.outputs.texts.items():
            if empty := [item for item, text in texts.items() if not text.strip()]:
                yield f"{system.label} has an empty output for {', '.join(empty[:5])}"
    if release.judgements is not None:
        names = ", ".join(release.judgements.annotators())
        yield f"{len(release.judgements)} judgements by {names}"
