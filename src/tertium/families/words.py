"""What metrics that compare words share: tokeniser, lower case and diacritics, with their part of the signature."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

from tertium import _native
from tertium._native import Lines
from tertium.errors import SpecError
from tertium.families.base import Level, Metric, option
from tertium.statistics import DenseStatistics, StatisticColumn, Statistics, columns
from tertium.text import tokenizers
from tertium.text.normalize import normalize
from tertium.text.segments import References

PARTS = ("F", "P", "R")
PART_HELP = "which score to report: F, P (precision) or R (recall)"
MEAN_COLUMNS: tuple[StatisticColumn, ...] = columns("score", "segments", real=["score"])
NO_SEGMENTS = "there are no segments to average"
LOWERCASE_HELP = "compare in lower case"
DIACRITICS_HELP = "keep diacritics (no: compare letters without them)"


class TokenMetric(Metric):
    """A metric whose references are words, tokenised once.

    Subclasses have the option `tok`, most of them `lowercase` and `diacritics` too. They say which kernel counts
    (`_counted`), in which columns, and what the score is: by default the mean of the segments' scores.
    """

    tok: str
    default_tok: ClassVar[str] = "13a"  # of signatures that do not name it
    word_options: ClassVar[tuple[str, ...]] = ("tok",)

    def __post_init__(self) -> None:
        super().__post_init__()
        tokenizers.check(self.tok)

    @property
    def columns(self) -> tuple[StatisticColumn, ...]:
        return MEAN_COLUMNS

    def finds_words_in(self, language: str) -> bool:
        return tokenizers.cuts_words_of(self.tok, language)

    def for_language(self, language: str, tok: str) -> Metric:
        return with_tok(self, tok)

    @property
    def preparation(self) -> Hashable:
        case = getattr(self, "lowercase", False), getattr(self, "diacritics", True)
        return "words", self.tok, self._tokenizer()[0], case

    def _tokenizer(self) -> tuple[str, Callable[[Lines], Lines] | None]:
        """The native tokeniser, and what to do to texts before it."""
        return tokenizers.plan(self.tok)

    def _texts(self, lines: Lines) -> Lines:
        """`lines`, ready for the native tokeniser."""
        before = self._tokenizer()[1]
        lines = normalized(lines, self)
        return lines if before is None else before(lines)

    def _prepare(self, references: References, threads: int) -> Any:
        streams = [self._texts(stream) for stream in references.streams]
        return _native.WordReferences(streams, self._tokenizer()[0], threads)

    def _rows(self, hypotheses: Lines, prepared: Any, sources: Lines | None, threads: int) -> Statistics:
        rows = self._counted(self._texts(hypotheses), prepared, self._tokenizer()[0], threads)
        return DenseStatistics(self.columns, rows)

    def _counted(self, lines: Lines, references: Any, tokenizer: str, threads: int) -> Any:
        """What the native kernel counts, a row for each line."""
        raise NotImplementedError

    def _scores(self, statistics: Any, level: Level) -> Any:
        return _native.mean_scores(statistics.data, 0)

    def word_items(self) -> dict[str, str]:
        return case_items(self) | tokenizers.signature_items(self.tok)

    @classmethod
    def words_from(cls, items: dict[str, str]) -> dict[str, Any]:
        return words_from(items, cls.default_tok)


@dataclass(frozen=True)
class WordMetric(TokenMetric):
    """A `TokenMetric` with the options that most have."""

    tok: str = option("13a", tokenizers.HELP, aliases=("tokenize",))
    lowercase: bool = option(False, LOWERCASE_HELP, aliases=("lc",))
    diacritics: bool = option(True, DIACRITICS_HELP)


def with_tok(metric: Metric, tok: str) -> Metric:
    """A metric with another tokeniser, or the same where its other options allow none."""
    if not any(field.name == "tok" for field in fields(metric)):
        return metric
    try:
        return replace(metric, tok=tok)  # type: ignore[call-arg]
    except SpecError:
        return metric


def normalized(lines: Lines, metric: Any) -> Lines:
    """`lines` after the normalisation that a metric's `lowercase` and `diacritics` options ask for."""
    return normalize(lines, lowercase=metric.lowercase, diacritics=metric.diacritics)


def case_items(metric: Any) -> dict[str, str]:
    """The part of a signature that `lowercase` and `diacritics` decide."""
    items = {"case": "lc-ascii" if metric.lowercase == "ascii" else "lc" if metric.lowercase else "mixed"}
    return items if metric.diacritics else items | {"diac": "no"}


def case_from(items: dict[str, str]) -> dict[str, Any]:
    """The inverse of `case_items`."""
    case = items.get("case", "mixed")
    lowercase = "ascii" if case == "lc-ascii" else case == "lc"
    return {"lowercase": lowercase, "diacritics": items.get("diac", "yes") != "no"}


def words_from(items: dict[str, str], tok: str = "13a") -> dict[str, Any]:
    """The inverse of `TokenMetric.word_items`; `tok` is the default."""
    return {"tok": tokenizers.from_signature(items.get("tok", tok)), **case_from(items)}


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
