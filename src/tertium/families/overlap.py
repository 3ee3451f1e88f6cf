"""Lexical overlap: words in common over words in either text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tertium import _native
from tertium._native import Lines
from tertium.families.words import NO_SEGMENTS, WordMetric


@dataclass(frozen=True)
class LexicalOverlap(WordMetric):
    """Ol: the Jaccard coefficient of two bags of words.

    >>> import tertium as tt
    >>> m = tt.metric("ol")
    >>> round(m.score_total(m.statistics(["the cat sat on the mat"], ["the cat sat on a mat"])), 2)
    71.43
    """

    name: ClassVar[str] = "ol"
    label: ClassVar[str] = "Ol"
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

    def _counted(self, lines: Lines, references: Any, tokenizer: str, threads: int) -> Any:
        return _native.overlap_rows(lines, references, tokenizer, threads)
