"""Memory, lexical memory and machine translation together: how much each counts is learned online, and shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tertium.adaptation.balance import Balance
from tertium.adaptation.base import AdaptiveSystem, Lesson, Materials, SourceSegment, Translation
from tertium.adaptation.gate import CorrectionGate
from tertium.adaptation.lexical import Lexical
from tertium.adaptation.memories import MemoryOnly, base_of, target_language
from tertium.matching.proposals import word_likeness


class Balanced(AdaptiveSystem):
    """For each segment the memory's match, the machine translation with learned phrases, or the machine translation as
    it is, whichever the balance of what was learnt and what was known speaks for."""

    name = "balanced"
    sentence = "memory, learned phrases and machine translation, weighed by what each was worth of late"
    needs = ("machine",)

    def __init__(self, memory: MemoryOnly, lexical: Lexical, language: str = "") -> None:
        self.memory, self.lexical = memory, lexical
        self.gate = CorrectionGate(language)
        self.matches = Balance()
        self.phrases = Balance((0.0,))  # one choice: with learned phrases, or without
        self._made: tuple[SourceSegment, Translation, Translation, Translation] | None = None

    @classmethod
    def make(cls, materials: Materials, value: str | None, options: Mapping[str, str]) -> Balanced:
        language = target_language(materials)
        memory = MemoryOnly(base_of(materials), language=language)
        return cls(memory, Lexical.make(materials, None, {}), language)

    def _parts(
        self, segment: SourceSegment, candidates: int = 1
    ) -> tuple[Translation, Translation, Translation]:
        """The match, the machine translation, and the same with learned phrases."""
        if candidates == 1 and self._made is not None and self._made[0] == segment:
            return self._made[1:]
        static = self.lexical.machine.translate(segment, candidates=candidates)
        match = self.memory.translate(segment, candidates=candidates)
        made = match, static, self.lexical.corrected(segment, static)
        self._made = (segment, *made)
        return made

    def translate(self, segment: SourceSegment, *, candidates: int = 1) -> Translation:
        match, static, edited = self._parts(segment, candidates)
        share = self.matches.share(match.score or 0.0)
        phrases = self.phrases.share(1.0)
        balance = share + (1 - share) * phrases
        every = dict.fromkeys(text for own in (match, edited, static) for text in own.candidates if own.text)
        if self.matches.held:
            chosen = static.because("corrections are doubted: static alone counts")
        elif match.text and share >= 0.5:
            chosen = match.because(self.matches.words())
        elif phrases >= 0.5 or edited.text == static.text:
            chosen = edited
        else:
            chosen = static.because("learned phrases have not helped of late")
        others = tuple(text for text in every if text != chosen.text)[: candidates - 1]
        return replace(chosen, balance=balance, others=others)

    def learn(self, segment: SourceSegment, correction: str) -> Lesson:
        match, static, edited = self._parts(segment)
        look = self.gate.look(segment, static.text, correction)
        self._made = None
        if look.back_to is not None:
            self.memory.own.cut(look.back_to)
            self.lexical.phrases.cut(look.back_to)
            for own in (self.matches, self.phrases):
                own.hold()
        if not look.admitted:
            back = ("the balance goes back to static",) if look.back_to is not None else ()
            return Lesson(False, (*look.reasons, *back))
        for own in (self.matches, self.phrases):
            own.go_on()
        text = correction.strip()
        costs = {name: 1 - word_likeness(made.text, text) for name, made in _named(match, static, edited)}
        rate = match.score or 0.0
        share = self.matches.share(rate)
        self.matches.show(share + (1 - share) * self.phrases.share(1.0))
        if match.text:
            otherwise = costs["edited" if self.phrases.share(1.0) >= 0.5 else "static"]
            self.matches.learn(rate, static=otherwise, dynamic=costs["match"])
        if edited.text != static.text:
            self.phrases.learn(1.0, static=costs["static"], dynamic=costs["edited"])
        self.memory.add(segment, text)
        self.lexical.phrases.learn(segment.source, static.text, text, self.gate.seen)
        return Lesson(True, look.reasons)

    @property
    def balance(self) -> float | None:
        return self.matches.shown

    def forget(self) -> None:
        self.memory.forget()
        self.lexical.forget()
        self.gate.forget()
        self.matches, self.phrases, self._made = Balance(), Balance((0.0,)), None

    def state(self) -> dict[str, Any]:
        return {
            "memory": self.memory.state(),
            "lexical": self.lexical.state(),
            "gate": self.gate.state(),
            "matches": self.matches.state(),
            "phrases": self.phrases.state(),
        }

    def take(self, state: Mapping[str, Any]) -> None:
        self._made = None
        parts: dict[str, Any] = {
            "memory": self.memory,
            "lexical": self.lexical,
            "gate": self.gate,
            "matches": self.matches,
            "phrases": self.phrases,
        }
        for name, own in parts.items():
            own.take(state[name])

    def close(self) -> None:
        self.lexical.close()


def _named(
    match: Translation, static: Translation, edited: Translation
) -> tuple[tuple[str, Translation], ...]:
    return ("match", match), ("static", static), ("edited", edited)
