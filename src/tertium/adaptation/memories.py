"""A memory that grows with every correction: alone, or where it has a good match, with a machine translation else."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from tertium import _native
from tertium.adaptation.base import (
    MEMORY,
    NOTHING,
    AdaptiveSystem,
    Lesson,
    Materials,
    SourceSegment,
    Translation,
    number,
)
from tertium.adaptation.gate import CorrectionGate
from tertium.adaptation.streams import units_of_memory
from tertium.io.memories.pairs import Pair
from tertium.io.memories.unit import Unit
from tertium.matching.index import MemoryIndex, plain
from tertium.matching.matching import Matcher
from tertium.matching.proposals import Context, Proposal
from tertium.memory.store import Memory

LEAST = 30  # rate of a match that is proposed at all
FEW = 3  # matches that are compared, at least
TELLS = 60  # rate from which on a match tells what a correction should be like
THRESHOLD = 0.75  # usual rate of a match that is taken in place of a machine translation


class HeldMemory(Memory):
    """Units in the working memory, numbered from 1."""

    def __init__(self, units: Iterable[Unit] = ()) -> None:
        super().__init__("corrections")
        object.__setattr__(self, "held", list(units))

    held: list[Unit]

    def units(self, after: int = 0) -> Iterator[tuple[int, Unit]]:
        return iter(enumerate(self.held[after:], after + 1))

    def chosen(self, numbers: Sequence[int]) -> list[tuple[int, Unit]]:
        return [(own, self.held[own - 1]) for own in numbers if own <= len(self.held)]


class GrowingMemory:
    """Units that can be asked for, and added to at any time.

    >>> memory = GrowingMemory()
    >>> memory.add(Unit("Open the file", "Ouvrir le fichier"))
    >>> memory.propose("Open the files", Context())[0].rate
    79
    """

    def __init__(self, units: Iterable[Unit] = ()) -> None:
        self.held = HeldMemory(units)
        self.matcher = Matcher(MemoryIndex(self.held), least=LEAST)
        self.matcher.index.refresh()
        self._same: dict[str, list[Unit]] | None = None

    def add(self, unit: Unit) -> None:
        index = self.matcher.index
        self._same = None
        self.held.held.append(unit)
        index.texts.add([plain(unit.source)])
        index.last = len(self.held.held)
        index.numbers.append(index.last)

    def same(self, source: str) -> list[Unit]:
        """Units with this very source, in the order in which they came."""
        if self._same is None:
            self._same = {}
            for unit in self.held.held:
                self._same.setdefault(plain(unit.source), []).append(unit)
        return self._same.get(plain(source), [])

    def cut(self, length: int) -> None:
        """Only the first so many units stay."""
        self._same = None
        if length < len(self.held.held):
            del self.held.held[length:]
            index = self.matcher.index
            index.texts, index.numbers, index.last = _native.TextIndex(), array("Q"), 0
            index.refresh()

    def propose(self, text: str, context: Context, most: int = FEW) -> tuple[Proposal, ...]:
        self.matcher.most = max(FEW, most)
        return self.matcher.propose(text, context)

    def __len__(self) -> int:
        return len(self.held.held)


@lru_cache(maxsize=4)
def stored(path: str, pair: Pair | None, before: str) -> GrowingMemory:
    """What a memory held before a day (units without a date included): read once, never added to."""
    return GrowingMemory(unit for unit in units_of_memory(path, pair) if not before or unit.date < before)


class MemoryOnly(AdaptiveSystem):
    """The best fuzzy match of a memory that grows with every correction."""

    name = "memory"
    sentence = "the best match of the memory, to which every correction is added"
    options = ("least",)

    def __init__(
        self, base: GrowingMemory | None = None, *, least: float = LEAST / 100, language: str = ""
    ) -> None:
        self.base, self.least = base, least
        self.own = GrowingMemory()
        self.gate = CorrectionGate(language)
        self._asked: tuple[SourceSegment, int, int, list[tuple[Proposal, str]]] | None = None

    @classmethod
    def make(cls, materials: Materials, value: str | None, options: Mapping[str, str]) -> MemoryOnly:
        return cls(
            base_of(materials),
            least=number(options, "least", LEAST / 100),
            language=target_language(materials),
        )

    def proposals(self, segment: SourceSegment, candidates: int = 1) -> list[tuple[Proposal, str]]:
        """The best matches, those of equal rates by client and then the newest first, with where they come from."""
        key = segment, len(self.own), candidates
        if self._asked is None or self._asked[:3] != key:
            self._asked = (*key, self._proposals(segment, candidates))
        return self._asked[3]

    def _proposals(self, segment: SourceSegment, candidates: int) -> list[tuple[Proposal, str]]:
        context = Context(client=segment.client)
        own = [(one, "a correction") for one in self.own.propose(segment.source, context, candidates)]
        if self.base is not None:
            own += [(one, "the memory") for one in self.base.propose(segment.source, context, candidates)]
        own.sort(key=lambda pair: (-pair[0].rate, pair[0].client != segment.client))  # corrections first
        best: dict[str, tuple[Proposal, str]] = {}
        for one in own:
            if one[0].rate >= 100 * self.least:
                best.setdefault(one[0].target, one)
        return list(best.values())

    def translate(self, segment: SourceSegment, *, candidates: int = 1) -> Translation:
        found = self.proposals(segment, candidates)
        if not found:
            return Translation("", 0.0, ("the memory has nothing like it",), NOTHING)
        (first, where), *others = found
        reasons = (f"{first.rate}% match from {where}", *first.reasons)
        texts = tuple(own.target for own, _ in others[: candidates - 1])
        return Translation(first.target, min(first.rate, 100) / 100, reasons, MEMORY, texts)

    def learn(self, segment: SourceSegment, correction: str) -> Lesson:
        shown = self.translate(segment)
        told = shown.text if (shown.score or 0) >= TELLS / 100 else ""
        look = self.gate.look(segment, told, correction)
        if look.back_to is not None:
            self.own.cut(look.back_to)
        if look.admitted:
            self.add(segment, correction)
        return Lesson(look.admitted, look.reasons)

    def add(self, segment: SourceSegment, correction: str) -> None:
        """Takes in a correction that was looked at before."""
        self.own.add(unit_of(segment, correction))

    def forget(self) -> None:
        self.own, self._asked = GrowingMemory(), None
        self.gate.forget()

    def state(self) -> dict[str, Any]:
        units = [
            [unit.source, unit.target, unit.client, unit.translator, unit.document, unit.date]
            for unit in self.own.held.held
        ]
        return {"units": units, "gate": self.gate.state()}

    def take(self, state: Mapping[str, Any]) -> None:
        made = [
            Unit(source, target, client=client, translator=translator, document=document, date=date)
            for source, target, client, translator, document, date in state["units"]
        ]
        self.own, self._asked = GrowingMemory(made), None
        self.gate.take(state["gate"])


class MemoryElseMachine(AdaptiveSystem):
    """The memory from a threshold on, a machine translation below."""

    name = "memory+static"
    sentence = "the memory's match from a threshold on (it grows), the machine translation else"
    options = ("threshold",)
    needs = ("machine",)

    def __init__(self, memory: MemoryOnly, machine: AdaptiveSystem, threshold: float = THRESHOLD) -> None:
        self.memory, self.machine, self.threshold = memory, machine, threshold

    @classmethod
    def make(cls, materials: Materials, value: str | None, options: Mapping[str, str]) -> MemoryElseMachine:
        machine = materials.need("machine", cls.name)()
        memory = MemoryOnly(base_of(materials), language=target_language(materials))
        return cls(memory, machine, number(options, "threshold", THRESHOLD))

    def translate(self, segment: SourceSegment, *, candidates: int = 1) -> Translation:
        match = self.memory.translate(segment, candidates=candidates)
        rate = match.score or 0.0
        if match.text and rate >= self.threshold:
            return match.because(f"at least {self.threshold:.0%}")
        other = self.machine.translate(segment, candidates=candidates)
        return other.because(f"the best match has {rate:.0%}, less than {self.threshold:.0%}")

    def learn(self, segment: SourceSegment, correction: str) -> Lesson:
        return self.memory.learn(segment, correction)

    def forget(self) -> None:
        self.memory.forget()

    def state(self) -> dict[str, Any]:
        return self.memory.state()

    def take(self, state: Mapping[str, Any]) -> None:
        self.memory.take(state)

    def close(self) -> None:
        self.machine.close()

    def __str__(self) -> str:
        return f"{self.name}:threshold={self.threshold:g}"


def base_of(materials: Materials) -> GrowingMemory | None:
    """What is known before the first correction; None: nothing."""
    if materials.memory is None:
        return None
    return stored(materials.memory, materials.pair, materials.before)


def target_language(materials: Materials) -> str:
    """That of corrections, where it is known; else empty."""
    return "" if materials.pair is None else materials.pair.target


def unit_of(segment: SourceSegment, correction: str) -> Unit:
    """A correction as a unit."""
    return Unit(
        plain(segment.source),
        correction.strip(),
        client=segment.client,
        translator=segment.translator,
        document=segment.document,
        date=segment.date,
    )
