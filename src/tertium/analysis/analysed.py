"""A document that was analysed, as it is shown and written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tertium.analysis.effort import Effort, EffortBand
from tertium.errors import many
from tertium.matching.proposals import Proposal
from tertium.results import Result
from tertium.triage.verdicts import BLOCK, EDIT, PASS

if TYPE_CHECKING:
    from tertium.assignment.ranking import ListedTranslator, TranslatorRanking
    from tertium.io.tables import Table
    from tertium.matching.documents import DocumentSegment
    from tertium.readability.results import TextLevel

NEW, DONE = "new", "done"
STATUSES = {
    PASS: "can pass",
    EDIT: "to be edited",
    BLOCK: "blocked: what there is is wrong, and not shown",
    NEW: "to be translated from scratch",
    DONE: "translated already, and left as it is",
}


@dataclass(frozen=True)
class AnalysedSegment:
    """A segment: what is to be done with it, what is there to start from, and why."""

    number: int
    source: str
    status: str
    target: str  # what a translator starts from; empty where nothing is shown
    origin: str  # memory, machine, source; empty: nothing
    rate: int | None  # of the stored proposal, in percent
    mark: float | None  # what the machine's translation is worth, from 0 to 100
    band: str
    words: int
    weighted: float  # new words that the work on it amounts to
    repeats: int  # an earlier segment with the same text; 0: none
    reasons: tuple[str, ...]
    proposals: tuple[Proposal, ...] = ()


@dataclass(frozen=True)
class AnalysedDocument(Result):
    """A document before its translation: segments with statuses, the work, translators, readability."""

    kind = "analysed document"
    document: str
    memory: str
    units: int
    languages: tuple[str, str]
    client: str
    effort: Effort
    bands: tuple[EffortBand, ...]
    learned_from: int  # segments of the memory's past that said what proposals save
    segments: tuple[AnalysedSegment, ...]
    translators: TranslatorRanking | None
    readability: TextLevel | None
    notes: tuple[str, ...]
    output: str = ""
    given: tuple[DocumentSegment, ...] = field(default=(), repr=False)  # as the document was read

    def contents(self) -> Mapping[str, Any]:
        names = ("document", "memory", "units", "languages", "client", "effort", "bands", "learned_from")
        level = self.readability
        about = ("level", "low", "high", "withheld", "sentences", "words")
        return {
            **{name: getattr(self, name) for name in names},
            "statuses": self.statuses(),
            "readability": None if level is None else {name: getattr(level, name) for name in about},
            "translators": [] if self.translators is None else self.translators.documents[0].candidates,
            "notes": self.notes,
            "segments": self.segments,
        }

    def statuses(self) -> dict[str, dict[str, int]]:
        """Segments and words by status."""
        counts, words = Counter[str](), Counter[str]()
        for own in self.segments:
            counts[own.status] += 1
            words[own.status] += own.words
        return {name: {"segments": counts[name], "words": words[name]} for name in STATUSES}

    def words(self) -> Iterator[str]:
        own = self.effort
        between = "" if own.low is None or own.high is None else f" ({own.low:,.0f} to {own.high:,.0f})"
        unit, time, hours = own.time()
        guess = "assumed" if own.assumed else "as given"
        yield (
            f"{self.document}: {own.words:,} words; the work is that of translating {own.weighted:,.0f} new "
            f"ones{between}, {time} {unit}{f' ({hours})' if hours else ''} "
            f"at {own.words_per_hour:g} words an hour ({guess})."
        )
        counts = self.statuses()
        told = [
            f"{counts[name]['segments']:,} {sentence.partition(':')[0]}"
            for name, sentence in STATUSES.items()
            if counts[name]["segments"]
        ]
        yield f"Of {many(len(self.segments), 'segment')}: {'; '.join(told)}."
        if self.translators is not None:
            yield self._best_suited(self.translators.documents[0].candidates)
        if self.readability is not None and self.readability.level is not None:
            level = self.readability
            from tertium.readability.scale import cefr

            between = f"{level.level:.1f} [{level.low:.1f}, {level.high:.1f}]"
            yield f"The source reads at {cefr(level.level or 0.0)} ({between})."
        if self.output:
            yield f"{self.output} has it, pre-translated."

    def _best_suited(self, listed: Sequence[ListedTranslator]) -> str:
        best = next((own for own in listed if not own.obstacle), None)
        if best is None:
            return "Nobody is available to translate it."
        why = f": {best.reasons[0]}" if best.reasons else ""
        return f"Best suited is {best.translator} ({best.share:.0%}){why}."

    def table(self) -> Table:
        from tertium.io.tables import Column, Table, number_column

        columns = (
            Column("match", whole=True),
            number_column("segments", digits=None),
            number_column("words", digits=None),
            number_column("saved %", "saved", digits=0),
            number_column("work in new words", "weighted", digits=0),
        )
        rows = tuple(
            (own.band, own.segments, own.words, "" if own.saved is None else 100 * own.saved, own.weighted)
            for own in self.bands
        )
        total = ("all", len(self.segments), self.effort.words, "", self.effort.weighted)
        return Table("Work", columns, (*rows, total), self.notes)

    def tables(self) -> Iterator[Table]:
        yield self.table()
        if self.translators is not None:
            yield from self.translators.tables()

    def records(self) -> list[dict[str, Any]]:
        names = ("number", "status", "origin", "rate", "mark", "words", "weighted", "source", "target")
        return [
            {**{name: getattr(own, name) for name in names}, "why": "; ".join(own.reasons)}
            for own in self.segments
        ]
