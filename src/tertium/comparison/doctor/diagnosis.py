"""What the doctor says: findings with a severity, a place and advice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tertium.errors import many
from tertium.io.escaping import one_line
from tertium.io.tables import Column, Table, number_column
from tertium.results import Result

Severity = Literal["unusable", "serious", "look"]
SEVERITIES: dict[Severity, str] = {
    "unusable": "nothing can be scored",
    "serious": "scores would mislead",
    "look": "worth a look",
}
SHOWN = 5  # lines that a finding names


@dataclass(frozen=True)
class Finding:
    """Something that looks wrong."""

    check: str
    severity: Severity
    where: str  # a file or a system
    message: str
    advice: str
    count: int = 0  # lines concerned; 0: the text as a whole
    lines: tuple[int, ...] = ()  # the first few of them, from 1

    @classmethod
    def at(
        cls, check: str, severity: Severity, where: str, message: str, advice: str, places: Iterable[int]
    ) -> Finding:
        """A finding in some lines, whose places count from 0.

        >>> Finding.at("empty lines", "look", "A", "two are empty", "look there", [4, 0]).lines
        (1, 5)
        """
        numbers = sorted(places)
        shown = tuple(i + 1 for i in numbers[:SHOWN])
        return cls(check, severity, where, message, advice, len(numbers), shown)

    def text(self) -> str:
        """A paragraph for people."""
        shown = ", ".join(map(str, self.lines))
        more = ", ..." if self.count > len(self.lines) > 0 else ""
        where = f"    {'line' if self.count == 1 else 'lines'} {shown}{more}\n" if self.lines else ""
        head = f"{self.severity}: {one_line(self.where)}: {one_line(self.message)}"
        return f"{head}\n{where}    -> {self.advice}"


@dataclass(frozen=True)
class Diagnosis(Result):
    """All findings, the worst first."""

    kind = "diagnosis"
    findings: tuple[Finding, ...]
    examined: tuple[str, ...]  # texts that were looked at
    segments: int | None  # None: the texts differ in length

    @classmethod
    def of(cls, findings: Iterable[Finding], examined: Sequence[str], segments: int | None) -> Diagnosis:
        order = list(SEVERITIES)
        worst_first = sorted(findings, key=lambda found: order.index(found.severity))
        return cls(tuple(worst_first), tuple(examined), segments)

    @property
    def clean(self) -> bool:
        return not self.findings

    @property
    def usable(self) -> bool:
        return all(found.severity != "unusable" for found in self.findings)

    @property
    def exit_status(self) -> int:
        """0: nothing found, 1: findings, 2: nothing can be scored."""
        return 0 if self.clean else 1 if self.usable else 2

    def contents(self) -> Mapping[str, Any]:
        return {**super().contents(), "clean": self.clean, "usable": self.usable}

    def text(self, *, terminal: bool | None = None, width: int | None = None) -> str:
        """Paragraphs for people."""
        size = "" if self.segments is None else f" of {self.segments} lines"
        head = f"{len(self.examined)} texts{size} examined"
        if self.clean:
            return f"{head}: nothing found"
        return "\n".join(
            [f"{head}: {many(len(self.findings), 'finding')}", *(f.text() for f in self.findings)]
        )

    def table(self) -> Table:
        """A row for each finding."""
        columns = (
            Column("severity"),
            Column("check"),
            Column("where"),
            Column("finding"),
            number_column("lines concerned", "count", None),
            Column("first lines", "lines"),
            Column("advice"),
        )
        rows = tuple(
            (f.severity, f.check, f.where, f.message, f.count, " ".join(map(str, f.lines)), f.advice)
            for f in self.findings
        )
        notes = tuple(f"{name}: {meaning}" for name, meaning in SEVERITIES.items())
        return Table("", columns, rows, notes if rows else ("nothing found",))
