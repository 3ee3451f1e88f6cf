"""Who translated what for whom, and when: the documents of a memory as jobs, in the order of their dates."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tertium.assignment.identities import Identities
from tertium.assignment.meanings import Meanings
from tertium.assignment.revisions import Revisions
from tertium.errors import InputError
from tertium.io.memories.unit import Unit
from tertium.memory.reading import Source, batches

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.text.vectors import Vectors

WORD = re.compile(r"[^\W\d_]{3,}")


class TranslatedDocument(NamedTuple):
    """A document that somebody translated on a day; day 0: nobody knows when."""

    client: str
    document: str
    translator: str
    day: int
    domain: str = ""
    type: str = ""
    units: int = 0
    words: int = 0


@dataclass
class _Reading:
    """What is gathered while units go by; the words of a document are put away when the next one begins."""

    numbers: dict[tuple[str, str, str, str], int] = field(default_factory=dict)
    jobs: list[TranslatedDocument] = field(default_factory=list)
    pieces: list[list[tuple[NDArray[np.int32], NDArray[np.int32]]]] = field(default_factory=list)
    vocabulary: dict[str, int] = field(default_factory=dict)
    open: Counter[str] = field(default_factory=Counter)
    at: int = -1

    def add(self, unit: Unit, day: int) -> None:
        key = (unit.client, unit.document, unit.translator, unit.date[:10])
        number = self.numbers.get(key)
        if number is None:
            number = self.numbers[key] = len(self.jobs)
            self.jobs.append(TranslatedDocument(*key[:3], day, unit.about(), unit.document_type()))
            self.pieces.append([])
        if number != self.at:
            self.close()
            self.at = number
        words = words_of(unit.source)
        self.open.update(words)
        job = self.jobs[number]
        self.jobs[number] = job._replace(units=job.units + 1, words=job.words + len(unit.source.split()))

    def close(self) -> None:
        if self.open:
            numbers = [self.vocabulary.setdefault(word, len(self.vocabulary)) for word in self.open]
            counts = np.fromiter(self.open.values(), np.int32, len(self.open))
            self.pieces[self.at].append((np.array(numbers, np.int32), counts))
            self.open = Counter()


class History:
    """Jobs by date, those of nobody left out; words of their sources as rows; and what later became of their texts."""

    def __init__(
        self,
        jobs: list[TranslatedDocument],
        terms: list[tuple[NDArray[np.int32], NDArray[np.float64]]],
        vocabulary: dict[str, int],
        revised: dict[str, tuple[int, int]] | None = None,
        nameless: int = 0,
        later: frozenset[str] = frozenset(),
    ) -> None:
        order = sorted(range(len(jobs)), key=lambda j: (jobs[j].day, jobs[j].client, jobs[j].document))
        self.jobs = [jobs[j] for j in order]
        self.vocabulary, self.nameless, self.later = vocabulary, nameless, later
        self.revised = revised or {}
        self.meanings: Meanings | None = None
        self.translators = sorted({job.translator for job in self.jobs})
        self.clients = {name: n for n, name in enumerate(sorted({job.client for job in self.jobs}))}
        numbers = {name: n for n, name in enumerate(self.translators)}
        self.day = np.array([job.day for job in self.jobs], np.int64)
        self.translator = np.array([numbers[job.translator] for job in self.jobs], np.int64)
        self.client = np.array([self.clients[job.client] for job in self.jobs], np.int64)
        rows = [terms[j] for j in order]
        self.starts = np.concatenate(([0], np.cumsum([len(ids) for ids, _ in rows], dtype=np.int64)))
        self.term = np.concatenate([ids for ids, _ in rows]) if rows else np.zeros(0, np.int32)
        self.weight = np.concatenate([own for _, own in rows]) if rows else np.zeros(0)
        self.owner = np.repeat(np.arange(len(rows)), np.diff(self.starts))

    @classmethod
    def read(cls, source: Source, before: date | None = None, ids: Identities | None = None) -> History:
        """The documents of a memory: units of one client, document, translator and day, with ids for people.

        Of units of the day `before` or later nothing is known but who their translators are (`later`).
        """
        source.check()
        reading, revisions, later = _Reading(), Revisions(), set()
        people = ids or Identities(source.path)
        end = date.max.toordinal() if before is None else before.toordinal()
        for batch in batches(source.open(), source.path):
            for unit in map(people.unit, batch):
                day = _day(unit.date)
                if day >= end:
                    later.add(unit.translator)
                    continue
                reading.add(unit, day)
                if unit.translator:
                    revisions.add(unit, day)
        reading.close()
        named = [n for n, job in enumerate(reading.jobs) if job.translator]
        if not named and any(later):
            raise InputError(f"{source.path}: nothing was translated before {before}")
        if not named:
            raise InputError(
                f"{source.path}: no unit names its translator, so there is nobody to choose from"
            )
        return cls(
            [reading.jobs[n] for n in named],
            [_row(reading.pieces[n]) for n in named],
            reading.vocabulary,
            revisions.counted(),
            len(reading.jobs) - len(named),
            frozenset(later),
        )

    def labelled(self, kind: str) -> set[str]:
        """What documents say of themselves: their domains, or their types."""
        return {getattr(job, kind) for job in self.jobs} - {""}

    def typed(self, types: Mapping[tuple[str, str], str]) -> None:
        """Give documents the types that a table has for (client, document), or for the document of any client."""
        self.jobs = [
            job._replace(
                type=types.get((job.client, job.document)) or types.get(("", job.document)) or job.type
            )
            for job in self.jobs
        ]

    def use(self, vectors: Vectors) -> None:
        """Give documents vectors."""
        self.meanings = Meanings(vectors, self)

    @cached_property
    def dated(self) -> bool:
        """Whether it is known when most jobs were done."""
        return bool((self.day > 0).mean() > 0.5)

    def before(self, day: int) -> int:
        """How many jobs were done before a day: they are the first ones."""
        return int(np.searchsorted(self.day, day, side="left")) if self.dated else len(self.jobs)

    def terms_of(self, job: int) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        own = slice(self.starts[job], self.starts[job + 1])
        return self.term[own], self.weight[own]

    def terms_in(self, texts: Iterable[str]) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Words of a new document; those that are new get numbers after those that are known."""
        counts = Counter(word for text in texts for word in words_of(text))
        known = self.vocabulary
        ids = np.array([known.setdefault(word, len(known)) for word in counts], np.int32)
        return ids, 1 + np.log(np.fromiter(counts.values(), np.float64, len(counts)))


def words_of(text: str) -> Iterator[str]:
    """Words that say what a text is about.

    >>> list(words_of("Open 3 files, or go"))
    ['open', 'files']
    """
    return iter(WORD.findall(text.lower()))


def _row(
    pieces: list[tuple[NDArray[np.int32], NDArray[np.int32]]],
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Words of a document with 1 + the logarithm of their number."""
    if not pieces:
        return np.zeros(0, np.int32), np.zeros(0)
    ids, back = np.unique(np.concatenate([own for own, _ in pieces]), return_inverse=True)
    counts = np.bincount(back, np.concatenate([own for _, own in pieces]))
    return ids.astype(np.int32), 1 + np.log(counts)


def _day(text: str) -> int:
    try:
        return date.fromisoformat(text[:10]).toordinal()
    except ValueError:
        return 0
