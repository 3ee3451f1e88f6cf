"""A memory cut at a day: what was stored before it, and what was written after it, with candidates from the past."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError
from tertium.io.memories.pairs import Pair
from tertium.io.memories.unit import Unit
from tertium.matching.candidates import MatchJob, StoredCandidates, gather
from tertium.matching.evidence import LATER, PIECES, MatchQuestion, consistency, numbers
from tertium.matching.index import MemoryIndex, plain
from tertium.matching.proposals import Context, neighbours
from tertium.matching.words import MemoryWords
from tertium.memory.store import Memory
from tertium.progress import steps

if TYPE_CHECKING:
    import numpy.typing as npt

    from tertium.text.keyed import Numbers

LEAST_WORDS = 4
CHARACTERS = 0.4  # how much chrF counts in what is learned: without it, short proposals would win


@dataclass(frozen=True)
class LaterDocument:
    """Segments of a document that the past does not have, and what was really written."""

    client: str
    name: str
    translator: str
    day: str
    units: tuple[Unit, ...]
    known_client: bool

    @property
    def job(self) -> MatchJob:
        return MatchJob(self.client, self.translator, self.day, self.units[0].about() if self.units else "")

    @property
    def contexts(self) -> list[Context]:
        return [Context(*neighbours(unit), self.client) for unit in self.units]


class Past:
    """What a memory held before a day."""

    def __init__(self, path: str, since: str, pair: Pair | None = None) -> None:
        self.index = MemoryIndex(Memory.open(path), pair, before=since)
        self.index.refresh()
        self.since = since
        if not len(self.index):
            raise InputError(f"{path}: there is nothing before {since}")

    @cached_property
    def words(self) -> MemoryWords:
        return MemoryWords.learn(self.index.units(), len(self.index))

    def later(self, until: str = "", *, most: int | None = None) -> list[LaterDocument]:
        """Documents written since then, without what is stored and what is short; at most so many segments."""
        known, clients = set(), set()
        for unit in self.index.units():
            known.add(plain(unit.source))
            clients.add(unit.client)
        found: dict[tuple[str, str, str, str], list[Unit]] = {}
        index = MemoryIndex(self.index.memory, self.index.pair)
        for _, unit in index.memory.units():
            if unit.date < self.since or (until and unit.date >= until) or not index.fits(unit):
                continue
            if len(unit.source.split()) < LEAST_WORDS or plain(unit.source) in known:
                continue
            found.setdefault((unit.client, unit.document, unit.translator, unit.date), []).append(unit)
        if most is not None:
            found = dict(zip(found, _thinned(list(found.values()), most), strict=True))
        return [
            LaterDocument(client, name, translator, day, tuple(units), client in clients)
            for (client, name, translator, day), units in found.items()
        ]


def _thinned(groups: Sequence[list[Unit]], most: int) -> Iterator[list[Unit]]:
    """Large documents evenly thinned, so that all have so many segments together."""
    low, high = 1, max(map(len, groups), default=1)
    while low < high:  # the most segments of a document
        middle = (low + high + 1) // 2
        low, high = (
            (middle, high) if sum(min(len(own), middle) for own in groups) <= most else (low, middle - 1)
        )
    for own in groups:
        size = min(len(own), low)
        yield [own[n * len(own) // size] for n in range(size)]


@dataclass(frozen=True, eq=False)
class Examples:
    """Candidates of later documents: numbers, what each saves, and where they belong."""

    documents: Sequence[LaterDocument]
    document: npt.NDArray[np.int64]  # of each segment
    owner: npt.NDArray[np.int64]  # the segment of each row
    values: Numbers  # of all pieces but consistency, which goes by an order
    saved: Numbers
    worth: Numbers  # what is learned
    copied: npt.NDArray[np.bool_]  # whether each row is the segment itself
    parts: Sequence[MatchQuestion]

    @property
    def segments(self) -> int:
        return len(self.document)

    def chosen(self, scores: Numbers, values: Numbers | None = None) -> Numbers:
        """What the best candidate of each segment saves (or another value of it); 0 where there is none. What has a
        score of minus infinity is none."""
        order = np.lexsort((np.arange(len(scores)), -scores, self.owner))
        order = order[scores[order] > -np.inf]
        first = np.ones(len(order), bool)
        first[1:] = self.owner[order][1:] != self.owner[order][:-1]
        found = np.zeros(self.segments)
        best = order[first]
        found[self.owner[best]] = (self.saved if values is None else values)[best]
        return found

    def best(self, scores: Numbers) -> list[str]:
        """The translation of the best candidate of each segment; empty where there is none."""
        targets = [own.target for part in self.parts for own in part.candidates.rows]
        places = self.chosen(scores, np.arange(1.0, len(scores) + 1.0)).astype(int)
        return [targets[place - 1] if place else "" for place in places]

    def stored(self, scores: Numbers) -> Numbers:
        """Scores with which nobody chooses the segment itself."""
        return np.where(self.copied, -np.inf, scores)

    def consistent(self, scores: Numbers) -> Numbers:
        """Numbers of consistency with what these scores put first."""
        found, at = [], 0
        for part in self.parts:
            own = scores[at : at + len(part.owner)]
            at += len(part.owner)
            if len(own):
                consistency(part, own)
                found.append(numbers(part, [LATER]))
        return np.concatenate(found) if found else np.zeros((0, len(PIECES[LATER].names)))


FIRST = tuple(name for name in PIECES if name != LATER)


def examples(past: Past, documents: Sequence[LaterDocument]) -> Examples:
    """Candidates for what was written later (stored ones, and the segment itself), measured against it."""
    parts: list[MatchQuestion] = []
    values, saved, worth, owners, of = [], [], [], [], []
    segments = 0
    for number, document in enumerate(steps(documents, "later documents")):
        asked = MatchQuestion(_candidates(past, document), past.words)
        parts.append(asked)
        written = [document.units[n].target for n in asked.owner]
        values.append(numbers(asked, FIRST).astype(np.float32))
        proposed = [own.target for own in asked.candidates.rows]
        saved.append(edits_saved(proposed, written))
        worth.append((1 - CHARACTERS) * saved[-1] + CHARACTERS * _characters(proposed, written))
        owners.append(asked.owner + segments)
        of.append(np.full(len(document.units), number))
        segments += len(document.units)
    copied = np.concatenate([part.candidates.copied for part in parts])
    if copied.all():
        raise InputError(
            f"{past.index.memory.path}: nothing written since {past.since} is like anything before"
        )
    return Examples(
        documents,
        np.concatenate(of),
        np.concatenate(owners),
        np.concatenate(values),
        np.concatenate(saved),
        np.concatenate(worth),
        copied,
        parts,
    )


def _candidates(past: Past, document: LaterDocument) -> StoredCandidates:
    texts = [unit.source for unit in document.units]
    return gather(past.index, texts, document.contexts, document.job, past.words, source=True)


def edits_saved(proposals: Sequence[str], written: Sequence[str]) -> Numbers:
    """max(0, 1 - TER) of each proposal against what was written.

    >>> edits_saved(["the old house", "x"], ["the house", "the house"]).tolist()
    [0.5, 0.0]
    """
    from tertium.registry import metric

    if not proposals:
        return np.zeros(0)
    return np.asarray(np.maximum(0.0, 1.0 + metric("ter").reward(proposals, written) / 100))


def _characters(proposals: Sequence[str], written: Sequence[str]) -> Numbers:
    """chrF of each, from 0 to 1."""
    from tertium.registry import metric

    return np.asarray(metric("chrf").reward(proposals, written) / 100) if proposals else np.zeros(0)
