"""Readability formulas as metrics, without references: `readability:formula=flesch`."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar

from tertium._native import Lines
from tertium.errors import InputError
from tertium.families.base import Level, Metric, option
from tertium.families.values import written
from tertium.readability.counting import Counter, easy_words
from tertium.readability.formulas import FORMULAS, TextCounts
from tertium.statistics import DenseStatistics, Statistics, columns
from tertium.text.segments import References

COLUMNS = columns(*TextCounts._fields)
USUAL = "flesch"
_LISTED = "dale-chall"  # needs easy words
_MANY = 2000  # rows: for fewer numpy takes longer to import than it saves


@dataclass(frozen=True)
class Readability(Metric):
    """What a readability formula says of a text, by counts of words, sentences and syllables.

    >>> import tertium as tt
    >>> easy, hard = ["The cat sat. It was fat."], ["Extraordinary circumstances necessitated their departure."]
    >>> [round(tt.metric("readability:formula=flesch").score(text, None)) for text in (easy, hard)]
    [119, -103]
    """

    name: ClassVar[str] = "readability"
    title: ClassVar[str] = "readability formulas, without references: flesch, smog, lix, kandel-moles..."
    formula: ClassVar[str] = (
        "Counts of words, sentences, syllables, letters and kinds of words add over segments; the formula is of their\n"
        "sums. flesch: 206.835 - 1.015 words / sentence - 84.6 syllables / word; others: docs/metrics/readability.md"
    )
    paper: ClassVar[str] = (
        "Flesch 1948; Kincaid et al. 1975; McLaughlin 1969; Kandel and Moles 1958; and others"
    )
    quirks: ClassVar[str] = (
        "A number of one formula says nothing about another's, and nothing in a language that it was not made for.\n"
        "Below a page formulas are unreliable: tertium readability has a scale with intervals."
    )
    perfect: ClassVar[float | None] = None
    undefined: ClassVar[str] = "there are no words"
    needs_references: ClassVar[bool] = False

    which: str = option(
        USUAL, "which formula", key="formula", choices=tuple(FORMULAS.table), aliases=("formula",)
    )
    lang: str = option("", "language of the text (that of the formula, or en)", key="lang?")
    easy: str = option("", "for dale-chall: a file of easy words, one a line (the most frequent)", file=True)

    @property
    def higher_is_better(self) -> bool:  # type: ignore[override]
        return FORMULAS[self.which].easier

    @classmethod
    def from_value(cls, value: str, options: dict[str, Any]) -> Metric:
        return cls.from_options({"which": value, **cls.named(options)})

    def _given(self) -> Iterator[tuple[str, str]]:
        for name, pair in super()._given():
            yield name, pair.replace("which=", "formula=", 1) if name == "which" else pair

    @property
    def label(self) -> str:
        return f"readability[{self.which}]"

    @property
    def _spoken(self) -> str:
        return self.lang or FORMULAS[self.which].lang or "en"

    def analysis(self, n_references: int | None = None) -> Metric:
        """Formulas share counts in one language; only one of them asks which words are easy."""
        shared = self.which if self.which == _LISTED else USUAL
        return replace(self, which=shared, lang=self._spoken, easy=self.easy if self.which == _LISTED else "")

    def _prepare(self, references: References, threads: int) -> Any:
        return None

    def _rows(self, hypotheses: Lines, prepared: Any, sources: Lines | None, threads: int) -> Statistics:
        easy = easy_words(self._spoken, self.easy) if self.which == _LISTED else None
        return DenseStatistics(COLUMNS, Counter(self._spoken, easy).rows(hypotheses))

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        formula = FORMULAS[self.which]
        if len(statistics) > _MANY:
            return array("d", formula.every(statistics.data).tobytes())
        rows = zip(*(statistics.listed(name) for name in TextCounts._fields), strict=True)
        return array("d", [formula(TextCounts(*row)) for row in rows])

    def components(self, total: DenseStatistics, level: Level = "corpus") -> dict[str, Any]:
        return {
            name: total.only(name) for name in TextCounts._fields if self.which == _LISTED or name != "hard"
        }

    def verbose(self, total: DenseStatistics, level: Level = "corpus") -> str:
        return " ".join(f"{name} = {value}" for name, value in self.components(total, level).items())

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        items = super().signature_items(level) | {"lang": self._spoken}
        if self.easy:
            items |= {"easy": written(self.easy), "easy-hash": self._hash()}
        return items

    def _hash(self) -> str:
        try:
            return sha256(Path(self.easy).read_bytes()).hexdigest()[:8]
        except OSError:
            raise InputError(f"{self.easy}: no such file") from None

    @classmethod
    def from_signature_items(cls, items: dict[str, str]) -> Metric:
        known = {name: items[key] for name, key in (("which", "formula"), ("easy", "easy")) if key in items}
        lang = items.get("lang", "")
        usual = FORMULAS[items["formula"]].lang or "en"
        return cls.from_options(known | ({"lang": lang} if lang not in ("", usual) else {}))
