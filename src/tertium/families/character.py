"""CharacTER, exactly as its authors' script computes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tertium import _native
from tertium._native import Lines
from tertium.families.base import Level, option
from tertium.families.wer import ErrorMetric
from tertium.statistics import DenseStatistics, StatisticColumn
from tertium.statistics import columns as named


@dataclass(frozen=True)
class CharacTER(ErrorMetric):
    """CharacTER: character edits after shifting words, per character of the hypothesis. From 0 to 1, lower is better.

    >>> import tertium as tt
    >>> m = tt.metric("character")
    >>> round(m.score_total(m.statistics(["on the mat the cat sat"], ["the cat sat on a mat"])), 4)
    0.3939
    """

    name: ClassVar[str] = "character"
    label: ClassVar[str] = "CharacTER"
    title: ClassVar[str] = (
        "character edits after word shifts, per hypothesis character (0 to 1, lower is better)"
    )
    formula: ClassVar[str] = (
        "CharacTER_i = min(1, (character edits after shifts + shift costs) / characters of the shifted hypothesis),\n"
        "a shift costs the mean number of characters of its words; CharacTER = mean of CharacTER_i over segments"
    )
    fewest_for_interval: ClassVar[int] = 5
    paper: ClassVar[str] = "Wang, Peter, Rosendahl and Ney 2016, https://aclanthology.org/W16-2342"
    quirks: ClassVar[str] = (
        "White-space tokens; case counts. Shifts are made one by one as long as the word edit distance falls: the one\n"
        "that saves most, among equals the one whose word list is lexicographically last. Their cost is computed from\n"
        "the first and the last word order, so it is not that of the shifts made. The original takes one reference;\n"
        "of several, the one with the lowest score counts. An empty hypothesis scores 1, even against an empty\n"
        "reference. capped=no gives the scores of the WMT17 metrics task, where hypotheses much shorter than their\n"
        "reference score above 1."
    )
    columns: ClassVar[tuple[StatisticColumn, ...]] = named("weighted", "weight", real=["weighted", "weight"])

    weight: str = option(
        "segment",
        "what is weighted equally: every segment, or every character of the references",
        choices=("segment", "length"),
        key="weight",
    )
    capped: bool = option(True, "a segment scores at most 1 (no: uncapped, as in WMT17)", key="cap?")

    def _counted(self, lines: Lines, references: Any, tokenizer: str, threads: int) -> Any:
        by_length = self.weight == "length"
        return _native.character_rows(lines, references, tokenizer, by_length, self.capped, threads)

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        return _native.weighted_means(statistics.data)
