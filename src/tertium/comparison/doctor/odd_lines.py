"""Lines that are odd: how many it takes, what excuses them, and whose fault they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tertium.comparison.doctor.column import TextColumn, percent, share
from tertium.comparison.doctor.diagnosis import Finding, Severity, worded
from tertium.errors import many

_USUAL = 0.2  # what so many lines of the text beside have is how such texts are written
SERIOUS = 0.01  # from this share of the lines on, scores would mislead


@dataclass(frozen=True, eq=False)
class Examined:
    """The texts of an examination."""

    references: Sequence[TextColumn]
    systems: Sequence[TextColumn]
    source: TextColumn | None
    source_language: str | None
    target_language: str | None
    identify: bool = True  # whether a package that identifies languages is asked

    @property
    def columns(self) -> list[TextColumn]:
        return [*self.references, *([] if self.source is None else [self.source]), *self.systems]

    def beside(self, column: TextColumn, *, source: bool) -> tuple[Sequence[TextColumn], int]:
        """Texts of the same lines that excuse an oddity, if more than so many have it: for outputs the references.

        `source` says whether the source does, too; for a reference it is better placed to do so than the systems.
        """
        own = [self.source] if source and self.source is not None else []
        if column.role == "reference":
            found, most = (own, 0) if own else (list(self.systems), len(self.systems) // 2)
        else:
            found, most = ([*self.references, *own] if column.role == "system" else []), 0
        return [other for other in found if len(other) == len(column)], most


@dataclass(frozen=True)
class Oddity:
    """Something wrong with some lines, and how many of them make it a finding."""

    check: str
    template: str  # the name of its message and advice in the table of sentences
    least: int = 1
    serious: float = SERIOUS

    def found(self, column: TextColumn, places: Sequence[int], **values: object) -> Iterator[Finding]:
        """The finding, if these lines are enough; `values` fill the template beside their number."""
        if not places or len(places) < self.least:
            return
        part = share(len(places), len(column))
        lines = f"{many(len(places), 'line')} ({percent(part)})"
        severity: Severity = "serious" if part >= self.serious else "look"
        message, advice = worded(self.template, lines=lines, **values)
        yield Finding.at(self.check, severity, column.name, message, advice, places)


def unexcused(
    column: TextColumn, texts: Examined, odd: Callable[[TextColumn], list[int]], *, source: bool
) -> list[int]:
    """Lines that are odd here and not in the texts beside; none where these have almost as many of their own."""
    own = column.once(odd)
    if not own:
        return []
    beside, most = texts.beside(column, source=source)
    if beside and share(len(beside[0].once(odd)), len(column)) >= _USUAL:
        return []
    having = Counter(i for other in beside for i in other.once(odd))
    excess = [i for i in own if having[i] <= most]
    mine = set(own)
    lacking = sum(i not in mine for i in beside[0].once(odd)) if beside else 0
    return excess if len(excess) > 2 * lacking else []


def said_once(
    texts: Examined, odd: Sequence[tuple[TextColumn, list[int]]], own: Oddity, shared: Oddity
) -> Iterator[Finding]:
    """Lines in which systems differ from the reference: those that most systems share are told of the reference."""
    having = Counter(i for _, places in odd for i in places)
    alike = {i for i, count in having.items() if count > 1 and 2 * count > len(odd)}
    yield from shared.found(texts.references[0], sorted(alike))
    for system, places in odd:
        yield from own.found(system, [i for i in places if i not in alike])
