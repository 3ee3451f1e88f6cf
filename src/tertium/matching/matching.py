"""Documents matched against a memory: the best proposals for every segment."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tertium.errors import InputError, many
from tertium.io.files import write_atomically
from tertium.io.memories.formats import open_units
from tertium.io.memories.pairs import Pair
from tertium.io.memories.unit import Unit
from tertium.io.pages import HTML_ENDINGS, TEXT_ENDINGS, paragraphs
from tertium.io.records import json_line, text_lines
from tertium.matching.index import MemoryIndex, plain
from tertium.matching.proposals import Context, Proposal, differences, neighbours, rate_of, word_likeness
from tertium.matching.xliff import write_xliff
from tertium.memory.reading import Source
from tertium.progress import steps
from tertium.results import Result

if TYPE_CHECKING:
    from tertium.io.tables import Table

BANDS = ((101, 102), (100, 100), (95, 99), (85, 94), (75, 84), (70, 74), (50, 69))
ASKED = 40  # units that are looked at for a segment
PLAIN = (*TEXT_ENDINGS, "")


@dataclass(frozen=True)
class MatchedSegment:
    """A segment and its proposals, best first."""

    number: int
    source: str
    proposals: tuple[Proposal, ...]


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

    def words(self) -> Iterator[str]:
        found = sum(bool(own.proposals) for own in self.segments)
        good = sum(bool(own.proposals) and own.proposals[0].rate >= 70 for own in self.segments)
        yield (
            f"{self.document}: {good:,} of {many(len(self.segments), 'segment')} have a proposal of 70% or more,"
            f" {found:,} any."
        )
        if self.output:
            yield f"{self.output} has the proposals."

    def table(self) -> Table:
        from tertium.io.tables import Column, Table, number_column

        rates = [own.proposals[0].rate if own.proposals else 0 for own in self.segments]
        rows = [
            (_band(low, high), sum(low <= rate <= high for rate in rates), _words(self, low, high))
            for low, high in BANDS
        ]
        rows.append(("none", sum(rate < BANDS[-1][0] for rate in rates), _words(self, 0, BANDS[-1][0] - 1)))
        numbers = (number_column("segments", digits=None), number_column("words", digits=None))
        return Table("Best proposals", (Column("rate", whole=True), *numbers), tuple(rows))

    def records(self) -> list[dict[str, Any]]:
        return [
            {"segment": own.number, "source": own.source, "rate": best.rate, "proposal": best.target}
            for own in self.segments
            for best in own.proposals[:1]
        ]


class Matcher:
    """Asks a memory for proposals."""

    def __init__(self, index: MemoryIndex, *, least: int = 50, most: int = 5) -> None:
        self.index, self.least, self.most = index, least, most

    def propose(
        self,
        text: str,
        context: Context = Context(),  # noqa: B008 - frozen
        *,
        before: int | None = None,
    ) -> tuple[Proposal, ...]:
        """The best proposals for a text, each translation once; `before`: as if this unit and later ones were not there
        yet."""
        found = dict(self.index.find(text, least=self.least / 150, most=ASKED))
        if before is not None:
            found = {number: likeness for number, likeness in found.items() if number < before}
        units = self.index.memory.chosen(list(found))
        made = [_proposal(text, number, unit, found[number], context) for number, unit in units]
        made.sort(key=lambda own: (-own.rate, own.client != context.client, _newest(own.date), -own.unit))
        best: dict[str, Proposal] = {}
        for own in made:
            if own.rate >= self.least:
                best.setdefault(own.target, own)
        return tuple(best.values())[: self.most]


def match_document(
    document: str,
    memory: str,
    *,
    client: str = "",
    pair: Pair | None = None,
    output: str | None = None,
    least: int = 50,
    most: int = 5,
) -> MatchedDocument:
    """Proposals for every segment of a document; written to `output` (.jsonl, .xlf), if named."""
    writer = None
    if output is not None:
        ending = os.path.splitext(output)[1].lower()
        if ending not in WRITERS:
            raise InputError(f"{output}: proposals are written as {' or '.join(WRITERS)}")
        writer = WRITERS[ending]
    texts = segments_of(document, pair)
    if not texts:
        raise InputError(f"{document}: there is no text in this document")
    index = MemoryIndex.open(memory, pair)
    matcher = Matcher(index, least=least, most=most)
    found = []
    for n, text in enumerate(steps(texts, f"matching {document}")):
        before, after = texts[n - 1] if n else "", texts[n + 1] if n + 1 < len(texts) else ""
        found.append(MatchedSegment(n + 1, text, matcher.propose(text, Context(before, after, client))))
    result = MatchedDocument(document, memory, len(index), client, tuple(found), output or "")
    if writer is not None and output is not None:
        with write_atomically(output) as file:
            file.write(writer(result, pair or Pair(*Source(memory).languages())))
    return result


def segments_of(path: str, pair: Pair | None) -> list[str]:
    """The segments of a document: lines of plain text, sentences of HTML, sources of a localisation file."""
    ending = os.path.splitext(path)[1].lower()
    if ending in HTML_ENDINGS:
        from tertium.text.splitting import sentences

        return sentences(paragraphs(path), pair.source if pair else "en")[0]
    if ending in PLAIN or not os.path.exists(path):
        return [line for _, line in text_lines(path) if line.strip()]
    return [unit.source for unit in open_units(path, pair=pair) if unit.source.strip()]


def _proposal(text: str, number: int, unit: Unit, characters: float, context: Context) -> Proposal:
    source = plain(unit.source)
    asked = plain(text)
    same = source == asked
    words = 1.0 if same else word_likeness(asked, source)
    before, after = neighbours(unit)
    around = bool(same and ((before and before == context.before) or (after and after == context.after)))
    own_client = bool(context.client) and unit.client == context.client
    reasons = [
        "the same text" if same else f"{characters:.0%} of the characters, {words:.0%} of the words",
        *(["the same neighbour"] if around else []),
        *([f"client {unit.client}"] if own_client else []),
    ]
    return Proposal(
        unit.source,
        unit.target,
        rate_of(same, characters, words, context=around, metadata=own_client),
        characters,
        words,
        () if same else differences(text, unit.source),
        tuple(reasons),
        unit.client,
        unit.translator,
        unit.document,
        unit.date,
        number,
    )


def _band(low: int, high: int) -> str:
    return f"{low}-{high}" if low < high else str(low)


def _newest(date: str) -> tuple[int, ...]:
    return tuple(-ord(c) for c in date)


def _words(found: MatchedDocument, low: int, high: int) -> int:
    return sum(
        len(own.source.split())
        for own in found.segments
        if low <= (own.proposals[0].rate if own.proposals else 0) <= high
    )


def _json_lines(found: MatchedDocument, _pair: Pair) -> str:
    from tertium.results import plain as data

    return "".join(json_line(data(own)) for own in found.segments)


def _xliff(found: MatchedDocument, pair: Pair) -> str:
    return write_xliff(found.document, [(own.source, own.proposals) for own in found.segments], pair)


WRITERS = {".jsonl": _json_lines, ".xlf": _xliff}
