"""Translations that repeat themselves more than their source does."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from tertium.detection.base import Span, Why, joined
from tertium.detection.meaning import quoted
from tertium.detection.pairs import SeenPairs
from tertium.detection.weighing import WeighedDetector

if TYPE_CHECKING:
    from numpy.typing import NDArray

_WORD = re.compile(r"\w+")
_RUN = re.compile(r"(\S)(?:\s?\1){7,}")  # of one character


class Oscillation(WeighedDetector):
    """N-grams that the translation says more often than the source says any; loops; runs of one character."""

    name = "oscillation"
    sentence = "The translation does not repeat itself more than the source does."

    def signs(self, pairs: SeenPairs) -> Mapping[str, NDArray[np.float64]]:
        def more(name: str) -> NDArray[np.float64]:
            ours, theirs = pairs[f"source {name}"], pairs[f"target {name}"]
            return np.log1p(np.maximum(theirs - ours, 0.0))

        share = pairs["target again"] / np.maximum(pairs["target count"], 1.0)
        usual = pairs["source again"] / np.maximum(pairs["source count"], 1.0)
        z = np.clip(pairs["length z"], -8.0, 8.0)
        return {
            **{name: more(name) for name in ("most pairs", "most triples", "most fours", "loop")},
            "again": np.maximum(share - usual, 0.0),
            "run": np.maximum(more("character run") - np.log1p(6.0), 0.0),
            "longer": np.maximum(z, 0.0),
        }

    def why(self, pairs: SeenPairs, place: int) -> Why:
        text = pairs.units[place].target
        run = _RUN.search(text)
        words = [(own.group().lower(), own.span()) for own in _WORD.finditer(text)]
        spans = repeated(words)[1]
        if len(spans) > 1:
            shown = text[spans[0][0] : spans[0][1]]
            return Why(f"{quoted(shown)} is said {len(spans)} times", (), joined(spans))
        if run is not None:
            return Why(f"{run.group(1)} stands {len(run.group().replace(' ', ''))} times", (), (run.span(),))
        return Why("the translation is longer than usual")


def repeated(words: Sequence[tuple[str, Span]]) -> tuple[tuple[str, ...], list[Span]]:
    """The phrase that is repeated most, by all its words, and where it stands; copies that overlap count once.

    >>> repeated([(word, (i, i + 1)) for i, word in enumerate("a b a b a b c".split())])
    (('a', 'b'), [(0, 2), (2, 4), (4, 6)])
    """
    best: tuple[int, tuple[str, ...], list[Span]] = (0, (), [])
    for order in range(1, min(24, len(words) // 2) + 1):
        counts = Counter(_phrases(words, order))
        for phrase, number in counts.most_common(3):
            if number < 2 or (number - 1) * order <= best[0]:
                continue
            spans: list[Span] = []
            past = 0
            for i, own in enumerate(_phrases(words, order)):
                if own == phrase and i >= past:
                    spans.append((words[i][1][0], words[i + order - 1][1][1]))
                    past = i + order
            if (len(spans) - 1) * order > best[0]:
                best = ((len(spans) - 1) * order, phrase, spans)
    return best[1:]


def _phrases(words: Sequence[tuple[str, Span]], order: int) -> list[tuple[str, ...]]:
    return [tuple(word for word, _ in words[i : i + order]) for i in range(len(words) - order + 1)]
