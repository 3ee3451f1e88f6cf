"""Lexical overlap: words in common over words in either text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

from tertium import _native
from tertium._native import Lines
from tertium.families.base import Level
from tertium.families.words import MEAN_COLUMNS, NO_SEGMENTS, WordMetric, words_from
from tertium.statistics import DenseStatistics


@dataclass(frozen=True)
class LexicalOverlap(WordMetric):
    """Ol: the Jaccard coefficient of two bags of words.

    >>> import tertium as tt
    >>> m = tt.metric("ol")
    >>> round(m.score_total(m.statistics(["the cat sat on the mat"], ["the cat sat on a mat"])), 2)
    71.43
    """

    name: ClassVar[str] = "ol"
    title: ClassVar[str] = "lexical overlap (Ol): words in common over words in either text"
    formula: ClassVar[str] = (
        "Ol = |H & R| / |H | R|,  bags of words: a word counts min and max of its two counts. The corpus score is\n"
        "the mean of segment scores."
    )
    paper: ClassVar[str] = (
        "Giménez and Màrquez 2010, Asiya, Prague Bulletin of Mathematical Linguistics 94, pp. 77-86"
    )
    quirks: ClassVar[str] = "With several references a segment takes the best. Two empty texts score 0."
    undefined: ClassVar[str] = NO_SEGMENTS

    @property
    def label(self) -> str:
        return "Ol"

    def _rows(
        self, hypotheses: Lines, prepared: _native.WordReferences, sources: Lines | None, threads: int
    ) -> DenseStatistics:
        rows = _native.overlap_rows(self._texts(hypotheses), prepared, self._tokenizer()[0], threads)
        return DenseStatistics(MEAN_COLUMNS, rows)

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        return _native.mean_scores(statistics.data, 0)

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        return self.word_items()

    @classmethod
    def from_signature_items(cls, items: dict[str, str]) -> Self:
        return cls(**words_from(items))
