"""What a check of a memory found: the answer, counts, and the units that deserve a look, the worst first."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tertium.io.escaping import one_line
from tertium.io.tables import Column, Table, Value, number_column
from tertium.memory.examining import Examination, JudgedUnit
from tertium.results import Result
from tertium.vetting.checks.base import Doubt, Span, sentence_of

SHOWN = 20  # units that are printed, unless somebody asks for more
_GROUPS = 10  # clients, translators or years that are printed
_LONGEST = 240  # characters of a text that are printed
_MARKS = "[", "]"
_PLURALS = {"client": "clients", "translator": "translators", "year": "years"}


@dataclass(frozen=True)
class DoubtfulUnit:
    """A unit that deserves a look, with its number in the memory, and why."""

    number: int
    probability: float
    source: str
    target: str
    source_language: str
    target_language: str
    client: str
    translator: str
    document: str
    date: str
    reasons: tuple[Doubt, ...]

    @classmethod
    def of(cls, found: JudgedUnit) -> DoubtfulUnit:
        unit = found.unit
        return cls(
            found.number,
            found.suspicion.probability,
            *(unit.source, unit.target, unit.source_language, unit.target_language),
            *(unit.client, unit.translator, unit.document, unit.date),
            found.suspicion.reasons,
        )

    def contents(self) -> dict[str, Any]:
        """As data."""
        names = ("number", "probability", "source", "target", "source_language", "target_language")
        about = ("client", "translator", "document", "date")
        return {
            **{name: getattr(self, name) for name in (*names, *about)},
            "reasons": [reason._asdict() for reason in self.reasons],
        }


@dataclass(frozen=True)
class Counted:
    """A check, client, translator or year: its units, and how many of them deserve a look."""

    name: str
    units: int
    look: int


@dataclass(frozen=True)
class CheckedMemory(Result):
    """A memory that was looked through."""

    kind = "checked memory"
    memory: str
    units: int
    look: int  # units that deserve a look
    calibrated: bool  # whether probabilities were fitted to known errors
    checks: tuple[Counted, ...]
    clients: tuple[Counted, ...]
    translators: tuple[Counted, ...]
    years: tuple[Counted, ...]
    worst: tuple[DoubtfulUnit, ...]
    only: tuple[str, ...] = ()  # clients that were asked for
    shown: int = SHOWN  # units that are printed

    @classmethod
    def of(
        cls, memory: str, found: Examination, names: Iterable[str], *, calibrated: bool, shown: int = SHOWN
    ) -> CheckedMemory:
        """From what was found; `names` are those of the checks."""
        by = {
            key: tuple(
                Counted(name, counts.units, counts.look)
                for name, counts in sorted(groups.items(), key=lambda own: (-own[1].look, own[0]))
            )
            for key, groups in found.by.items()
        }
        checks = (Counted(name, found.by_check[name], found.looked_by_check[name]) for name in names)
        return cls(
            memory,
            found.units,
            found.look,
            calibrated,
            tuple(sorted(checks, key=lambda own: -own.units)),
            by["client"],
            by["translator"],
            tuple(sorted(by["year"], key=lambda own: own.name)),
            tuple(map(DoubtfulUnit.of, found.ranked())),
            tuple(sorted(found.clients)),
            shown,
        )

    def contents(self) -> Mapping[str, Any]:
        names = ("memory", "units", "look", "calibrated", "checks", "clients", "translators", "years", "only")
        return {
            **{name: getattr(self, name) for name in names},
            "worst": [own.contents() for own in self.worst],
        }

    def words(self) -> Iterator[str]:
        of = f" of {', '.join(self.only)}" if self.only else ""
        share = f" ({100 * self.look / self.units:.2g}%)" if self.units else ""
        yield f"{self.memory}: {self.units:,} units{of}; {self.look:,}{share} deserve a look."
        doubted = [own for own in self.checks if own.units]
        if doubted:
            most = ", ".join(f"{own.name} {own.units:,}" for own in doubted[:4])
            yield f"What was doubted most: {most}."
        if not self.calibrated and doubted:
            yield "Probabilities are those of rules, not yet measured on known errors."

    def table(self) -> Table:
        """The units, the worst first."""
        columns = (
            number_column("unit", digits=None),
            number_column("probability"),
            *(Column(name) for name in ("checks", "why", "source", "target")),
            *(Column(name) for name in ("client", "translator", "document", "date")),
        )
        rows = tuple(
            (
                own.number,
                own.probability,
                " ".join(reason.check for reason in own.reasons),
                "; ".join(reason.sentence for reason in own.reasons),
                *(own.source, own.target, own.client, own.translator, own.document, own.date),
            )
            for own in self.worst
        )
        return Table("Units that deserve a look", columns, rows)

    def tables(self) -> Iterable[Table]:
        return (self.table(), *self._counts(None))

    def _counts(self, most: int | None) -> Iterator[Table]:
        numbers = (number_column("units", digits=None), number_column("deserve a look", "look", None))
        rows: tuple[tuple[Value, ...], ...] = tuple(
            (own.name, own.units, own.look, *([] if most else [sentence_of(own.name)]))
            for own in self.checks
            if own.units or not most
        )
        columns = (Column("check"), number_column("units doubted", "units", None), numbers[1])
        if rows:
            yield Table(
                "Checks", columns if most else (*columns, Column("what should hold", "sentence")), rows
            )
        groups = {"client": self.clients, "translator": self.translators, "year": self.years}
        for key, counted in groups.items():
            if len(counted) < 2:
                continue
            chosen = counted if most is None or key == "year" else counted[:most]
            more = len(counted) - len(chosen)
            notes = (f"and {more:,} more {_PLURALS[key]} (-f json shows all)",) if more else ()
            listed = tuple(
                (own.name or "(unknown)", own.units, own.look, own.look / own.units) for own in chosen
            )
            share = number_column("share", digits=4)
            yield Table(_PLURALS[key].capitalize(), (Column(key), *numbers, share), listed, notes)

    def text(self, *, terminal: bool | None = None, width: int | None = None) -> str:
        """The answer, counts, and units with their doubtful places in brackets."""
        from tertium.io.tables import sentences

        parts = [sentences(list(self.words()), terminal=terminal, width=width)]
        parts += [table.text(terminal=terminal, width=width) for table in self._counts(_GROUPS)]
        parts += ["\n".join(_block(rank, own, width or 80)) for rank, own in enumerate(self._printed(), 1)]
        more = len(self.worst) - len(self._printed())
        if more > 0:
            parts.append(f"and {more:,} more (--top {len(self.worst)} prints them, --html shows them)")
        return "\n\n".join(parts)

    def _printed(self) -> tuple[DoubtfulUnit, ...]:
        return self.worst[: self.shown]

    def html(self) -> str:
        from tertium.io.escaping import html

        said = [f"<p>{html(sentence)}</p>" for sentence in self.words()]
        return "".join([*said, *(table.html() for table in self.tables())])


def _block(rank: int, own: DoubtfulUnit, width: int) -> Iterator[str]:
    about = [text for text in (own.client, own.document, own.translator, own.date[:10]) if text]
    yield one_line(f"{rank}. {own.probability:.2f}  unit {own.number:,}  {', '.join(about)}".rstrip())
    sides = ("source", "target")
    for side, text, language in zip(
        sides, (own.source, own.target), (own.source_language, own.target_language), strict=True
    ):
        spans = [span for reason in own.reasons for span in getattr(reason, side)]
        yield from _wrapped(f"   {language or side}: ", _excerpt(text, spans), width)
    for reason in own.reasons:
        yield from _wrapped(f"   {reason.check}: ", reason.sentence, width)


def _wrapped(head: str, text: str, width: int) -> list[str]:
    hanging = " " * 6
    lines = textwrap.wrap(
        one_line(text), width, initial_indent=head, subsequent_indent=hanging, break_on_hyphens=False
    )
    return lines or [head.rstrip()]


def _excerpt(text: str, spans: Sequence[Span]) -> str:
    """The text with its places marked; of a long one what is around the first of them."""
    if len(text) <= _LONGEST:
        return marked(text, spans)
    begin = max(min((own[0] for own in spans), default=0) - _LONGEST // 3, 0)
    end = begin + _LONGEST
    inside = [(a - begin, min(b, end) - begin) for a, b in spans if begin <= a < end]
    return ("…" if begin else "") + marked(text[begin:end], inside) + ("…" if end < len(text) else "")


def marked(text: str, spans: Sequence[Span]) -> str:
    """The text with brackets around places.

    >>> marked("Wait 10 seconds", [(5, 7)])
    'Wait [10] seconds'
    """
    made, at = [], 0
    for begin, end in sorted(set(spans)):
        if begin < at or (begin, end) == (0, len(text)):  # inside another, or everything
            continue
        made += [text[at:begin], _MARKS[0], text[begin:end], _MARKS[1]]
        at = end
    return "".join([*made, text[at:]])
