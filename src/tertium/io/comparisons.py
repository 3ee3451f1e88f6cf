"""Comparisons of two translations side by side: which one each annotator found better, or neither.

The plain form is tab-separated with the columns annotator, segment (a sentence or a paragraph), first, second
(systems), choice: first, second or undecided (also 1, 2, 0; A, B, =), and optionally kind: genuine, or repeat where it
was asked again. Where nobody knows any more who voted for what, a line is a pair: segment, first, second, votes
(several choices, with blanks between them); or the same as JSON Lines, where votes are a list.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError, did_you_mean, many
from tertium.io.coverage import Coverage, OpenCoverage
from tertium.io.namecolumn import NameColumn
from tertium.io.records import HeadedTable, Row, json_rows
from tertium.io.settings import Origin, read
from tertium.io.streams import FilePath, display_name

CHOICES = {"first": 1, "undecided": 0, "second": -1}
_SPELLINGS = {**CHOICES, "1": 1, "a": 1, "2": -1, "b": -1, **dict.fromkeys(("0", "=", "tie", "equal"), 0)}


@dataclass(frozen=True, eq=False, repr=False)
class Comparisons:
    """A row for each comparison; `sign` is 1 where the first system is better, -1 where the second is, 0 for neither.

    >>> Comparisons.of([("ann", "1", "A", "B", 1), ("bob", "1", "A", "B", 0)])
    <Comparisons: 2 of 2 systems by 2 annotators, 1 tie>
    """

    annotator: NameColumn
    segment: NameColumn
    first: NDArray[np.int32]  # numbers of systems
    second: NDArray[np.int32]
    sign: NDArray[np.int8]
    systems: tuple[str, ...]
    lines: NDArray[np.int64] | None = None
    origin: str = "comparisons"
    repeats: Comparisons | None = None  # what was asked again, for control

    def __post_init__(self) -> None:
        same = np.flatnonzero(self.first == self.second)
        if len(same):
            system = self.systems[int(self.first[same[0]])]
            raise InputError(f"{self.where(int(same[0]))}: system {system!r} is compared with itself")

    @classmethod
    def of(
        cls,
        rows: Iterable[tuple[str, str, str, str, int]],
        *,
        lines: Sequence[int] | None = None,
        origin: str = "comparisons",
        repeats: Comparisons | None = None,
    ) -> Comparisons:
        """From rows of annotator, segment, first system, second system, sign."""
        given = list(rows)
        both = NameColumn.of(name for row in given for name in row[2:4])
        signs = np.array([row[4] for row in given], dtype=np.int64)
        if not np.isin(signs, (-1, 0, 1)).all():
            raise InputError(f"{origin}: the sign of a comparison is 1, 0 or -1")
        return cls(
            annotator=NameColumn.of(row[0] for row in given),
            segment=NameColumn.of(row[1] for row in given),
            first=both.codes[0::2],
            second=both.codes[1::2],
            sign=signs.astype(np.int8),
            systems=both.names,
            lines=None if lines is None else np.array(lines, dtype=np.int64),
            origin=origin,
            repeats=repeats,
        )

    def __len__(self) -> int:
        return len(self.sign)

    def where(self, row: int) -> str:
        """File and line of a comparison, for messages."""
        place = f"comparison {row + 1}" if self.lines is None else f"line {self.lines[row]}"
        return f"{self.origin}: {place}"

    def take(self, rows: NDArray[Any]) -> Comparisons:
        """Some of the comparisons: by their numbers, or by a mask. All systems keep their numbers."""
        return replace(
            self,
            annotator=self.annotator.take(rows),
            segment=self.segment.take(rows),
            first=self.first[rows],
            second=self.second[rows],
            sign=self.sign[rows],
            lines=None if self.lines is None else self.lines[rows],
        )

    def without(self, systems: Collection[str]) -> Comparisons:
        """Only comparisons of other systems.

        >>> Comparisons.of([("ann", "1", "A", "B", 1), ("ann", "1", "A", "C", 0)]).without(["B"]).systems
        ('A', 'C')
        """
        there = np.array([system not in systems for system in self.systems])
        if there.all():
            return self
        kept = self.take(there[self.first] & there[self.second])
        number = np.cumsum(there) - 1  # the others are numbered anew
        return replace(
            kept,
            systems=tuple(name for name, own in zip(self.systems, there, strict=True) if own),
            first=number[kept.first].astype(np.int32),
            second=number[kept.second].astype(np.int32),
        )

    def votes(self) -> dict[tuple[str, str, str], list[int]]:
        """All signs by segment and pair of systems, the pair in the order of `systems`, whichever way it was shown.

        >>> Comparisons.of([("ann", "1", "A", "B", 1), ("bob", "1", "B", "A", 1)]).votes()
        {('1', 'A', 'B'): [1, -1]}
        """
        found: dict[tuple[str, str, str], list[int]] = {}
        for segment, a, b, sign in zip(
            self.segment, self.first.tolist(), self.second.tolist(), self.sign.tolist(), strict=True
        ):
            low, high, own = (a, b, sign) if a < b else (b, a, -sign)
            found.setdefault((segment, self.systems[low], self.systems[high]), []).append(own)
        return found

    def __repr__(self) -> str:
        people, ties = len(self.annotator.names), many(int((self.sign == 0).sum()), "tie")
        return f"<Comparisons: {len(self)} of {len(self.systems)} systems by {people} annotators, {ties}>"


def read_comparisons(path: FilePath) -> tuple[Comparisons, Coverage]:
    """Read comparisons; an annotator who judges the same two systems in a segment twice is refused.

    >>> header = "annotator\\tsegment\\tfirst\\tsecond\\tchoice\\n"
    >>> read_comparisons(written("paragraphs.tsv", header + "ann\\tp1\\tA\\tB\\tundecided\\n"))[0].sign.tolist()
    [0]
    """
    keys = ("annotator", "segment", "first", "second")
    if ".jsonl" in display_name(path):
        return _of_pairs(_json_votes(path), display_name(path))
    table = HeadedTable(path, ("segment", "first", "second"))
    if "votes" in table.columns and "choice" not in table.columns:
        return _of_pairs(_listed_votes(table), table.name)
    table.require(*keys, "choice")
    book = OpenCoverage(table.name, "comparisons")
    if unused := [own for own in table.columns if own not in (*keys, "choice", "kind")]:
        book.note(f"columns not used: {', '.join(unused)}")
    found: dict[str, list[tuple[str, str, str, str, int]]] = {"genuine": [], "repeat": []}
    lines: dict[str, list[int]] = {"genuine": [], "repeat": []}
    seen: dict[tuple[str, str, str, frozenset[str]], int] = {}
    for row in table:
        annotator, segment, first, second = row.named(*keys)
        sign = _sign(row.get("choice"), row.where)
        kind = genuine_or_repeat(row)
        before = seen.setdefault((kind, annotator, segment, frozenset((first, second))), row.number)
        if before != row.number and kind == "genuine":
            raise InputError(
                f"{row.where}: {annotator!r} compares {first!r} and {second!r} again (first on line {before})"
            )
        found[kind].append((annotator, segment, first, second, sign))
        lines[kind].append(row.number)
    if not found["genuine"]:
        raise InputError(f"{table.name}: there are no comparisons in this file")
    repeats = None
    if found["repeat"]:
        repeats = Comparisons.of(found["repeat"], lines=lines["repeat"], origin=table.name)
        book.note(f"{len(repeats)} repeats, which are for control")
    genuine = Comparisons.of(found["genuine"], lines=lines["genuine"], origin=table.name, repeats=repeats)
    return genuine, book.closed(len(genuine))


@dataclass(frozen=True)
class _Votes:
    """All votes on two systems in a segment, as a line of JSON has them."""

    segment: str
    first: str
    second: str
    votes: tuple[str, ...]


def _json_votes(path: FilePath) -> Iterator[tuple[int, str, _Votes]]:
    for number, values in json_rows(path):
        where = f"{display_name(path)}: line {number}"
        yield number, where, read(_Votes, values, Origin(where, table="an object"))


def _listed_votes(table: HeadedTable) -> Iterator[tuple[int, str, _Votes]]:
    for row in table:
        segment, first, second = row.named("segment", "first", "second")
        yield row.number, row.where, _Votes(segment, first, second, tuple(row.get("votes").split()))


def _of_pairs(pairs: Iterable[tuple[int, str, _Votes]], origin: str) -> tuple[Comparisons, Coverage]:
    """Comparisons of lines that each have all votes on a pair; annotators are numbers within their line."""
    rows: list[tuple[str, str, str, str, int]] = []
    lines: list[int] = []
    seen: dict[tuple[str, frozenset[str]], int] = {}
    for number, where, own in pairs:
        before = seen.setdefault((own.segment, frozenset((own.first, own.second))), number)
        if before != number:
            raise InputError(
                f"{where}: {own.first!r} and {own.second!r} in {own.segment!r} again (first on line {before})"
            )
        if not own.votes:
            raise InputError(f"{where}: there are no votes on {own.first!r} and {own.second!r}")
        for i, vote in enumerate(own.votes, 1):
            rows.append((str(i), own.segment, own.first, own.second, _sign(vote, where)))
            lines.append(number)
    if not rows:
        raise InputError(f"{origin}: there are no comparisons in this file")
    return Comparisons.of(rows, lines=lines, origin=origin), OpenCoverage(origin, "comparisons").closed(
        len(rows)
    )


def _sign(choice: str, where: str) -> int:
    if choice.lower() not in _SPELLINGS:
        raise InputError(f"{where}: the choice {choice!r} is unknown{did_you_mean(choice, CHOICES)}")
    return _SPELLINGS[choice.lower()]


def genuine_or_repeat(row: Row) -> str:
    """The kind of a comparison; genuine where the table does not say."""
    kind = row.get("kind") or "genuine"
    if kind not in ("genuine", "repeat"):
        raise InputError(f"{row.where}: a comparison is genuine or a repeat, not {kind!r}")
    return kind
