"""Comparisons of two translations side by side: who found which one better, or neither.

The plain form is tab-separated with the columns annotator, segment (a sentence or a paragraph), first, second (systems)
and choice: first, second or undecided (also 1, 2, 0; A, B, =); maybe kind: genuine, or repeat where it was asked again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError, did_you_mean
from tertium.io.coverage import Coverage, OpenCoverage
from tertium.io.namecolumn import NameColumn
from tertium.io.records import Header, named, tab_rows
from tertium.io.streams import FilePath, display_name

CHOICES = {"first": 1, "undecided": 0, "second": -1}
_SPELLINGS = {
    **CHOICES,
    "1": 1,
    "a": 1,
    "2": -1,
    "b": -1,
    **dict.fromkeys(("0", "=", "tie", "equal"), 0),
}


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
        return f"{self.origin}: " + (
            f"comparison {row + 1}" if self.lines is None else f"line {self.lines[row]}"
        )

    def take(self, rows: NDArray[Any]) -> Comparisons:
        """Some of the comparisons: by their numbers, or by a mask. All systems keep their numbers."""
        return Comparisons(
            self.annotator.take(rows),
            self.segment.take(rows),
            self.first[rows],
            self.second[rows],
            self.sign[rows],
            self.systems,
            None if self.lines is None else self.lines[rows],
            self.origin,
            self.repeats,
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
        ties = int((self.sign == 0).sum())
        return (
            f"<Comparisons: {len(self)} of {len(self.systems)} systems by {len(self.annotator.names)} "
            f"annotators, {ties} tie{'s' * (ties != 1)}>"
        )


def read_comparisons(path: FilePath, *, encoding: str = "utf-8") -> tuple[Comparisons, Coverage]:
    """Read comparisons; an annotator who judges the same two systems in a segment twice is refused.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "paragraphs.tsv")
    ...     _ = path.write_text("annotator\\tsegment\\tfirst\\tsecond\\tchoice\\nann\\tp1\\tA\\tB\\tundecided\\n")
    ...     read_comparisons(path)[0].sign.tolist()
    [0]
    """
    name = display_name(path)
    rows = tab_rows(path, encoding=encoding)
    line, names = next(rows)
    keys = ("annotator", "segment", "first", "second")
    header = Header(names, f"{name}: line {line}", required=(*keys, "choice"))
    book = OpenCoverage(name, "comparisons")
    unused = [own for own in header.names if own not in (*keys, "choice", "kind")]
    if unused:
        book.note(f"columns not used: {', '.join(unused)}")
    found: dict[str, list[tuple[str, str, str, str, int]]] = {"genuine": [], "repeat": []}
    lines: dict[str, list[int]] = {"genuine": [], "repeat": []}
    seen: dict[tuple[str, str, str, frozenset[str]], int] = {}
    for number, fields in rows:
        where = f"{name}: line {number}"
        header.check(fields, where)
        annotator, segment, first, second = (named(header.get(fields, key), key, where) for key in keys)
        choice = header.get(fields, "choice") or ""
        if choice.lower() not in _SPELLINGS:
            raise InputError(f"{where}: the choice {choice!r} is unknown{did_you_mean(choice, CHOICES)}")
        kind = genuine_or_repeat(header.get(fields, "kind"), where)
        before = seen.setdefault((kind, annotator, segment, frozenset((first, second))), number)
        if before != number and kind == "genuine":
            raise InputError(
                f"{where}: {annotator!r} compares {first!r} and {second!r} again (first on line {before})"
            )
        found[kind].append((annotator, segment, first, second, _SPELLINGS[choice.lower()]))
        lines[kind].append(number)
    if not found["genuine"]:
        raise InputError(f"{name}: there are no comparisons in this file")
    repeats = None
    if found["repeat"]:
        repeats = Comparisons.of(found["repeat"], lines=lines["repeat"], origin=name)
        book.note(f"{len(repeats)} repeats, which are for control")
    genuine = Comparisons.of(found["genuine"], lines=lines["genuine"], origin=name, repeats=repeats)
    return genuine, book.closed(len(genuine))


def genuine_or_repeat(text: str | None, where: str) -> str:
    """What a column `kind` says of a comparison; genuine where there is none."""
    kind = text or "genuine"
    if kind not in ("genuine", "repeat"):
        raise InputError(f"{where}: a comparison is genuine or a repeat, not {kind!r}")
    return kind
