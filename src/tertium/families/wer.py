"""WER, PER and CDER: errors per reference word. Each in a clean form, and as the Moses evaluator computes it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Literal

from tertium import _native
from tertium._native import Lines
from tertium.errors import TertiumWarning
from tertium.families.base import Level, option
from tertium.families.words import DIACRITICS_HELP, TokenMetric
from tertium.statistics import DenseStatistics, StatisticColumn, columns
from tertium.text import tokenizers
from tertium.text.segments import References

LIKE_HELP = "with the quirks of this original program"


@cache
def warn_wordless(name: str) -> None:
    """Warns once that there are references without words: dividing by their length has no meaning."""
    import warnings

    text = f"{name}: there are references without words; `tertium explain {name}` says what they score"
    warnings.warn(text, TertiumWarning, stacklevel=5)


@dataclass(frozen=True)
class ErrorMetric(TokenMetric):
    """What error rates over words share: the options for words, and a warning for references without any."""

    higher_is_better: ClassVar[bool] = False
    perfect: ClassVar[float | None] = 0.0
    default_tok: ClassVar[str] = "none"

    tok: str = option("none", tokenizers.HELP, aliases=("tokenize",))
    lowercase: bool | Literal["ascii"] = option(
        False, "compare in lower case (ascii: only A-Z, as Perl without locale)", aliases=("lc",)
    )
    diacritics: bool = option(True, DIACRITICS_HELP)

    @property
    def preparation(self) -> Hashable:
        return self  # each warns for itself

    def _prepare(self, references: References, threads: int) -> _native.WordReferences:
        prepared: _native.WordReferences = super()._prepare(references, threads)
        if prepared.count_wordless():
            warn_wordless(self.name)
        return prepared


@dataclass(frozen=True)
class _WordErrors(ErrorMetric):
    """What the three of this file share: a rate that is errors over reference length."""

    _kernels: ClassVar[tuple[Any, Any]]  # the clean one, and the Moses evaluator's
    _wordless: ClassVar[tuple[float, float]] = (100.0, 0.0)  # errors against references without words

    like: str = option("", LIKE_HELP, choices=("", "moses"), key="like?")

    @property
    def label(self) -> str:
        return self.name.upper()

    @property
    def columns(self) -> tuple[StatisticColumn, ...]:
        return columns("insertions", "deletions", "substitutions", "reference_length")

    @property
    def _moses(self) -> bool:
        return self.like == "moses"

    def _counted(self, lines: Lines, references: Any, tokenizer: str, threads: int) -> Any:
        return self._kernels[self._moses](lines, references, tokenizer, threads)

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        return _native.error_scores(statistics.data, self._wordless[self._moses])

    def components(self, total: DenseStatistics, level: Level = "corpus") -> dict[str, Any]:
        """Errors and their kinds, and the length they are divided by."""
        parts = {column.name: total.only(column.name) for column in self.columns}
        return {"edits": sum(parts.values()) - parts["reference_length"], **parts}


@dataclass(frozen=True)
class WER(_WordErrors):
    """WER: insertions, deletions and substitutions of words per reference word. Lower is better.

    >>> import tertium as tt
    >>> m = tt.metric("wer")
    >>> round(m.score_total(m.statistics(["the cat sat on the mat"], ["the cat sat on a mat"])), 2)
    16.67
    """

    name: ClassVar[str] = "wer"
    title: ClassVar[str] = "word edits per reference word: word error rate (lower is better)"
    formula: ClassVar[str] = (
        "WER = 100 sum_i edits_i / sum_i length_i,  edits_i = word edit distance to the reference of segment i that\n"
        "has the lowest edits / length (the first of equals), length_i = its length"
    )
    fewest_for_interval: ClassVar[int] = 5
    paper: ClassVar[str] = "Levenshtein 1966; for translation Nießen, Och, Leusch and Ney 2000, LREC"
    quirks: ClassVar[str] = (
        "Text is split at white space unless tok says otherwise. Errors against a reference without words score 100.\n"
        "Insertions are reference words that the hypothesis lacks; of the cheapest alignments, the one counted\n"
        "prefers, from the end, pairs of words, then deletions, then insertions. like=moses: of several references\n"
        "the first counts, unless a later one has a higher 1 - edits/length after cutting off decimals; without\n"
        "reference words 0. The evaluator prints 1 - WER/100."
    )

    _kernels: ClassVar[tuple[Any, Any]] = _native.wer_rows, _native.wer_moses_rows


@dataclass(frozen=True)
class PER(_WordErrors):
    """PER: word errors where order does not matter. Lower is better.

    >>> import tertium as tt
    >>> m = tt.metric("per")
    >>> m.score_total(m.statistics(["on the mat the cat sat"], ["the cat sat on the mat"]))
    0.0
    """

    name: ClassVar[str] = "per"
    title: ClassVar[str] = "word errors in any order per reference word (lower is better)"
    formula: ClassVar[str] = (
        "PER = 100 sum_i (max(h_i, r_i) - m_i) / sum_i r_i,  h_i, r_i = words of hypothesis and reference,\n"
        "m_i = words they have in common; the reference of segment i with the lowest rate counts\n"
        "like=moses: PER = 100 (1 - (M - max(0, H - R)) / R) with M, H, R summed over segments first"
    )
    fewest_for_interval: ClassVar[int] = 5
    paper: ClassVar[str] = "Tillmann, Vogel, Ney, Zubiaga and Sawaf 1997, Eurospeech"
    quirks: ClassVar[str] = (
        "Text is split at white space unless tok says otherwise. Errors against references without words score 100.\n"
        "like=moses: surplus words in one segment make up for missing words in another. The evaluator takes one\n"
        "reference; of several the best one counts here. Without reference words it scores 100 whatever the\n"
        "hypothesis is. The evaluator prints 1 - PER/100."
    )

    @property
    def columns(self) -> tuple[StatisticColumn, ...]:
        moses = columns("matches", "hypothesis_length", "reference_length")
        return moses if self._moses else super().columns

    _kernels: ClassVar[tuple[Any, Any]] = _native.per_rows, _native.per_moses_rows

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        if self._moses:
            return _native.per_moses_scores(statistics.data)
        return super()._scores(statistics, level)

    def components(self, total: DenseStatistics, level: Level = "corpus") -> dict[str, Any]:
        """Errors by kind, or what Moses counts: matches and both lengths."""
        if self._moses:
            return {column.name: total.only(column.name) for column in self.columns}
        return super().components(total, level)


@dataclass(frozen=True)
class CDER(_WordErrors):
    """CDER: word edits where jumping to another place in the hypothesis is one edit. Lower is better.

    >>> import tertium as tt
    >>> m = tt.metric("cder")
    >>> round(m.score_total(m.statistics(["on the mat the cat sat"], ["the cat sat on the mat"])), 2)
    50.0
    """

    name: ClassVar[str] = "cder"
    title: ClassVar[str] = "word edits with long jumps per reference word (lower is better)"
    formula: ClassVar[str] = (
        "CDER = 100 sum_i edits_i / sum_i length_i,  edits_i = cost of the cheapest path that reads the reference\n"
        "once in order and the hypothesis in any order of blocks: 1 for an insertion, deletion, substitution or jump"
    )
    fewest_for_interval: ClassVar[int] = 5
    paper: ClassVar[str] = "Leusch, Ueffing and Ney 2006, https://aclanthology.org/E06-1031"
    quirks: ClassVar[str] = (
        "Unit costs. The path must end after the last word of the hypothesis, so a jump there may be needed. A\n"
        "hypothesis against an empty reference is one jump. Text is split at white space unless tok says otherwise.\n"
        "The reference with the lowest rate counts. Errors against references without words score 100. like=moses:\n"
        "several references as in wer:like=moses; without reference words 0. The evaluator prints 1 - CDER/100."
    )

    @property
    def columns(self) -> tuple[StatisticColumn, ...]:
        return columns("edits", "reference_length")

    _kernels: ClassVar[tuple[Any, Any]] = _native.cder_rows, _native.cder_moses_rows

    def components(self, total: DenseStatistics, level: Level = "corpus") -> dict[str, Any]:
        """Edits, and the length they are divided by."""
        return {column.name: total.only(column.name) for column in self.columns}
