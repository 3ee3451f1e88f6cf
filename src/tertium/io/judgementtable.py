"""Judgements of people as one small table: who judged which translation, what kind of item it was, the score.

Readers of all formats, direct assessment and the web app share it. Higher scores are better, whatever the scale.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError, did_you_mean, many
from tertium.io.coverage import Coverage
from tertium.io.namecolumn import NameColumn

Kind = Literal["genuine", "repeat", "degraded", "reference"]
KINDS: tuple[Kind, ...] = ("genuine", "repeat", "degraded", "reference")
GENUINE, REPEAT, DEGRADED, REFERENCE = range(4)
DUPLICATES = ("refuse", "leave out", "latest", "keep")
Duplicates = Literal["refuse", "leave out", "latest", "keep"]
Protocol = Literal["DA", "ESA", "MQM"]  # scores of 0 to 100; with error spans; error spans only
PROTOCOLS: tuple[Protocol, ...] = ("DA", "ESA", "MQM")
NOBODY = "-"  # the annotator where a file names none


@dataclass(frozen=True)
class Span:
    """An error that somebody marked: characters start to end, end exclusive; None for an omission."""

    start: int | None
    end: int | None
    severity: str
    category: str = ""
    in_source: bool = False
    weight: float | None = None  # what it costs, where the file says so


@dataclass(frozen=True, eq=False, repr=False)
class Judgements:
    """A row for each judgement. Made by `Judgements.of` or by a reader.

    `kind` says what was shown: a system's output (genuine), the same again (repeat), one that was damaged on purpose
    (degraded, "bad reference"), or the reference as if it were an output (reference). A repeat or a degraded item
    belongs to the genuine one of the same annotator, system and segment.

    >>> table = Judgements.of(annotator=["ann", "ann"], system=["A", "B"], segment=["1", "1"], score=[70, 55.5])
    >>> table
    <Judgements: 2 (2 genuine) by 1 annotator, 2 systems, 1 segment>
    """

    annotator: NameColumn
    system: NameColumn
    segment: NameColumn
    score: NDArray[np.float64]
    kind: NDArray[np.uint8]
    document: NameColumn | None = None
    start: NDArray[np.float64] | None = None  # seconds since 1970; NaN: not known
    seconds: NDArray[np.float64] | None = None  # how long it took; NaN: not known
    spans: tuple[tuple[Span, ...], ...] | None = None
    lines: NDArray[np.int64] | None = None  # where each row stands in `origin`
    origin: str = "judgements"

    def __post_init__(self) -> None:
        for name, column in self._columns():
            if len(column) != len(self.score):
                raise InputError(
                    f"{self.origin}: {len(self.score)} scores, but {len(column)} values of {name}"
                )
        bad = np.flatnonzero(~np.isfinite(self.score))
        if len(bad):
            raise InputError(f"{self.where(bad[0])}: the score {self.score[bad[0]]} is not a finite number")

    def _columns(self) -> Iterator[tuple[str, Any]]:
        """The columns that are there, by name."""
        for field in fields(self):
            if field.name != "origin" and getattr(self, field.name) is not None:
                yield field.name, getattr(self, field.name)

    @classmethod
    def of(
        cls,
        *,
        system: Iterable[str],
        segment: Iterable[str],
        score: Iterable[float],
        annotator: Iterable[str] | None = None,
        kind: Iterable[str] | None = None,
        document: Iterable[str] | None = None,
        start: Iterable[float] | None = None,
        seconds: Iterable[float] | None = None,
        spans: Iterable[Sequence[Span]] | None = None,
        lines: Iterable[int] | None = None,
        origin: str = "judgements",
    ) -> Judgements:
        """From columns as lists. Without annotators the annotator is unknown; without kinds all are genuine."""
        scores = np.array(list(score), dtype=np.float64)
        n = len(scores)
        kinds = np.zeros(n, np.uint8) if kind is None else np.array([kind_code(k) for k in kind], np.uint8)
        return cls(
            annotator=NameColumn.constant(NOBODY, n) if annotator is None else NameColumn.of(annotator),
            system=NameColumn.of(system),
            segment=NameColumn.of(segment),
            score=scores,
            kind=kinds,
            document=None if document is None else NameColumn.of(document),
            start=None if start is None else np.array(list(start), dtype=np.float64),
            seconds=None if seconds is None else np.array(list(seconds), dtype=np.float64),
            spans=None if spans is None else tuple(map(tuple, spans)),
            lines=None if lines is None else np.array(list(lines), dtype=np.int64),
            origin=origin,
        )

    def __len__(self) -> int:
        return len(self.score)

    def where(self, row: int) -> str:
        """File and line of a row, for messages."""
        if self.lines is None:
            return f"{self.origin}: judgement {int(row) + 1}"
        return f"{self.origin}: line {self.lines[row]}"

    def take(self, rows: NDArray[Any]) -> Judgements:
        """Some of the rows: by their numbers, or by a mask."""
        index = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows

        def some(column: Any) -> Any:
            if isinstance(column, NameColumn):
                return column.take(index)
            return tuple(column[i] for i in index) if isinstance(column, tuple) else column[index]

        return replace(self, **{name: some(column) for name, column in self._columns()})

    def of_kind(self, *kinds: Kind) -> Judgements:
        """The judgements of these kinds."""
        return self.take(np.isin(self.kind, [kind_code(kind) for kind in kinds]))

    def counts(self) -> dict[str, int]:
        """How many judgements there are of each kind."""
        return {kind: int((self.kind == code).sum()) for code, kind in enumerate(KINDS)}

    def __repr__(self) -> str:
        kinds = ", ".join(f"{n} {kind}" for kind, n in self.counts().items() if n)
        people = [name for name in self.annotator.names if name != NOBODY]
        facts = [many(len(self.system.names), "system"), many(len(self.segment.names), "segment")]
        by = f" by {many(len(people), 'annotator')}," if people else " of"
        return f"<Judgements: {len(self)} ({kinds or 'none'}){by} {', '.join(facts)}>"


@dataclass(frozen=True)
class JudgementReading:
    """What a file of judgements held: those of segments, those of whole documents, and the coverage."""

    judgements: Judgements
    coverage: Coverage
    documents: Judgements | None = None
    protocol: Protocol = "DA"


def check_duplicates(duplicates: str, *, known: Sequence[str] = DUPLICATES) -> None:
    """Refuse an unknown way to treat a judgement that is in a file twice."""
    if duplicates not in known:
        raise InputError(f"duplicates cannot be {duplicates!r}: choose {', '.join(known)}")


class RowsOfJudgements:
    """Collects judgements one by one for a table; duplicated rows are refused, left out or kept."""

    def __init__(self, origin: str, duplicates: Duplicates = "refuse") -> None:
        check_duplicates(duplicates, known=("refuse", "leave out", "keep"))
        self.origin, self.duplicates = origin, duplicates
        self._columns: dict[str, list[Any]] = {}
        self._known: dict[tuple[Any, ...], int] = {}

    def add(self, line: int, *, key: tuple[Any, ...] = (), **values: Any) -> bool:
        """Add a row; False: it was there before, and is left out. Rows are the same that share `key`, or all values."""
        if self.duplicates != "keep" and values.get("annotator", NOBODY) != NOBODY:
            key = key or tuple(None if v != v else v for v in values.values())  # NaN equals nothing
            first = self._known.setdefault(key, line)
            if first != line:
                if self.duplicates == "leave out":
                    return False
                raise InputError(
                    f"{self.origin}: line {line} repeats line {first}: the same judgement twice (remove one, "
                    'or use --duplicates "leave out")'
                )
        for name, value in values.items():
            self._columns.setdefault(name, []).append(value)
        self._columns.setdefault("lines", []).append(line)
        return True

    def __len__(self) -> int:
        return len(self._columns.get("lines", ()))

    def table(self) -> Judgements:
        """All rows so far."""
        empty: dict[str, list[Any]] = {"system": [], "segment": [], "score": []}
        return Judgements.of(**(self._columns or empty), origin=self.origin)


def kind_code(name: str) -> int:
    """The number of a kind of item.

    >>> kind_code("degraded")
    2
    """
    if name not in KINDS:
        raise InputError(f"there is no item type {name!r}{did_you_mean(name, KINDS)}")
    return KINDS.index(name)
