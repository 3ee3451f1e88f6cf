"""Partitions of a dataset, as Arrow batches, to rows: what the workers of a cluster do. They give sums of rows, by
groups, or scores of segments."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tertium._native import Lines
from tertium.engines.base import RowsWanted, made
from tertium.errors import InputError
from tertium.io.door import Batch
from tertium.statistics import Statistics
from tertium.text.segments import References

if TYPE_CHECKING:
    from tertium.families.base import Metric

FILE, ROW = "tertium_file", "tertium_row"  # columns that say where a row comes from, if there are any
SUMS = "names array<string>, hypothesis string, analysis int, segments long, refs int, data binary"
VARIES = -1  # number of references
Key = tuple[tuple[str, ...], str, int]


@dataclass(frozen=True)
class FramePlan:
    """Which columns hold what, and the analyses that are wanted, those together that share prepared references."""

    hypotheses: tuple[str, ...]
    references: tuple[str, ...]
    source: str | None
    groups: tuple[str, ...]  # columns whose values are counted apart
    analyses: tuple[Metric, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """All that are read."""
        more = () if self.source is None else (self.source,)
        return tuple(dict.fromkeys((*self.hypotheses, *self.references, *more, *self.groups)))

    def alike(self) -> list[list[Metric]]:
        found: dict[Hashable, list[Metric]] = {}
        for analysis in self.analyses:
            found.setdefault(analysis.preparation, []).append(analysis)
        return list(found.values())

    def batch(self, batch: Any, first: int) -> tuple[Batch, list[tuple[str, ...]]]:
        """Texts of an Arrow batch, and the groups of its rows."""
        texts = {name: _texts(batch, name, first) for name in self.columns}
        for name in (*self.hypotheses, *(() if self.source is None else (self.source,))):
            if None in texts[name]:
                raise InputError(f"{_where(batch, texts[name].index(None), first)}: column {name!r} is null")
        streams = [texts[name] for name in self.references]
        for row, own in enumerate(zip(*streams, strict=True)):
            if all(text is None for text in own):
                raise InputError(f"{_where(batch, row, first)}: there is no reference (null)")
        groups = [tuple(str(texts[name][row]) for name in self.groups) for row in range(batch.num_rows)]
        sources = None if self.source is None else Lines(texts[self.source])
        outputs = [Lines(texts[name]) for name in self.hypotheses]
        return Batch(outputs, References.of(streams), sources), groups

    def rows(self, piece: Batch, *, sums: bool) -> Iterator[tuple[str, int, Statistics]]:
        """By hypothesis and number of the analysis."""
        for alike in self.alike():
            found = iter(made(RowsWanted(self.hypotheses, tuple(alike), piece, sums)))
            for analysis in alike:
                for name in self.hypotheses:
                    yield name, self.analyses.index(analysis), next(found)


@dataclass(frozen=True)
class Summed:
    """Batches of a partition in, their sums out."""

    plan: FramePlan

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        sums, first = FrameSums(self.plan.analyses), 0
        for batch in batches:
            if not batch.num_rows:
                continue
            piece, groups = self.plan.batch(batch, first)
            first += batch.num_rows
            for names, own in _apart(piece, groups):
                number = own.references.number
                for hypothesis, analysis, rows in self.plan.rows(own, sums=True):
                    sums.add((names, hypothesis, analysis), rows, own.n_segments, number)
        yield sums.arrow()


@dataclass(frozen=True)
class AddedSums:
    """Sums of several partitions in, their sum out: a node of the tree."""

    plan: FramePlan

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        sums = FrameSums(self.plan.analyses)
        for batch in batches:
            sums.add_arrow(batch)
        yield sums.arrow()


@dataclass(frozen=True)
class Scored:
    """Batches in, the same with scores of segments out, a column for each hypothesis and metric."""

    plan: FramePlan
    columns: tuple[tuple[str, str, int, Metric], ...]  # name, hypothesis, number of the analysis, metric

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow as pa

        first = 0
        for batch in batches:
            if not batch.num_rows:
                continue
            piece, _ = self.plan.batch(batch, first)
            first += batch.num_rows
            found = {(name, at): rows for name, at, rows in self.plan.rows(piece, sums=False)}
            arrays, names = list(batch.columns), list(batch.schema.names)
            for name, hypothesis, analysis, metric in self.columns:
                values = memoryview(metric._scores(found[hypothesis, analysis], "segment")).tolist()
                arrays.append(pa.array([None if own != own else own for own in values], pa.float64()))
                names.append(name)
            yield pa.RecordBatch.from_arrays(arrays, names=names)


class FrameSums:
    """Sums by groups, hypothesis and analysis."""

    def __init__(self, analyses: tuple[Metric, ...]) -> None:
        self.analyses = analyses
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
            metric = self.analyses[own["analysis"]]
            key = (tuple(own["names"]), own["hypothesis"], own["analysis"])
            rows = Statistics.from_bytes(own["data"], metric)
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
                pa.array([self.rows[key].to_bytes(self.analyses[key[2]]) for key in keys], pa.binary()),
            ],
            names=["names", "hypothesis", "analysis", "segments", "refs", "data"],
        )


def _apart(piece: Batch, groups: list[tuple[str, ...]]) -> Iterator[tuple[tuple[str, ...], Batch]]:
    """The rows of each group."""
    places: dict[tuple[str, ...], list[int]] = {}
    for row, names in enumerate(groups):
        places.setdefault(names, []).append(row)
    if len(places) == 1:
        yield groups[0], piece
        return

    def chosen(rows: list[int]) -> Callable[[Lines], Lines]:
        return lambda lines: Lines([lines[row] for row in rows])

    for names, rows in places.items():
        take = chosen(rows)
        sources = None if piece.sources is None else take(piece.sources)
        yield names, Batch([take(own) for own in piece.hypotheses], piece.references.map(take), sources)


def _texts(batch: Any, name: str, first: int) -> list[Any]:
    column = batch.column(name)
    try:
        return list(column.to_pylist())
    except UnicodeDecodeError:
        for row in range(len(column)):
            try:
                column[row].as_py()
            except UnicodeDecodeError:
                raise InputError(f"{_where(batch, row, first)}: column {name!r} is not UTF-8") from None
        raise


def _where(batch: Any, row: int, first: int) -> str:
    """Which file and row, where they are known; else which partition."""
    names = batch.schema.names
    if FILE in names:
        at = batch.column(ROW)[row].as_py() if ROW in names else None
        return f"{batch.column(FILE)[row].as_py()}: row {first + row + 1 if at is None else at + 1}"
    from pyspark import TaskContext

    task = TaskContext.get()
    return f"partition {'?' if task is None else task.partitionId()}, row {first + row + 1} of it"
