"""Metrics against people, a score for each document of each system, with intervals over documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError
from tertium.io.scorematrix import ScoreMatrix, aligned
from tertium.meta.against_people import (
    AVERAGING,
    Missing,
    checked_averaging,
    checked_statistic,
    negative,
    shuffled,
)
from tertium.meta.agreement_statistics import STATISTICS, AgreementStatistic, segment_statistics
from tertium.meta.correlations import CorrelationCell, Correlations
from tertium.meta.scored_metrics import ScoredMetric
from tertium.progress import steps
from tertium.stats.grouping import grouped
from tertium.stats.pvalues import percentile_interval
from tertium.stats.resampling import SEED, Draws
from tertium.stats.wins import significant_wins

Matrix = NDArray[np.float64]


def judge_documents(
    human: ScoreMatrix,
    metrics: Sequence[ScoredMetric],
    pair: str,
    *,
    statistic: str = "pearson",
    averaging: str | None = None,
    alpha: float = 0.05,
    missing: Missing = "refuse",
    resamples: int = 1000,
    seed: int = SEED,
) -> Correlations:
    """Metrics against people at document level.

    Documents are drawn with replacement, with all their systems: that gives the intervals, and a metric is better than
    another where it is in all but `alpha` of the resamples. A metric without a score for some documents (no pronoun to
    get right) is judged by the others, and its cell says by how many.
    """
    statistic = STATISTICS.canonical(statistic)
    asked = checked_statistic(statistic, segment_statistics(), "none")
    averaging = checked_averaging(averaging, asked)
    known = [metric for metric in metrics if metric.documents is not None]
    if not known:
        raise InputError(f"{pair}: no metric has scores of documents")
    tables = [metric.documents for metric in known if metric.documents is not None]
    given = [_filled(one) if metric.metric else one for metric, one in zip(known, tables, strict=True)]
    (people, *_), coverage = aligned(human, *given, missing=missing)
    gold = people.values
    scores = [
        metric.sign * one.selected(people.systems, people.items).values
        for metric, one in zip(known, tables, strict=True)
    ]
    draws = [index for block in Draws(seed).indices(len(people.items), resamples) for index in block]
    cells, drawn = [], []
    for metric, own in steps(list(zip(known, scores, strict=True)), lambda one: one[0].name):
        value = _value(gold, own, asked, averaging)
        drawn.append([_value(gold[:, index], own[:, index], asked, averaging) for index in draws])
        interval = percentile_interval(np.array(drawn[-1]))
        undefined = value != value
        cells.append(
            CorrelationCell(
                metric.name,
                None if undefined else value,
                reason="no correlation is defined" if undefined else None,
                low=None if undefined else interval.low,
                high=None if undefined else interval.high,
                ensemble=metric.ensemble,
                n=int((np.isfinite(gold) & np.isfinite(own)).sum()),
            )
        )
    n = int(np.isfinite(gold).sum())
    notes = (
        [f"correlations are means over {averaging}s".replace("items", "documents")]
        if averaging != "none"
        else []
    )
    notes += [f"{cell.name} has a score for {cell.n:,} of {n:,}" for cell in cells if cell.n != n]
    notes += negative(cells, asked)
    how = f"paired bootstrap over {len(people.items)} documents, {resamples} resamples, seed {seed}"
    wins = _wins(np.array(drawn), alpha)
    return Correlations(pair, "document", statistic, n, tuple(cells), wins, how, tuple(notes), (coverage,))


def _filled(scores: ScoreMatrix) -> ScoreMatrix:
    """Where one of our metrics is undefined, nothing is missing from a file."""
    return replace(scores, values=np.nan_to_num(scores.values))


def _value(gold: Matrix, scores: Matrix, statistic: AgreementStatistic, averaging: str) -> float:
    """NaN where it is undefined."""
    known = np.isfinite(gold) & np.isfinite(scores)
    if averaging == "none" and statistic.segments is not None:
        found = statistic.segments(gold[known], scores[known]).value
        return float("nan") if found is None else found
    groups = grouped(np.where(known, gold, np.nan), AVERAGING[averaging])
    return float(shuffled(statistic).of(groups, groups.scores(scores)))


def _wins(drawn: Matrix, alpha: float) -> NDArray[np.bool_]:
    """Of these resamples by metric: p[i, j] is the share in which i is not better than j."""
    with np.errstate(invalid="ignore"):
        beaten = ~(drawn[:, None, :] > drawn[None, :, :])
    p = (1 + beaten.sum(axis=2)) / (1 + drawn.shape[1])
    p[np.isnan(drawn).any(axis=1)] = np.nan
    return significant_wins(p, alpha)
