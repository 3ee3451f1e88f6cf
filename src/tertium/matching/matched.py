"""A document with the proposals for its segments, as it is shown and written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tertium.errors import many
from tertium.matching.parts import HELPFUL, SegmentPart
from tertium.matching.proposals import SOURCE as AS_IT_STANDS
from tertium.matching.proposals import Proposal
from tertium.results import Result

if TYPE_CHECKING:
    from tertium.io.tables import Table

BANDS = ((101, 102), (100, 100), (95, 99), (85, 94), (75, 84), (70, 74), (50, 69))
SHOWN = 20  # parts that are printed


@dataclass(frozen=True)
class MatchedSegment:
    """A segment and its proposals, best first; stored phrases of it, where no proposal is good; and its translation,
    where the document has one already."""

    number: int
    source: str
    proposals: tuple[Proposal, ...]
    parts: tuple[SegmentPart, ...] = ()
    target: str = ""

    @property
    def rate(self) -> int:
        """The highest of the stored proposals, which a policy need not put first; 0 where there is none."""
        return max((own.rate for own in self.proposals), default=0)


@dataclass(frozen=True)
class MatchedDocument(Result):
    """A document with proposals for its segments."""

    kind = "matched document"
    document: str
    memory: str
    units: int
    client: str
    segments: tuple[MatchedSegment, ...]
    output: str = ""
    notes: tuple[str, ...] = ()
    with_parts: bool = False

    def words(self) -> Iterator[str]:
        found = sum(bool(own.proposals) for own in self.segments)
        good = sum(own.rate >= HELPFUL for own in self.segments)
        yield (
            f"{self.document}: {good:,} of {many(len(self.segments), 'segment')} have a proposal of {HELPFUL}% or more,"
            f" {found:,} any."
        )
        copied = sum(own.origin == AS_IT_STANDS for one in self.segments for own in one.proposals[:1])
        if copied:
            verb = "is" if copied == 1 else "are"
            yield f"{many(copied, 'segment')} {verb} best left as the source stands, the policy expects."
        done = sum(bool(own.target) for own in self.segments)
        if done:
            verb = "has" if done == 1 else "have"
            yield f"{many(done, 'segment')} {verb} a translation already, which is kept."
        flagged = sum(bool(one.terms) for own in self.segments for one in own.proposals)
        if flagged:
            verb = "translates" if flagged == 1 else "translate"
            yield f"{many(flagged, 'proposal')} {verb} a term otherwise than the document."
        if self.with_parts:
            some = sum(bool(own.parts) for own in self.segments)
            others = len(self.segments) - good
            yield f"Of the other {others:,}, {some:,} have phrases that are stored with a translation."
        if self.output:
            yield f"{self.output} has the proposals."
        yield from self.notes

    def tables(self) -> Iterator[Table]:
        from tertium.io.tables import Column, Table, number_column

        yield self.table()
        every = [(own.number, part) for own in self.segments for part in own.parts]
        if not every:
            return
        longest = sorted(every, key=lambda own: (-len(own[1].source.split()), own[0]))
        numbered = number_column("segment", digits=None)
        columns = (
            numbered,
            Column("phrase"),
            Column("translation"),
            Column("agreed", align="right", whole=True),
        )
        rows = tuple(
            (number, own.source, own.target, f"{own.agreed} of {own.looked_at}")
            for number, own in sorted(longest[:SHOWN], key=lambda own: (own[0], own[1].begin))
        )
        left = len(every) - len(rows)
        notes = (f"the longest; {left:,} more are in the output (-o x.jsonl)",) if left else ()
        yield Table("Parts of segments", columns, rows, notes)

    def table(self) -> Table:
        from tertium.io.tables import Column, Table, number_column

        rates = [own.rate for own in self.segments]
        rows = [
            (_band(low, high), sum(low <= rate <= high for rate in rates), _words(self, low, high))
            for low, high in BANDS
        ]
        rows.append(("none", sum(rate < BANDS[-1][0] for rate in rates), _words(self, 0, BANDS[-1][0] - 1)))
        numbers = (number_column("segments", digits=None), number_column("words", digits=None))
        return Table("Best proposals", (Column("rate", whole=True), *numbers), tuple(rows))

    def records(self) -> list[dict[str, Any]]:
        return [
            {
                "segment": own.number,
                "source": own.source,
                "rate": best.rate,
                "origin": best.origin,
                "proposal": best.target,
            }
            for own in self.segments
            for best in own.proposals[:1]
        ]


def _band(low: int, high: int) -> str:
    return f"{low}-{high}" if low < high else str(low)


def _words(found: MatchedDocument, low: int, high: int) -> int:
    return sum(len(own.source.split()) for own in found.segments if low <= own.rate <= high)
