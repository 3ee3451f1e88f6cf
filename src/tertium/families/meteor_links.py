"""METEOR over links, hard and soft (Libovický, Brovelli and Cartoni 2018), on segments.

The score needs nothing but links between the words of two texts: links of whole paragraphs can be scored by the same
rows and the same function.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from tertium import _native
from tertium._native import Lines
from tertium.errors import SpecError
from tertium.families.base import Level, option
from tertium.families.contextual import EncoderMetric
from tertium.families.meteor import WordKnowledge
from tertium.statistics import DenseStatistics, StatisticColumn, columns
from tertium.text import meteor
from tertium.text.encoded import Encoded
from tertium.text.segments import References
from tertium.text.similarity import LETTERS, pair_weights, word_similarity

LINK_COLUMNS: tuple[StatisticColumn, ...] = columns(
    *("weight", "reference_weight", "matched", "reference_matched", "length", "reference_length", "chunks"),
    real=("weight", "reference_weight"),
)


@dataclass(frozen=True)
class HardMeteor(WordKnowledge):
    """METEOR over links that all count the same.

    >>> import tertium as tt
    >>> m = tt.metric("meteor-hard")
    >>> round(m.score_total(m.statistics(["the dogs ran home"], ["the dog ran home fast"])), 2)
    80.99
    """

    name: ClassVar[str] = "meteor-hard"
    label: ClassVar[str] = "METEOR-hard"
    title: ClassVar[str] = "METEOR over word links of equal weight, as in 'beyond the sentence level'"
    formula: ClassVar[str] = (
        "a = 10 P R / (R + 9 P), d = 0.5 (chunks / matched words)^3, METEOR = a (1 - d);\n"
        "P = linked words / words of the hypothesis, R = linked words / words of the reference, in sums over segments."
    )
    paper: ClassVar[str] = (
        "Libovický, Brovelli and Cartoni 2018, Machine Translation Evaluation beyond the Sentence Level (EAMT); "
        "Banerjee and Lavie 2005, https://aclanthology.org/W05-0909"
    )
    quirks: ClassVar[str] = (
        "Links are those of METEOR 1.5's aligner, by default from exact and stem matches (exact only where a\n"
        "language has no stemmer); the paper has an aligner of its own. Even equal texts have a penalty,\n"
        "0.5 / n^3 for n words. Several references: the best for a segment."
    )
    perfect: ClassVar[float | None] = None

    @property
    def _default_modules(self) -> tuple[str, ...]:
        return meteor.free_modules(self.lang)

    def _weights(self, pairs: list[tuple[str, str]]) -> list[float]:
        """A weight for each pair of different words that are linked; none: all weigh 1."""
        return []

    def _links(
        self, hypotheses: Lines, references: _native.MeteorReferences, threads: int
    ) -> _native.MeteorLinks:
        return _native.MeteorLinks(self._read(hypotheses), references, self.module_names, self.beam, threads)

    def _rows(self, hypotheses: Lines, prepared: Any, sources: Lines | None, threads: int) -> DenseStatistics:
        links = self._links(hypotheses, prepared, threads)
        return DenseStatistics(LINK_COLUMNS, links.rows(self._weights(links.pairs()), threads))

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        return _native.meteor_link_scores(statistics.data)

    def components(self, total: DenseStatistics, level: Level = "corpus") -> dict[str, Any]:
        """Precision, recall, adequacy a and disfluency d (0 to 1); chunks and lengths."""
        counts = {column.name: total.only(column.name) for column in LINK_COLUMNS}
        precision = counts["weight"] / counts["length"] if counts["length"] else 0.0
        recall = (
            counts["reference_weight"] / counts["reference_length"] if counts["reference_length"] else 0.0
        )
        below = recall + 9 * precision
        matched = (counts["matched"] + counts["reference_matched"]) / 2
        return {
            "precision": precision,
            "recall": recall,
            "adequacy": 10 * precision * recall / below if below else 0.0,
            "disfluency": 0.5 * (counts["chunks"] / matched) ** 3 if matched else 0.0,
            "chunks": counts["chunks"],
            "hypothesis_length": counts["length"],
            "reference_length": counts["reference_length"],
        }

    def verbose(self, total: DenseStatistics, level: Level = "corpus") -> str:
        parts = self.components(total, level)
        names = {"P": "precision", "R": "recall", "a": "adequacy", "d": "disfluency"}
        shown = " ".join(f"{short} = {parts[name]:.3f}" for short, name in names.items())
        return f"{shown} chunks = {parts['chunks']}"

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        return self._text_items()


@dataclass(frozen=True)
class SoftMeteor(EncoderMetric, HardMeteor):
    """METEOR over links that count as much as their words are similar.

    >>> import tertium as tt
    >>> m = tt.metric("meteor-soft:vectors=letters")
    >>> round(m.score_total(m.statistics(["the dogs ran home"], ["the dog ran home fast"])), 2)
    76.95
    """

    name: ClassVar[str] = "meteor-soft"
    label: ClassVar[str] = "METEOR-soft"
    vector_options: ClassVar[tuple[str, ...]] = ("vectors",)
    title: ClassVar[str] = (
        "METEOR over word links weighted by word vectors, of a file or in context (model=FOLDER)"
    )
    formula: ClassVar[str] = (
        "a = 10 P R / (R + 9 P), d = 0.5 (chunks / matched words)^3, METEOR = a (1 - d);\n"
        "P = sum of link weights / words of the hypothesis, R the same for the reference; a link weighs as much as\n"
        "its words are similar, 1 for equal words; with model= the cosine of their vectors in context, equal or not."
    )
    quirks: ClassVar[str] = (
        "As meteor-hard. Similarities below 0 and of unknown words count 0. In a link of phrases each word weighs as\n"
        "much as it is similar to the most similar word of the other phrase. vectors=letters compares by letters.\n"
        "An encoder (model=) sees words as METEOR's normaliser leaves them, in lower case."
    )

    vectors: str = option(
        "", "file of word vectors; or letters: similarity of spelling, without a file", file=True
    )

    def _prepare(self, references: References, threads: int) -> Any:
        if not self.vectors and not self.model:
            raise SpecError(
                "meteor-soft weights links by word vectors: give vectors=<file>, vectors=letters to compare spelling, "
                "or model=<encoder>"
            )
        ready = super()._prepare(references, threads)
        return ready if not self.model else ReadyLinks(ready, [self._contexts(s) for s in references.streams])

    def _contexts(self, lines: Lines, *, wanted: bool = True) -> list[Encoded | None]:
        rows = _native.tokenize(self._words(lines), "none")
        words = [None if lines[i] is None else row for i, row in enumerate(rows)]
        return self._in_context(words, wanted=wanted)

    def _rows(self, hypotheses: Lines, prepared: Any, sources: Lines | None, threads: int) -> DenseStatistics:
        if not self.model:
            return super()._rows(hypotheses, prepared, sources, threads)
        links = self._links(hypotheses, prepared.references, threads)
        rows = []
        for i, own in enumerate(self._contexts(hypotheses, wanted=False)):
            others = [one for stream in prepared.contexts if (one := stream[i]) is not None]
            found = [
                _weighed(own, other, matches, chunks)
                for other, (matches, chunks) in zip(others, links.matches(i), strict=True)
            ]
            rows.append(max(found, key=_link_score))  # the first of the best
        return DenseStatistics.build(LINK_COLUMNS, rows)

    def _weights(self, pairs: list[tuple[str, str]]) -> list[float]:
        return pair_weights(pairs, word_similarity(self.vectors))

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        items = self._text_items()
        if self.model:
            return items | self.encoder_items(pool=self.pool)
        if self.vectors in ("", LETTERS):
            return items | {"vectors": self.vectors or "none"}
        items["vectors"] = f'"{self.vectors}"'
        identity = getattr(word_similarity(self.vectors), "identity", "")  # a hash of the vectors
        return items | ({"vec": str(identity)} if identity else {})

    @classmethod
    def words_from(cls, items: dict[str, str]) -> dict[str, Any]:
        vectors = items.get("vectors", "none")
        return super().words_from(items) | {"vectors": "" if vectors == "none" else vectors}


class ReadyLinks(NamedTuple):
    """References as METEOR reads them, and their words in context."""

    references: _native.MeteorReferences
    contexts: list[list[Encoded | None]]


def _weighed(
    own: Encoded | None, other: Encoded, matches: list[tuple[int, int, int, int, int]], chunks: int
) -> list[float]:
    """A row of links that weigh as much as their words are similar where they stand."""
    import numpy as np

    assert own is not None  # hypotheses are never missing
    ours = theirs = 0.0
    for begin, length, place, size, _ in matches:
        left, right = own.vectors[begin : begin + length], other.vectors[place : place + size]
        cosines = np.clip(left.astype(np.float64) @ right.astype(np.float64).T, 0, 1)
        ours += float(cosines.max(axis=1).sum())
        theirs += float(cosines.max(axis=0).sum())
    matched, reached = (sum(match[k] for match in matches) for k in (1, 3))
    return [ours, theirs, matched, reached, len(own.units), len(other.units), chunks]


def _link_score(row: list[float]) -> float:
    rows = DenseStatistics.build(LINK_COLUMNS, [row])
    return float(_native.meteor_link_scores(rows.data)[0])
