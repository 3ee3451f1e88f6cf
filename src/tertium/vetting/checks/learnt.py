"""Checks that learn from the memory itself: meaning, omission, insertion, length."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import exp
from typing import TYPE_CHECKING

import numpy as np

from tertium.comparison.doctor.languages import function_words
from tertium.vetting.checks.base import Doubt, Span
from tertium.vetting.lengths import Lengths
from tertium.vetting.lexicon import CUT, MemoryLexicon, WordEvidence, strongest_run

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.io.memories.unit import Unit

_AT = {name: i for i, name in enumerate(MemoryLexicon.names)}
_SOURCE, _TARGET = _AT["source evidence"], _AT["target evidence"]
LEAST_RUN = 6.0  # evidence against a run, as a logarithm, from which on it is told
LEAST_WORDS = 2
UNUSUAL = 4.0  # spreads
UNLIKE, ALONE = 3.0, 0.7  # evidence against the worst words of the source and of the target
_SHOWN = 60  # characters of a run in a sentence


def _certainty(against: float) -> float:
    """A score from evidence: 0.5 where it says nothing.

    >>> _certainty(0.0), round(_certainty(6.0), 2)
    (0.5, 0.95)
    """
    return 1.0 / (1.0 + exp(-min(50.0, max(-50.0, against / 2.0))))


class Meaning:
    """The sides have no more to do with each other than texts that were put together at random."""

    name = "meaning"
    sentence = "Words of each side are explained by words of the other, as this memory translates them."
    learner = MemoryLexicon

    def sieve(self, rows: NDArray[np.float64]) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = rows[:, _SOURCE] + rows[:, _TARGET] < 0.0
        return found

    def doubt(self, lexicon: MemoryLexicon, unit: Unit, row: Sequence[float]) -> Doubt | None:
        total = row[_SOURCE] + row[_TARGET]
        if total >= 0.0 or row[_AT["source words"]] + row[_AT["target words"]] < 3:
            return None
        sides = lexicon.evidence(unit)
        spans = [tuple((own.begin, own.end) for own in side if own.evidence < -0.5) for side in sides]
        alone, all_words = sum(map(len, spans)), sum(map(len, sides))
        what = (
            f"the sides do not seem to translate each other: {alone} of {all_words} words are not explained"
        )
        return Doubt(self.name, what, _certainty(-total), *spans)


class _Run:
    """A run of words that nothing on the other side explains."""

    name: str
    side: int
    at: int

    def sieve(self, rows: NDArray[np.float64]) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = (rows[:, self.at] >= LEAST_RUN) & (rows[:, self.at + 1] >= LEAST_WORDS)
        return found

    def doubt(self, lexicon: MemoryLexicon, unit: Unit, row: Sequence[float]) -> Doubt | None:
        if row[self.at] < LEAST_RUN or row[self.at + 1] < LEAST_WORDS:
            return None
        words: list[WordEvidence] = lexicon.evidence(unit)[self.side]
        first, past = strongest_run(words)
        begin, end = words[first].begin, words[past - 1].end
        places: list[tuple[Span, ...]] = [(), ()]
        places[self.side] = ((begin, end),)
        what = f"nothing explains “{_quoted((unit.source, unit.target)[self.side][begin:end])}”"
        return Doubt(self.name, what, _certainty(row[self.at] - LEAST_RUN), *places)


def _quoted(text: str) -> str:
    return (
        text if len(text) <= _SHOWN else f"{text[: _SHOWN // 2].rstrip()} … {text[-_SHOWN // 2 :].lstrip()}"
    )


class Omission(_Run):
    """Words of the source that nothing in the target explains."""

    name = "omission"
    sentence = "No run of words of the source is left out."
    learner = MemoryLexicon
    side, at = 0, _AT["source run"]


class Insertion(_Run):
    """Words of the target that nothing in the source explains."""

    name = "insertion"
    sentence = "No run of words of the target is added."
    learner = MemoryLexicon
    side, at = 1, _AT["target run"]


class Wording:
    """A word that this memory translates alike nearly always, and otherwise here: no glossary is needed."""

    name = "wording"
    sentence = "Words that this memory nearly always translates alike are translated so."
    learner = MemoryLexicon

    def sieve(self, rows: NDArray[np.float64]) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = (rows[:, _AT["source worst"]] >= UNLIKE) & (
            rows[:, _AT["target worst"]] >= ALONE
        )
        return found

    def doubt(self, lexicon: MemoryLexicon, unit: Unit, row: Sequence[float]) -> Doubt | None:
        if row[_AT["source worst"]] < UNLIKE or row[_AT["target worst"]] < ALONE:
            return None
        known = function_words(re.split("[-_]", unit.source_language.lower())[0])
        words = [(own, unit.source[own.begin : own.end]) for own in lexicon.renderings(unit)]
        terms = [(own, word) for own, word in words if word[0] != "%" and word.lower() not in known]
        if not terms:
            return None
        own, word = max(terms, key=lambda term: term[0].alike / (term[0].times + 10))
        usual = own.usual + "…" * (len(own.usual) >= CUT)
        what = (
            f"“{word}” has one of its usual translations (“{usual}”) {own.alike} of {own.times} times, "
            f"here perhaps “{unit.target[own.target_begin : own.target_end]}”"
        )
        score = 0.4 * own.alike / (own.times + 10)
        places = ((own.begin, own.end),), ((own.target_begin, own.target_end),)
        return Doubt(self.name, what, score, *places)


class Length:
    """A target that is much longer or shorter than targets of such sources are in this memory."""

    name = "length"
    sentence = "The target is about as long as targets of such sources are in this memory."
    learner = Lengths

    def sieve(self, rows: NDArray[np.float64]) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = np.abs(rows[:, 0]) >= UNUSUAL
        return found

    def doubt(self, _lengths: Lengths, unit: Unit, row: Sequence[float]) -> Doubt | None:
        if abs(row[0]) < UNUSUAL or not unit.target.strip() or not unit.source.strip():
            return None
        how = "longer" if row[0] > 0 else "shorter"
        what = f"the target is much {how} than usual: {len(unit.target)} characters for {len(unit.source)}"
        return Doubt(self.name, what, _certainty(abs(row[0]) - UNUSUAL))
