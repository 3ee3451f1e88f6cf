"""Which test compares two metrics at each level, what it gives, and what it assumes.

`significance` is one of four. "permutation", the default, is the test that keeps its level: systems change sides where
systems are judged, and whole segments or documents where these are. "perm-both" is what mt-metrics-eval does: segment
scores change sides one by one. "williams" is what WMT17 did: Williams' test, and intervals for better-worse pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tertium.errors import SpecError, did_you_mean
from tertium.stats.grouping import Averaging
from tertium.stats.hybrids import Hybrids, hybrid_tests
from tertium.stats.outcome_tests import outcome_tests
from tertium.stats.paired_statistics import (
    MeanAccuracy,
    MeanCalibratedAccuracy,
    MeanPearson,
    MeanSpearman,
    MeanTau,
    PairedStatistic,
)
from tertium.stats.permutation import BLOCK, MANY, PermutationTests, Shuffle, permutation_tests
from tertium.stats.soft_accuracy_tests import soft_accuracy_tests
from tertium.stats.williams import FEWEST, williams_tests
from tertium.stats.wins import significant_wins

Matrix = NDArray[np.float64]
SIGNIFICANCE = ("permutation", "perm-both", "williams", "none")


@dataclass(frozen=True, eq=False)
class PairedTests:
    """All metrics against all: `p_values[i, j]` of "metric i is better than metric j", NaN where that was not tested.

    `wins` is None where nothing was tested, or where no p-value could have been below alpha. `resampled` keeps the
    permutations, from which tests over several language pairs are made.
    """

    wins: NDArray[np.bool_] | None = None
    p_values: Matrix | None = None
    words: str = ""
    notes: tuple[str, ...] = ()
    resampled: PermutationTests | None = None


def checked_significance(significance: str) -> str:
    """The name of a test, if there is one of that name."""
    if significance not in SIGNIFICANCE:
        raise SpecError(f"no significance test {significance!r}{did_you_mean(significance, SIGNIFICANCE)}")
    return significance


def permuted(tests: PermutationTests, alpha: float, name: str, units: str, assumption: str) -> PairedTests:
    """The result of permutation tests; `units` are what changes sides."""
    if not tests.observed:  # a single metric, or none with a value
        return PairedTests(resampled=tests)
    words = f"one-sided {name}, {tests.made}; assumes that {assumption}"
    if tests.least_p >= alpha:
        least = f"no permutation test of {tests.units} {units} can give p < {tests.least_p:.4g}"
        note = f"{least}, so nothing is marked as better"
        return PairedTests(None, tests.p, words, (note,), tests)
    return PairedTests(significant_wins(tests.p, alpha), tests.p, words, (), tests)


def compare_systems(
    human: Matrix,
    metrics: Matrix,
    statistic: PairedStatistic,
    *,
    alpha: float,
    resamples: int,
    seed: int,
) -> PairedTests:
    """Of scores of systems (metrics x systems): each system's score changes sides."""
    rows = [row[:, None] for row in metrics]
    tests = permutation_tests(human[:, None], rows, statistic, resamples=resamples, block=None, seed=seed)
    return permuted(tests, alpha, "permutation test of systems' scores", "systems", _ON_SYSTEMS)


def compare_soft_accuracy(
    human: Matrix,
    metrics: Sequence[Matrix],
    *,
    significance: str,
    alpha: float,
    resamples: int,
    seed: int,
) -> PairedTests:
    """Of SPA, from segment scores (systems x segments): systems change sides, or as in mt-metrics-eval each score."""
    if significance == "perm-both":
        tests = soft_accuracy_tests(
            human, metrics, shuffle=Shuffle.BOTH, resamples=resamples, block=BLOCK, seed=seed
        )
        alone = (
            "errors on different segments of a system are independent (--significance permutation does not)"
        )
        return permuted(tests, alpha, "PERM-BOTH of segment scores", "scores", alone)
    tests = soft_accuracy_tests(human, metrics, resamples=resamples, seed=seed)
    name = "permutation test of systems, with all their segment scores"
    return permuted(tests, alpha, name, "systems", _ON_SYSTEMS)


def compare_segments(
    human: Matrix,
    metrics: Sequence[Matrix],
    statistic: PairedStatistic,
    averaging: Averaging,
    *,
    significance: str,
    alpha: float,
    resamples: int,
    seed: int,
    units: str = "segments",
) -> PairedTests:
    """Of systems x segments (or documents) of scores: all of a segment change sides together, or each score alone."""
    by_item = averaging is Averaging.ITEM
    if significance == "perm-both":
        if by_item and isinstance(statistic, MeanCalibratedAccuracy):
            tests = outcome_tests(human, metrics, resamples=resamples, block=BLOCK, seed=seed)
            name = "PERM-BOTH of comparisons of two systems on a segment"
            # Comparisons of a segment share translations: 14% of true nulls are rejected (docs/meta-significance.md).
            shared = (
                "errors on the systems of a segment are independent, and even so rejects too many true nulls"
            )
            return permuted(tests, alpha, name, "scores", f"{shared} (--significance permutation does not)")
        else:
            tests = permutation_tests(
                human, metrics, statistic, averaging=averaging, resamples=resamples, seed=seed
            )
            name = "PERM-BOTH, each score alone"
        assumption = (
            f"errors on the systems of a {units[:-1]} are independent (--significance permutation does not)"
        )
        return permuted(tests, alpha, name, "scores", assumption)
    # Where a resample costs a pass over all scores, a test stops as soon as its answer is clear.
    many = np.count_nonzero(~np.isnan(human).all(axis=0)) >= MANY
    quick = by_item or isinstance(statistic, MeanPearson) or (many and isinstance(statistic, _QUICK_IF_MANY))
    tests = permutation_tests(
        human,
        metrics,
        statistic,
        averaging=averaging,
        shuffle=Shuffle.SEGMENTS,
        resamples=resamples,
        block=None if quick else BLOCK,
        seed=seed,
    )
    name = f"permutation test of {units}, with all their systems"
    assumption = f"errors on different {units} are independent, and holds for these systems only"
    return permuted(tests, alpha, name, units, assumption)


def compare_hybrids(
    human: Matrix,
    metrics: Matrix,
    hybrids: Hybrids,
    used: NDArray[np.bool_],
    *,
    significance: str,
    alpha: float,
    resamples: int,
    seed: int,
) -> PairedTests:
    """Of scores of hybrid systems (metrics x hybrids): the systems they are made of change sides."""
    if significance == "none":
        return PairedTests()
    if significance == "williams":
        return williams(human[used], metrics[:, used], alpha)
    tests = hybrid_tests(human, metrics, hybrids, used=used, resamples=resamples, seed=seed)
    name = "permutation test of the systems that hybrids are made of"
    return permuted(tests, alpha, name, "systems", _ON_SYSTEMS)


def williams(human: Matrix, metrics: Matrix, alpha: float) -> PairedTests:
    """Williams' test of |r| (metrics x scores)."""
    broken = np.isnan(metrics).any(axis=1, keepdims=True)
    table = np.where(broken, 0.0, metrics)  # constant: no correlation, and no test
    if len(human) < FEWEST:
        note = f"n = {len(human)}: Williams' test needs four systems, so nothing is marked as better"
        return PairedTests(notes=(note,))
    p = williams_tests(human, table).p
    return PairedTests(significant_wins(p, alpha), p, WILLIAMS)


WILLIAMS = "Williams' test; assumes independent scores"
_QUICK_IF_MANY = (MeanSpearman, MeanTau, MeanAccuracy, MeanCalibratedAccuracy)
_ON_SYSTEMS = "errors on different systems are independent"
