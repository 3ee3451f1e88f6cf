"""What a reader used, what it left out, and why: nothing is dropped silently."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LeftOut:
    """Rows of a file that were not used, all for one reason."""

    reason: str
    rows: int
    first_line: int | None = None  # where the first of them stands, from 1

    def __str__(self) -> str:
        place = "" if self.first_line is None else f", first on line {self.first_line}"
        return f"{self.rows} left out: {self.reason}{place}"


@dataclass(frozen=True)
class Coverage:
    """The summary of a reading, or of anything else that chooses among rows.

    >>> print(Coverage("da.csv", "judgements", 120, (LeftOut("document scores", 3, 7),)))
    da.csv: 120 judgements used; 3 left out: document scores, first on line 7
    """

    origin: str
    what: str  # what was counted: "judgements", "scores"
    used: int
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        parts = [f"{self.used} {self.what} used", *map(str, self.left_out), *self.notes]
        return f"{self.origin}: {'; '.join(parts)}"


class OpenCoverage:
    """A coverage that is still being written.

    >>> book = OpenCoverage("a.tsv", "scores")
    >>> book.leave_out("no score", 3)
    >>> book.leave_out("no score", 9)
    >>> print(book.closed(40))
    a.tsv: 40 scores used; 2 left out: no score, first on line 3
    """

    def __init__(self, origin: str, what: str) -> None:
        self.origin, self.what = origin, what
        self._left_out: dict[str, tuple[int, int | None]] = {}
        self._notes: list[str] = []

    def leave_out(self, reason: str, line: int | None = None, rows: int = 1) -> None:
        """Note rows that are not used."""
        known, first = self._left_out.get(reason, (0, line))
        self._left_out[reason] = (known + rows, first)

    def note(self, text: str) -> None:
        """Note anything else that a reader of the numbers should know."""
        if text not in self._notes:
            self._notes.append(text)

    def closed(self, used: int) -> Coverage:
        """The coverage, with the number of rows that were used."""
        left_out = (LeftOut(reason, rows, first) for reason, (rows, first) in self._left_out.items())
        return Coverage(self.origin, self.what, used, tuple(left_out), tuple(self._notes))
