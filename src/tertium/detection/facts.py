"""Small things that change what a text says: names, numbers, and whether something is denied.

What counts as a number, a code or a denial is what checks of memories know (`vetting/checks`); what a name is,
a capital says, in languages that do not write all nouns with one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from tertium.detection.base import Why, joined
from tertium.detection.meaning import quoted
from tertium.detection.pairs import SeenPairs
from tertium.detection.weighing import WeighedDetector

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.vetting.lexicon import WordEvidence

NOUNS = 0.25  # share of words with a capital from which on it marks more than names
SIDES = ("source", "target")


class EntityNames(WeighedDetector):
    """Names, acronyms and codes that only one side has, and that no other word explains."""

    name = "names"
    sentence = "Names, acronyms and codes of one side have their like on the other."

    def signs(self, pairs: SeenPairs) -> Mapping[str, NDArray[np.float64]]:
        found = {name: pairs.doubted(name) for name in ("acronyms", "codes")}
        for at, side in enumerate(SIDES):
            number, worst = np.zeros(len(pairs)), np.zeros(len(pairs))
            if pairs.knowledge.capitals[at] < NOUNS:
                for place in np.flatnonzero(pairs[f"{side} names alone"] > 0).tolist():
                    names = _alone(pairs, place, at)
                    number[place] = min(len(names), 3)
                    worst[place] = -min((word.evidence for word in names), default=0.0)
            found |= {f"{side} names": number, f"{side} worst": np.minimum(worst, 5.0)}
        return found

    def why(self, pairs: SeenPairs, place: int) -> Why:
        unit = pairs.units[place]
        spans: list[list[tuple[int, int]]] = [[], []]
        for at in range(2):
            if pairs.knowledge.capitals[at] < NOUNS:
                spans[at] = [(word.begin, word.end) for word in _alone(pairs, place, at)]
        for name in ("acronyms", "codes"):
            doubt = pairs.doubts[name].get(place)
            spans[0] += [] if doubt is None else [span for span in doubt.source if span not in spans[0]]
        texts = [
            [text[begin:end] for begin, end in joined(sorted(own))]
            for text, own in zip((unit.source, unit.target), spans, strict=True)
        ]
        told = [
            f"only the {side} has {', '.join(map(quoted, own[:4]))}"
            for side, own in zip(("source", "translation"), texts, strict=True)
            if own
        ]
        return Why("; ".join(told), *(joined(sorted(own)) for own in spans))


def _alone(pairs: SeenPairs, place: int, side: int) -> list[WordEvidence]:
    """Words with a capital, but for the first of a sentence, that speak against the pair."""
    unit = pairs.units[place]
    text, other = (unit.source, unit.target)[side], (unit.target, unit.source)[side].lower()
    return [
        word
        for word in pairs.words(place)[side]
        if word.evidence < 0
        and text[word.begin].isupper()
        and text[: word.begin].rstrip(" \"'“„«(-–").rstrip()[-1:] not in ("", ".", "!", "?", ":")
        and text[word.begin : word.end].lower()[:4] not in other
    ]


class _Checked(WeighedDetector):
    """Asks a check of memories."""

    check = ""

    def signs(self, pairs: SeenPairs) -> Mapping[str, NDArray[np.float64]]:
        doubted = pairs.doubted(self.check)
        return {"doubt": doubted, "any": (doubted > 0).astype(float)}

    def why(self, pairs: SeenPairs, place: int) -> Why:
        doubt = pairs.doubts[self.check].get(place)
        return Why("") if doubt is None else Why(doubt.sentence, doubt.source, doubt.target)


class Figures(_Checked):
    """Numbers that only one side has."""

    name = check = "numbers"
    sentence = "Numbers, dates, times and amounts are the same on both sides."


class Denial(_Checked):
    """What one side denies, and the other does not."""

    name = check = "negation"
    sentence = "What one side denies, the other denies, too."

    def signs(self, pairs: SeenPairs) -> Mapping[str, NDArray[np.float64]]:
        against = np.zeros(len(pairs))
        for place, doubt in pairs.doubts[self.check].items():
            places = (doubt.source, doubt.target)
            against[place] = max(
                (
                    -word.evidence
                    for own, words in zip(places, pairs.words(place), strict=True)
                    for word in words
                    if any(begin < word.end and word.begin < end for begin, end in own)
                ),
                default=0.0,
            )
        return {**super().signs(pairs), "against": np.clip(against, -3.0, 3.0)}
