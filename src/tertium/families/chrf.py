"""chrF, chrF+ and chrF++, exactly as sacrebleu computes them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from tertium import _native
from tertium._native import Lines
from tertium.errors import SpecError
from tertium.families.base import Level, Metric, option
from tertium.families.words import (
    DIACRITICS_HELP,
    LOWERCASE_HELP,
    case_from,
    case_items,
    fitted,
    normalized,
)
from tertium.statistics import DenseStatistics, StatisticColumn, columns
from tertium.text.segments import References


@dataclass(frozen=True)
class ChrF(Metric):
    """chrF: F over character n-grams, with word n-grams chrF+ and chrF++.

    >>> import tertium as tt
    >>> m = tt.metric("chrf")
    >>> round(m.score_total(m.statistics(["the cat sat on the mat"], ["the cat sat on a mat"])), 2)
    72.08
    """

    name: ClassVar[str] = "chrf"
    title: ClassVar[str] = "character n-gram F, exactly sacrebleu's chrF, chrF+ and chrF++"
    formula: ClassVar[str] = (
        "chrF_b = (1 + b^2) P R / (b^2 P + R),  P and R = mean over orders of matches / n-grams of hypothesis and\n"
        "reference; orders 1-6 of characters without white space, and orders 1-W of words for chrF+ (1), chrF++ (2)"
    )
    fewest_for_interval: ClassVar[int] = 5
    paper: ClassVar[str] = (
        "Popović 2015, https://aclanthology.org/W15-3049; Popović 2017, https://aclanthology.org/W17-4770"
    )
    quirks: ClassVar[str] = (
        "Orders without n-grams on either side are left out of the mean (effective order), unless eps: then the mean\n"
        "of F over orders is taken, with 1e-16 for what is missing, as in Popović's program. With several references\n"
        "a segment takes the one with the best F. Punctuation is split off one side of a word only. like=popovic is\n"
        "her program: eps, and of white space only the blank is no character; average=macro is its second number."
    )

    char_order: int = option(6, "longest character n-gram", aliases=("nc",), between=(0, 32), key="nc")
    word_order: int = option(
        0, "longest word n-gram: 1 is chrF+, 2 is chrF++", aliases=("nw",), between=(0, 32), key="nw"
    )
    beta: float = option(2.0, "weight of recall against precision", key="beta")
    whitespace: bool = option(False, "keep white space in character n-grams", aliases=("space",), key="space")
    lowercase: bool = option(False, LOWERCASE_HELP, aliases=("lc",))
    diacritics: bool = option(True, DIACRITICS_HELP)
    eps: bool = option(False, "epsilon smoothing, all orders in the mean", aliases=("eps_smoothing",))
    like: str = option(
        "sacrebleu",
        "whose numbers to match: sacrebleu's or chrF++.py's",
        choices=("sacrebleu", "popovic"),
        key="like",
    )
    average: str = option(
        "micro",
        "with like=popovic: micro (score of summed counts) or macro (mean of segment scores)",
        choices=("micro", "macro"),
        key="avg",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.char_order + self.word_order == 0:
            raise SpecError("chrf: char_order and word_order are both 0: nothing is left to count")
        self._check_beta(self.beta)
        if self.like == "popovic":
            if self.whitespace:
                raise SpecError("chrf: like=popovic has no whitespace=yes")
            object.__setattr__(self, "eps", False)  # it is always smoothed so: one name for one metric
        elif self.average == "macro":
            raise SpecError("chrf: average=macro needs like=popovic")

    @property
    def label(self) -> str:
        return f"chrF{self.beta:g}" + "+" * self.word_order

    def finds_words_in(self, language: str) -> bool:
        return self.word_order == 0

    @property
    def columns(self) -> tuple[StatisticColumn, ...]:
        orders = [f"char_{n}" for n in range(1, self.char_order + 1)]
        orders += [f"word_{n}" for n in range(1, self.word_order + 1)]
        counts = [f"{part}_{order}" for order in orders for part in ("count", "reference", "match")]
        if self.like == "sacrebleu":
            return columns(*counts)
        return columns(*counts, "segment_score", "segments", real=["segment_score"])

    @property
    def _options(self) -> tuple[int, int, float, bool, bool, bool]:
        popovic = self.like == "popovic"
        return self.char_order, self.word_order, self.beta, self.whitespace, self.eps, popovic

    @property
    def _orders(self) -> int:
        return self.char_order + self.word_order

    def analysis(self, n_references: int | None = None) -> ChrF:
        """With several references the best F decides which one is counted, and so does everything that F depends on."""
        if self.like == "popovic":
            return replace(self, average="micro")
        return replace(self, beta=2.0, eps=False) if n_references == 1 else self

    def covers(self, other: Metric, n_references: int | None = None) -> bool:
        """Rows of more orders hold those of fewer, where there is one reference only."""
        if self.like == "popovic" or n_references != 1 or not isinstance(other, ChrF):
            return self == other
        same = replace(other, char_order=self.char_order, word_order=self.word_order) == self
        return same and other.char_order <= self.char_order and other.word_order <= self.word_order

    def fitted(self, statistics: DenseStatistics) -> DenseStatistics:
        return fitted(statistics, self.columns)

    def _prepare(self, references: References, threads: int) -> _native.ChrfReferences:
        streams = [normalized(stream, self) for stream in references.streams]
        return _native.ChrfReferences(streams, *self._options, threads)

    def _rows(
        self, hypotheses: Lines, prepared: _native.ChrfReferences, sources: Lines | None, threads: int
    ) -> DenseStatistics:
        rows = _native.chrf_rows(normalized(hypotheses, self), prepared, threads)
        return DenseStatistics(self.columns, rows)

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        if self.average == "macro":
            return _native.mean_scores(statistics.data, 3 * self._orders, 1.0)
        return _native.chrf_scores(self.fitted(statistics).data, *self._options)

    def components(self, total: DenseStatistics, level: Level = "corpus") -> dict[str, Any]:
        """Precision and recall of each order, in percent; None where an order has no n-grams."""
        row = self.fitted(total).row(0)
        triples = [row[i : i + 3] for i in range(0, 3 * self._orders, 3)]
        return {
            "precisions": [100 * m / h if h else None for h, r, m in triples],
            "recalls": [100 * m / r if r else None for h, r, m in triples],
        }

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        items = case_items(self) | {
            "eff": "no" if self.eps or self.like == "popovic" else "yes",
            "nc": str(self.char_order),
            "nw": str(self.word_order),
            "space": "yes" if self.whitespace else "no",
        }
        if self.beta != 2.0:
            items["beta"] = f"{self.beta:.17g}"
        if self.like == "popovic":
            items |= {"like": "popovic", "avg": self.average}
        return items

    @classmethod
    def words_from(cls, items: dict[str, str]) -> dict[str, Any]:
        name = items.get("label", "").removeprefix("chrf")  # "2++": beta, and a plus for each word order
        given = {"beta": name.rstrip("+") or "2", "word_order": str(name.count("+"))}
        return case_from(items) | given | {"eps": items.get("eff", "yes") == "no"}
