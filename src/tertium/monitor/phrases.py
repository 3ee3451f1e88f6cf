"""Phrases: which words of a translation nothing in its reference explains, and how little."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tertium._native import Forms
from tertium.text.alignment import Aligner, PlainTexts
from tertium.text.cut import Cut
from tertium.text.parses import word_places
from tertium.text.similarity import Cosines, Letters, WordSimilarity
from tertium.text.vectors import Vectors

Span = tuple[int, int, float]  # characters from and to, and how much nothing explains: 0 to 1


@dataclass(frozen=True)
class Explaining:
    """How words are linked: by form and, where the language has a stemmer, by stem; by vectors where there are some.

    A word that is linked is explained. Of one that is not, the similarity to the nearest word of the reference that is
    not linked either says how much: by vectors, or else by letters.

    >>> Explaining("en").spans(["the old harbour remains open"], [["the port remained open"]])
    [[(4, 15, 1.0)]]
    """

    lang: str = "other"
    vectors: str = ""

    @property
    def signature(self) -> str:
        """Enough to find the same spans again."""
        aligner = self._aligner
        known = Vectors.open(self.vectors).hash if self.vectors else "letters"
        items = {"lang": self.lang, "modules": "+".join(aligner.modules), "like": known}
        return "|".join(
            f"{key}:{value}" for key, value in ({"links": "alike"} | items | aligner.items()).items()
        )

    @property
    def _aligner(self) -> Aligner:
        return Aligner(lang=self.lang, vectors=self.vectors, alike=True)

    def spans(self, outputs: Sequence[str], references: Sequence[Sequence[str]]) -> list[list[Span]]:
        """Of each output, the phrases that no reference explains; of several references the one that explains most."""
        pairs = [(i, reference) for i, given in enumerate(references) for reference in given]
        forms, aligner = Forms(), self._aligner
        ours = PlainTexts.of(aligner, Cut.of([outputs[i] for i, _ in pairs], forms))
        theirs = PlainTexts.of(aligner, Cut.of([text for _, text in pairs], forms))
        found: dict[int, list[tuple[int, float]]] = {}
        words: dict[int, Sequence[str]] = {}
        both = (ours.cut.numbered.words(), theirs.cut.numbered.words(), ours.links(theirs))
        for (i, _), mine, other, links in zip(pairs, *both, strict=True):
            lost = self._unexplained(mine, other, links)
            if i not in found or sum(score for _, score in lost) < sum(score for _, score in found[i]):
                found[i], words[i] = lost, mine
        return [_joined(outputs[i], words[i], found[i]) if found.get(i) else [] for i in range(len(outputs))]

    def _unexplained(
        self, mine: Sequence[str], other: Sequence[str], links: Sequence[tuple[int, int]]
    ) -> list[tuple[int, float]]:
        """Words without a link, and how little of each is explained."""
        linked, theirs = {i for i, _ in links}, {j for _, j in links}
        places = [i for i, word in enumerate(mine) if i not in linked and _is_word(word)]
        if not places:
            return []
        left = [word.lower() for j, word in enumerate(other) if j not in theirs and _is_word(word)]
        if not left:
            return [(i, 1.0) for i in places]
        likeness = self._likeness.similarity([mine[i].lower() for i in places], left)
        return [
            (i, 1.0 - min(1.0, max(0.0, *map(float, row)))) for i, row in zip(places, likeness, strict=True)
        ]

    @property
    def _likeness(self) -> WordSimilarity:
        return Cosines(Vectors.open(self.vectors)) if self.vectors else Letters()


@lru_cache(maxsize=20_000)
def _is_word(text: str) -> bool:
    return any(sign.isalnum() for sign in text)


def _joined(text: str, words: Sequence[str], lost: Sequence[tuple[int, float]]) -> list[Span]:
    """Neighbours become one phrase, with the mean of their scores."""
    spans = list(word_places(text, words[: lost[-1][0] + 1]))
    runs: list[list[tuple[int, float]]] = []
    for place, score in lost:
        if runs and runs[-1][-1][0] == place - 1:
            runs[-1].append((place, score))
        else:
            runs.append([(place, score)])
    return [
        (
            spans[run[0][0]][0],
            spans[run[-1][0]][1],
            round(sum(score for _, score in run) / len(run), 4),
        )
        for run in runs
    ]


def phrases_of(segments: Sequence[Mapping[str, Any]], how: Explaining) -> list[list[Span]] | None:
    """The phrases of a document; None where no segment has a reference."""
    references = [segment["references"] for segment in segments]
    if not any(references):
        return None
    return how.spans([segment["mt"] for segment in segments], references)


def explained_share(text: str, spans: Sequence[Span]) -> float | None:
    """How much of a translation is explained, in percent of its letters and digits: a score of phrases for a segment.

    >>> explained_share("the old port", [(4, 7, 0.5)])
    85.0
    """
    letters = [sign.isalnum() for sign in text]
    if not any(letters):
        return None
    lost = sum(score * sum(letters[start:end]) for start, end, score in spans)
    return 100.0 * (1.0 - lost / sum(letters))
