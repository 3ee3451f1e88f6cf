"""BLEU, exactly as sacrebleu computes it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar

from tertium import _native
from tertium._native import Lines
from tertium.errors import SpecError
from tertium.families import nltk_bleu
from tertium.families.base import Level, Metric, option
from tertium.families.words import WordMetric, case_items, fitted, words_from
from tertium.statistics import DenseStatistics, StatisticColumn, columns
from tertium.text import tokenizers

SMOOTHING_VALUES = {"exp": None, "floor": 0.1, "add-k": 1.0, "none": None}  # defaults of Chen and Cherry 2014


@dataclass(frozen=True)
class BLEU(WordMetric):
    """BLEU: the geometric mean of clipped n-gram precisions, times a penalty for short output.

    >>> import tertium as tt
    >>> m = tt.metric("bleu")
    >>> round(m.score_total(m.statistics(["the cat sat on the mat"], ["the cat sat on a mat"])), 2)
    53.73
    """

    name: ClassVar[str] = "bleu"
    label: ClassVar[str] = "BLEU"
    title: ClassVar[str] = "n-gram precision with brevity penalty, exactly sacrebleu's BLEU"
    formula: ClassVar[str] = (
        "BLEU = BP exp(1/N sum_n log p_n),  p_n = clipped matches of order n / hypothesis n-grams of order n,\n"
        "BP = min(1, exp(1 - r/c)),  c = hypothesis length, r = closest reference length, summed over segments"
    )
    paper: ClassVar[str] = (
        "Papineni et al. 2002, https://aclanthology.org/P02-1040; Post 2018, https://aclanthology.org/W18-6319"
    )
    quirks: ClassVar[str] = (
        "Segment scores use effective order (orders without hypothesis n-grams are left out), corpus and document\n"
        "scores do not. exp smoothing halves 1/count for each order without match, floor adds a value to zero\n"
        "matches, add-k adds k to matches and counts from bigrams on. Without any match the score is 0.\n"
        "like=nltk: a segment too short for an order counts one n-gram of it, and zero matches are what its\n"
        "SmoothingFunction makes of them: method=0 nothing, 1 adds 0.1, 2 adds one, 3 halves, 4 halves by length.\n"
        "A value instead of options (bleu:PGBC4, bleu:RAC1) names a variant of BLEU Deconstructed."
    )

    smooth: str = option("exp", "smoothing of zero precisions", choices=tuple(SMOOTHING_VALUES))
    smooth_value: float | None = option(
        None, "value of floor (default 0.1) and add-k (default 1)", aliases=("value",), between=(0, math.inf)
    )
    order: int = option(4, "longest n-gram, 1 to 9", aliases=("max_ngram_order",), between=(1, 9))
    eff: str = option(
        "segment",
        "effective order: at segment level only, always or never",
        choices=("segment", "always", "never"),
    )
    like: str = option("", "with the quirks of this program", choices=("", "nltk"))
    method: int = option(0, "with like=nltk: the method of its SmoothingFunction, 0 to 4", between=(0, 4))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.like and (self.smooth, self.smooth_value, self.eff) != ("exp", None, "segment"):
            raise SpecError("bleu: with like=nltk smoothing is chosen by method=0 to 4, not by smooth or eff")
        if self.method and not self.like:
            raise SpecError("bleu: method is nltk's; without like=nltk smoothing is chosen by smooth")
        if self.smooth_value is not None:
            if SMOOTHING_VALUES[self.smooth] is None:
                raise SpecError(f"bleu: smooth={self.smooth} takes no smooth_value")
            if self.smooth_value == SMOOTHING_VALUES[self.smooth]:  # the default has one name only
                object.__setattr__(self, "smooth_value", None)

    @property
    def columns(self) -> tuple[StatisticColumn, ...]:
        return bleu_columns(self.order)

    def analysis(self, n_references: int | None = None) -> BLEU:
        return BLEU(self.tok, self.lowercase, self.diacritics, order=self.order)

    def covers(self, other: Metric, n_references: int | None = None) -> bool:
        """Rows of longer n-grams hold those of shorter ones."""
        return (
            isinstance(other, BLEU) and other.order <= self.order and replace(other, order=self.order) == self
        )

    def fitted(self, statistics: DenseStatistics) -> DenseStatistics:
        same = len(statistics.columns) == 2 + 2 * self.order
        return statistics if same else fitted(statistics, self.columns)

    def _counted(self, lines: Lines, references: Any, tokenizer: str, threads: int) -> Any:
        rows = _native.bleu_rows(lines, references, tokenizer, self.order, threads)
        return nltk_bleu.at_least_one(rows, self.order) if self.like else rows

    def _effective(self, level: Level) -> bool:
        return self.eff == "always" or (self.eff == "segment" and level == "segment")

    @property
    def _value(self) -> float:
        value = self.smooth_value if self.smooth_value is not None else SMOOTHING_VALUES[self.smooth]
        return 0.0 if value is None else float(value)

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        if self.like:
            return nltk_bleu.scores(statistics.array.tolist(), self.order, self.method)
        return _native.bleu_scores(
            self.fitted(statistics).data, self.order, self.smooth, self._value, self._effective(level)
        )

    def components(self, total: DenseStatistics, level: Level = "corpus") -> dict[str, Any]:
        """Precisions in percent (smoothed), brevity penalty, lengths, matches and counts of each order."""
        row = self.fitted(total).row(0)
        if self.like:
            precisions = [100 * p for p in nltk_bleu.precisions(row, self.order, self.method)]
        else:
            how = self.smooth, self._value, self._effective(level)
            precisions = _native.bleu_precisions(row, self.order, *how)
        return bleu_parts(row, self.order, precisions)

    def verbose(self, total: DenseStatistics, level: Level = "corpus") -> str:
        return bleu_line(self.components(total, level))

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        order = {} if self.order == 4 else {"order": str(self.order)}
        if self.like:
            return self.word_items() | {"smooth": f"method{self.method}"} | order | {"like": self.like}
        smooth = self.smooth
        if SMOOTHING_VALUES[self.smooth] is not None:
            rounded = f"{self._value:.2f}"
            smooth += f"[{rounded}]" if float(rounded) == self._value else f"[{self._value!r}]"
        eff = {"always": "yes", "never": "never", "segment": "yes" if level == "segment" else "no"}[self.eff]
        tok = tokenizers.signature_items(self.tok)
        return case_items(self) | {"eff": eff} | tok | {"smooth": smooth} | order

    @classmethod
    def from_value(cls, value: str, options: dict[str, Any]) -> Metric:
        """A variant of "BLEU Deconstructed" by its name, as in `bleu:RAC1`."""
        from tertium.families.bleu_family import DeconstructedBLEU

        return DeconstructedBLEU.from_value(value, options)

    @classmethod
    def from_signature_items(cls, items: dict[str, str]) -> Metric:
        if "variant" in items:
            from tertium.families.bleu_family import DeconstructedBLEU

            return DeconstructedBLEU.from_signature_items(items)
        options: dict[str, Any] = words_from(items) | {"order": int(items.get("order", "4"))}
        if items.get("like"):
            method = int(items.get("smooth", "method0").removeprefix("method"))
            return cls(**options, like=items["like"], method=method)
        smooth, _, value = items.get("smooth", "exp").rstrip("]").partition("[")
        default = SMOOTHING_VALUES.get(smooth)
        eff = {"yes": "always", "never": "never"}.get(items.get("eff", "no"), "segment")
        smooth_value = float(value) if value and float(value) != default else None
        return cls(**options, smooth=smooth, smooth_value=smooth_value, eff=eff)


@cache
def bleu_columns(order: int) -> tuple[StatisticColumn, ...]:
    """Lengths, matches and n-grams of each order, as `native/bleu.hpp` has them."""
    counts = (f"{kind}_{n}" for kind in ("match", "count") for n in range(1, order + 1))
    return columns("length", "reference_length", *counts)


def bleu_parts(row: Sequence[int], order: int, precisions: Sequence[float] | None = None) -> dict[str, Any]:
    """Precisions in percent (without smoothing unless given), brevity penalty, lengths, matches and counts."""
    length, reference = row[0], row[1]
    matches, counts = row[2 : 2 + order], row[2 + order : 2 + 2 * order]
    if precisions is None:
        precisions = [100 * m / c if c else 0.0 for m, c in zip(matches, counts, strict=True)]
    if length >= reference:
        penalty = 1.0
    else:
        penalty = math.exp(1 - reference / length) if length else 0.0
    return {
        "precisions": precisions,
        "brevity_penalty": penalty,
        "ratio": length / reference if reference else 0.0,
        "hypothesis_length": length,
        "reference_length": reference,
        "matches": matches,
        "counts": counts,
    }


def bleu_line(parts: Mapping[str, Any], *, separator: str = " ", equals: str = " = ") -> str:
    """`bleu_parts` in a line, as sacrebleu prints them; other programs separate them otherwise."""
    shown = {"BP": f"{parts['brevity_penalty']:.3f}", "ratio": f"{parts['ratio']:.3f}"}
    shown |= {"hyp_len": parts["hypothesis_length"], "ref_len": parts["reference_length"]}
    precisions = "/".join(f"{p:.1f}" for p in parts["precisions"])
    return f"{precisions} ({separator.join(f'{name}{equals}{value}' for name, value in shown.items())})"
