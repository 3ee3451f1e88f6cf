"""Scores of bootstrap resamples as sacrebleu on NumPy 1 computes them: sums and quotients in single precision.

Where single precision holds the sums exactly, they come from one exact product; else rows are added one by one in
the order in which they were drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium.families.base import Metric
from tertium.families.bleu import BLEU
from tertium.families.chrf import ChrF
from tertium.families.ter import TER
from tertium.families.together import WeightedScores
from tertium.statistics import DenseStatistics, StatisticColumn, Statistics, WeightedTogether
from tertium.stats.resampling import Draws

Rows = NDArray[np.float64]
Sums = NDArray[np.float32]

EXACT = 2**24  # single precision holds every whole number up to here
EPSILON = 1e-16  # chrF's stand-in for what is missing


@dataclass(frozen=True)
class Imitation:
    """The columns that sacrebleu resamples for a metric, and the scores it makes of their sums."""

    columns: Callable[[DenseStatistics], Rows]
    scores: Callable[[Any, tuple[StatisticColumn, ...], Sums], NDArray[np.float64]]


def resample_scores(
    metrics: Sequence[Metric], systems: Sequence[Statistics], draws: Callable[[], Draws], resamples: int
) -> dict[Metric, list[NDArray[np.float64]]]:
    """By metrics that have the same rows, the scores of the same resamples of each system.

    `draws` starts the stream anew. Metrics and variants (`like=moses`) that sacrebleu does not have are summed exactly.
    """
    found: dict[Metric, list[NDArray[np.float64]]] = {}
    ways: dict[Imitation | None, list[Metric]] = {}
    for metric in metrics:
        known = getattr(metric, "like", "") in ("", "sacrebleu")
        ways.setdefault(IMITATIONS.get(type(metric)) if known else None, []).append(metric)
    for imitation, alike in ways.items():
        if imitation is None:
            together = WeightedScores([(alike, rows) for rows in systems])
            blocks = [list(together(counts)) for counts in draws().counts(len(systems[0]), resamples)]
            for i, metric in enumerate(alike):
                found[metric] = [
                    np.concatenate([block[j][i] for block in blocks]) for j in range(len(systems))
                ]
            continue
        dense = [rows for rows in systems if isinstance(rows, DenseStatistics)]
        sums = resampled_sums([imitation.columns(rows) for rows in dense], draws, resamples)
        for metric in alike:
            pairs = zip(dense, sums, strict=True)
            found[metric] = [imitation.scores(metric, rows.columns, own) for rows, own in pairs]
    return found


def resampled_sums(tables: Sequence[Rows], draws: Callable[[], Draws], resamples: int) -> list[Sums]:
    """The summed rows of each resample, as single precision sums them.

    >>> resampled_sums([np.array([[1.0, 2.0]])], lambda: Draws(1), 2)[0].tolist()
    [[1.0, 2.0], [1.0, 2.0]]
    """
    found: list[Sums | None] = list(_exact_sums(tables, draws, resamples))
    inexact = [i for i, sums in enumerate(found) if sums is None]
    if inexact:
        blocks: dict[int, list[Sums]] = {i: [] for i in inexact}
        single = {i: tables[i].astype(np.float32) for i in inexact}
        for indices in draws().indices(len(tables[0]), resamples):
            for i in inexact:
                blocks[i].append(np.stack([single[i][picked].sum(axis=0) for picked in indices]))
        for i in inexact:
            found[i] = np.concatenate(blocks[i])
    return [sums for sums in found if sums is not None]


def _exact_sums(tables: Sequence[Rows], draws: Callable[[], Draws], resamples: int) -> list[Sums | None]:
    """The sums of tables with small whole numbers; None for the others."""
    whole = [
        DenseStatistics((), np.ascontiguousarray(table, dtype=np.int64))
        if bool((table == np.floor(table)).all())
        else None
        for table in tables
    ]
    blocks: list[list[NDArray[np.int64]]] = [[] for _ in tables]
    exact = [i for i, rows in enumerate(whole) if rows is not None]
    if exact:
        together = WeightedTogether([rows for rows in whole if rows is not None])
        for counts in draws().counts(len(tables[0]), resamples):
            for i, sums in zip(exact, together(counts), strict=True):
                blocks[i].append(sums.array)
    return [
        np.concatenate(sums).astype(np.float32)
        if sums and max(part.max() for part in sums) <= EXACT
        else None
        for sums in blocks
    ]


def _all_columns(rows: DenseStatistics) -> Rows:
    return rows.array.astype(np.float64)


def _bleu_scores(metric: BLEU, columns: tuple[StatisticColumn, ...], sums: Sums) -> NDArray[np.float64]:
    return metric.score_rows(DenseStatistics(columns, sums.astype(np.int64)))


def _chrf_scores(metric: ChrF, columns: tuple[StatisticColumn, ...], sums: Sums) -> NDArray[np.float64]:
    """F from quotients in single precision, to which NumPy scalars round them in sacrebleu."""
    sums = metric.fitted(DenseStatistics(columns, sums.astype(np.int64))).array.astype(np.float32)
    counts, references, matches = (sums[:, part::3] for part in range(3))
    missing = np.full_like(matches, EPSILON)
    precisions = np.divide(matches, counts, out=missing.copy(), where=counts > 0).astype(np.float64)
    recalls = np.divide(matches, references, out=missing.copy(), where=references > 0).astype(np.float64)
    if metric.eps:
        means: NDArray[np.float64] = _f(metric.beta, precisions, recalls, EPSILON).mean(axis=1)
        return 100 * means
    both = (counts > 0) & (references > 0)
    orders = np.maximum(both.sum(axis=1), 1)
    precision, recall = (np.where(both, part, 0.0).sum(axis=1) / orders for part in (precisions, recalls))
    return 100 * _f(metric.beta, precision, recall, 0.0)


def _f(
    beta: float, precision: NDArray[np.float64], recall: NDArray[np.float64], undefined: float
) -> NDArray[np.float64]:
    square = beta**2
    below = square * precision + recall
    above = (1 + square) * precision * recall
    return np.divide(above, below, out=np.full_like(above, undefined), where=below > 0)


def _ter_columns(rows: DenseStatistics) -> Rows:
    return np.column_stack([rows.array[:, :4].sum(axis=1), rows["reference_length"]]).astype(np.float64)


def _ter_scores(metric: TER, columns: tuple[StatisticColumn, ...], sums: Sums) -> NDArray[np.float64]:
    """The quotient is rounded to single precision, as NumPy scalars round it in sacrebleu."""
    edits, lengths = sums.T
    rates = np.where(edits > 0, np.float32(1), np.float32(0))
    np.divide(edits, lengths, out=rates, where=lengths > 0)
    return 100 * rates.astype(np.float64)


IMITATIONS: dict[type[Metric], Imitation] = {
    BLEU: Imitation(_all_columns, _bleu_scores),
    ChrF: Imitation(_all_columns, _chrf_scores),
    TER: Imitation(_ter_columns, _ter_scores),
}
