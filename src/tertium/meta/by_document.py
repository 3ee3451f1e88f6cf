"""Metrics against people, a score for each document of each system, with intervals over documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

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
from tertium.meta.paired_tests import PairedTests, compare_segments
from tertium.meta.scored_metrics import ScoredMetric
from tertium.progress import steps
from tertium.stats.grouping import Averaging, grouped
from tertium.stats.paired_statistics import PairedStatistic
from tertium.stats.pvalues import percentile_interval
from tertium.stats.resampling import SEED, Draws

Matrix = NDArray[np.float64]


def judge_documents(
    human: ScoreMatrix,
    metrics: Sequence[ScoredMetric],
    pair: str,
    *,
    statistic: str = "pearson",
    averaging: str | None = None,
    significance: str = "permutation",
    alpha: float = 0.05,
    missing: Missing = "refuse",
    resamples: int = 1000,
    seed: int = SEED,
) -> Correlations:
    """Metrics against people at document level.

    Documents are drawn with replacement, with all their systems: that gives the intervals. In the tests documents
    change sides, with all their systems. A metric without a score for some documents (no pronoun to get right) is
    judged by the others, and its cell says by how many; two metrics are compared on the documents that both score.
    """
    statistic = STATISTICS.canonical(statistic)
    asked = checked_statistic(statistic, segment_statistics(), significance)
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
    cells = []
    for metric, own in steps(list(zip(known, scores, strict=True)), lambda one: one[0].name):
        value = _value(gold, own, asked, averaging)
        drawn = [_value(gold[:, index], own[:, index], asked, averaging) for index in draws]
        interval = percentile_interval(np.array(drawn))
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
    tests = PairedTests()
    if significance != "none" and asked.shuffled is not None:
        # Williams' test is not for scores of documents, of which a text has few.
        tests = _tests(
            gold,
            scores,
            asked.shuffled,
            AVERAGING[averaging],
            significance="permutation" if significance == "williams" else significance,
            alpha=alpha,
            resamples=resamples,
            seed=seed,
            units="documents",
        )
    notes += [*tests.notes, *negative(cells, asked)]
    return Correlations(
        pair,
        "document",
        statistic,
        n,
        tuple(cells),
        tests.wins,
        tests.words,
        tuple(notes),
        (coverage,),
        tests.p_values,
        tests.resampled,
    )


def _tests(
    gold: Matrix, scores: Sequence[Matrix], statistic: PairedStatistic, averaging: Averaging, **settings: Any
) -> PairedTests:
    """All metrics together where they score the same documents; else pair by pair, on what both score."""
    known = [np.isfinite(gold) & np.isfinite(row) for row in scores]
    if all(np.array_equal(one, known[0]) for one in known):
        table = [np.where(known[0], row, np.nan) for row in scores]
        return compare_segments(np.where(known[0], gold, np.nan), table, statistic, averaging, **settings)
    n = len(scores)
    p, wins = np.full((n, n), np.nan), np.zeros((n, n), dtype=bool)
    observed, differences = {}, {}
    last = PairedTests()
    untested: list[str] = []
    for i, j in combinations(range(n), 2):
        both = known[i] & known[j]
        if not both.any():
            continue
        table = [np.where(both, scores[k], np.nan) for k in (i, j)]
        last = compare_segments(np.where(both, gold, np.nan), table, statistic, averaging, **settings)
        p[np.ix_((i, j), (i, j))] = last.p_values
        if last.wins is None:
            untested += last.notes
        else:
            wins[np.ix_((i, j), (i, j))] = last.wins
        if last.resampled is not None:
            for (a, b), values in last.resampled.differences.items():
                differences[(i, j)[a], (i, j)[b]] = values
                observed[(i, j)[a], (i, j)[b]] = last.resampled.observed[a, b]
    if last.resampled is None:
        return last
    resampled = replace(
        last.resampled, p=p, values=np.full(n, np.nan), observed=observed, differences=differences
    )
    notes = tuple(dict.fromkeys(untested))
    return PairedTests(None if last.wins is None else wins, p, last.words, notes, resampled)


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
