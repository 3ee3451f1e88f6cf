"""Rows of shards, written and joined."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from tertium.errors import InputError, many
from tertium.families.base import Metric
from tertium.families.for_texts import ChosenMetrics, warn_of
from tertium.io import caches
from tertium.io.ownfiles import own_version
from tertium.measured import Measured
from tertium.measuring import Specs, chosen_for_inputs, measure_pieces
from tertium.results import Result
from tertium.rowfiles.files import DIFFER, FORM, VERSION, RowsFile, check_alike, check_metric
from tertium.statistics.packed import kind_of, packed
from tertium.statistics.packing import BLOCK

if TYPE_CHECKING:
    from tertium.io.door import Batch, Inputs
    from tertium.io.tables import Table


@dataclass(frozen=True)
class WrittenRows(Result):
    """What was written."""

    kind = "written rows"
    file: str
    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    segments: int
    bytes: int

    def words(self) -> Iterator[str]:
        each = self.bytes / max(1, self.segments)
        yield (
            f"{self.file}: rows of {many(self.segments, 'segment')}, {many(len(self.systems), 'system')} by "
            f"{many(len(self.metrics), 'metric')}; {self.bytes / 1e6:,.1f} MB, {each:.1f} bytes a segment."
        )

    def table(self) -> Table:
        from tertium.io.tables import Column, Table, number_column

        numbers = (number_column("segments", digits=None), number_column("bytes", digits=None))
        listed = (self.file, ", ".join(self.systems), ", ".join(self.metrics), self.segments, self.bytes)
        return Table("", (Column("file"), Column("systems"), Column("metrics"), *numbers), (listed,))


def write_rows(
    inputs: Inputs,
    metrics: Specs,
    path: str,
    *,
    names: Sequence[str] = (),
    threads: int = 1,
    force: bool = False,
    engine: str = "local",
) -> WrittenRows:
    """Score what is read, and write the rows of its segments. `names`: other names of the systems, in their order."""
    metrics, notes, inputs = chosen_for_inputs(metrics, inputs)
    chosen = tuple(dict.fromkeys(metrics))
    for metric in chosen:
        check_metric(metric)
    warn_of(notes)
    systems = _named(tuple(inputs.systems), tuple(names))
    seen: list[Sequence[str] | None] = []
    read = inputs._replace(batches=_noting(inputs.batches, seen))
    pieces = measure_pieces(read, ChosenMetrics(chosen, notes), threads=threads, force=force, engine=engine)
    return _write(path, lambda file: _build(file, pieces, chosen, systems, inputs, seen))


def _build(
    file: BinaryIO,
    pieces: Iterator[Measured],
    metrics: tuple[Metric, ...],
    systems: tuple[str, ...],
    inputs: Inputs,
    seen: list[Sequence[str] | None],
) -> dict[str, Any]:
    kinds: list[dict[str, Any]] = []
    places: dict[Metric, int] = {}
    blocks: list[list[Any]] = []
    references: set[int | None] = set()
    for measured in pieces:
        shared = measured.sharing()
        if not kinds:
            places = {metric: place for place, alike in enumerate(shared) for metric in alike}
            first = [measured.rows[measured.systems[0], alike[0]] for alike in shared]
            kinds = list(map(kind_of, first))
        references.add(measured.n_references)
        for begin in range(0, len(measured), BLOCK):
            end = min(begin + BLOCK, len(measured))
            sizes = []
            for name in measured.systems:
                for alike in shared:
                    rows = measured.rows[name, alike[0]]
                    own = rows if end - begin == len(measured) else rows.take(range(begin, end))
                    sizes.append(file.write(packed(own)))
            blocks.append([end - begin, sizes])
    if not blocks:
        raise InputError("there is nothing to score: no segments")
    documents = _runs(seen)
    data = b"" if documents is None else _listed(documents)
    file.write(data)
    return {
        **_signed(systems, metrics, places, kinds),
        "references": references.pop() if len(references) == 1 else None,
        "pseudo": inputs.pseudo,
        "units": inputs.units,
        "documents": None if documents is None else [len(data)],
        "blocks": blocks,
    }


def _signed(
    systems: tuple[str, ...],
    metrics: Sequence[Metric],
    places: Mapping[Metric, int],
    kinds: list[dict[str, Any]],
) -> dict[str, Any]:
    """What rows are of, and what made them."""
    return {
        "format": FORM,
        "version": VERSION,
        "tertium": own_version(),
        "systems": systems,
        "metrics": [{"spec": str(own), "rows": places[own], "signed": own.rows_signature} for own in metrics],
        "rows": kinds,
        "whole": any(metric.needs_whole_set for metric in metrics),
    }


def _listed(documents: Sequence[tuple[str, int]]) -> bytes:
    return zlib.compress(json.dumps(documents).encode("ascii"), 6)


class RowsBlock(NamedTuple):
    """Rows of some segments, packed where they were made: of each system by each analysis, one after the other."""

    segments: int
    data: Sequence[bytes]
    documents: Sequence[tuple[str, int]] | None = None  # in order, each with its number of segments
    references: int | None = None


def write_blocks(
    blocks: Iterable[RowsBlock],
    metrics: Sequence[Metric],
    places: Mapping[Metric, int],
    kinds: list[dict[str, Any]],
    systems: Sequence[str],
    path: str,
    *,
    names: Sequence[str] = (),
) -> WrittenRows:
    """A file of rows that were made and packed elsewhere. `places`: the analysis of each metric, by number; `kinds`:
    what rows each analysis makes."""
    chosen = tuple(metrics)
    for metric in chosen:
        check_metric(metric)
    called = _named(tuple(systems), tuple(names))

    def build(file: BinaryIO) -> dict[str, Any]:
        sizes: list[list[Any]] = []
        listed: list[tuple[str, int]] = []
        known, references = True, set()
        for block in blocks:
            sizes.append([block.segments, [file.write(data) for data in block.data]])
            known = known and block.documents is not None
            for name, n in block.documents or () if known else ():
                same = bool(listed) and listed[-1][0] == name
                listed[-1:] = [(name, listed[-1][1] + n)] if same else [*listed[-1:], (name, n)]
            references.add(block.references)
        if not sizes:
            raise InputError("there is nothing to score: no segments")
        data = _listed(listed) if known else b""
        file.write(data)
        return {
            **_signed(called, chosen, places, kinds),
            "references": references.pop() if len(references) == 1 else None,
            "pseudo": (),
            "units": "documents",
            "documents": [len(data)] if known else None,
            "blocks": sizes,
        }

    return _write(path, build)


def _named(systems: tuple[str, ...], names: tuple[str, ...]) -> tuple[str, ...]:
    if not names:
        return systems
    if len(names) != len(systems):
        raise InputError(f"there are {many(len(systems), 'system')}, but {many(len(names), 'name')}")
    if len(set(names)) < len(names):
        raise InputError("two systems have the same name")
    return names


def _noting(batches: Iterator[Batch], seen: list[Sequence[str] | None]) -> Iterator[Batch]:
    for batch in batches:
        seen.append(batch.documents)
        yield batch


def _runs(seen: Sequence[Sequence[str] | None]) -> list[tuple[str, int]] | None:
    """Documents in order, each with its number of segments."""
    if any(own is None for own in seen):
        return None
    names = (name for own in seen for name in own or ())
    return [(name, sum(1 for _ in run)) for name, run in groupby(names)]


def _write(path: str, build: Callable[[BinaryIO], dict[str, Any]]) -> WrittenRows:
    made: dict[str, Any] = {}

    def building(file: BinaryIO) -> dict[str, Any]:
        made.update(build(file))
        return made

    try:
        caches.make(os.path.abspath(path), building)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    segments = sum(n for n, _ in made["blocks"])
    specs = tuple(own["spec"] for own in made["metrics"])
    return WrittenRows(path, tuple(made["systems"]), specs, segments, os.path.getsize(path))


def merge_rows(paths: Sequence[str], output: str) -> WrittenRows:
    """Shards of a corpus in one file, in the order in which they are named. Nothing is unpacked."""
    if len({os.path.realpath(path) for path in paths}) < len(paths):
        raise InputError("a shard is named twice: its segments would count twice")
    files = [RowsFile.open(path) for path in paths]
    first = files[0]
    for other in files[1:]:
        check_alike(first, other, tuple(DIFFER))
        if first.facts["whole"]:
            raise InputError(
                f"{first.path}: some metrics look at all references at once, so their rows cannot be added: "
                "score the corpus in one piece"
            )
        if (other.facts["documents"] is None) != (first.facts["documents"] is None):
            raise InputError(f"{other.path}: documents are known in only one of this and {first.path}")

    def build(file: BinaryIO) -> dict[str, Any]:
        ends = [own.rows_end for own in files]
        for own, end in zip(files, ends, strict=True):
            file.write(own.content[:end])
        for own, end in zip(files, ends, strict=True):
            file.write(own.content[end:])
        references = {own.facts["references"] for own in files}
        sizes = [own.facts["documents"] for own in files if own.facts["documents"] is not None]
        return {
            **first.facts,
            "references": references.pop() if len(references) == 1 else None,
            "documents": [size for own in sizes for size in own] if sizes else None,
            "blocks": [block for own in files for block in own.facts["blocks"]],
        }

    return _write(output, build)
