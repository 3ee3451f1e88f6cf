"""BLEU as Moses' programs compute it on tokenised text: sentence-bleu, and multi-bleu.perl."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from tertium import _native
from tertium._native import Lines
from tertium.families.base import Level, Metric, option
from tertium.statistics import DenseStatistics, StatisticColumn, columns
from tertium.text import tokenizers
from tertium.text.segments import References

ORDER = 4
_COUNTS = ("length", "reference_length", *(f"match_{n}" for n in range(1, ORDER + 1)))
_COUNTS += tuple(f"count_{n}" for n in range(1, ORDER + 1))
_TOK_HELP = "tokeniser; the original splits at white space: give it tokenised text"


@dataclass(frozen=True)
class _MosesBLEU(Metric):
    """What both share: text that is tokenised already, ASCII letters in lower case where asked."""

    tok: str = option("none", _TOK_HELP, aliases=("tokenize",))
    lowercase: bool = option(False, "lower-case ASCII letters, as multi-bleu -lc does", aliases=("lc",))

    def __post_init__(self) -> None:
        tokenizers.check(self.tok)

    def _plan(self, lines: Lines) -> tuple[Lines, str]:
        native, before = tokenizers.plan(self.tok)
        if before is not None:
            lines = before(lines)
        return lines, f"{native}-lc" if self.lowercase else native

    def _prepare(self, references: References, threads: int) -> _native.WordReferences:
        planned = [self._plan(stream) for stream in references.streams]
        return _native.WordReferences([lines for lines, _ in planned], planned[0][1], threads)

    def _parts(self, total: DenseStatistics) -> dict[str, Any]:
        """Lengths, matches and counts, and what follows from them without smoothing."""
        row = total.row(0)
        length, reference, matches, counts = (
            row[0],
            row[1],
            row[2 : 2 + ORDER],
            row[2 + ORDER : 2 + 2 * ORDER],
        )
        if length >= reference:
            penalty = 1.0
        else:
            penalty = math.exp(1 - reference / length) if length else 0.0
        return {
            "precisions": [100 * m / c if c else 0.0 for m, c in zip(matches, counts, strict=True)],
            "brevity_penalty": penalty,
            "ratio": length / reference if reference else 0.0,
            "hypothesis_length": length,
            "reference_length": reference,
            "matches": matches,
            "counts": counts,
        }

    def _text_items(self) -> dict[str, str]:
        case = {"case": "lc-ascii" if self.lowercase else "mixed"}
        return case | tokenizers.signature_items(self.tok)

    @staticmethod
    def _text_from(items: dict[str, str]) -> dict[str, Any]:
        return {
            "tok": tokenizers.from_signature(items.get("tok", "none")),
            "lowercase": items.get("case", "mixed").startswith("lc"),
        }


@dataclass(frozen=True)
class SentBLEU(_MosesBLEU):
    """SentBLEU: BLEU of a sentence with one added to matches and counts of all orders, as Moses' sentence-bleu.

    >>> import tertium as tt
    >>> m = tt.metric("sentbleu")
    >>> round(m.score_total(m.statistics(["the cat sat on the mat"], ["the cat sat on a mat"])), 2)
    64.35
    """

    name: ClassVar[str] = "sentbleu"
    title: ClassVar[str] = "BLEU of each sentence with add-one smoothing, Moses' sentence-bleu"
    formula: ClassVar[str] = (
        "sentBLEU = 100 BP (prod_n (m_n + 1)/(c_n + 1))^(1/4),  n = 1..4,  BP = min(1, exp(1 - r/c)),\n"
        "m_n = clipped matches, c_n = hypothesis n-grams, c and r the lengths of hypothesis and closest reference;\n"
        "documents and corpora: the mean of their segments' scores"
    )
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
    def label(self) -> str:
        return "sentBLEU"

    @property
    def columns(self) -> tuple[StatisticColumn, ...]:
        return columns(*_COUNTS, "score", "segments", real=["score"])

    def _rows(
        self, hypotheses: Lines, prepared: _native.WordReferences, sources: Lines | None, threads: int
    ) -> DenseStatistics:
        lines, native = self._plan(hypotheses)
        return DenseStatistics(self.columns, _native.sentence_bleu_rows(lines, prepared, native, threads))

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        return _native.sentence_bleu_scores(statistics.data)

    def components(self, total: DenseStatistics, level: Level = "corpus") -> dict[str, Any]:
        """The number of segments, and BLEU's counts summed over them."""
        return {"segments": total.only("segments"), **self._parts(total)}

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        return self._text_items() | {"smooth": "add-1"}

    @classmethod
    def from_signature_items(cls, items: dict[str, str]) -> Self:
        return cls(**cls._text_from(items))


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
        "closest", "length of several references", choices=("closest", "shortest", "average")
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_choice("reflen")

    @property
    def label(self) -> str:
        return "multiBLEU"

    @property
    def columns(self) -> tuple[StatisticColumn, ...]:
        return columns(*_COUNTS)

    def _rows(
        self, hypotheses: Lines, prepared: _native.WordReferences, sources: Lines | None, threads: int
    ) -> DenseStatistics:
        lines, native = self._plan(hypotheses)
        return DenseStatistics(
            self.columns, _native.bleu_rows(lines, prepared, native, ORDER, threads, self.reflen)
        )

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        return _native.bleu_scores(statistics.data, ORDER, "none", 0.0, False)

    def components(self, total: DenseStatistics, level: Level = "corpus") -> dict[str, Any]:
        """Precisions in percent, brevity penalty, lengths, matches and counts of each order."""
        return self._parts(total)

    def verbose(self, total: DenseStatistics, level: Level = "corpus") -> str:
        parts = self._parts(total)
        precisions = "/".join(f"{p:.1f}" for p in parts["precisions"])
        return (
            f"{precisions} (BP={parts['brevity_penalty']:.3f}, ratio={parts['ratio']:.3f}, "
            f"hyp_len={parts['hypothesis_length']}, ref_len={parts['reference_length']})"
        )

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        return self._text_items() | {"smooth": "none", "reflen": self.reflen}

    @classmethod
    def from_signature_items(cls, items: dict[str, str]) -> Self:
        return cls(reflen=items.get("reflen", "closest"), **cls._text_from(items))
