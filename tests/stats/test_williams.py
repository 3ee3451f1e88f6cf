"""Williams' test, matrices of wins, sets that nobody beats, clusters."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy

from tertium.errors import InputError
from tertium.stats.clusters import descending_clusters, rank_clusters
from tertium.stats.williams import williams_p, williams_tests
from tertium.stats.wins import metric_clusters, not_outperformed, significant_wins


@pytest.mark.golden
def test_golden_values(golden: Any) -> None:
    cases = golden("stats/stats_mtme.json")["results"]["williams"]
    assert len(cases) > 5
    for case in cases:
        r12, r13, r23, n = (case[key] for key in ("r12", "r13", "r23", "n"))
        better, worse = max(r12, r13), min(r12, r13)
        assert williams_p(better, worse, r23, n).item() == pytest.approx(case["one_sided"], abs=1e-9)
        assert williams_p(worse, better, r23, n).item() == pytest.approx(1 - case["one_sided"], abs=1e-9)
        assert 2 * case["one_sided"] == pytest.approx(case["two_sided"], abs=1e-9)


def made(n: int, *noises: float, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    human = rng.normal(size=n)
    return human, np.stack([human + noise * rng.normal(size=n) for noise in noises])


def test_all_pairs_are_single_tests() -> None:
    human, metrics = made(40, 0.3, 0.6, 0.6, 2.0)
    metrics[1] *= -3  # an error metric
    found = williams_tests(human, metrics)
    r = [abs(scipy.pearsonr(human, own).statistic) for own in metrics]
    assert found.correlations == pytest.approx(r, abs=1e-12)
    for i in range(4):
        for j in range(4):
            if i != j:
                between = scipy.pearsonr(metrics[i], metrics[j]).statistic * (-1 if 1 in (i, j) else 1)
                assert found.p[i, j] == pytest.approx(williams_p(r[i], r[j], between, 40).item(), abs=1e-12)
                assert found.p[i, j] + found.p[j, i] == pytest.approx(1)
    assert np.isnan(np.diagonal(found.p)).all()
    assert found.p[0, 3] < 0.001


def test_orientation_is_a_choice() -> None:
    human, metrics = made(30, 0.5, 0.5)
    metrics[1] *= -1
    assert williams_tests(human, metrics, absolute=False).correlations[1] < -0.5
    assert williams_tests(human, metrics, absolute=False).p[0, 1] < 1e-6
    assert williams_tests(human, metrics).correlations[1] > 0.5


def test_equal_metrics_and_constant_ones() -> None:
    human, metrics = made(12, 0.5, 0.5)
    metrics = np.vstack([metrics[0], metrics[0], np.full(12, 3.0)])
    found = williams_tests(human, metrics)
    assert found.p[0, 1] == found.p[1, 0] == 0.5
    assert np.isnan(found.correlations[2])
    assert np.isnan(found.p[2]).all()
    assert np.isnan(found.p[:, 2]).all()
    assert not_outperformed(significant_wins(found.p)).tolist() == [True, True, True]


def test_few_systems() -> None:
    found = williams_tests([1.0, 2.0, 3.0], [[1.0, 2.0, 3.5], [3.0, 1.0, 2.0]])
    assert np.isnan(found.p).all()
    assert found.n == 3
    with pytest.raises(InputError, match="4 or more scores, there are 3"):
        williams_p(0.9, 0.5, 0.5, 3)
    with pytest.raises(InputError, match="2 human scores, but the metrics have 3"):
        williams_tests([1.0, 2.0], [[1.0, 2.0, 3.5]])
    with pytest.raises(InputError, match="not a finite number"):
        williams_tests([1.0, 2.0, 3.0, 4.0], [[1.0, math.nan, 3.5, 2.0]])


def test_the_test_keeps_its_level() -> None:
    """Two equally good metrics: 5% of the tests at p < 0.05 are false alarms."""
    alarms = 0
    for seed in range(2000):
        human, metrics = made(25, 1.0, 1.0, seed=seed)
        alarms += williams_tests(human, metrics).p[0, 1] < 0.05
    assert alarms / 2000 == pytest.approx(0.05, abs=0.016)


def test_wins_and_clusters() -> None:
    p = np.array([[np.nan, 0.20, 0.01], [0.80, np.nan, 0.20], [0.99, 0.80, np.nan]])
    wins = significant_wins(p)
    assert wins.tolist() == [[False, False, True], [False, False, False], [False, False, False]]
    assert not_outperformed(wins).tolist() == [True, True, False]
    assert metric_clusters([0.9, 0.8, 0.7], p) == ((0, 1), (2,))
    assert metric_clusters([0.9, math.nan, 0.7], p) == ((0,), (2,))
    above = {(0, 2)}  # the middle one is told apart from neither neighbour
    assert rank_clusters([0, 1, 2], lambda a, b: (a, b) in above) == [[0, 1, 2]]
    assert descending_clusters([0, 1, 2], lambda a, b: (a, b) in above) == [[0, 1], [2]]
    assert descending_clusters([], lambda a, b: True) == []
