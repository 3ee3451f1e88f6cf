"""BLEU as Moses' programs compute it on tokenised text: sentence-bleu, and multi-bleu.perl."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from tertium import _native
from tertium._native import Lines
from tertium.families.base import Level, option
from tertium.families.bleu import bleu_columns, bleu_line, bleu_parts
from tertium.families.words import MEAN_COLUMNS, TokenMetric
from tertium.statistics import DenseStatistics, StatisticColumn
from tertium.text import tokenizers

ORDER = 4
_TOK_HELP = "tokeniser; the original splits at white space: give it tokenised text"


@dataclass(frozen=True)
class _MosesBLEU(TokenMetric):
    """What both share: text that is tokenised already, ASCII letters in lower case where asked."""

    tok: str = option("none", _TOK_HELP, aliases=("tokenize",))
    lowercase: bool = option(False, "lower-case ASCII letters, as multi-bleu -lc does", aliases=("lc",))

    def _tokenizer(self) -> tuple[str, Callable[[Lines], Lines] | None]:
        native, before = super()._tokenizer()
        return (f"{native}-lc" if self.lowercase else native), before

    def _texts(self, lines: Lines) -> Lines:
        before = self._tokenizer()[1]
        return lines if before is None else before(lines)

    def word_items(self) -> dict[str, str]:
        case = {"case": "lc-ascii" if self.lowercase else "mixed"}
        return case | tokenizers.signature_items(self.tok)

    @classmethod
    def words_from(cls, items: dict[str, str]) -> dict[str, Any]:
        tok = tokenizers.from_signature(items.get("tok", "none"))
        return {"tok": tok, "lowercase": items.get("case", "mixed").startswith("lc")}


@dataclass(frozen=True)
class SentBLEU(_MosesBLEU):
    """SentBLEU: BLEU of a sentence with one added to matches and counts of all orders, as Moses' sentence-bleu.

    >>> import tertium as tt
    >>> m = tt.metric("sentbleu")
    >>> round(m.score_total(m.statistics(["the cat sat on the mat"], ["the cat sat on a mat"])), 2)
    64.35
    """

    name: ClassVar[str] = "sentbleu"
    label: ClassVar[str] = "sentBLEU"
    title: ClassVar[str] = "BLEU of each sentence with add-one smoothing, Moses' sentence-bleu"
    formula: ClassVar[str] = (
        "sentBLEU = 100 BP (prod_n (m_n + 1)/(c_n + 1))^(1/4),  n = 1..4,  BP = min(1, exp(1 - r/c)),\n"
        "m_n = clipped matches, c_n = hypothesis n-grams, c and r the lengths of hypothesis and closest reference;\n"
        "documents and corpora: the mean of their segments' scores"
    )
    fewest_for_interval: ClassVar[int] = 40
    paper: ClassVar[str] = (
        "Koehn et al. 2007, https://aclanthology.org/P07-2045 (Moses); smoothing after Lin and Och 2004, "
        "https://aclanthology.org/C04-1072"
    )
    quirks: ClassVar[str] = (
        "One is added to unigrams too, unlike Lin and Och. The brevity penalty is not smoothed. An order for which\n"
        "the hypothesis is too short counts as (0 + 1)/(0 + 1) = 1. Without any match the score is above 0. An empty\n"
        "hypothesis scores 0, against an empty reference 100. Moses works in 32 bits: seven of its digits count."
    )
    undefined: ClassVar[str] = "no segment"

    @property
    def columns(self) -> tuple[StatisticColumn, ...]:
        return (*bleu_columns(ORDER), *MEAN_COLUMNS)

    def _counted(self, lines: Lines, references: Any, tokenizer: str, threads: int) -> Any:
        return _native.sentence_bleu_rows(lines, references, tokenizer, threads)

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        return _native.sentence_bleu_scores(statistics.data)

    def components(self, total: DenseStatistics, level: Level = "corpus") -> dict[str, Any]:
        """The number of segments, and BLEU's counts summed over them."""
        return {"segments": total.only("segments"), **bleu_parts(total.row(0), ORDER)}

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        return super().signature_items(level) | {"smooth": "add-1"}


@dataclass(frozen=True)
class MultiBLEU(_MosesBLEU):
    """multi-BLEU: plain corpus BLEU on tokenised text, as multi-bleu.perl and Moses' evaluator print it.

    >>> import tertium as tt
    >>> m = tt.metric("multibleu")
    >>> rows = m.statistics(["the cat sat on the mat today"], ["the cat sat on a mat today"])
    >>> round(m.score_total(rows), 2), m.verbose(rows)
    (48.89, '85.7/66.7/40.0/25.0 (BP=1.000, ratio=1.000, hyp_len=7, ref_len=7)')
    """

    name: ClassVar[str] = "multibleu"
    label: ClassVar[str] = "multiBLEU"
    title: ClassVar[str] = "plain BLEU of tokenised text without smoothing, Moses' multi-bleu.perl"
    formula: ClassVar[str] = (
        "BLEU = 100 BP (prod_n m_n/c_n)^(1/4),  n = 1..4,  BP = min(1, exp(1 - r/c)),\n"
        "m_n = clipped matches, c_n = hypothesis n-grams, c and r the lengths, all summed over segments"
    )
    paper: ClassVar[str] = (
        "Papineni et al. 2002, https://aclanthology.org/P02-1040; Koehn et al. 2007, https://aclanthology.org/P07-2045"
    )
    quirks: ClassVar[str] = (
        "No smoothing: an order without match makes the score 0, and so do segments shorter than four words.\n"
        "lowercase touches ASCII letters only. Scores depend on who tokenised the text, so do not compare them.\n"
        "reflen=shortest and average (each segment's mean, without its fraction) are those of Moses' evaluator."
    )

    reflen: str = option(
        "closest", "length of several references", choices=("closest", "shortest", "average"), key="reflen"
    )

    @property
    def columns(self) -> tuple[StatisticColumn, ...]:
        return bleu_columns(ORDER)

    def _counted(self, lines: Lines, references: Any, tokenizer: str, threads: int) -> Any:
        return _native.bleu_rows(lines, references, tokenizer, ORDER, threads, self.reflen)

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        return _native.bleu_scores(statistics.data, ORDER, "none", 0.0, False)

    def components(self, total: DenseStatistics, level: Level = "corpus") -> dict[str, Any]:
        """Precisions in percent, brevity penalty, lengths, matches and counts of each order."""
        return bleu_parts(total.row(0), ORDER)

    def verbose(self, total: DenseStatistics, level: Level = "corpus") -> str:
        return bleu_line(self.components(total), separator=", ", equals="=")

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        return self.word_items() | {"smooth": "none", "reflen": self.reflen}
