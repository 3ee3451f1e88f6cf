"""GTM, the General Text Matcher: matching words, where runs of them count for more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from tertium import _native
from tertium._native import Lines
from tertium.errors import SpecError
from tertium.families.base import Level, option
from tertium.families.words import PARTS, WordMetric, exact, words_from
from tertium.statistics import DenseStatistics, StatisticColumn, columns


@dataclass(frozen=True)
class GTM(WordMetric):
    """GTM: F of a word matching, in which a run of k words that stand together in both texts adds k^e.

    >>> import tertium as tt
    >>> m = tt.metric("gtm:2")
    >>> round(m.score_total(m.statistics(["the dog bit the man"], ["the man bit the dog"])), 2)
    60.0
    """

    name: ClassVar[str] = "gtm"
    title: ClassVar[str] = "word matching that favours runs, as GTM 1.4; any exponent (gtm:2)"
    formula: ClassVar[str] = (
        "M = (sum over runs r of |r|^e)^(1/e),  P = M / hypothesis length, R = M / mean reference length,\n"
        "F = 2 P R / (P + R); M and lengths are summed over segments. With e = 1 M is the number of words matched."
    )
    paper: ClassVar[str] = (
        "Turian, Shen and Melamed 2003, https://aclanthology.org/2003.mtsummit-papers.51; "
        "Melamed, Green and Turian 2003, https://aclanthology.org/N03-2021"
    )
    quirks: ClassVar[str] = (
        "The matching is found greedily: the longest free run, of equal ones the last in the hypothesis, then the\n"
        "last in the reference. References are matched all together, but no more words than their mean length; the\n"
        "last run is cut to fit. like=original reads text as GTM 1.4: split at white space, ISO-8859-15\n"
        "letters beyond ASCII all alike, other characters as question marks."
    )

    exponent: float = option(1.0, "how much runs count, 1 (not at all) to 20 (also as gtm:2)", aliases=("e",))
    part: str = option("F", "which score to report: F, P (precision) or R (recall)", choices=PARTS)
    like: str = option("paper", "original: read text as GTM 1.4 does", choices=("paper", "original"))

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_choice("part")
        self._check_choice("like")
        self._check_range("exponent", 1, 20)
        if self.like == "original":
            if self.tok not in ("13a", "none"):
                raise SpecError(f"gtm: like=original splits at white space and takes no tok={self.tok}")
            object.__setattr__(self, "tok", "none")

    @classmethod
    def from_value(cls, value: str, options: dict[str, Any]) -> Self:
        options = cls.named(options)
        if "exponent" in options:
            raise SpecError(f"gtm: the exponent is given twice ({value} and {options['exponent']})")
        return cls.from_options({**options, "exponent": value})

    @property
    def label(self) -> str:
        return f"GTM-{exact(self.exponent)}"

    @property
    def columns(self) -> tuple[StatisticColumn, ...]:
        return columns("matching", "length", "reference_length", real=["matching", "reference_length"])

    def _tokenizer(self) -> tuple[str, Callable[[Lines], Lines] | None]:
        return ("gtm", None) if self.like == "original" else super()._tokenizer()

    def _rows(
        self, hypotheses: Lines, prepared: _native.WordReferences, sources: Lines | None, threads: int
    ) -> DenseStatistics:
        rows = _native.gtm_rows(
            self._texts(hypotheses), prepared, self._tokenizer()[0], self.exponent, threads
        )
        return DenseStatistics(self.columns, rows)

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        return _native.gtm_scores(statistics.data, self.part)

    def components(self, total: DenseStatistics, level: Level = "corpus") -> dict[str, Any]:
        """The matching, the lengths, and precision and recall in percent."""
        parts = {column.name: total.only(column.name) for column in self.columns}
        rates = {
            name: float(_native.gtm_scores(total.data, part)[0])
            for name, part in (("precision", "P"), ("recall", "R"))
        }
        return {**parts, **rates}

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        items = self.word_items() | {"e": exact(self.exponent), "part": self.part}
        return items if self.like == "paper" else items | {"like": self.like}

    @classmethod
    def from_signature_items(cls, items: dict[str, str]) -> Self:
        exponent = items.get("e") or items.get("label", "").removeprefix("gtm").removeprefix("-") or "1"
        return cls(
            exponent=float(exponent),
            part=items.get("part", "F"),
            like=items.get("like", "paper"),
            **words_from(items),
        )
