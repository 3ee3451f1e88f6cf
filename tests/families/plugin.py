"""A metric as another package would write it: in plain Python and numpy, on top of `weighted_scores`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from tertium._native import Lines
from tertium.families.base import Level, Metric, option
from tertium.statistics import DenseStatistics, weighted_scores
from tertium.text.segments import References


@dataclass(frozen=True)
class Jaccard(Metric):
    """Words in common over words in either, the best over references; a mean weighted by length."""

    name: ClassVar[str] = "jaccard"
    title: ClassVar[str] = "words in common over words in either text"
    formula: ClassVar[str] = "J = |H & R| / |H | R|"
    paper: ClassVar[str] = "Jaccard 1912"
    undefined: ClassVar[str] = "all weights are 0: the hypotheses are empty, or none matches"

    power: float = option(1.0, "weight of a segment: its length to this power", aliases=("p",))

    def _prepare(self, references: References, threads: int) -> Any:
        streams = [[stream[i] for i in range(len(stream))] for stream in references.streams]
        return [[set(text.split()) for text in row if text is not None] for row in zip(*streams, strict=True)]

    def _rows(self, hypotheses: Lines, prepared: Any, sources: Lines | None, threads: int) -> DenseStatistics:
        words = [set((hypotheses[i] or "").split()) for i in range(len(hypotheses))]
        scores = [
            max(len(mine & theirs) / max(1, len(mine | theirs)) for theirs in references)
            for mine, references in zip(words, prepared, strict=True)
        ]
        return weighted_scores(scores, [len(mine) ** self.power if mine else 0.0 for mine in words])

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        with np.errstate(invalid="ignore"):
            return 100 * statistics["weighted"] / statistics["weight"]

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        return {"power": f"{self.power:.17g}"}

    @classmethod
    def from_signature_items(cls, items: dict[str, str]) -> Self:
        return cls(power=float(items["power"]))
