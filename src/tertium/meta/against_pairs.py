"""Metrics against people's pairs of better and worse translations: Kendall's tau as WMT computes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError, SpecError, did_you_mean
from tertium.io.pairs import BetterWorse
from tertium.meta.against_people import judged_by
from tertium.meta.correlations import POOLED, CorrelationCell, Correlations
from tertium.meta.paired_tests import PairedTests, checked_significance, permuted
from tertium.meta.scored_metrics import ScoredMetric
from tertium.stats import taulike
from tertium.stats.resampling import SEED
from tertium.stats.wins import interval_wins

TIES = {
    "WMT12": taulike.WMT12,
    "WMT13": taulike.WMT13,
    "WMT14": taulike.WMT14,
    "ties ignored": taulike.TIES_IGNORED,
}
TIE_NOTES = {
    "WMT12": "a metric's tie counts as an error",
    "WMT13": "pairs that a metric ties on are left out",
    "WMT14": "a metric's tie counts as half right",
    "ties ignored": "pairs that a metric ties on are left out",
}


def judge_pairs(
    pairs: BetterWorse,
    metrics: Sequence[ScoredMetric],
    pair: str,
    *,
    matrix: str = "WMT14",
    significance: str = "permutation",
    alpha: float = 0.05,
    resamples: int = 1000,
    seed: int = SEED,
) -> Correlations:
    """Metrics against better-worse pairs (DARR): Kendall's tau as WMT computes it, with bootstrap intervals.

    "permutation": all comparisons of a segment change sides together; "perm-both": each alone. With "williams" a
    metric is significantly better than another where their 95% intervals do not overlap, as at WMT17.
    """
    checked_significance(significance)
    known = [metric for metric in metrics if metric.segments is not None]
    if not known:
        raise InputError(f"{pair}: no metric has scores of segments")
    rows = np.stack([_verdicts(pairs, metric, pair) for metric in known])
    settings = _PairSettings(matrix, significance, alpha, resamples, seed)
    return _judged_verdicts(rows, known, pair, np.asarray(pairs.segment), settings)


def judge_pooled_pairs(
    parts: Sequence[tuple[BetterWorse, Sequence[ScoredMetric]]],
    *,
    matrix: str = "WMT14",
    significance: str = "permutation",
    alpha: float = 0.05,
    resamples: int = 1000,
    seed: int = SEED,
) -> Correlations:
    """The better-worse pairs of several language pairs together, by the metrics that scored all of them; `parts` has
    the pairs and metrics of each language pair."""
    tables = [
        {metric.name: metric for metric in metrics if metric.segments is not None} for _, metrics in parts
    ]
    names = [name for name in tables[0] if all(name in table for table in tables)]
    if not names:
        raise InputError(f"{POOLED}: no metric has scores of segments on all language pairs")
    rows = np.stack(
        [
            np.concatenate(
                [
                    _verdicts(pairs, table[name], POOLED)
                    for (pairs, _), table in zip(parts, tables, strict=True)
                ]
            )
            for name in names
        ]
    )
    # Segments of different language pairs change sides apart.
    offsets = np.cumsum([0, *(int(np.max(pairs.segment, initial=0)) + 1 for pairs, _ in parts)])
    segments = [
        np.asarray(pairs.segment) + offset for (pairs, _), offset in zip(parts, offsets, strict=False)
    ]
    settings = _PairSettings(matrix, significance, alpha, resamples, seed)
    known = [tables[0][name] for name in names]
    return _judged_verdicts(rows, known, POOLED, np.concatenate(segments), settings)


class _PairSettings(NamedTuple):
    """How metrics are compared on better-worse pairs."""

    matrix: str
    significance: str
    alpha: float
    resamples: int
    seed: int


def _verdicts(pairs: BetterWorse, metric: ScoredMetric, pair: str) -> NDArray[np.int64]:
    """What a metric says of each pair: 0 it agrees, 1 it ties, 2 it disagrees."""
    assert metric.segments is not None
    better, worse = (np.asarray(pairs.systems)[codes] for codes in (pairs.better, pairs.worse))
    scores = metric.segments.selected(pairs.systems)
    place = {item: i for i, item in enumerate(scores.items)}
    columns = np.array([place.get(str(segment), -1) for segment in pairs.segment])
    if (columns < 0).any():
        row = int(np.argmax(columns < 0))
        raise InputError(f"{pairs.where(row)}: {metric.name} has no score for segment {pairs.segment[row]}")
    index = {name: i for i, name in enumerate(scores.systems)}
    first = scores.values[[index[name] for name in better], columns]
    second = scores.values[[index[name] for name in worse], columns]
    return taulike.verdicts(first, second, higher_is_better=metric.higher_is_better)


def _judged_verdicts(
    rows: NDArray[np.int64],
    metrics: Sequence[ScoredMetric],
    pair: str,
    segments: NDArray[np.int64],
    settings: _PairSettings,
) -> Correlations:
    matrix, significance, alpha, resamples, seed = settings
    if matrix not in TIES:
        raise SpecError(f"no tie matrix {matrix!r}{did_you_mean(matrix, list(TIES))}")
    people = np.zeros(rows.shape[1], dtype=np.int64)  # the first is always better
    found = taulike.tau_intervals(people, rows, TIES[matrix], resamples=resamples, seed=seed)
    cells = []
    for metric, tau, interval in zip(metrics, found.taus, found.intervals, strict=True):
        value = None if np.isnan(tau) else float(tau)
        reason = None if value is not None else "it ties on every pair"
        cells.append(
            CorrelationCell(
                metric.name, value, None, reason, interval.low, interval.high, ensemble=metric.ensemble
            )
        )
    tests = PairedTests()
    if significance == "williams":
        how = f"95% bootstrap intervals that do not overlap, {resamples} resamples, seed {seed}"
        tests = PairedTests(interval_wins(found.intervals), words=how)
    elif significance != "none":
        alone = significance == "perm-both"
        tested = taulike.tau_tests(
            people,
            rows,
            TIES[matrix],
            units=None if alone else segments,
            resamples=resamples,
            seed=seed,
        )
        name = (
            "PERM-BOTH of comparisons"
            if alone
            else "permutation test of segments, with all their comparisons"
        )
        assumption = (
            "comparisons are independent" if alone else "errors on different segments are independent"
        )
        tests = permuted(tested, alpha, name, "comparisons" if alone else "segments", assumption)
    return judged_by(pair, "pairs", "darr", rows.shape[1], cells, tests, tests.notes)
