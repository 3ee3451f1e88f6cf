"""RIBES: rank correlation of word order, for distant language pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

from tertium import _native
from tertium._native import Lines
from tertium.families.base import Level, option
from tertium.families.words import MEAN_COLUMNS, NO_SEGMENTS, WordMetric, exact, words_from
from tertium.statistics import DenseStatistics


@dataclass(frozen=True)
class RIBES(WordMetric):
    """RIBES: Kendall's tau between the word orders of hypothesis and reference, times P^alpha and BP^beta.

    >>> import tertium as tt
    >>> m = tt.metric("ribes")
    >>> hypothesis = "he read the book because he was interested in world history"
    >>> reference = "he was interested in world history because he read the book"
    >>> round(m.score_total(m.statistics([hypothesis], [reference])), 2)
    38.18
    """

    name: ClassVar[str] = "ribes"
    title: ClassVar[str] = (
        "rank correlation of word order, with precision and brevity penalty, as nltk's RIBES"
    )
    formula: ClassVar[str] = (
        "RIBES = (tau + 1) / 2 * P^alpha * BP^beta,  tau = Kendall's tau over the reference positions of aligned\n"
        "words, P = aligned words / hypothesis words, BP = min(1, exp(1 - r/c)). The corpus score is the mean of\n"
        "segment scores."
    )
    paper: ClassVar[str] = "Isozaki et al. 2010, https://aclanthology.org/D10-1092"
    quirks: ClassVar[str] = (
        "A word that occurs once in both texts is aligned; any other by the shortest context to its right, else to\n"
        "its left, that both texts have once. Fewer than two aligned words give 0. With several references a segment\n"
        "takes the best. Numbers are nltk's; the authors' script differs in details of the alignment."
    )
    undefined: ClassVar[str] = NO_SEGMENTS

    alpha: float = option(0.25, "exponent of precision")
    beta: float = option(0.10, "exponent of the brevity penalty")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_range("alpha", 0, 100)
        self._check_range("beta", 0, 100)

    @property
    def label(self) -> str:
        return "RIBES"

    def _rows(
        self, hypotheses: Lines, prepared: _native.WordReferences, sources: Lines | None, threads: int
    ) -> DenseStatistics:
        rows = _native.ribes_rows(
            self._texts(hypotheses), prepared, self._tokenizer()[0], self.alpha, self.beta, threads
        )
        return DenseStatistics(MEAN_COLUMNS, rows)

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        return _native.mean_scores(statistics.data, 0)

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        return self.word_items() | {"alpha": exact(self.alpha), "beta": exact(self.beta)}

    @classmethod
    def from_signature_items(cls, items: dict[str, str]) -> Self:
        return cls(
            alpha=float(items.get("alpha", "0.25")),
            beta=float(items.get("beta", "0.1")),
            **words_from(items),
        )
