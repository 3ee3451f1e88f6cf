"""Tie calibration against trying every margin, with groups of all sizes; groups and what is wrong with them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.errors import InputError
from tertium.stats.calibration import (
    accuracy,
    accuracy_curve,
    calibrate,
    calibrated_accuracy,
    tau_b_with_margin,
)
from tertium.stats.correlation import pearson
from tertium.stats.grouping import Averaging, averaged, grouped, pairwise_difference_pearson
from tests.twins import pairs as twin

NAN = math.nan


def judged(rng: np.random.Generator, systems: int, items: int, missing: float) -> np.ndarray:
    gold = np.round(rng.normal(size=(systems, items)) * 2)
    gold[rng.random(gold.shape) < missing] = NAN
    return gold


def twin_groups(
    gold: np.ndarray, metric: np.ndarray, averaging: Averaging
) -> list[tuple[list[float], list[float]]]:
    known = ~np.isnan(gold)
    if averaging is Averaging.NONE:
        return [(gold[known].tolist(), metric[known].tolist())]
    if averaging is Averaging.ITEM:
        gold, metric, known = gold.T, metric.T, known.T
    return [(g[k].tolist(), m[k].tolist()) for g, m, k in zip(gold, metric, known, strict=True) if k.any()]


@pytest.mark.parametrize("averaging", Averaging)
@pytest.mark.parametrize("digits", [1, 6])
@pytest.mark.parametrize("seed", range(6))
def test_the_best_margin_is_the_one_of_trying_all(averaging: Averaging, digits: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    gold = judged(rng, int(rng.integers(2, 9)), int(rng.integers(2, 12)), 0.15)
    metric = np.round(np.nan_to_num(gold) * 0.3 + rng.normal(size=gold.shape) * 0.4, digits)
    groups = twin_groups(gold, metric, averaging)
    best, margin = twin.calibrated(groups)
    found = calibrated_accuracy(gold, metric, averaging)
    assert found.accuracy == pytest.approx(best, abs=1e-12)
    assert found.epsilon == margin
    assert found.without_margin == pytest.approx(twin.accuracy(groups, 0.0), abs=1e-12)
    assert accuracy(gold, metric, averaging, epsilon=margin) == pytest.approx(best, abs=1e-12)
    thresholds, values = accuracy_curve(gold, metric, averaging)
    assert values.max() == pytest.approx(best, abs=1e-12)
    assert thresholds[0] == 0
    assert values == pytest.approx([twin.accuracy(groups, t) for t in thresholds], abs=1e-12)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 12)), min_size=2, max_size=40))
@settings(max_examples=150, deadline=None)
def test_whole_numbers_with_many_equal_margins(items: list[tuple[int, int]]) -> None:
    gold, metric = (np.array([column], dtype=float) for column in zip(*items, strict=True))
    best, margin = twin.calibrated([(gold[0].tolist(), metric[0].tolist())])
    found = calibrated_accuracy(gold, metric, Averaging.NONE)
    assert (found.accuracy, found.epsilon) == (pytest.approx(best, abs=1e-12), margin)


def test_many_pairs_are_searched_in_bins() -> None:
    """Enough pairs for thousands of bins, against the curve that holds them all."""
    rng = np.random.default_rng(5)
    gold = np.round(rng.normal(size=(1, 1500)))
    metric = gold + rng.normal(size=gold.shape) ** 3
    thresholds, values = accuracy_curve(gold, metric, Averaging.NONE)
    found = calibrated_accuracy(gold, metric, Averaging.NONE)
    assert found.accuracy == values.max()
    assert found.epsilon == thresholds[values.argmax()]
    assert found.pairs == 1500 * 1499 // 2
    assert found.epsilon > 0


@pytest.mark.parametrize("factor", [1e-310, 1e-200, 1e200, 1.7e308])
def test_scores_of_any_size(factor: float) -> None:
    gold, metric = np.array([[1.0, 1.0, 2.0, 3.0, 3.0]]), np.array([[0.1, 0.15, 0.5, 0.9, -0.95]])
    found, plain = (calibrated_accuracy(gold, f * metric, Averaging.NONE) for f in (factor, 1.0))
    assert found.accuracy == plain.accuracy
    assert found.epsilon == pytest.approx(factor * plain.epsilon, rel=1e-6)


def test_groups_of_so_many_sizes_that_no_multiple_fits() -> None:
    rng = np.random.default_rng(6)
    gold = np.round(rng.normal(size=(120, 120)))
    gold[np.arange(120)[:, None] > np.arange(120)] = NAN  # items judged for 1, 2, ... 120 systems
    metric = np.round(np.nan_to_num(gold) + rng.normal(size=gold.shape), 2)
    thresholds, values = accuracy_curve(gold, metric)
    found = calibrated_accuracy(gold, metric)
    assert found.accuracy == pytest.approx(values.max(), abs=1e-12)
    assert (found.n_groups, found.left_out) == (119, 1)
    assert values[thresholds == found.epsilon] == pytest.approx(values.max(), abs=1e-12)


def test_averages() -> None:
    human, metric = [[1, 1], [2, 1], [3, NAN]], [[1, 2], [2, 3], [2.5, NAN]]
    found = averaged(pearson, human, metric, Averaging.ITEM)
    assert (found.n_groups, found.left_out) == (1, 1)
    assert found.groups[1].reason == "all human scores are equal"
    assert found.value == pytest.approx(pearson([1, 2, 3], [1, 2, 2.5]).value)
    nothing = averaged(pearson, [[1, 1]], [[1, 2]], Averaging.NONE)
    assert (nothing.value, nothing.reason) == (None, "all human scores are equal")
    by_system = averaged(pearson, human, metric, Averaging.SYSTEM)
    assert [group.n for group in by_system.groups] == [2, 2, 1]
    assert grouped(human).left_out == 1
    assert tau_b_with_margin([[1, 1]], [[1, 2]], Averaging.NONE) == (None, 0)
    assert accuracy([[1], [NAN]], [[1], [2]]) is None
    assert pairwise_difference_pearson([[1, 2]], [[1, 2]]).reason is not None


def test_bad_matrices() -> None:
    with pytest.raises(InputError, match="no finite score for system 2, segment 1, which people judged"):
        calibrated_accuracy([[1, 2], [3, NAN]], [[1, 2], [NAN, NAN]])
    with pytest.raises(InputError, match="human scores are 2 x 2, the metric's 2 x 3"):
        calibrated_accuracy([[1, 2], [3, 4]], [[1, 2, 3], [1, 2, 3]])
    with pytest.raises(InputError, match="no segment has a human score"):
        grouped([[NAN, NAN]])
    with pytest.raises(InputError, match="system 1, segment 2 is infinite"):
        grouped([[1, math.inf]])
    with pytest.raises(InputError, match="matrix of systems x segments"):
        grouped([1, 2])
    with pytest.raises(InputError, match="no pair to compare"):
        calibrated_accuracy([[1, 2]], [[1, 2]])
    groups = grouped([[1.0, 1.0, 2.0]])
    assert calibrate(groups, np.array([5.0, 5.0, 5.0])).accuracy == pytest.approx(1 / 3)
