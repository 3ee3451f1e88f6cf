"""Partitions of a dataset, as Arrow batches, to rows of statistics: what the workers of a cluster have in common."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from tertium import _native
from tertium._native import Lines
from tertium.engines.base import RowsWanted, joined_documents, made
from tertium.engines.luggage import Luggage
from tertium.errors import InputError, TextError
from tertium.io.door import Batch
from tertium.statistics import Statistics, WholeCounts
from tertium.text import units
from tertium.text.segments import References

if TYPE_CHECKING:
    from tertium.families.base import Metric

FILE, ROW, PART = "tertium_file", "tertium_row", "tertium_part"  # columns that say where a row comes from
UNREAD = "_corrupt_record"  # Spark's: a line that is no JSON
PLACES = (FILE, ROW, PART, UNREAD)
ENOUGH = 10_000  # rows of whole documents that are worked on at once
Names = tuple[str, ...]
Before = int | Names  # rows before a batch; or, where rows were sorted, the columns that tell them apart
LearntKey = tuple[Names, str, int]  # values of groups, hypothesis, number of the analysis


@dataclass(frozen=True)
class FramePlan:
    """Which columns hold what, and the analyses that are wanted."""

    hypotheses: Names
    references: Names
    source: str | None
    groups: Names  # columns whose values are counted apart
    analyses: tuple[Metric, ...]
    document: str | None = None  # a column of ids
    order: str | None = None  # a column: rows of a document stand in this order, and no document is cut
    by_document: bool = False  # whether documents are counted apart, too
    luggage: Luggage = field(default_factory=Luggage)
    learnt: Any = None  # a broadcast: what the whole set told, by `LearntKey`

    @property
    def columns(self) -> Names:
        """All that are read."""
        more = (self.source, self.document, self.order)
        named = (*self.hypotheses, *self.references, *self.groups, *(own for own in more if own is not None))
        return tuple(dict.fromkeys(named))

    @property
    def keys(self) -> Names:
        """The columns that say which document a row is of."""
        return (*self.groups, *(() if self.document is None else (self.document,)))


class FramePart(NamedTuple):
    """Rows of a batch that are counted together: their groups, their places in it (None: all), texts, documents."""

    names: Names
    places: Any
    texts: Batch
    documents: list[str] | None = None


class Alike(NamedTuple):
    """Analyses that share prepared references: their numbers in the plan, and themselves, as they are here."""

    numbers: tuple[int, ...]
    analyses: tuple[Metric, ...]

    @property
    def by_document(self) -> bool:
        return self.analyses[0].scope == "document"


@dataclass(frozen=True)
class Bench:
    """Where a worker does what a plan says."""

    plan: FramePlan

    @cached_property
    def alike(self) -> list[Alike]:
        found: dict[Hashable, list[tuple[int, Metric]]] = {}
        for number, analysis in enumerate(self.plan.analyses):
            own = self.plan.luggage.unpacked(analysis)
            separator = own.separator if own.scope == "document" else None
            found.setdefault((own.scope, separator, own.preparation), []).append((number, own))
        return [Alike(*zip(*own, strict=True)) for own in found.values()]

    @cached_property
    def known(self) -> dict[LearntKey, WholeCounts]:
        found: dict[LearntKey, WholeCounts] = {} if self.plan.learnt is None else self.plan.learnt.value
        return found

    def batches(self, batches: Iterable[Any]) -> Iterator[tuple[Any, Before]]:
        """Batches, and how to tell which row one is; of whole documents, where order matters."""
        plan = self.plan
        if plan.order is None:
            yield from counted(batches)
            return
        given = (batch for batch in batches if batch.num_rows)
        told = (*plan.keys, plan.order)
        for batch in whole_documents(given, plan.keys, plan.order):
            yield batch, told

    def parts(self, batch: Any, first: Before) -> Iterator[FramePart]:
        """The texts of a batch, those of each group apart."""
        whole = self._texts(batch, first)
        for name in self.plan.keys:
            check_key(batch, name, first)
        places = apart(batch, self.plan.groups)
        for names, own in places:
            rows = batch if own is None else batch.take(own)
            documents = None if self.plan.document is None else strings(rows.column(self.plan.document))
            yield FramePart(names, own, whole if own is None else self._texts(rows, first), documents)

    def rows(self, part: FramePart, *, sums: bool) -> Iterator[tuple[str, int, Statistics]]:
        """By hypothesis and number of the analysis; by analyses of documents a row for each."""
        plan = self.plan
        for alike in self.alike:
            texts = part.texts
            if alike.by_document:
                texts = joined_documents(
                    texts, units.numbered(part.documents or ()), alike.analyses[0].separator
                )
            known = tuple(
                self.known[part.names, name, alike.numbers[0]]
                for name in plan.hypotheses
                if alike.analyses[0].needs_whole_set
            )
            wanted = RowsWanted(plan.hypotheses, alike.analyses, texts, sums, learnt=known)
            try:
                found = iter(made(wanted))
            except TextError as error:
                raise InputError(f"{error} (the text begins {error.text[:60]!r})") from None
            for number in alike.numbers:
                for name in plan.hypotheses:
                    yield name, number, next(found)

    def learnt(self, part: FramePart) -> Iterator[tuple[LearntKey, WholeCounts]]:
        """What a part tells of the whole set; under no name what is the same for all hypotheses."""
        for alike in self.alike:
            first = alike.analyses[0]
            if not first.needs_whole_set:
                continue
            texts = part.texts
            if alike.by_document:
                texts = joined_documents(texts, units.numbered(part.documents or ()), first.separator)
            yield (part.names, "", alike.numbers[0]), first._learn(texts.references, texts.sources, 1)
            for name, lines in zip(self.plan.hypotheses, texts.hypotheses, strict=True):
                own = first._learn_outputs(lines, 1)
                if own is not None:
                    yield (part.names, name, alike.numbers[0]), own

    def _texts(self, batch: Any, first: Before) -> Batch:
        plan = self.plan
        more = () if plan.source is None else (plan.source,)
        sides = [whole_column(batch, name, first) for name in (*plan.hypotheses, *more)]
        sources = sides.pop() if more else None
        return Batch(sides, _references(batch, plan.references, first), sources)


def counted(batches: Iterable[Any]) -> Iterator[tuple[Any, int]]:
    """Batches that have rows, with the number of rows before each: in its file, where files are known."""
    before, known = 0, None
    for batch in batches:
        if not batch.num_rows:
            continue
        first = before if _file(batch, 0) == known else 0
        yield batch, first
        last = batch.num_rows - 1
        before, known = rows_before(batch, last, first) + 1, _file(batch, last)


def _file(batch: Any, row: int) -> tuple[Any, ...]:
    """The file, or part of one, that a row comes from."""
    return tuple(batch.column(name)[row].as_py() for name in (FILE, PART) if name in batch.schema.names)


def _beginning(batch: Any, row: int) -> int:
    """The first row of a batch that comes from the same file as this one; files follow each other."""
    own = _file(batch, row)
    if _file(batch, 0) == own:
        return 0
    while _file(batch, row - 1) == own:
        row -= 1
    return row


def rows_before(batch: Any, row: int, first: int) -> int:
    """How many rows of its file are before this one."""
    begin = _beginning(batch, row)
    return row - begin + (0 if begin else first)


def whole_documents(batches: Iterable[Any], keys: Names, order: str) -> Iterator[Any]:
    """Batches that end where documents end, of rows that are sorted by document and order."""
    import pyarrow as pa

    waiting: list[Any] = []
    for batch in batches:
        waiting.append(batch)
        if sum(own.num_rows for own in waiting) < ENOUGH:
            continue
        joined = pa.concat_batches(waiting)
        last = _key(joined, keys, joined.num_rows - 1)
        at = joined.num_rows - 1
        while at > 0 and _key(joined, keys, at - 1) == last:
            at -= 1
        if at:
            yield _ordered(joined.slice(0, at), keys, order)
        waiting = [joined.slice(at)]
    if waiting:
        yield _ordered(pa.concat_batches(waiting), keys, order)


def _key(batch: Any, keys: Names, row: int) -> tuple[Any, ...]:
    return tuple(batch.column(name)[row].as_py() for name in keys)


def _ordered(batch: Any, keys: Names, order: str) -> Any:
    """Refuses documents whose rows have no order."""
    check_key(batch, order, keys)
    values = batch.column(order).to_pylist()
    for i in range(1, len(values)):
        if values[i] == values[i - 1] and _key(batch, keys, i) == _key(batch, keys, i - 1):
            name = "/".join(map(str, _key(batch, keys, i)))
            raise InputError(
                f"document {name!r}: two rows have the same order, {values[i]!r}: which comes first?"
            )
    return batch


def apart(batch: Any, columns: Sequence[str]) -> list[tuple[Names, Any]]:
    """The values of these columns, each with the places of its rows; places are None where there is only one."""
    import numpy as np

    if not columns:
        return [((), None)]
    codes, known = np.zeros(batch.num_rows, np.int64), []
    for name in columns:
        column = batch.column(name)
        own = column.dictionary_encode("encode")
        values = [str(value) for value in own.dictionary.to_pylist()]
        known.append(values)
        codes = codes * len(values) + own.indices.to_numpy()
    found, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(inverse, kind="stable")
    ends = np.cumsum(np.bincount(inverse, minlength=len(found)))
    made = []
    for number in np.argsort(first).tolist():
        code, names = int(found[number]), []
        for values in reversed(known):
            code, at = divmod(code, len(values))
            names.append(values[at])
        begin = 0 if number == 0 else int(ends[number - 1])
        places = None if len(found) == 1 else order[begin : int(ends[number])]
        made.append((tuple(reversed(names)), places))
    return made


def strings(column: Any) -> list[str]:
    return [str(value) for value in column.to_pylist()]


def whole_column(batch: Any, name: str, first: Before) -> Lines:
    """A column of texts without nulls."""
    lines = _lines(batch, name, first)
    if lines.count_missing():
        row = next(row for row in range(len(lines)) if lines[row] is None)
        raise InputError(f"{where(batch, row, first)}: {_nothing(batch, name, row)}")
    return lines


def check_key(batch: Any, name: str, first: Before) -> None:
    """Refuses a column of groups, documents or places with nulls or broken texts."""
    import pyarrow as pa

    column = batch.column(name)
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        whole_column(batch, name, first)
    elif column.null_count:
        row = column.is_null().index(True).as_py()
        raise InputError(f"{where(batch, row, first)}: {_nothing(batch, name, row)}")


def _nothing(batch: Any, name: str, row: int) -> str:
    """What a null is."""
    if UNREAD in batch.schema.names and batch.column(UNREAD)[row].is_valid:
        return "cannot be read as JSON in UTF-8"
    if batch.column(name).null_count == batch.num_rows and FILE in batch.schema.names:
        return f"column {name!r} is null, or this file has no such column"
    return f"column {name!r} is null"


def _lines(batch: Any, name: str, first: Before) -> Lines:
    """A column of texts, viewed in place."""
    import pyarrow as pa

    column = batch.column(name)
    there, starts, data = column.buffers()
    lines, broken = _native.arrow_lines(
        b"" if starts is None else starts,
        b"" if data is None else data,
        there if column.null_count else None,
        column.offset,
        len(column),
        pa.types.is_large_string(column.type) or pa.types.is_large_binary(column.type),
    )
    if broken >= 0:
        raise InputError(f"{where(batch, broken, first)}: column {name!r} is not UTF-8")
    return lines


def _references(batch: Any, names: Names, first: Before) -> References:
    import pyarrow as pa

    if not names:
        return References((Lines([""] * batch.num_rows),))
    if pa.types.is_nested(batch.column(names[0]).type):
        return _listed(batch, names[0], first)
    streams = tuple(_lines(batch, name, first) for name in names)
    if all(stream.count_missing() for stream in streams):
        for row in range(batch.num_rows):
            if all(stream[row] is None for stream in streams):
                raise InputError(f"{where(batch, row, first)}: there is no reference (null)")
    return References(streams)


def _listed(batch: Any, name: str, first: Before) -> References:
    """A column with a list of references for each row."""
    try:
        rows = [[] if own is None else own for own in batch.column(name).to_pylist()]
    except UnicodeDecodeError:
        raise InputError(f"{where(batch, 0, first)} or a later one: column {name!r} is not UTF-8") from None
    for row, own in enumerate(rows):
        if all(text is None for text in own):
            raise InputError(f"{where(batch, row, first)}: there is no reference (null)")
    return References.per_segment(rows)


def where(batch: Any, row: int, first: Before) -> str:
    """Which file and row, where they are known; else which partition, or the values that tell rows apart."""
    names = batch.schema.names
    file = f"{batch.column(FILE)[row].as_py()}: " if FILE in names else ""
    if ROW in names:
        return f"{file}row {batch.column(ROW)[row].as_py() + 1}"
    if not isinstance(first, int):
        return file + ", ".join(f"{name} {batch.column(name)[row].as_py()!r}" for name in first)
    number = rows_before(batch, row, first) + 1
    if file:
        after = batch.column(PART)[row].as_py() if PART in names else 0
        return f"{file}row {number}{f' after byte {after}' if after else ''}"
    from pyspark import TaskContext

    task = TaskContext.get()
    return f"partition {'?' if task is None else task.partitionId()}, row {number} of it"
