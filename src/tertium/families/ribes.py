"""RIBES: rank correlation of word order, for distant language pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tertium import _native
from tertium._native import Lines
from tertium.families.base import option
from tertium.families.words import NO_SEGMENTS, WordMetric


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
    label: ClassVar[str] = "RIBES"
    title: ClassVar[str] = (
        "rank correlation of word order, with precision and brevity penalty, as nltk's RIBES"
    )
    formula: ClassVar[str] = (
        "RIBES = (tau + 1) / 2 * P^alpha * BP^beta,  tau = Kendall's tau over the reference positions of aligned\n"
        "words, P = aligned words / hypothesis words, BP = min(1, exp(1 - r/c)). The corpus score is the mean of\n"
        "segment scores."
    )
    fewest_for_interval: ClassVar[int] = 100
    paper: ClassVar[str] = "Isozaki et al. 2010, https://aclanthology.org/D10-1092"
    quirks: ClassVar[str] = (
        "A word that occurs once in both texts is aligned; any other by the shortest context to its right, else to\n"
        "its left, that both texts have once. Fewer than two aligned words give 0. With several references a segment\n"
        "takes the best. Numbers are nltk's; the authors' script differs in details of the alignment."
    )
    undefined: ClassVar[str] = NO_SEGMENTS

    alpha: float = option(0.25, "exponent of precision", between=(0, 100), key="alpha")
    beta: float = option(0.10, "exponent of the brevity penalty", between=(0, 100), key="beta")

    def _counted(self, lines: Lines, references: Any, tokenizer: str, threads: int) -> Any:
        return _native.ribes_rows(lines, references, tokenizer, self.alpha, self.beta, threads)
