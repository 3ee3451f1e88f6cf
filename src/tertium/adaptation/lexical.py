"""Lexical memory: what a machine translation said and people wrote instead, phrase by phrase, for what it says next.

A correction teaches that a phrase of the output became another one, in a source with these words. Where the machine
says the phrase again, for a source that shares a word with all sources in which it was corrected and with none in which
people left it, it is replaced, unless people left it more often than not. It needs no model,
and works with any machine translation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tertium.adaptation.base import AdaptiveSystem, Lesson, Materials, SourceSegment, Translation
from tertium.adaptation.gate import CorrectionGate
from tertium.adaptation.measures import content_words
from tertium.matching.proposals import differences

LONGEST = 8  # words of a phrase
_TOKEN = re.compile(r"\w+|[^\w\s]")


@dataclass
class PhraseRule:
    """A phrase of the output, and what people wrote instead."""

    wrong: str
    right: str
    words: frozenset[str]  # of all sources in which it was corrected
    made: int = 1
    refused: int = 0
    first: int = 0  # the correction that taught it

    @property
    def confidence(self) -> float:
        """That people will write it again."""
        return (self.made + 0.5) / (self.made + self.refused + 1)

    def fits(self, words: frozenset[str]) -> bool:
        return not self.words or bool(self.words & words)

    def refuse(self, words: frozenset[str]) -> None:
        """People left the phrase as it was in a source with these words: they do not call for the rule."""
        if left := self.words - words:
            self.words = left
        else:
            self.refused += 1

    def nearness(self, words: frozenset[str]) -> float:
        """How much of what calls for it is in a source."""
        return len(self.words & words) / len(self.words) if self.words else 0.0


class PhraseCorrections:
    """Rules, by the first word of what was wrong.

    >>> rules = PhraseCorrections("en")
    >>> rules.learn("Snow this evening.", "Neige ce soir.", "Neige en soirée.", 1)
    >>> rules.apply("Wind this evening in Ottawa.", "Vent ce soir à Ottawa.")[0]
    'Vent en soirée à Ottawa.'
    >>> rules.apply("He left.", "Il part ce soir.")[0]
    'Il part ce soir.'
    """

    def __init__(self, language: str = "") -> None:
        self.language = language  # of the sources
        self.rules: dict[str, list[PhraseRule]] = {}

    def apply(self, source: str, output: str) -> tuple[str, list[PhraseRule]]:
        """The output with phrases replaced, and by which rules."""
        words = content_words(source, self.language)
        used: list[PhraseRule] = []
        text, begin = "", 0
        tokens = list(_TOKEN.finditer(output))
        place = 0
        while place < len(tokens):
            found = self._best(output, tokens, place, words)
            if found is None:
                place += 1
                continue
            rule, last = found
            text += output[begin : tokens[place].start()] + rule.right
            begin, place = tokens[last - 1].end(), last
            used.append(rule)
        text += output[begin:]
        return (text[:1].upper() + text[1:] if output[:1].isupper() else text), used

    def _best(
        self, output: str, tokens: list[re.Match[str]], place: int, words: frozenset[str]
    ) -> tuple[PhraseRule, int] | None:
        """The rule to use at a token: the longest, then the surest, then the one whose sources are most alike."""
        best: tuple[tuple[int, float, float], PhraseRule, int] | None = None
        for rule in self.rules.get(tokens[place].group().casefold(), ()):
            last = _ends(rule.wrong, output, tokens, place)
            if last is None or rule.confidence <= 0.5 or not rule.fits(words):
                continue
            worth = (last - place, rule.confidence, rule.nearness(words))
            if best is None or worth > best[0]:
                best = worth, rule, last
        return None if best is None else best[1:]

    def learn(self, source: str, output: str, correction: str, number: int) -> None:
        """From what the machine said, and what people made of it."""
        words = content_words(source, self.language)
        made = set(_phrases(output, correction))
        tokens = list(_TOKEN.finditer(output))
        for place, token in enumerate(tokens):
            for rule in self.rules.get(token.group().casefold(), ()):
                if _ends(rule.wrong, output, tokens, place) is None or not rule.fits(words):
                    continue
                if (
                    rule.wrong,
                    rule.right,
                ) not in made and rule.right.casefold() not in correction.casefold():
                    rule.refuse(words)
        for wrong, right in made:
            known = self.rules.setdefault(_TOKEN.findall(wrong)[0].casefold(), [])
            for rule in known:
                if (rule.wrong, rule.right) == (wrong, right):
                    rule.made += 1
                    rule.words = (rule.words & words) or rule.words
                    break
            else:
                known.append(PhraseRule(wrong, right, words, first=number))

    def cut(self, number: int) -> None:
        """Only what the first so many corrections taught stays."""
        kept = {key: [rule for rule in own if rule.first <= number] for key, own in self.rules.items()}
        self.rules = {key: own for key, own in kept.items() if own}

    def __len__(self) -> int:
        return sum(map(len, self.rules.values()))

    def state(self) -> list[list[Any]]:
        return [
            [rule.wrong, rule.right, sorted(rule.words), rule.made, rule.refused, rule.first]
            for own in self.rules.values()
            for rule in own
        ]

    def take(self, state: list[list[Any]]) -> None:
        self.rules = {}
        for wrong, right, words, made, refused, first in state:
            rule = PhraseRule(wrong, right, frozenset(words), made, refused, first)
            self.rules.setdefault(_TOKEN.findall(wrong)[0].casefold(), []).append(rule)


def _ends(wrong: str, output: str, tokens: list[re.Match[str]], place: int) -> int | None:
    """The token behind a phrase that begins here; None where it does not."""
    begin = tokens[place].start()
    end = begin + len(wrong)
    if output[begin:end].casefold() != wrong.casefold():
        return None
    return next((n + 1 for n in range(place, len(tokens)) if tokens[n].end() == end), None)


def _phrases(output: str, correction: str) -> Iterator[tuple[str, str]]:
    """What became of phrases; where something was only added, with the word before it."""
    for begin, end, start, stop in differences(output, correction):
        if begin == end:
            before = [own for own in _TOKEN.finditer(output) if own.end() <= begin]
            same = [own for own in _TOKEN.finditer(correction) if own.end() <= start]
            if not before or not same or before[-1].group() != same[-1].group():
                continue
            begin, end, start = before[-1].start(), before[-1].end(), same[-1].start()
        wrong, right = output[begin:end].strip(), correction[start:stop].strip()
        if max(len(wrong.split()), len(right.split())) <= LONGEST and _TOKEN.search(wrong):
            yield wrong, right


class Lexical(AdaptiveSystem):
    """A machine translation with learned phrases."""

    name = "lexical"
    sentence = "the machine translation, with phrases replaced as people replaced them before"
    needs = ("machine",)

    def __init__(self, machine: AdaptiveSystem, source_language: str = "", target_language: str = "") -> None:
        self.machine = machine
        self.phrases = PhraseCorrections(source_language)
        self.gate = CorrectionGate(target_language)

    @classmethod
    def make(cls, materials: Materials, value: str | None, options: Mapping[str, str]) -> Lexical:
        languages = ("", "") if materials.pair is None else tuple(materials.pair)
        return cls(materials.need("machine", cls.name)(), *languages)

    def translate(self, segment: SourceSegment, *, candidates: int = 1) -> Translation:
        return self.corrected(segment, self.machine.translate(segment, candidates=candidates))

    def corrected(self, segment: SourceSegment, made: Translation) -> Translation:
        """A translation with learned phrases; the machine's own is the next candidate."""
        text, used = self.phrases.apply(segment.source, made.text)
        if not used or text == made.text:
            return made
        reasons = [
            f"“{rule.wrong}” became “{rule.right}” {rule.made} of {rule.made + rule.refused} times"
            for rule in used
        ]
        return Translation(
            text, made.score, (*reasons, *made.reasons), made.origin, (made.text, *made.others)
        )

    def learn(self, segment: SourceSegment, correction: str) -> Lesson:
        output = self.machine.translate(segment).text
        look = self.gate.look(segment, output, correction)
        if look.back_to is not None:
            self.phrases.cut(look.back_to)
        if look.admitted:
            self.phrases.learn(segment.source, output, correction.strip(), self.gate.seen)
        return Lesson(look.admitted, look.reasons)

    def forget(self) -> None:
        self.phrases = PhraseCorrections(self.phrases.language)
        self.gate.forget()

    def state(self) -> dict[str, Any]:
        return {"phrases": self.phrases.state(), "gate": self.gate.state()}

    def take(self, state: Mapping[str, Any]) -> None:
        self.phrases.take(state["phrases"])
        self.gate.take(state["gate"])

    def close(self) -> None:
        self.machine.close()
