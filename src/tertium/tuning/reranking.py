"""Weights put to work: candidates in the order of their weighted sums of features."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium.io.nbest import NBest
from tertium.io.nbestfeatures import FeatureLists
from tertium.io.tables import Column, Table, number_column
from tertium.results import Result
from tertium.tuning.objective import CandidatePart

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class RerankedLists(Result):
    """An n-best list in a new order."""

    kind = "reranked lists"
    nbest: NBest
    order: NDArray[np.int64]  # the numbers of all candidates
    sums: NDArray[np.float64]  # of all candidates, in the old order
    starts: NDArray[np.int64]
    weights: Mapping[str, tuple[float, ...]]

    @property
    def changed(self) -> int:
        """Sentences whose first candidate is another one."""
        first = self.order[self.starts[:-1]]
        texts = self.nbest.hypotheses
        return sum(texts[new] != texts[old] for new, old in zip(first, self.starts[:-1], strict=True))

    def best(self) -> Iterator[str]:
        """The first candidate of each sentence."""
        return (self.nbest.hypotheses[i] for i in self.order[self.starts[:-1]])

    def list_lines(self) -> Iterator[str]:
        """The list in its new order, with the new scores."""
        return self.nbest.lines(self.order.tolist(), self.sums[self.order].tolist())

    def contents(self) -> Mapping[str, Any]:
        return {
            "sentences": self.nbest.n_sentences,
            "candidates": len(self.nbest),
            "changed": self.changed,
            "weights": self.weights,
        }

    def words(self) -> Iterator[str]:
        yield (
            f"{self.changed:,} of {self.nbest.n_sentences:,} sentences have another first candidate "
            f"({len(self.nbest):,} candidates)."
        )

    def table(self) -> Table:
        rows = [
            (name if len(own) == 1 else f"{name}[{i + 1}]", weight)
            for name, own in self.weights.items()
            for i, weight in enumerate(own)
        ]
        return Table("Weights", (Column("feature"), number_column("weight", digits=4)), tuple(rows))


def rerank(
    lists: FeatureLists, weights: Mapping[str, Sequence[float]], origin: str = "the weights given"
) -> RerankedLists:
    """Candidates in descending order of the weighted sum of their features; equal ones keep their order.

    >>> nbest = NBest((0, 0), ("a", "b"), (0.0, 0.0), ("LM= -2", "LM= -1"))
    >>> list(rerank(FeatureLists.of(nbest), {"LM": (1.0,)}).best())
    ['b']
    """
    found = lists.weights(weights, origin)
    segments = np.asarray(lists.nbest.segments, dtype=np.int64)
    starts = np.searchsorted(segments, np.arange(lists.nbest.n_sentences + 1)).astype(np.int64)
    sums = CandidatePart(lists.values, starts).sums(found)
    order = np.lexsort((-sums, segments)).astype(np.int64)
    return RerankedLists(lists.nbest, order, sums, starts, lists.named(found))
