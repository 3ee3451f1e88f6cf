"""Parts of segments: stored phrases with what they became, for segments that no whole translation helps with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tertium.io.memories.unit import Unit
from tertium.matching.index import MemoryIndex, plain
from tertium.matching.linking import WordLinks, links_of
from tertium.matching.phrases import LONGEST, PhraseTable, StoredRun, phrases_of
from tertium.matching.words import MemoryWords, words_of
from tertium.text.keyed import WORD, KeyedWords
from tertium.text.terms import common_words

if TYPE_CHECKING:
    from tertium.text.keyed import Keys

HELPFUL = 70  # per cent: with a proposal like this a segment needs no parts
LEAST = 2  # words of a phrase
LOOKED_AT = 12  # places of a phrase, evenly spread over its sources
RARE = 3.0  # rareness of a word with content, where common words are not listed: one source of twenty has it
AGREED = 0.5  # share of the places where it can be told that must have the translation
TRIES = 24  # phrases of a segment that are looked at


@dataclass(frozen=True)
class SegmentPart:
    """A stored phrase of a segment: characters `begin` to `end`, in so many places of the memory, translated like this
    in `agreed` of the `looked_at` places where the translation could be told; `unit` is one of them."""

    begin: int
    end: int
    source: str
    target: str
    times: int
    agreed: int
    looked_at: int
    unit: int
    unit_source: str
    unit_target: str


class AlignedUnit(NamedTuple):
    """A unit with its words and their links."""

    number: int
    unit: Unit
    source: Keys
    spans: Sequence[tuple[int, int]]  # of the target's words
    links: WordLinks


class PartFinder:
    """Finds stored phrases of segments, and reads their translations from aligned units."""

    def __init__(
        self,
        index: MemoryIndex,
        words: MemoryWords | None = None,
        tables: Sequence[PhraseTable] | None = None,
        *,
        agreed: float = AGREED,
    ) -> None:
        self.index = index
        self.words = words if words is not None else words_of(index)
        self.tables = tables if tables is not None else phrases_of(index)
        self.agreed = agreed
        language = index.pair.source if index.pair else next(index.units()).source_language
        self._common = common_words(language.lower().replace("_", "-").split("-")[0])
        self._aligned: dict[int, AlignedUnit] = {}

    def document(self, texts: Sequence[str]) -> list[tuple[SegmentPart, ...]]:
        """The parts of each text, in their order."""
        cut = KeyedWords.of(texts)
        runs = [table.runs(cut) for table in self.tables]
        found = []
        for number, text in enumerate(texts):
            keys = cut.keys[cut.starts[number] : cut.starts[number + 1]]
            own = [run for table in runs for run in table[number]]
            found.append(tuple(self._parts(text, keys, own)))
            if len(self._aligned) > 20_000:
                self._aligned.clear()
        return found

    def _parts(self, text: str, keys: Keys, runs: Sequence[StoredRun]) -> Iterator[SegmentPart]:
        """The segment covered by its longest phrases first; where one has no clear translation, by shorter ones."""
        places = [match.span() for match in WORD.finditer(text)]
        content = self._content([text[begin:end] for begin, end in places], keys)
        free = [True] * len(keys)
        waiting = {(run.begin, run.begin + run.size) for run in runs}
        seen: set[tuple[int, int]] = set()
        made = []
        for _ in range(TRIES):
            waiting = {own for run in waiting for own in _pieces(*run, free, content)} - seen
            if not waiting:
                break
            begin, end = max(waiting, key=lambda own: (own[1] - own[0], -own[0]))
            seen.add((begin, end))
            span = places[begin][0], places[end - 1][1]
            part = self._translated(text, *span, keys[begin:end], content[begin:end])
            if part is None:
                waiting |= {(begin + 1, end), (begin, end - 1)}
                continue
            made.append(part)
            free[begin:end] = [False] * (end - begin)
        yield from sorted(made, key=lambda own: own.begin)

    def _content(self, words: Sequence[str], keys: Keys) -> list[bool]:
        """Whether each word has content: letters, and it is not common."""
        if self._common:
            rare = [word.lower() not in self._common for word in words]
        else:
            rare = (self.words.rareness(keys) >= RARE).tolist()
        return [own and any(map(str.isalpha, word)) for own, word in zip(rare, words, strict=True)]

    def _translated(
        self, text: str, begin: int, end: int, keys: Keys, content: Sequence[bool]
    ) -> SegmentPart | None:
        """What a phrase became most often; None where that cannot be told, or differs too much."""
        found = [table.sources(keys, LOOKED_AT) for table in self.tables]
        units = self._units([place for _, own in found for place in own])
        votes: dict[str, list[tuple[str, AlignedUnit]]] = defaultdict(list)
        counted: set[tuple[str, str]] = set()
        for own in units:
            if (same := (plain(own.unit.source), plain(own.unit.target))) in counted:
                continue
            counted.add(same)
            if target := _told(own, keys, content):
                votes[target.lower()].append((target, own))
        total = sum(map(len, votes.values()))
        if not total:
            return None
        best = max(votes.values(), key=len)
        if len(best) < self.agreed * total:
            return None
        target, example = best[-1]
        return SegmentPart(
            begin,
            end,
            text[begin:end],
            target,
            sum(times for times, _ in found),
            len(best),
            total,
            example.number,
            example.unit.source,
            example.unit.target,
        )

    def _units(self, places: Sequence[int]) -> list[AlignedUnit]:
        new = [self.index.numbers[own] for own in places if self.index.numbers[own] not in self._aligned]
        for own in self._align(self.index.memory.chosen(new) if new else []):
            self._aligned[own.number] = own
        numbers = [self.index.numbers[own] for own in places]
        return [self._aligned[number] for number in numbers if number in self._aligned]

    def _align(self, units: Sequence[tuple[int, Unit]]) -> Iterator[AlignedUnit]:
        """Units with the links of their words."""
        if not units:
            return
        sources = KeyedWords.of([unit.source for _, unit in units])
        targets = KeyedWords.of([unit.target for _, unit in units])
        for (number, unit), place, own in zip(
            units, pairwise(sources.starts), links_of(self.words, sources, targets), strict=True
        ):
            spans = [match.span() for match in WORD.finditer(unit.target)]
            yield AlignedUnit(number, unit, sources.keys[place[0] : place[1]], spans, own)


def _told(own: AlignedUnit, keys: Keys, content: Sequence[bool]) -> str:
    """The words of a unit's target for a phrase of its source: those that are linked to it, and nothing else is."""
    places = np.flatnonzero(own.source[: len(own.source) - len(keys) + 1] == keys[0]).tolist()
    for begin in places:
        end = begin + len(keys)
        if not np.array_equal(own.source[begin:end], keys):
            continue
        inside = {(i, j) for i, j in own.links if begin <= i < end}
        if not inside:
            continue
        first, last = min(j for _, j in inside), max(j for _, j in inside)
        if any(first <= j <= last and not begin <= i < end for i, j in own.links):
            continue
        linked = {i - begin for i, _ in inside}
        if any(needed and place not in linked for place, needed in enumerate(content)):
            continue
        return own.unit.target[own.spans[first][0] : own.spans[last][1]]
    return ""


def _pieces(begin: int, end: int, free: Sequence[bool], content: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """What is free of a run, from a word with content to another one."""
    at = begin
    while at < end:
        if not free[at]:
            at += 1
            continue
        stop = at
        while stop < end and free[stop]:
            stop += 1
        first, last = at, stop
        while first < last and not content[first]:
            first += 1
        while first < last and not content[last - 1]:
            last -= 1
        if last - first >= LEAST:
            yield first, min(last, first + LONGEST)
        at = stop
