"""Whether a translation says what its source says: all of it made up, a part made up, a part left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from tertium.detection.base import Why, joined
from tertium.detection.pairs import SeenPairs
from tertium.detection.weighing import WeighedDetector, weighed
from tertium.vetting.lexicon import strongest_run

if TYPE_CHECKING:
    from numpy.typing import NDArray

AGAINST = -0.5  # evidence of a word from which on it speaks against the pair
_SHOWN = 60  # characters of a text in a sentence


def quoted(text: str) -> str:
    """
    >>> quoted("one  two")
    '“one two”'
    """
    text = " ".join(text.split())
    half = _SHOWN // 2
    return f"“{text if len(text) <= _SHOWN else f'{text[:half].rstrip()} … {text[-half:].lstrip()}'}”"


def _meaning(pairs: SeenPairs) -> dict[str, NDArray[np.float64]]:
    """How much of each side the other explains: by words that were learnt, and by the eye."""
    found = {
        f"{side} {what}": pairs[f"{side} {what}"]
        for side in ("source", "target")
        for what in ("mean", "against")
    }
    for side in ("source", "target"):
        total = pairs[f"{side} evidence"]
        found[f"{side} evidence"] = np.sign(total) * np.log1p(np.abs(total))
    found["trigrams"] = pairs["both trigrams"]
    found["short"] = 1.0 / (1.0 + pairs["source words"])
    found["alone"] = np.minimum(pairs["target names alone"] + pairs["target numbers alone"], 3.0)
    found["length"] = np.minimum(pairs["length distance"], 6.0)
    return found


def with_vectors(pairs: SeenPairs, odds: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    """What words say, and what vectors say: the cosine, and how much it is above that of the nearest others."""
    return {"odds": odds, "cosine": pairs["vector cosine"], "margin": pairs["vector margin"]}


class Detachment(WeighedDetector):
    """Nothing of the source explains the translation, and nothing of the translation the source."""

    name = "detachment"
    sentence = "The translation has to do with the source: words of each explain words of the other."

    def signs(self, pairs: SeenPairs) -> Mapping[str, NDArray[np.float64]]:
        return _meaning(pairs)

    def odds(self, pairs: SeenPairs) -> NDArray[np.float64]:
        found = super().odds(pairs)
        if not pairs.knowledge.encoded:
            return found
        return weighed("detachment with encoder", with_vectors(pairs, found), len(pairs))

    def why(self, pairs: SeenPairs, place: int) -> Why:
        sides = pairs.words(place)
        spans = [joined((word.begin, word.end) for word in side if word.evidence < AGAINST) for side in sides]
        alone = sum(word.evidence < AGAINST for word in sides[0])
        told = f"nothing stands for {alone} of {len(sides[0])} words of the source"
        return Why(told if alone else "the words of both sides hardly belong together", *spans)


class Unsupported(WeighedDetector):
    """A part of the translation that nothing in the source supports."""

    name = "unsupported"
    sentence = "No part of the translation is made up."

    def signs(self, pairs: SeenPairs) -> Mapping[str, NDArray[np.float64]]:
        return _meaning(pairs) | _run(pairs, "target") | _run(pairs, "source")

    def why(self, pairs: SeenPairs, place: int) -> Why:
        return _lost(pairs, place, 1, "nothing in the source supports")


class Omitted(WeighedDetector):
    """A part of the source that the translation leaves out."""

    name = "omission"
    sentence = "No part of the source is left out."

    def signs(self, pairs: SeenPairs) -> Mapping[str, NDArray[np.float64]]:
        z = np.clip(pairs["length z"], -8.0, 8.0)
        return {
            **_run(pairs, "source"),
            "tail": np.log1p(np.maximum(pairs["source tail"], 0.0)),
            "against": pairs["source against"],
            "mean": pairs["source mean"],
            "target mean": pairs["target mean"],
            "shorter": np.maximum(-z, 0.0),
            "longer": np.maximum(z, 0.0),
            "marks": np.clip(pairs["both marks"], -3.0, 3.0),
        }

    def why(self, pairs: SeenPairs, place: int) -> Why:
        return _lost(pairs, place, 0, "nothing in the translation stands for")


def _run(pairs: SeenPairs, side: str) -> dict[str, NDArray[np.float64]]:
    """The strongest run of words of a side that nothing explains."""
    words = np.maximum(pairs[f"{side} words"], 1.0)
    return {
        f"{side} run": np.log1p(np.maximum(pairs[f"{side} run"], 0.0)),
        f"{side} run words": np.log1p(pairs[f"{side} run words"]),
        f"{side} run share": pairs[f"{side} run words"] / words,
    }


def _lost(pairs: SeenPairs, place: int, side: int, told: str) -> Why:
    words = pairs.words(place)[side]
    first, past = strongest_run(words)
    if first == past:
        return Why(
            "the translation is much shorter than usual" if side == 0 else "its words are not explained"
        )
    begin, end = words[first].begin, words[past - 1].end
    unit = pairs.units[place]
    spans = ((begin, end),)
    return Why(
        f"{told} {quoted((unit.source, unit.target)[side][begin:end])}",
        *((spans, ()) if side == 0 else ((), spans)),
    )
