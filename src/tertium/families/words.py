"""What metrics that compare words share: tokeniser, lower case and diacritics, with their part of the signature."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from tertium import _native
from tertium._native import Lines
from tertium.families.base import Metric, case_from, case_items, normalized, option
from tertium.statistics import DenseStatistics, StatisticColumn, columns
from tertium.text import tokenizers
from tertium.text.segments import References

PARTS = ("F", "P", "R")
MEAN_COLUMNS: tuple[StatisticColumn, ...] = columns("score", "segments", real=["score"])
NO_SEGMENTS = "there are no segments to average"


@dataclass(frozen=True)
class WordMetric(Metric):
    """A metric whose references are words, tokenised once."""

    tok: str = option("13a", tokenizers.HELP, aliases=("tokenize",))
    lowercase: bool = option(False, "compare in lower case", aliases=("lc",))
    diacritics: bool = option(True, "keep diacritics (no: compare letters without them)")

    def __post_init__(self) -> None:
        tokenizers.check(self.tok)

    def _tokenizer(self) -> tuple[str, Callable[[Lines], Lines] | None]:
        """The native tokeniser, and what to do to texts before it."""
        return tokenizers.plan(self.tok)

    def _prepare(self, references: References, threads: int) -> _native.WordReferences:
        streams = [self._texts(stream) for stream in references.streams]
        return _native.WordReferences(streams, self._tokenizer()[0], threads)

    def _texts(self, lines: Lines) -> Lines:
        """`lines`, ready for the native tokeniser."""
        before = self._tokenizer()[1]
        lines = normalized(lines, self)
        return lines if before is None else before(lines)

    def word_items(self) -> dict[str, str]:
        """The part of the signature that says what words are."""
        return case_items(self) | tokenizers.signature_items(self.tok)


def words_from(items: dict[str, str], tok: str = "13a") -> dict[str, Any]:
    """The inverse of `WordMetric.word_items`; `tok` is the default."""
    return {"tok": tokenizers.from_signature(items.get("tok", tok)), **case_from(items)}


def exact(value: float) -> str:
    """A number as a signature has it: short where that is exact."""
    return f"{value:g}" if float(f"{value:g}") == value else f"{value:.17g}"


def word_lines(lines: Lines, metric: Any) -> tuple[Lines, str]:
    """`lines` as the native tokeniser of a metric's `tok` takes them, and the tokeniser's name."""
    native, before = tokenizers.plan(metric.tok)
    prepared = normalized(lines, metric)
    return (prepared if before is None else before(prepared)), native


def word_preparation(metric: Any) -> Hashable:
    """What decides the form of `word_references`: metrics for which it is equal share them."""
    return "words", metric.tok, metric.lowercase, metric.diacritics


def fitted(statistics: DenseStatistics, wanted: tuple[StatisticColumn, ...]) -> DenseStatistics:
    """Rows with some of their columns, whole numbers all; needs no numpy.

    >>> from tertium.statistics import columns
    >>> fitted(DenseStatistics.build(columns("a", "b", "c"), [[1, 2, 3], [4, 5, 6]]), columns("a", "c")).row(1)
    [4, 6]
    """
    if statistics.columns == wanted:
        return statistics
    places = {column.name: place for place, column in enumerate(statistics.columns)}
    n, width, given = len(statistics), len(wanted), len(statistics.columns)
    flat, made = array("q", memoryview(statistics.data).cast("B").tobytes()), array("q", bytes(8 * n * width))
    for i, column in enumerate(wanted):
        made[i::width] = flat[places[column.name] :: given]
    return DenseStatistics(wanted, memoryview(made).cast("B").cast("q", (n, width)))


def word_references(references: References, metric: Any, threads: int) -> _native.WordReferences:
    """The references of a metric that has the options `tok`, `lowercase` and `diacritics`."""
    prepared = [word_lines(stream, metric) for stream in references.streams]
    return _native.WordReferences([lines for lines, _ in prepared], prepared[0][1], threads)
