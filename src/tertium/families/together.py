"""Scores by several metrics with the same rows: drawn and summed once, scored by each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

from tertium.families.base import Metric
from tertium.statistics import DenseStatistics, Statistics, WeightedTogether

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Scores = NDArray[np.float64]


def _plain(metrics: Sequence[Metric], rows: Statistics, way: str) -> bool:
    """Whether sums of these rows fit into memory, and no metric has its own way to do without them."""
    return isinstance(rows, DenseStatistics) and all(
        getattr(type(metric), way) is getattr(Metric, way) for metric in metrics
    )


class WeightedScores:
    """`Metric.score_weighted` of many rows (those of systems and runs), each by the metrics that share them.

    >>> import tertium as tt
    >>> metrics = [tt.metric("bleu:smooth=none"), tt.metric("bleu:order=1")]
    >>> rows = metrics[0].statistics(["a b c d e", "c"], ["a b c d e", "d"])
    >>> [[scores.round(1).tolist() for scores in own] for own in WeightedScores([(metrics, rows)])([[1, 1], [2, 0]])]
    [[[95.5, 100.0], [83.3, 100.0]]]
    """

    def __init__(self, shared: Sequence[tuple[Sequence[Metric], Statistics]]) -> None:
        self._shared = [
            (metrics, rows if _plain(metrics, rows, "score_weighted") else None) for metrics, rows in shared
        ]
        dense = [cast(DenseStatistics, rows) for _, rows in self._shared if rows is not None]
        self._sums = WeightedTogether(dense) if dense else None
        self._others = [  # their metrics have their own ways
            [metric.weighted_scorer(rows) for metric in metrics]
            for (metrics, rows), (_, plain) in zip(shared, self._shared, strict=True)
            if plain is None
        ]

    def __call__(self, weights: Any, *, threads: int = 1) -> Iterator[list[Scores]]:
        """For each of the rows its scores by each of their metrics."""
        sums = iter(() if self._sums is None else self._sums(weights, threads=threads))
        others = iter(self._others)
        for metrics, plain in self._shared:
            if plain is None:
                yield [scores(weights, threads=threads) for scores in next(others)]
            else:
                summed = next(sums)
                yield [metric.score_rows(summed) for metric in metrics]


def swapped_scores(
    metrics: Sequence[Metric], first: Statistics, second: Any, masks: Any, *, threads: int = 1
) -> list[tuple[Scores, Scores]]:
    """`Metric.score_swapped` by each metric."""
    if not _plain(metrics, first, "score_swapped"):
        return [metric.score_swapped(first, second, masks, threads=threads) for metric in metrics]
    ours, theirs = first.swapped(second, masks, threads=threads)
    return [(metric.score_rows(ours), metric.score_rows(theirs)) for metric in metrics]
