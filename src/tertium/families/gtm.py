"""GTM, the General Text Matcher: matching words, where runs of them count for more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from tertium import _native
from tertium._native import Lines
from tertium.errors import SpecError
from tertium.families.base import Level, Metric, option
from tertium.families.values import written
from tertium.families.words import PART_HELP, PARTS, WordMetric
from tertium.statistics import DenseStatistics, StatisticColumn
from tertium.statistics import columns as named


@dataclass(frozen=True)
class GTM(WordMetric):
    """GTM: F of a word matching, in which a run of k words that are adjacent in both texts adds k^e.

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
        "The matching is found greedily: the longest free run, among equals the last in the hypothesis, then the\n"
        "last in the reference. All references are matched together, but no more words than their mean length; the\n"
        "last run is cut to fit. like=original reads text as GTM 1.4: split at white space, ISO-8859-15\n"
        "letters beyond ASCII all alike, other characters as question marks."
    )

    columns: ClassVar[tuple[StatisticColumn, ...]] = named(
        "matching", "length", "reference_length", real=["matching", "reference_length"]
    )

    exponent: float = option(
        1.0,
        "how much runs count, 1 (not at all) to 20 (also as gtm:2)",
        aliases=("e",),
        between=(1, 20),
        key="e",
    )
    part: str = option("F", PART_HELP, choices=PARTS, key="part")
    like: str = option(
        "paper", "original: read text as GTM 1.4 does", choices=("paper", "original"), key="like?"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
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
        return f"GTM-{written(self.exponent)}"

    def analysis(self, n_references: int | None = None) -> GTM:
        return replace(self, part="F")  # rows hold what all parts are read from

    def _tokenizer(self) -> tuple[str, Callable[[Lines], Lines] | None]:
        return ("gtm", None) if self.like == "original" else super()._tokenizer()

    def _counted(self, lines: Lines, references: Any, tokenizer: str, threads: int) -> Any:
        return _native.gtm_rows(lines, references, tokenizer, self.exponent, threads)

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        return _native.gtm_scores(statistics.data, self.part)

    def components(self, total: DenseStatistics, level: Level = "corpus") -> dict[str, Any]:
        """The matching, the lengths, and precision and recall in percent."""
        parts = {column.name: total.only(column.name) for column in self.columns}
        rates = (("precision", "P"), ("recall", "R"))
        return parts | {name: float(_native.gtm_scores(total.data, part)[0]) for name, part in rates}

    @classmethod
    def from_signature_items(cls, items: dict[str, str]) -> Metric:
        exponent = items.get("e") or items.get("label", "").removeprefix("gtm").removeprefix("-") or "1"
        return super().from_signature_items(items | {"e": exponent})
