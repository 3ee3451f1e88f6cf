"""Memory, learned phrases and machine translation as `balanced` has them, with the terms of corrections put in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from tertium.adaptation.balance import Balance
from tertium.adaptation.balanced import Balanced
from tertium.adaptation.base import MEMORY, Lesson, Materials, SourceSegment, Translation
from tertium.adaptation.gate import likeness
from tertium.adaptation.lexical import Lexical
from tertium.adaptation.memories import MemoryOnly, base_of, stored, target_language
from tertium.adaptation.terms import LEARNT_FROM, LearntTerms, spaced
from tertium.io.memories.pairs import Pair
from tertium.text.lexical import LexicalModel


class TaughtTerms(Balanced):
    """What the balance speaks for, with the words in it that people had to write before for words of this source. How
    much terms count is learned online as well, in machine translations and in matches apart, by the likeness of
    characters: another form of the right word is nearly right."""

    name = "terms"
    sentence = "the same as balanced, with the words put in that people had to write before"

    def __init__(self, memory: MemoryOnly, lexical: Lexical, terms: LearntTerms, language: str = "") -> None:
        super().__init__(memory, lexical, language)
        self.terms = terms
        self.worth = _worths()

    @classmethod
    def make(cls, materials: Materials, value: str | None, options: Mapping[str, str]) -> TaughtTerms:
        language = target_language(materials)
        memory = MemoryOnly(base_of(materials), language=language)
        source = "" if materials.pair is None else materials.pair.source
        terms = LearntTerms(source, language, chances_of(materials))
        return cls(memory, Lexical.make(materials, None, {}), terms, language)

    def translate(self, segment: SourceSegment, *, candidates: int = 1) -> Translation:
        made = super().translate(segment, candidates=candidates)
        share = self.worth[made.origin == MEMORY].share(1.0)
        if self.matches.held or not made.text:
            return made
        text, used = self.terms.apply(segment.source, made.text)
        balance = (made.balance or 0.0) + (1 - (made.balance or 0.0)) * share
        if text == made.text:
            return replace(made, balance=balance)
        if share < 0.5:
            return made.because("terms of corrections have not helped of late")
        reasons = [
            f"“{word}” is “{rule.right}” ({rule.made} of {rule.made + rule.refused} times)"
            for word, rule in used
        ]
        others = tuple(dict.fromkeys((made.text, *made.others)))[: candidates - 1]
        return replace(made.because(*reasons), text=text, others=others, balance=balance)

    def learn(self, segment: SourceSegment, correction: str) -> Lesson:
        static = self._parts(segment)[1]
        plain = super().translate(segment)
        lesson = super().learn(segment, correction)
        if self.matches.held:
            self.terms.cut(self.gate.calm)
            for own in self.worth:
                own.hold()
        if not lesson.learnt:
            return lesson
        for own in self.worth:
            own.go_on()
        text = correction.strip()
        worded, _ = self.terms.apply(segment.source, plain.text)
        if worded != plain.text:
            before, after = (1 - likeness(own, text) for own in (plain.text, worded))
            self.worth[plain.origin == MEMORY].learn(1.0, static=before, dynamic=after)
        self.terms.learn(segment.source, static.text, text, self.gate.seen)
        return lesson

    def forget(self) -> None:
        super().forget()
        self.terms.take([])
        self.worth = _worths()

    def state(self) -> dict[str, Any]:
        return {**super().state(), "terms": self.terms.state(), "worth": [own.state() for own in self.worth]}

    def take(self, state: Mapping[str, Any]) -> None:
        super().take(state)
        self.terms.take(state["terms"])
        for own, known in zip(self.worth, state["worth"], strict=True):
            own.take(known)


def _worths() -> tuple[Balance, Balance]:
    """One choice, with terms or without: in machine translations, and in matches."""
    return Balance((0.0,)), Balance((0.0,))


def chances_of(materials: Materials) -> LexicalModel | None:
    """How likely words are as translations of each other in the memory of before; None without one."""
    if materials.memory is None:
        return None
    return _chances(materials.memory, materials.pair, materials.before)


@lru_cache(maxsize=2)
def _chances(path: str, pair: Pair | None, before: str) -> LexicalModel | None:
    units = stored(path, pair, before).held.held
    if not units:
        return None
    sides = [[spaced(text) for text in own] for own in ((u.target for u in units), (u.source for u in units))]
    return LexicalModel.learn(sides[0], sides[1], most=LEARNT_FROM)
