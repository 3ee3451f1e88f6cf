"""Stored translations that may help with the segments of a document, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from math import log
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tertium.io.memories.unit import Unit
from tertium.matching.index import MemoryIndex, plain
from tertium.matching.proposals import Context, neighbours

if TYPE_CHECKING:
    import numpy.typing as npt

    from tertium.matching.words import MemoryWords
    from tertium.text.keyed import Numbers

ALIKE, RARE, COPIES = (
    40,
    30,
    6,
)  # units that are looked at: most alike, sharing what is rare, copies of a source
SOURCE = 0  # in the place of a unit's number: the segment itself, as it stands
NOBODY: frozenset[str] = frozenset()
_ASKED = 5000  # units that are read at a time


class MatchJob(NamedTuple):
    """Who wants a document, who translates it, when; unknown is an empty text."""

    client: str = ""
    translator: str = ""
    day: str = ""
    domain: str = ""


class Stored(NamedTuple):
    """A stored translation: its unit (the most recent of those with both texts), and what is known about them."""

    number: int
    unit: Unit
    characters: float
    times: int  # units with both texts
    clients: frozenset[str]
    translators: frozenset[str]

    @property
    def source(self) -> str:
        return self.unit.source

    @property
    def target(self) -> str:
        return self.unit.target


@dataclass(eq=False)
class StoredCandidates:
    """Rows: stored translations, those for one segment together. Columns by name: what is known about each."""

    segments: Sequence[str]
    rows: list[Stored]
    owner: npt.NDArray[np.int64]  # the segment of each row
    targets: Sequence[str] = ()  # of segments, where the document has them already; else empty
    _columns: dict[str, Numbers] = field(default_factory=dict)

    @cached_property
    def copied(self) -> npt.NDArray[np.bool_]:
        """Whether each row is the segment itself."""
        return np.array([own.number == SOURCE for own in self.rows], bool)

    @property
    def characters(self) -> Numbers:
        return np.array([own.characters for own in self.rows], float)

    def column(self, name: str) -> Numbers:
        return self._columns[name]

    def put(self, name: str, values: Iterable[float]) -> None:
        self._columns[name] = np.array(list(values), float)

    def best(self, scores: Numbers) -> npt.NDArray[np.int64]:
        """The row with the highest score of each segment that has one; of equals the first."""
        order = np.lexsort((np.arange(len(scores)), -scores, self.owner))
        first = np.ones(len(order), bool)
        first[1:] = self.owner[order][1:] != self.owner[order][:-1]
        return order[first]

    def document_number(self, row: int) -> int:
        unit = self.rows[row].unit
        return hash_of(unit.client, unit.document)


def hash_of(*names: str) -> int:
    """A number for names, the same in every run."""
    import zlib

    return zlib.crc32("\0".join(names).encode("utf-8", "surrogatepass"))


def gather(
    index: MemoryIndex,
    segments: Sequence[str],
    contexts: Sequence[Context],
    job: MatchJob,
    words: MemoryWords,
    *,
    threads: int = 1,
    source: bool = False,
    targets: Sequence[str] = (),
) -> StoredCandidates:
    """Candidates for the segments of one document, with what is known about each; `source`: and the segment itself;
    `targets`: what is translated already, for consistency."""
    found = index.find_broadly(segments, most=ALIKE, rare=RARE, copies=COPIES, threads=threads)
    units = units_of(index, {number for own in found for number, _ in own})
    rows: list[Stored] = []
    owner: list[int] = []
    for segment, own in enumerate(found):
        for stored in _merged(
            [(number, units[number], likeness) for number, likeness in own if number in units]
        ):
            rows.append(stored)
            owner.append(segment)
        if source:
            rows.append(Stored(SOURCE, Unit(segments[segment], segments[segment]), 1.0, 1, NOBODY, NOBODY))
            owner.append(segment)
    made = StoredCandidates(segments, rows, np.array(owner, np.int64), targets)
    topics = words.topics(list(segments))
    nan = float("nan")
    made.put("frequency", (log(own.times) for own in rows))
    made.put("client", (float(job.client in own.clients) if job.client else nan for own in rows))
    made.put(
        "translator", (float(job.translator in own.translators) if job.translator else nan for own in rows)
    )
    made.put("domain", (float(own.unit.about() == job.domain) if job.domain else nan for own in rows))
    made.put("topic", (topics.get((own.unit.client, own.unit.document), nan) for own in rows))
    made.put("years", (_years(own.unit.date, job.day) for own in rows))
    made.put("neighbours", (_around(own.unit, contexts[n]) for own, n in zip(rows, owner, strict=True)))
    return made


def units_of(index: MemoryIndex, numbers: Iterable[int]) -> dict[int, Unit]:
    """Units by their numbers; those that are not there any more are left out."""
    found: dict[int, Unit] = {}
    ordered = sorted(numbers)
    for begin in range(0, len(ordered), _ASKED):
        found.update(index.memory.chosen(ordered[begin : begin + _ASKED]))
    return found


def _merged(found: Iterable[tuple[int, Unit, float]]) -> list[Stored]:
    """Each translation once: that of the most alike source, with all who used it."""
    best: dict[str, Stored] = {}
    for number, unit, likeness in found:
        text = plain(unit.target)
        known = best.get(text)
        if known is None:
            clients, translators = frozenset([unit.client]), frozenset([unit.translator])
            best[text] = Stored(number, unit, likeness, 1, clients, translators)
        elif plain(known.source) == plain(unit.source):
            newer = unit.date > known.unit.date
            best[text] = Stored(
                number if newer else known.number,
                unit if newer else known.unit,
                known.characters,
                known.times + 1,
                known.clients | {unit.client},
                known.translators | {unit.translator},
            )
    return list(best.values())


def _years(then: str, now: str) -> float:
    try:
        days = date.fromisoformat(now[:10]).toordinal() - date.fromisoformat(then[:10]).toordinal()
    except ValueError:
        return float("nan")
    return max(0.0, days / 365.25)


def _around(unit: Unit, context: Context) -> float:
    before, after = neighbours(unit)
    if not before and not after:
        return float("nan")
    return float(bool(before) and before == context.before) + float(bool(after) and after == context.after)
