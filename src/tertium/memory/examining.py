"""All units of a memory judged, in flat memory: how many deserve a look, by what they have in common, and the worst."""

from __future__ import annotations

import warnings
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from heapq import heappush, heapreplace
from itertools import chain, islice
from operator import attrgetter
from typing import Any, NamedTuple

from tertium.engines.base import Engine, Shared, engine_named
from tertium.errors import TertiumError, TertiumWarning
from tertium.io.memories.unit import Unit
from tertium.memory import reading
from tertium.memory.reading import UnitSource, batches
from tertium.vetting.batches import WholeDocuments
from tertium.vetting.checks.base import Doubt
from tertium.vetting.shifts import documents
from tertium.vetting.suspicion import LOOK, Suspicion, UnitJudge

_KEYS: dict[str, Callable[[Unit], str]] = {  # what units are counted by
    "client": attrgetter("client"),
    "translator": attrgetter("translator"),
    "year": lambda unit: unit.date[:4],
}
_TOGETHER = 8  # batches that are sent elsewhere at once
_MOST = 100_000  # different clients or translators that are counted by name
OTHERS = "(others)"


class JudgedUnit(NamedTuple):
    """A unit, its number in the memory (from 1), and what was found."""

    number: int
    unit: Unit
    suspicion: Suspicion


@dataclass
class Counts:
    """Units in all, and those that deserve a look."""

    units: int = 0
    look: int = 0


@dataclass
class Examination:
    """What was found in the units so far. `worst` is a heap: the least bad of the worst first."""

    top: int
    clients: frozenset[str] = frozenset()  # of whom units are counted and listed; empty: all
    read: int = 0  # units of the memory
    units: int = 0  # of these clients
    look: int = 0
    by_check: Counter[str] = field(default_factory=Counter)  # units that a check doubts
    looked_by_check: Counter[str] = field(default_factory=Counter)  # those of them that deserve a look
    by: dict[str, dict[str, Counts]] = field(default_factory=lambda: {key: {} for key in _KEYS})
    worst: list[tuple[float, int, JudgedUnit]] = field(default_factory=list)

    def add(self, units: Sequence[Unit], suspicions: Sequence[Suspicion]) -> None:
        """The next units of the memory."""
        first = self.read + 1
        self.read += len(units)
        numbers: Sequence[int] = range(first, self.read + 1)
        if self.clients:
            own = [i for i, unit in enumerate(units) if unit.client in self.clients]
            units, suspicions = [units[i] for i in own], [suspicions[i] for i in own]
            numbers = [numbers[i] for i in own]
        self.units += len(units)
        looked = [unit for unit, found in zip(units, suspicions, strict=True) if found.probability >= LOOK]
        self.look += len(looked)
        for key, groups in self.by.items():
            name_of = _KEYS[key]
            for name, number in Counter(map(name_of, units)).items():
                self._group(groups, name).units += number
            for unit in looked:
                self._group(groups, name_of(unit)).look += 1
        for number, unit, suspicion in zip(numbers, units, suspicions, strict=True):
            if suspicion.reasons:
                self._doubted(number, unit, suspicion)

    @staticmethod
    def _group(groups: dict[str, Counts], name: str) -> Counts:
        found = groups.get(name)
        return (
            groups.setdefault(name if len(groups) < _MOST else OTHERS, Counts()) if found is None else found
        )

    def _doubted(self, number: int, unit: Unit, suspicion: Suspicion) -> None:
        look = suspicion.probability >= LOOK
        for reason in suspicion.reasons:
            self.by_check[reason.check] += 1
            self.looked_by_check[reason.check] += look
        if not self.top:
            return
        if len(self.worst) >= self.top and suspicion.probability < self.worst[0][0]:
            return
        entry = (suspicion.probability, -number, JudgedUnit(number, unit, suspicion))
        if len(self.worst) < self.top:
            heappush(self.worst, entry)
        elif entry > self.worst[0]:
            heapreplace(self.worst, entry)

    def state(self) -> dict[str, Any]:
        """All of it, as data."""
        return {
            "numbers": [self.read, self.units, self.look],
            "checks": [dict(self.by_check), dict(self.looked_by_check)],
            "by": {
                key: {name: [own.units, own.look] for name, own in groups.items()}
                for key, groups in self.by.items()
            },
            "worst": [
                [
                    own.number,
                    list(own.unit),
                    own.suspicion.probability,
                    [list(why) for why in own.suspicion.reasons],
                ]
                for _, _, own in self.worst
            ],
        }

    def take(self, state: Mapping[str, Any]) -> None:
        """Go on from a state."""
        self.read, self.units, self.look = state["numbers"]
        self.by_check, self.looked_by_check = (Counter(own) for own in state["checks"])
        self.by = {
            key: {name: Counts(*own) for name, own in groups.items()} for key, groups in state["by"].items()
        }
        self.worst = []
        for number, fields, probability, reasons in state["worst"]:
            unit = Unit._make(fields)
            unit = unit._replace(properties=tuple((name, value) for name, value in unit.properties))
            doubts = tuple(
                Doubt(check, told, score, *(tuple((a, b) for a, b in side) for side in sides))
                for check, told, score, *sides in reasons
            )
            own = JudgedUnit(number, unit, Suspicion(probability, doubts))
            heappush(self.worst, (probability, -number, own))

    def ranked(self) -> list[JudgedUnit]:
        """The worst first; of equals, the first in the memory."""
        return [judged for _, _, judged in sorted(self.worst, key=lambda entry: (-entry[0], -entry[1]))]


@contextmanager
def quiet() -> Iterator[None]:
    """Without our warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TertiumWarning)
        yield


def learn(source: UnitSource, judge: UnitJudge) -> None:
    """Let a judge read the memory, if it has to. Warnings come when it is read again."""
    if judge.learns:
        source.check_file()
        with quiet():
            for batch in batches(source.open(), source.path, "learning from"):
                judge.learn(batch)


Units = list[Unit]


@dataclass(frozen=True)
class _Judging:
    """Batches to suspicions, wherever that is done."""

    judge: Shared[UnitJudge]

    def __call__(self, batches: list[Units]) -> list[list[Suspicion]]:
        return [self.judge.value.judge(batch) for batch in batches]


def judged(
    source: UnitSource, judge: UnitJudge, done: int = 0, engine: Engine | None = None
) -> Iterator[tuple[Units, list[Suspicion]]]:
    """The units of a memory with their suspicions, behind the first that were judged before. Elsewhere than here, what
    the judge has learnt is sent once, and units some batches at a time."""
    where = engine or engine_named("local")

    def left() -> Iterator[Units]:
        before = done
        for batch in whole_documents(chain.from_iterable(batches(source.open(), source.path, "checking"))):
            skipped, before = min(before, len(batch)), max(before - len(batch), 0)
            if rest := batch[skipped:] if skipped else batch:
                yield rest

    waiting: deque[list[Units]] = deque()

    def parts() -> Iterator[list[Units]]:
        units = left()
        while part := list(islice(units, 1 if where.workers == 1 else _TOGETHER)):
            waiting.append(part)
            yield part

    given = parts()
    first = next(given, None)
    if first is None:
        return
    found = _Judging(Shared(judge))(first)  # only now has a judge learnt all that is sent
    yield from zip(waiting.popleft(), found, strict=True)
    for found in where.map(_Judging(where.share(judge)), given):
        yield from zip(waiting.popleft(), found, strict=True)


def whole_documents(units: Iterable[Unit]) -> Iterator[WholeDocuments]:
    """Units in batches that end where documents end, so that neighbours are judged together.

    >>> made = [Unit("a", "b", document=name) for name in ["1"] * 3 + ["2"]]
    >>> [len(batch) for batch in whole_documents(made * 400)]
    [1024, 576]
    """
    found = WholeDocuments()
    try:
        for own in documents(units):
            found += own
            if len(found) >= reading.BATCH:
                yield found
                found = WholeDocuments()
    except TertiumError:  # what is read before an error comes out, too
        if found:
            yield found
        raise
    if found:
        yield found
