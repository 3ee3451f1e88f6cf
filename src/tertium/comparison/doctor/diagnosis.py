"""What the doctor says: findings with a severity, a place and advice."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal

from tertium.errors import many
from tertium.io.escaping import one_line
from tertium.io.tables import Column, Table, number_column
from tertium.results import Result, sentence, sentence_table

Severity = Literal["unusable", "serious", "look"]
SEVERITIES: dict[Severity, str] = {
    "unusable": "nothing can be scored",
    "serious": "scores would mislead",
    "look": "worth a look",
}
SHOWN = 5  # lines that a finding names in print
KEPT = 1000  # and in data


def worded(name: str, **values: object) -> tuple[str, str]:
    """The message and the advice of a finding, from the table of sentences (data/sentences.toml).

    >>> worded("doctor.length", lines="2 lines (20%)")[1]
    'check whether they are cut off, or repeat themselves'
    """
    family, _, key = name.partition(".")
    return sentence(name, **values), sentence_table()[family][key]["advice"].format(**values)


@dataclass(frozen=True)
class Finding:
    """Something that looks wrong."""

    check: str
    severity: Severity
    where: str  # a file or a system
    message: str
    advice: str
    count: int = 0  # lines concerned; 0: the text as a whole
    lines: tuple[int, ...] = ()  # the first thousand of them, from 1

    @classmethod
    def at(
        cls, check: str, severity: Severity, where: str, message: str, advice: str, places: Iterable[int]
    ) -> Finding:
        """A finding in some lines, whose places count from 0.

        >>> Finding.at("empty lines", "look", "A", "two are empty", "look there", [4, 0]).lines
        (1, 5)
        """
        numbers = sorted(places)
        kept = tuple(i + 1 for i in numbers[:KEPT])
        return cls(check, severity, where, message, advice, len(numbers), kept)

    def text(self, name: str, width: int) -> Iterator[str]:
        """Lines for people, without the advice."""
        yield from _wrapped(f"{self.severity}: {name}: {one_line(self.message)}", "", width)
        if self.lines:
            shown = ", ".join(map(str, self.lines[:SHOWN])) + (", ..." if self.count > SHOWN else "")
            yield f"    {'line' if self.count == 1 else 'lines'} {shown}"


def _names(given: Sequence[str]) -> str:
    """Each of these once; of many the first few."""
    names = list(dict.fromkeys(given))
    return ", ".join(names[:SHOWN]) + (f" and {len(names) - SHOWN} others" if len(names) > SHOWN else "")


def _wrapped(text: str, indent: str, width: int) -> list[str]:
    """Lines of at most so many columns; the names of files stay whole."""
    return textwrap.wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )


@dataclass(frozen=True)
class Diagnosis(Result):
    """All findings, the worst first."""

    kind = "diagnosis"
    findings: tuple[Finding, ...]
    examined: tuple[str, ...]  # texts that were looked at
    segments: int | None  # None: the texts differ in length

    @classmethod
    def of(cls, findings: Iterable[Finding], examined: Sequence[str], segments: int | None) -> Diagnosis:
        given = list(findings)
        order, checks = list(SEVERITIES), list(dict.fromkeys(found.check for found in given))
        given.sort(key=lambda found: (order.index(found.severity), checks.index(found.check)))
        return cls(tuple(given), tuple(examined), segments)

    @property
    def clean(self) -> bool:
        return not self.findings

    @property
    def usable(self) -> bool:
        return all(found.severity != "unusable" for found in self.findings)

    @property
    def exit_status(self) -> int:
        """0: nothing found, 1: findings, 2: nothing can be scored."""
        return self.status("look")

    def status(self, fail_on: Severity) -> int:
        """0: nothing of this level or worse was found, 1: something was, 2: nothing can be scored."""
        worse = list(SEVERITIES)[: list(SEVERITIES).index(fail_on) + 1]
        return int(any(f.severity in worse for f in self.findings)) if self.usable else 2

    def _where(self, severity: Severity) -> list[str]:
        return [self._short(found.where) for found in self.findings if found.severity == severity]

    def _short(self, name: str) -> str:
        """A file without its folders, where that tells it apart."""
        files = [os.path.basename(other) for other in self.examined]
        file = os.path.basename(name)
        return one_line(file if files.count(file) == 1 else name)

    def verdict(self) -> str:
        """The outcome in a sentence.

        >>> Diagnosis.of([Finding("order", "serious", "A", "...", "...")], ["ref", "A"], 9).verdict()
        '2 texts of 9 lines examined: 1 serious finding, in A'
        """
        size = "" if self.segments is None else f" of {self.segments} lines"
        unusable, serious, look = map(self._where, SEVERITIES)
        parts = [sentence("doctor.unusable", names=_names(unusable))] if unusable else []
        if serious:
            count = many(len(serious), "serious finding")
            parts.append(sentence("doctor.serious", findings=count, names=_names(serious)))
        if look:
            if not parts:
                parts.append(sentence("doctor.nothing-serious"))
            parts.append(sentence("doctor.look", number=len(look)))
        outcome = "; ".join(parts) or sentence("doctor.nothing-found")
        return sentence("doctor.verdict", texts=len(self.examined), size=size, outcome=outcome)

    def contents(self) -> Mapping[str, Any]:
        return {**super().contents(), "clean": self.clean, "usable": self.usable}

    def text(self, *, terminal: bool | None = None, width: int | None = None) -> str:
        """The verdict, then a paragraph for each finding; advice that several share is given once."""
        width = width or 80
        parts = _wrapped(self.verdict(), "", width)
        for advice, group in groupby(self.findings, key=lambda found: found.advice):
            parts += [line for found in group for line in found.text(self._short(found.where), width)]
            parts += _wrapped(f"-> {advice}", "    ", width)
        return "\n".join(parts)

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
            (f.severity, f.check, f.where, f.message, f.count, " ".join(map(str, f.lines[:SHOWN])), f.advice)
            for f in self.findings
        )
        notes = tuple(f"{name}: {meaning}" for name, meaning in SEVERITIES.items())
        return Table("", columns, rows, notes if rows else (sentence("doctor.nothing-found"),))
