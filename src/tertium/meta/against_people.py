"""Metrics against people: at system level, at segment level, and on pairs of better and worse translations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError, SpecError, did_you_mean
from tertium.io.coverage import Coverage
from tertium.io.scorematrix import ScoreMatrix, aligned
from tertium.meta.agreement_statistics import (
    STATISTICS,
    AgreementStatistic,
    ScoredSystems,
    segment_statistics,
    system_statistics,
)
from tertium.meta.correlations import CorrelationCell, Correlations
from tertium.meta.paired_tests import (
    PairedTests,
    checked_significance,
    compare_segments,
    compare_soft_accuracy,
    compare_systems,
    williams,
)
from tertium.meta.rounded_scores import rounding_notes
from tertium.meta.scored_metrics import ScoredMetric
from tertium.stats.correlation import Correlation
from tertium.stats.grouping import Averaging, grouped
from tertium.stats.paired_statistics import PairedStatistic
from tertium.stats.resampling import SEED

Matrix = NDArray[np.float64]
Missing = Literal["refuse", "leave out"]
AVERAGING = {"none": Averaging.NONE, "item": Averaging.ITEM, "system": Averaging.SYSTEM}


def judge_systems(
    human: ScoreMatrix,
    metrics: Sequence[ScoredMetric],
    pair: str,
    *,
    statistic: str = "pearson",
    significance: str = "permutation",
    alpha: float = 0.05,
    missing: Missing = "refuse",
    human_segments: ScoreMatrix | None = None,
    resamples: int = 1000,
    seed: int = SEED,
) -> Correlations:
    """Metrics against people, a score for each system.

    Soft pairwise accuracy needs segment scores of people too (`human_segments`) and of the metrics. `significance` is
    one of `tertium.meta.paired_tests.SIGNIFICANCE`.
    """
    statistic = STATISTICS.canonical(statistic)
    asked = checked_statistic(statistic, system_statistics(), significance)
    known = [metric for metric in metrics if metric.systems is not None]
    if not known:
        raise InputError(f"{pair}: no metric has scores of systems")
    matrices = [metric.systems for metric in known if metric.systems is not None]
    (people, *scores), coverage = aligned(human, *matrices, missing=missing)
    known_to_all = people.defined[:, 0]  # a system without a score somewhere is left out, and accounted for
    people = people.selected(
        [name for name, there in zip(people.systems, known_to_all, strict=True) if there]
    )
    gold = people.values[:, 0]
    table = np.stack([m.sign * s.values[known_to_all, 0] for m, s in zip(known, scores, strict=True)])
    n = len(gold)
    notes = []
    if n == 2:
        notes.append("two systems: every correlation is 1 or -1 by construction and tells nothing")
    if human_segments is not None:
        human_segments = human_segments.selected([x for x in people.systems if x in human_segments.systems])
    cells = _system_cells(known, gold, table, asked, human_segments, seed)
    tests = PairedTests()
    settings: dict[str, Any] = {"alpha": alpha, "resamples": resamples, "seed": seed}
    if n < 2 or significance == "none":
        pass
    elif significance == "williams":
        if asked.williams:
            tests = williams(gold, table, alpha)
        else:
            notes.append(f"at system level {significance} does not test {statistic}")
    elif asked.soft_accuracy:
        scored = _scored_segments(known, human_segments)
        if scored is not None:
            tests = compare_soft_accuracy(*scored, significance=significance, **settings)
    elif (measure := asked.shuffled_systems or asked.shuffled) is not None:
        tests = compare_systems(gold, table, measure, **settings)
    notes += [*tests.notes, *negative(cells, asked), *rounding_notes(gold, known, table, statistic)]
    return judged_by(pair, "system", statistic, n, cells, tests, notes, coverage)


def judged_by(
    pair: str,
    level: str,
    statistic: str,
    n: int,
    cells: Sequence[CorrelationCell],
    tests: PairedTests,
    notes: Sequence[str],
    *coverages: Coverage,
) -> Correlations:
    return Correlations(
        pair,
        level,
        statistic,
        n,
        tuple(cells),
        tests.wins,
        tests.words,
        tuple(notes),
        coverages,
        tests.p_values,
        tests.resampled,
    )


def _scored_segments(
    metrics: Sequence[ScoredMetric], human_segments: ScoreMatrix | None
) -> tuple[Matrix, list[Matrix]] | None:
    """People's and the metrics' segment scores; a metric without any has the same score everywhere. None if that
    leaves nothing to test."""
    matrices = [metric.segments for metric in metrics if metric.segments is not None]
    if human_segments is None or len(human_segments.systems) < 2 or not matrices:
        return None
    (human, *scores), _ = aligned(human_segments, *matrices, missing="leave out")
    complete = np.logical_and.reduce([human.defined, *(matrix.defined for matrix in scores)])
    if not complete.all(axis=0).any():
        return None
    of_metric = iter(scores)
    table = [
        np.zeros(human.values.shape)
        if metric.segments is None
        else metric.sign * np.where(complete, next(of_metric).values, 0.0)
        for metric in metrics
    ]
    return np.where(complete, human.values, np.nan), table


def _system_cells(
    metrics: Sequence[ScoredMetric],
    gold: Matrix,
    table: Matrix,
    statistic: AgreementStatistic,
    human_segments: ScoreMatrix | None,
    seed: int,
) -> list[CorrelationCell]:
    if len(gold) < 2:
        nothing = Correlation(None, None, len(gold), "there are fewer than two systems")
        return [_cell(metric, nothing) for metric in metrics]
    scores = [
        ScoredSystems(gold, row, human_segments, metric.segments, metric.sign, seed)
        for metric, row in zip(metrics, table, strict=True)
    ]
    if statistic.together is not None:
        found = statistic.together(scores)
    else:
        assert statistic.systems is not None
        found = [statistic.systems(one) for one in scores]
    return [_cell(metric, one) for metric, one in zip(metrics, found, strict=True)]


def judge_segments(
    human: ScoreMatrix,
    metrics: Sequence[ScoredMetric],
    pair: str,
    *,
    statistic: str = "pearson",
    significance: str = "permutation",
    averaging: str | None = None,
    alpha: float = 0.05,
    missing: Missing = "refuse",
    resamples: int = 1000,
    seed: int = SEED,
) -> Correlations:
    """Metrics against people, a score for each segment of each system that people scored.

    `averaging` is "none" (all scores in one), "item" (within each source sentence) or "system"; None is what the
    statistic is usually computed with: items for calibrated accuracy, all scores in one for the others.
    """
    statistic = STATISTICS.canonical(statistic)
    asked = checked_statistic(statistic, segment_statistics(), significance)
    averaging = checked_averaging(averaging, asked)
    known = [metric for metric in metrics if metric.segments is not None]
    if not known:
        raise InputError(f"{pair}: no metric has scores of segments")
    matrices = [metric.segments for metric in known if metric.segments is not None]
    (people, *scores), coverage = aligned(human, *matrices, missing=missing)
    judged = people.defined
    complete = np.logical_and.reduce([judged, *(matrix.defined for matrix in scores)])
    notes = []
    if lost := int((judged & ~complete).sum()):
        notes.append(f"{lost} segments without a score of some metric are left out for all metrics")
    gold = np.where(complete, people.values, np.nan)
    table = [m.sign * np.where(complete, s.values, np.nan) for m, s in zip(known, scores, strict=True)]
    n = int(complete.sum())
    tests = PairedTests()
    if averaging == "none" and asked.segments is not None:
        flat = np.stack([scores_of[complete] for scores_of in table])
        cells = [_cell(m, asked.segments(gold[complete], row)) for m, row in zip(known, flat, strict=True)]
        notes += rounding_notes(gold[complete], known, flat, statistic)
        if significance == "williams" and asked.williams:
            tests = williams(gold[complete], flat, alpha)
    else:
        cells = _averaged_cells(known, gold, table, asked, averaging)
        if averaging != "none":
            notes.append(f"correlations are means over {averaging}s")
    if significance in ("permutation", "perm-both") and asked.shuffled is not None:
        tests = compare_segments(
            gold,
            table,
            asked.shuffled,
            AVERAGING[averaging],
            significance=significance,
            alpha=alpha,
            resamples=resamples,
            seed=seed,
        )
    elif significance == "williams" and tests.wins is None:
        notes.append(
            "Williams' test is for Pearson's r over all segments; significance = 'permutation' tests this"
        )
    notes += [*tests.notes, *negative(cells, asked)]
    return judged_by(pair, "segment", statistic, n, cells, tests, notes, coverage)


def _averaged_cells(
    metrics: Sequence[ScoredMetric],
    gold: Matrix,
    table: Sequence[Matrix],
    statistic: AgreementStatistic,
    averaging: str,
) -> list[CorrelationCell]:
    groups = grouped(gold, AVERAGING[averaging])
    cells = []
    for metric, scores in zip(metrics, table, strict=True):
        value = float(shuffled(statistic).of(groups, groups.scores(scores)))
        undefined = value != value
        cells.append(
            CorrelationCell(
                metric.name,
                None if undefined else value,
                reason="no group has a correlation" if undefined else None,
                ensemble=metric.ensemble,
            )
        )
    return cells


def _cell(metric: ScoredMetric, found: Correlation) -> CorrelationCell:
    return CorrelationCell(metric.name, found.value, found.p, found.reason, ensemble=metric.ensemble)


def shuffled(statistic: AgreementStatistic) -> PairedStatistic:
    if statistic.shuffled is None:
        raise SpecError("this statistic is not defined over groups, and no permutation test shuffles it")
    return statistic.shuffled


def negative(cells: Sequence[CorrelationCell], statistic: AgreementStatistic) -> list[str]:
    """Absolute values hide a metric that ranks backwards: that is said."""
    if not statistic.absolute:
        return []
    return [
        f"{cell.name} ranks backwards: its correlation is {cell.value:.3f} (tables show absolute values)"
        for cell in cells
        if cell.value is not None and cell.value < 0
    ]


def checked_averaging(averaging: str | None, statistic: AgreementStatistic) -> str:
    """How segments are grouped: as the caller says, or else as the statistic has it."""
    if averaging is None:
        return statistic.averaging
    if averaging not in AVERAGING:
        raise SpecError(f"no averaging {averaging!r}{did_you_mean(averaging, list(AVERAGING))}")
    return averaging


def checked_statistic(statistic: str, known: Sequence[str], significance: str) -> AgreementStatistic:
    if statistic not in known:
        raise SpecError(f"no statistic {statistic!r} at this level{did_you_mean(statistic, known)}")
    checked_significance(significance)
    return STATISTICS[statistic]
