"""What workers of a cluster are asked for: sums by groups, scores of segments, packed rows, and what the whole set
tells. Each is called with the Arrow batches of a partition, and gives others."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any

from tertium.engines.frames import (
    FILE,
    PART,
    ROW,
    Before,
    Bench,
    FramePart,
    FramePlan,
    Names,
    counted,
    rows_before,
    whole_column,
)
from tertium.statistics import Statistics
from tertium.statistics.packed import kind_of, packed
from tertium.statistics.packing import BLOCK
from tertium.text import units

if TYPE_CHECKING:
    from tertium.families.base import Metric

SUMS = "names array<string>, hypothesis string, analysis int, segments long, refs int, data binary"
LEARNT = "key string, kind string, type binary, count long"
PACKED = (
    "file string, part long, row long, partition int, number long, segments int, refs int, documents binary, "
    "kinds string, data array<binary>"
)
VARIES = -1  # number of references
Key = tuple[Names, str, int]


@dataclass(frozen=True)
class CountedWhole:
    """What a partition tells of the whole set: types with counts."""

    plan: FramePlan

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow as pa

        bench = Bench(self.plan)
        for batch, first in bench.batches(batches):
            for part in bench.parts(batch, first):
                for key, found in bench.learnt(part):
                    own = found.arrow()
                    said = pa.repeat(pa.scalar(json.dumps(key)), own.num_rows)
                    yield pa.RecordBatch.from_arrays([said, *own.columns], names=["key", *own.schema.names])


@dataclass(frozen=True)
class Summed:
    """The sums of a partition."""

    plan: FramePlan

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        bench, sums = Bench(self.plan), FrameSums()
        for batch, first in bench.batches(batches):
            for part in bench.parts(batch, first):
                self._add(sums, bench, part)
        yield sums.arrow()

    def _add(self, sums: FrameSums, bench: Bench, part: FramePart) -> None:
        number, n = part.texts.references.number, part.texts.n_segments
        if not self.plan.by_document:
            for hypothesis, analysis, rows in bench.rows(part, sums=True):
                sums.add((part.names, hypothesis, analysis), rows, n, number)
            return
        documents = list(dict.fromkeys(part.documents or ()))
        groups = units.numbered(part.documents or ())
        sizes = Counter(groups)
        for hypothesis, analysis, rows in bench.rows(part, sums=False):
            whole = self.plan.analyses[analysis].scope == "document"
            own = rows if whole else rows.grouped(groups, len(documents))
            for i, name in enumerate(documents):
                sums.add(((*part.names, name), hypothesis, analysis), own.take([i]), sizes[i], number)


@dataclass(frozen=True)
class AddedSums:
    """Sums of several partitions in, their sum out: a node of the tree."""

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        sums = FrameSums()
        for batch in batches:
            sums.add_arrow(batch)
        yield sums.arrow()


@dataclass(frozen=True)
class Scored:
    """Batches in, the same with scores of segments out, a column for each hypothesis and metric. By metrics of
    documents, the first segment of each has a score."""

    plan: FramePlan
    columns: tuple[tuple[str, str, int, Metric], ...]  # name, hypothesis, number of the analysis, metric

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        import numpy as np
        import pyarrow as pa

        bench = Bench(self.plan)
        metrics = [self.plan.luggage.unpacked(metric) for *_, metric in self.columns]
        for batch, first in bench.batches(batches):
            values = np.full((len(self.columns), batch.num_rows), np.nan)
            for part in bench.parts(batch, first):
                places = np.arange(batch.num_rows) if part.places is None else part.places
                found = {(name, at): rows for name, at, rows in bench.rows(part, sums=False)}
                for k, (_, hypothesis, analysis, metric) in enumerate(self.columns):
                    whole = metric.scope == "document"
                    begins = units.beginnings(units.numbered(part.documents or ())) if whole else slice(None)
                    rows = found[hypothesis, analysis]
                    values[k, places[begins]] = np.asarray(metrics[k]._scores(rows, "segment"))
            more = [pa.array(own, pa.float64(), mask=np.isnan(own)) for own in values]
            names = [*batch.schema.names, *(name for name, *_ in self.columns)]
            yield pa.RecordBatch.from_arrays([*batch.columns, *more], names=names)


@dataclass(frozen=True)
class Extended:
    """Batches in, the same with further columns out: `work` makes them of the texts of some columns, in order."""

    columns: Names
    work: Callable[..., Mapping[str, Any]]

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow as pa

        for batch, first in counted(batches):
            texts = [list(whole_column(batch, name, first)) for name in self.columns]
            made = {name: pa.array(values) for name, values in self.work(*texts).items()}
            names = [*batch.schema.names, *made]
            yield pa.RecordBatch.from_arrays([*batch.columns, *made.values()], names=names)


@dataclass(frozen=True)
class Whole:
    """Batches in, the same out, if these columns hold texts and no nulls."""

    columns: Names

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        for batch, first in counted(batches):
            for name in self.columns:
                whole_column(batch, name, first)
            yield batch


@dataclass(frozen=True)
class Packed:
    """Rows of segments, packed, a block for some segments at a time, and where these stand: as files of rows have
    them."""

    plan: FramePlan
    order: str | None = None  # the column by which rows were sorted; else they stand as files have them

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow as pa
        from pyspark import TaskContext

        bench, number = Bench(self.plan), 0
        task = TaskContext.get()
        schema = pa.schema(
            [
                *(
                    ("file", pa.string()),
                    ("part", pa.int64()),
                    ("row", pa.int64()),
                    ("partition", pa.int32()),
                ),
                *(("number", pa.int64()), ("segments", pa.int32()), ("refs", pa.int32())),
                *(("documents", pa.binary()), ("kinds", pa.string()), ("data", pa.list_(pa.binary()))),
            ]
        )
        for batch, first in counted(batches):
            names = batch.schema.names if self.order is None else ()
            for begin, end in _runs(batch, names):
                own = batch.slice(begin, end - begin)
                before: Before = (self.order,) if self.order else rows_before(batch, begin, first)
                (part,) = bench.parts(own, before)
                made = [rows for _, _, rows in sorted(bench.rows(part, sums=False), key=self._place)]
                refs = part.texts.references.number
                yield pa.RecordBatch.from_pylist(
                    [
                        {
                            "file": own.column(FILE)[0].as_py() if FILE in names else "",
                            "part": own.column(PART)[0].as_py() if PART in names else 0,
                            "row": own.column(ROW)[0].as_py() if ROW in names else 0,
                            "partition": 0 if task is None else task.partitionId(),
                            "number": number,
                            "segments": len(own),
                            "refs": VARIES if refs is None else refs,
                            "documents": _documents(part.documents),
                            "kinds": json.dumps([kind_of(rows) for rows in made[: len(self.plan.analyses)]]),
                            "data": [packed(rows) for rows in made],
                        }
                    ],
                    schema=schema,
                )
                number += 1

    def _place(self, found: tuple[str, int, Statistics]) -> tuple[int, int]:
        return self.plan.hypotheses.index(found[0]), found[1]


def _runs(batch: Any, names: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Rows that follow each other in one file, where columns of these names say so, and at most a block of them."""
    import numpy as np

    breaks = {0, batch.num_rows, *range(0, batch.num_rows, BLOCK)}
    for name in (FILE, PART):
        if name in names:
            codes = batch.column(name).dictionary_encode("encode").indices.to_numpy()
            breaks.update((np.flatnonzero(np.diff(codes)) + 1).tolist())
    if ROW in names:
        breaks.update((np.flatnonzero(np.diff(batch.column(ROW).to_numpy()) != 1) + 1).tolist())
    places = sorted(breaks)
    yield from pairwise(places)


def _documents(names: list[str] | None) -> bytes | None:
    if names is None:
        return None
    return zlib.compress(
        json.dumps([(name, sum(1 for _ in run)) for name, run in groupby(names)]).encode(), 1
    )


class FrameSums:
    """Sums by groups, hypothesis and analysis."""

    def __init__(self) -> None:
        self.rows: dict[Key, Statistics] = {}
        self.segments: dict[Key, int] = {}
        self.references: dict[Key, int] = {}

    def add(self, key: Key, rows: Statistics, segments: int, references: int | None) -> None:
        known = self.rows.get(key)
        number = VARIES if references is None else references
        self.rows[key] = rows if known is None else known.accumulate(rows)
        self.segments[key] = self.segments.get(key, 0) + segments
        self.references[key] = number if self.references.get(key, number) == number else VARIES

    def add_arrow(self, batch: Any) -> None:
        for own in batch.to_pylist():
            key = (tuple(own["names"]), own["hypothesis"], own["analysis"])
            rows = Statistics.from_bytes(own["data"])
            self.add(key, rows, own["segments"], None if own["refs"] == VARIES else own["refs"])

    def arrow(self) -> Any:
        import pyarrow as pa

        keys = list(self.rows)
        return pa.RecordBatch.from_arrays(
            [
                pa.array([list(names) for names, _, _ in keys], pa.list_(pa.string())),
                pa.array([hypothesis for _, hypothesis, _ in keys], pa.string()),
                pa.array([analysis for _, _, analysis in keys], pa.int32()),
                pa.array([self.segments[key] for key in keys], pa.int64()),
                pa.array([self.references[key] for key in keys], pa.int32()),
                pa.array([self.rows[key].to_bytes() for key in keys], pa.binary()),
            ],
            names=["names", "hypothesis", "analysis", "segments", "refs", "data"],
        )
