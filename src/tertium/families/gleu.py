"""GLEU: the smaller of n-gram precision and recall, for single sentences (Wu et al. 2016)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from tertium import _native
from tertium._native import Lines
from tertium.errors import SpecError
from tertium.families.base import Level, option
from tertium.families.words import WordMetric
from tertium.statistics import DenseStatistics, StatisticColumn
from tertium.statistics import columns as named


@dataclass(frozen=True)
class GLEU(WordMetric):
    """GLEU: n-grams of orders 1 to 4 in one bag; matches over the larger of the two bags.

    >>> import tertium as tt
    >>> m = tt.metric("gleu")
    >>> round(m.score_total(m.statistics(["the cat sat on the mat"], ["the cat sat on a mat"])), 2)
    61.11
    """

    name: ClassVar[str] = "gleu"
    label: ClassVar[str] = "GLEU"
    title: ClassVar[str] = (
        "smaller of n-gram precision and recall, a sentence-level BLEU without penalty (Google's)"
    )
    formula: ClassVar[str] = (
        "GLEU = sum_i matches_i / sum_i max(n-grams of hypothesis i, n-grams of its reference),  n-grams of all\n"
        "orders 1-4 counted together, matches clipped"
    )
    paper: ClassVar[str] = "Wu et al. 2016, section 5.2, https://arxiv.org/abs/1609.08144"
    quirks: ClassVar[str] = (
        "Numbers are nltk's. With several references a segment takes the one with the best ratio, the first of\n"
        "equals. This is not the GLEU of grammatical error correction (Napoles et al. 2015)."
    )

    columns: ClassVar[tuple[StatisticColumn, ...]] = named("match", "count")

    order: int = option(4, "longest n-gram, 1 to 9", aliases=("max_len",), between=(1, 9), key="order")
    min_order: int = option(1, "shortest n-gram", aliases=("min_len",), between=(1, math.inf), key="min?")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.min_order > self.order:
            raise SpecError(f"gleu: min_order={self.min_order} is above order={self.order}")

    def _counted(self, lines: Lines, references: Any, tokenizer: str, threads: int) -> Any:
        return _native.gleu_rows(lines, references, tokenizer, self.min_order, self.order, threads)

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        return _native.gleu_scores(statistics.data)

    def components(self, total: DenseStatistics, level: Level = "corpus") -> dict[str, Any]:
        """Matches, and n-grams of the longer text."""
        return {"matches": total.only("match"), "ngrams": total.only("count")}
