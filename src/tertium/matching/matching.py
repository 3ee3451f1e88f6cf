"""Documents matched against a memory: the best proposals for every segment."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import islice

import numpy as np

from tertium import _native
from tertium.errors import InputError, TertiumWarning
from tertium.io.files import write_atomically
from tertium.io.glossaries import read_terms
from tertium.io.memories.pairs import Pair
from tertium.io.memories.unit import Unit
from tertium.io.records import json_line
from tertium.matching import copying
from tertium.matching.candidates import SOURCE, MatchJob, gather, units_of
from tertium.matching.consistency import TermKeeper
from tertium.matching.documents import DocumentSegment, read_document
from tertium.matching.evidence import MatchQuestion
from tertium.matching.index import MemoryIndex, plain
from tertium.matching.languages import other_language
from tertium.matching.matched import MatchedDocument, MatchedSegment
from tertium.matching.parts import HELPFUL, PartFinder
from tertium.matching.policy import JudgedCandidates, Policy
from tertium.matching.proposals import (
    EXACT,
    Context,
    Proposal,
    as_it_stands,
    differences,
    neighbours,
    rate_of,
    word_likeness,
)
from tertium.matching.words import MemoryWords, words_of
from tertium.matching.xliff import write_xliff
from tertium.memory.reading import Source
from tertium.progress import steps

ASKED = 40  # units that are looked at for a segment
TOGETHER = 100  # segments that are asked for at a time, by each thread
LEAST = 50  # rate of a proposal, without a policy
REASONS = 3  # pieces of information that are named


class Matcher:
    """Asks a memory for proposals: in the order of their rates, or of what a policy expects of them."""

    def __init__(
        self,
        index: MemoryIndex,
        *,
        least: int | None = None,
        most: int = 5,
        policy: Policy | None = None,
        words: MemoryWords | None = None,
        threads: int = 1,
        source: bool = True,
    ) -> None:
        self.index, self.most, self.policy = index, most, policy
        self.threads = _native.thread_count(threads)  # what is found does not depend on them
        self.least = least if least is not None else LEAST if policy is None else 0
        self.source = source and policy is not None and policy.knows_sources and not self.least
        self.words = words_of(index) if policy is not None and words is None else words
        self._finder: tuple[int, PartFinder] | None = None

    @property
    def known_words(self) -> MemoryWords:
        """What the memory teaches about words, read when it is first asked for."""
        if self.words is None:
            self.words = words_of(self.index)
        return self.words

    @property
    def part_finder(self) -> PartFinder:
        """Finds stored phrases; made when it is first asked for, and again when the memory has grown."""
        if self._finder is None or self._finder[0] != len(self.index):
            self._finder = len(self.index), PartFinder(self.index, self.known_words)
        return self._finder[1]

    def document(
        self,
        texts: Sequence[str],
        job: MatchJob = MatchJob(),  # noqa: B008 - frozen
        contexts: Sequence[Context] | None = None,
        *,
        targets: Sequence[str] = (),
    ) -> list[tuple[Proposal, ...]]:
        """Proposals for the segments of a document; `targets`: what is translated already (else empty)."""
        if contexts is None:
            contexts = around(texts, job.client, job.domain)
        if self.policy is None:
            return self._alike(texts, contexts)
        words = self.known_words
        stored = gather(
            self.index,
            texts,
            contexts,
            job,
            words,
            threads=self.threads,
            source=self.source,
            targets=targets,
        )
        asked = MatchQuestion(stored, words)
        judged = self.policy.judge(asked)
        found: list[list[Proposal]] = [[] for _ in texts]
        order = np.lexsort((-judged.scores, asked.owner))
        for row in order.tolist():
            segment, own = int(asked.owner[row]), asked.candidates.rows[row]
            text, context = texts[segment], contexts[segment]
            if own.number == SOURCE:
                if len(found[segment]) < self.most:
                    found[segment].append(_judged(_as_it_stands(asked, row), judged, row))
                continue
            same = plain(text) == plain(own.source)
            if len(found[segment]) >= self.most and not same:
                continue
            made = _proposal(text, own.number, own.unit, own.characters, context)
            if made.rate >= self.least:
                found[segment].append(_judged(made, judged, row))
        for one in found:
            one.sort(key=lambda own: -own.rate if own.rate >= EXACT else 0)  # the same text comes first
        pairs = zip(texts, found, strict=True)
        return [tuple(_compared(text, own) for own in one[: self.most]) for text, one in pairs]

    def _alike(self, texts: Sequence[str], contexts: Sequence[Context]) -> list[tuple[Proposal, ...]]:
        """The best for each text, by their rates."""
        made: list[tuple[Proposal, ...]] = []
        ranges = [
            slice(begin, begin + TOGETHER * self.threads)
            for begin in range(0, len(texts), TOGETHER * self.threads)
        ]
        for own in steps(ranges, "matching", lambda own: len(texts[own])):
            found = self.index.find_all(texts[own], least=self.least / 150, most=ASKED, threads=self.threads)
            units = units_of(self.index, {number for one in found for number, _ in one})
            made.extend(
                self._best(text, context, dict(one), units)
                for text, context, one in zip(texts[own], contexts[own], found, strict=True)
            )
        return made

    def propose(
        self,
        text: str,
        context: Context = Context(),  # noqa: B008 - frozen
        *,
        before: int | None = None,
        keep: Callable[[Unit], bool] | None = None,
    ) -> tuple[Proposal, ...]:
        """The best proposals for a text, each translation once; `before`: as if this unit and later ones were not there
        yet; `keep`: only of units for which this is true."""
        found = dict(self.index.find(text, least=self.least / 150, most=ASKED))
        if before is not None:
            found = {number: likeness for number, likeness in found.items() if number < before}
        units = units_of(self.index, found)
        if keep is not None:
            units = {number: unit for number, unit in units.items() if keep(unit)}
        return self._best(text, context, found, units)

    def _best(
        self, text: str, context: Context, found: Mapping[int, float], units: Mapping[int, Unit]
    ) -> tuple[Proposal, ...]:
        made = [
            _proposal(text, number, units[number], likeness, context)
            for number, likeness in found.items()
            if number in units
        ]
        made.sort(key=lambda own: (-own.rate, own.client != context.client, _newest(own.date), -own.unit))
        best: dict[str, Proposal] = {}
        for own in made:
            if own.rate >= self.least:
                best.setdefault(own.target, own)
        return tuple(_compared(text, own) for own in islice(best.values(), self.most))


def match_document(
    document: str,
    memory: str,
    *,
    client: str = "",
    pair: Pair | None = None,
    output: str | None = None,
    domain: str = "",
    translator: str = "",
    policy: str | None = None,
    least: int | None = None,
    most: int = 5,
    parts: bool = False,
    xliff: str = "1",
    terms: bool = False,
    glossary: str | None = None,
    threads: int = 1,
    source: bool = True,
) -> MatchedDocument:
    """Proposals for every segment of a document (and `parts` of those without a good one); written to `output` (.jsonl,
    .xlf), if named. `terms`: those of the document, and of a glossary, are looked at. `source`: a policy may propose
    the segment itself."""
    writer = None
    if output is not None:
        ending = os.path.splitext(output)[1].lower()
        if ending not in WRITERS:
            raise InputError(f"{output}: proposals are written as {' or '.join(WRITERS)}")
        writer = WRITERS[ending]
    learned = None if policy is None else Policy.load(policy)
    languages = pair or Pair(*Source(memory).languages())
    listed = None if glossary is None else read_terms(glossary, *languages)
    given = read_document(document, pair)
    texts = [own.source for own in given]
    if not texts:
        raise InputError(f"{document}: there is no text in this document")
    index = MemoryIndex.open_filled(memory, pair)
    if (strange := other_language(texts, languages[0])) is not None:
        warnings.warn(f"{document}: {strange}", TertiumWarning, stacklevel=2)
    matcher = Matcher(index, least=least, most=most, policy=learned, threads=threads, source=source)
    job = MatchJob(client, translator, str(date.today()), domain)
    keeper = TermKeeper(matcher.known_words, languages, listed) if terms or listed is not None else None
    found = matched(matcher, texts, [own.target for own in given], job, keeper, parts=parts)
    notes = () if learned is None else tuple(_unused(learned, job))
    result = MatchedDocument(document, memory, len(index), client, tuple(found), output or "", notes, parts)
    if writer is not None and output is not None:
        with write_atomically(output) as file:
            file.write(writer(result, given, languages, xliff))
    return result


def matched(
    matcher: Matcher,
    texts: Sequence[str],
    targets: Sequence[str],
    job: MatchJob,
    keeper: TermKeeper | None = None,
    *,
    parts: bool = False,
) -> list[MatchedSegment]:
    """Proposals for texts, which may have `targets` already (else empty): by terms where somebody keeps them, and with
    stored phrases (`parts`) where no proposal is good."""
    proposals = matcher.document(texts, job, targets=targets)
    if keeper is not None:
        proposals = keeper.document(texts, proposals, targets)
    rows = zip(texts, proposals, targets, strict=True)
    found = [MatchedSegment(n, text, own, (), done) for n, (text, own, done) in enumerate(rows, 1)]
    if not parts:
        return found
    asked = [own.source for own in found if own.rate < HELPFUL]
    phrases = iter(matcher.part_finder.document(asked) if asked else ())
    return [replace(own, parts=next(phrases)) if own.rate < HELPFUL else own for own in found]


def _as_it_stands(asked: MatchQuestion, row: int) -> Proposal:
    text = asked.candidates.segments[int(asked.owner[row])]
    return as_it_stands(text, copying.why(asked.source_numbers[row]))


def _proposal(text: str, number: int, unit: Unit, characters: float, context: Context) -> Proposal:
    source = plain(unit.source)
    asked = plain(text)
    same = source == asked
    words = 1.0 if same else word_likeness(asked, source)
    before, after = neighbours(unit)
    beside = bool(same and ((before and before == context.before) or (after and after == context.after)))
    own_client = bool(context.client) and unit.client == context.client
    own_domain = bool(context.domain) and unit.about() == context.domain
    metadata = (own_client or own_domain) and (own_client or not context.client)
    metadata = metadata and (own_domain or not context.domain)
    reasons = [
        "the same text" if same else f"{characters:.0%} of the characters, {words:.0%} of the words",
        *(["the same neighbour"] if beside else []),
        *([f"client {unit.client}"] if own_client else []),
        *([f"domain {unit.about()}"] if own_domain else []),
    ]
    return Proposal(
        unit.source,
        unit.target,
        rate_of(same, characters, words, context=beside, metadata=metadata),
        characters,
        words,
        (),
        tuple(reasons),
        unit.client,
        unit.translator,
        unit.document,
        unit.date,
        number,
    )


def _compared(text: str, own: Proposal) -> Proposal:
    """With what differs."""
    return own if own.rate >= EXACT else replace(own, differences=differences(text, own.source))


def around(texts: Sequence[str], client: str = "", domain: str = "") -> list[Context]:
    """What surrounds each segment of a document."""
    padded = ["", *texts, ""]
    return [Context(padded[n], padded[n + 2], client, domain) for n in range(len(texts))]


def _judged(own: Proposal, judged: JudgedCandidates, row: int) -> Proposal:
    """With what the policy expects, and what made it do so."""
    added = sorted(
        ((name, float(values[row])) for name, values in judged.added.items()), key=lambda one: -one[1]
    )
    said = [f"{name} +{100 * value:.0f}" for name, value in added[:REASONS] if value >= 0.005]
    worth = min(1.0, max(0.0, float(judged.scores[row])))
    reasons = (*own.reasons, f"worth {worth:.0%}, it is expected", *said)
    return replace(own, reasons=reasons, worth=worth, earned=tuple(added))


def _unused(policy: Policy, job: MatchJob) -> Iterator[str]:
    for name in policy.unused:
        yield f"The policy knows nothing about {name}: the memory it learned from does not tell."
    for name, value in (("client", job.client), ("translator", job.translator)):
        if not value and name not in policy.unused:
            yield f"No {name} was named (--{name}), so that piece is not used."


def _newest(date: str) -> tuple[int, ...]:
    return tuple(-ord(c) for c in date)


def _json_lines(found: MatchedDocument, _given: Sequence[DocumentSegment], _pair: Pair, _version: str) -> str:
    from tertium.results import plain as data

    return "".join(json_line(data(own)) for own in found.segments)


def _xliff(found: MatchedDocument, given: Sequence[DocumentSegment], pair: Pair, version: str) -> str:
    segments = [(own, one.proposals) for own, one in zip(given, found.segments, strict=True)]
    return write_xliff(found.document, segments, pair, version=version)


WRITERS = {".jsonl": _json_lines, ".xlf": _xliff}
