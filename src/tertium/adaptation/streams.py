"""Streams: segments in the order in which they were translated, each with what became of it.

A stream is a table (`.tsv`) or JSON Lines with `source`, a correction, and what is known of the segment. Corrections
are post-edits (`pe`), or references (`reference`) that stand for them: these are called simulated. `mt` is what a
machine made of the source: a static system that needs no program.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from tertium.adaptation.base import FIELDS, SourceSegment
from tertium.errors import InputError
from tertium.io.memories.pairs import Pair
from tertium.io.memories.unit import Unit
from tertium.io.records import Record, read_records, write_records
from tertium.memory.reading import Source
from tertium.progress import steps

POST_EDITS, REFERENCES = "post-edits", "references (simulated post-edits)"
SHUFFLED, ALPHABETICAL = "shuffled", "alphabetical"
ORDERS = (SHUFFLED, ALPHABETICAL)
COLUMNS = ("source", "pe", "reference", "mt", *FIELDS)
_SORTED = 0.95  # of the neighbours in a document that stand in alphabetical order: then it is sorted
_ENOUGH = 20  # segments of a document


@dataclass(frozen=True)
class StreamItem:
    """A segment, what became of it, and what a machine made of it where the stream says so."""

    segment: SourceSegment
    correction: str
    mt: str | None = None


@dataclass(frozen=True)
class Stream:
    """Segments in their order."""

    name: str
    items: tuple[StreamItem, ...]
    corrections: str = REFERENCES

    def __len__(self) -> int:
        return len(self.items)

    @property
    def alphabetical(self) -> bool:
        """Whether the segments of its documents stand in alphabetical order, which flatters systems that learn: texts
        that begin alike follow each other."""
        pairs = sorted_pairs = 0
        for _, own in groupby(self.items, lambda item: (item.segment.client, item.segment.document)):
            sources = [item.segment.source for item in own]
            if len(sources) >= _ENOUGH:
                pairs += len(sources) - 1
                sorted_pairs += sum(a <= b for a, b in pairwise(sources))
        return pairs > 0 and sorted_pairs >= _SORTED * pairs

    def outputs(self) -> dict[str, tuple[str, ...]]:
        """What the stream's machine made of each source."""
        found: dict[str, tuple[str, ...]] = {}
        for item in self.items:
            if item.mt is not None and item.mt not in found.setdefault(item.segment.source, ()):
                found[item.segment.source] += (item.mt,)
        return found


def read_stream(path: str) -> Stream:
    """A stream from a file.

    >>> found = read_stream(str(written("s.tsv", "source\\tpe\\tclient\\nSnow\\tNeige\\toffice\\n")))
    >>> found.items[0].correction, found.items[0].segment.client, found.corrections
    ('Neige', 'office', 'post-edits')
    """
    records = list(read_records(path, COLUMNS, ("source",)))
    if not records:
        raise InputError(f"{path}: has no segments")
    edited = "pe" in records[0].values
    items = [_item(record, "pe" if edited else "reference") for record in records]
    return Stream(path, tuple(items), POST_EDITS if edited else REFERENCES)


def _item(record: Record, column: str) -> StreamItem:
    def text(name: str) -> str:
        value = record.values.get(name, "")
        if not isinstance(value, str):
            raise InputError(f"{record.where}: {name}: a text is expected")
        return value

    for name in record.values:
        if name not in COLUMNS:
            raise InputError(f"{record.where}: there is no {name!r}; known: {', '.join(COLUMNS)}")
    source, correction = text("source").strip(), text(column).strip()
    if not source:
        raise InputError(f"{record.where}: has no source")
    if not correction:
        raise InputError(f"{record.where}: has an empty correction ({column}), which teaches nothing")
    known = {name: text(name) for name in FIELDS}
    mt = text("mt") if "mt" in record.values else None
    return StreamItem(SourceSegment(source, **known), correction, mt)


def write_stream(path: str, stream: Stream) -> None:
    """A stream as a file: JSON Lines, or a table if its name ends in `.tsv`."""
    column = "pe" if stream.corrections == POST_EDITS else "reference"
    with_mt = any(item.mt is not None for item in stream.items)
    used = [name for name in FIELDS if any(getattr(item.segment, name) for item in stream.items)]
    keys = ["source", column, *(["mt"] if with_mt else []), *used]
    write_records(path, keys, (_record(item, column, keys) for item in stream.items))


def _record(item: StreamItem, column: str, keys: Sequence[str]) -> Mapping[str, str]:
    known = {"source": item.segment.source, column: item.correction, "mt": item.mt or ""}
    return {key: known[key] if key in known else getattr(item.segment, key) for key in keys}


@dataclass(frozen=True)
class StreamChoice:
    """Which units of a memory become a stream: dates (the last excluded), clients, words at least, segments at most."""

    since: str = ""
    until: str = ""
    clients: tuple[str, ...] = ()
    least_words: int = 1
    most: int | None = None
    order: str = SHUFFLED
    seed: int = 1
    every: int = 1  # only each so-manieth unit of a document, after shuffling
    new: bool = False  # only sources that are nowhere in the memory before `since`

    def fits(self, unit: Unit) -> bool:
        return (
            (bool(unit.date) or not (self.since or self.until))
            and (not self.since or unit.date >= self.since)
            and (not self.until or unit.date < self.until)
            and (not self.clients or unit.client in self.clients)
            and len(unit.source.split()) >= self.least_words
            and bool(unit.target.strip())
        )


def memory_stream(path: str, choice: StreamChoice, pair: Pair | None = None) -> Stream:
    """The units of a memory as a stream: documents in the order of their dates, units shuffled inside by a seed.

    The order of the units in a catalogue is alphabetical, not that of translation; it flatters systems that learn from
    what came just before. With `order` alphabetical they are left so, to say how much.
    """
    old: set[str] = set()
    documents: dict[tuple[str, str, str], list[Unit]] = {}
    for unit in units_of_memory(path, pair):
        if choice.fits(unit):
            documents.setdefault((unit.date[:10], unit.client, unit.document), []).append(unit)
        elif choice.new and choice.since and unit.date < choice.since:
            old.add(unit.source)
    items: list[StreamItem] = []
    for key in sorted(documents):
        units = [unit for unit in documents[key] if unit.source not in old]
        random.Random(f"{choice.seed} {key}").shuffle(units)
        left = None if choice.most is None else choice.most - len(items)
        chosen = units[:: choice.every][:left]  # the same ones, whatever their order
        if choice.order == ALPHABETICAL:
            chosen.sort(key=lambda unit: unit.source)
        items.extend(map(_of_unit, chosen))
    if not items:
        raise InputError(f"{path}: no unit fits what was asked for")
    return Stream(path, tuple(items))


def _of_unit(unit: Unit) -> StreamItem:
    known = SourceSegment(
        unit.source, unit.client, unit.document, unit.translator, unit.document_type(), unit.date
    )
    return StreamItem(known, unit.target)


def units_of_memory(path: str, pair: Pair | None = None) -> Iterator[Unit]:
    """All units of a memory, whatever holds it."""
    return iter(steps(Source(path, pair=pair).open(), f"reading {path}"))
