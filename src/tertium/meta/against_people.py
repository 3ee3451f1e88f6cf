"""Metrics against people: at system level, at segment level, and on pairs of better and worse translations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError, SpecError, did_you_mean
from tertium.io.pairs import BetterWorse
from tertium.io.scorematrix import ScoreMatrix, aligned
from tertium.meta.agreement_statistics import (
    STATISTICS,
    AgreementStatistic,
    ScoredSystems,
    segment_statistics,
    system_statistics,
)
from tertium.meta.correlations import CorrelationCell, Correlations
from tertium.meta.scored_metrics import ScoredMetric
from tertium.stats import taulike
from tertium.stats.correlation import Correlation
from tertium.stats.grouping import Averaging, grouped
from tertium.stats.paired_statistics import PairedStatistic
from tertium.stats.permutation import permutation_tests
from tertium.stats.resampling import SEED
from tertium.stats.williams import williams_tests
from tertium.stats.wins import interval_wins, significant_wins

Matrix = NDArray[np.float64]
Missing = Literal["refuse", "leave out"]
SIGNIFICANCE = ("williams", "permutation", "none")
AVERAGING = {"none": Averaging.NONE, "item": Averaging.ITEM, "system": Averaging.SYSTEM}
FEWEST_FOR_WILLIAMS = 4
TIES = {
    "WMT12": taulike.WMT12,
    "WMT13": taulike.WMT13,
    "WMT14": taulike.WMT14,
    "ties ignored": taulike.TIES_IGNORED,
}


def judge_systems(
    human: ScoreMatrix,
    metrics: Sequence[ScoredMetric],
    pair: str,
    *,
    statistic: str = "pearson",
    significance: str = "williams",
    alpha: float = 0.05,
    missing: Missing = "refuse",
    human_segments: ScoreMatrix | None = None,
    seed: int = SEED,
) -> Correlations:
    """Metrics against people, a score for each system.

    Soft pairwise accuracy needs segment scores of people too (`human_segments`) and of the metrics.
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
    cells = _system_cells(known, gold, table, asked, human_segments, seed)
    wins, how = None, ""
    if significance == "williams" and asked.williams:
        if n < FEWEST_FOR_WILLIAMS:
            notes.append(f"n = {n}: Williams' test needs four systems, so nothing is marked as better")
        else:
            wins, how = _williams(gold, table, alpha), "Williams' test"
    elif significance == "permutation" and asked.shuffled_systems is not None:
        wins, how = _shuffled_systems(people, known, human_segments, asked.shuffled_systems, alpha, seed)
        if wins is None:
            notes.append("shuffling systems' scores needs scores of segments, by people and by every metric")
    elif significance != "none":
        notes.append(f"at system level {significance} does not test {statistic}")
    notes += negative(cells, asked)
    return Correlations(pair, "system", statistic, n, tuple(cells), wins, how, tuple(notes), (coverage,))


def _shuffled_systems(
    people: ScoreMatrix,
    metrics: Sequence[ScoredMetric],
    human_segments: ScoreMatrix | None,
    statistic: PairedStatistic,
    alpha: float,
    seed: int,
) -> tuple[NDArray[np.bool_] | None, str]:
    """PERM-BOTH of Deutsch et al. (2021): segment scores of two metrics change sides, systems are their means."""
    matrices = [metric.segments for metric in metrics if metric.segments is not None]
    if human_segments is None or len(matrices) < len(metrics):
        return None, ""
    chosen = [name for name in people.systems if name in human_segments.systems]
    (human, *scores), _ = aligned(human_segments.selected(chosen), *matrices, missing="leave out")
    complete = np.logical_and.reduce([human.defined, *(matrix.defined for matrix in scores)])
    table = [m.sign * np.where(complete, s.values, np.nan) for m, s in zip(metrics, scores, strict=True)]
    gold = np.where(complete, human.values, np.nan)
    found = permutation_tests(gold, table, statistic, averaging=Averaging.SYSTEM, seed=seed)
    how = f"PERM-BOTH over {int(complete.sum()):,} judged segments, {found.resamples} shuffles, seed {seed}"
    return significant_wins(found.p, alpha), how


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
    significance: str = "williams",
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
    wins, how = None, ""
    if averaging == "none" and asked.segments is not None:
        flat = np.stack([scores_of[complete] for scores_of in table])
        cells = [_cell(m, asked.segments(gold[complete], row)) for m, row in zip(known, flat, strict=True)]
        if significance == "williams" and asked.williams:
            wins, how = _williams(gold[complete], flat, alpha), "Williams' test"
    else:
        cells = _averaged_cells(known, gold, table, asked, averaging)
        if averaging != "none":
            notes.append(f"correlations are means over {averaging}s")
    if significance == "permutation":
        found = permutation_tests(
            gold, table, shuffled(asked), averaging=AVERAGING[averaging], resamples=resamples, seed=seed
        )
        wins, how = significant_wins(found.p, alpha), f"PERM-BOTH, {resamples} shuffles, seed {seed}"
    elif significance == "williams" and wins is None:
        notes.append(
            "Williams' test is for Pearson's r over all segments; significance = 'permutation' tests this"
        )
    notes += negative(cells, asked)
    return Correlations(pair, "segment", statistic, n, tuple(cells), wins, how, tuple(notes), (coverage,))


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


def judge_pairs(
    pairs: BetterWorse,
    metrics: Sequence[ScoredMetric],
    pair: str,
    *,
    matrix: str = "WMT14",
    resamples: int = 1000,
    seed: int = SEED,
) -> Correlations:
    """Metrics against better-worse pairs (DARR): Kendall's tau as WMT computes it, with bootstrap intervals.

    A metric is significantly better than another where their 95% intervals do not overlap.
    """
    known = [metric for metric in metrics if metric.segments is not None]
    if not known:
        raise InputError(f"{pair}: no metric has scores of segments")
    if matrix not in TIES:
        raise SpecError(f"no tie matrix {matrix!r}{did_you_mean(matrix, list(TIES))}")
    better, worse = (np.asarray(pairs.systems)[codes] for codes in (pairs.better, pairs.worse))
    rows = []
    for metric in known:
        assert metric.segments is not None
        scores = metric.segments.selected(pairs.systems)
        place = {item: i for i, item in enumerate(scores.items)}
        columns = np.array([place.get(str(segment), -1) for segment in pairs.segment])
        if (columns < 0).any():
            row = int(np.argmax(columns < 0))
            raise InputError(
                f"{pairs.where(row)}: {metric.name} has no score for segment {pairs.segment[row]}"
            )
        index = {name: i for i, name in enumerate(scores.systems)}
        first = scores.values[[index[name] for name in better], columns]
        second = scores.values[[index[name] for name in worse], columns]
        rows.append(taulike.verdicts(first, second, higher_is_better=metric.higher_is_better))
    people = np.zeros(len(pairs), dtype=np.int64)  # the first is always better
    found = taulike.tau_intervals(people, np.stack(rows), TIES[matrix], resamples=resamples, seed=seed)
    cells = []
    for metric, tau, interval in zip(known, found.taus, found.intervals, strict=True):
        value = None if np.isnan(tau) else float(tau)
        reason = None if value is not None else "it ties on every pair"
        cells.append(
            CorrelationCell(
                metric.name, value, None, reason, interval.low, interval.high, ensemble=metric.ensemble
            )
        )
    how = f"95% bootstrap intervals that do not overlap, {resamples} resamples, seed {seed}"
    return Correlations(pair, "pairs", "darr", len(pairs), tuple(cells), interval_wins(found.intervals), how)


def _cell(metric: ScoredMetric, found: Correlation) -> CorrelationCell:
    return CorrelationCell(metric.name, found.value, found.p, found.reason, ensemble=metric.ensemble)


def _williams(gold: Matrix, table: Matrix, alpha: float) -> NDArray[np.bool_]:
    broken = np.isnan(table).any(axis=1, keepdims=True)
    table = np.where(broken, 0.0, table)  # constant: no correlation, and no test
    return significant_wins(williams_tests(gold, table).p, alpha)


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
    if significance not in SIGNIFICANCE:
        raise SpecError(f"no significance test {significance!r}{did_you_mean(significance, SIGNIFICANCE)}")
    return STATISTICS[statistic]
