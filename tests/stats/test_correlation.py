"""Pearson, Spearman and Kendall against scipy; tails against scipy; bad input."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy

from tertium.errors import InputError
from tertium.stats.correlation import (
    average_ranks,
    correlation_matrix,
    correlation_p,
    pearson,
    spearman,
    spearman_without_ties,
)
from tertium.stats.distributions import incomplete_beta, normal_tail, student_tail
from tertium.stats.kendall import PairCounts, pair_counts, tau_a, tau_b, tau_c
from tests.twins import pairs as twin

ORACLES = {
    pearson: scipy.pearsonr,
    spearman: scipy.spearmanr,
    tau_b: scipy.kendalltau,
    tau_c: lambda x, y: scipy.kendalltau(x, y, variant="c"),
}


def scores(n: int, *, tied: bool, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    y = x + rng.normal(size=n)
    return (np.round(x), np.round(y)) if tied else (x, y)


@pytest.mark.parametrize("degrees", [1, 2, 3, 8, 10, 99, 100, 101, 557, 9_997])
def test_students_tail_is_scipys(degrees: int) -> None:
    t = np.concatenate([np.linspace(-12, 12, 49), [0.0, 1e-3, 40.0, 1e5, -1e5]])
    assert student_tail(t, degrees) == pytest.approx(scipy.t.sf(t, degrees), rel=1e-10, abs=1e-300)
    assert np.isnan(student_tail([np.nan], degrees)).all()
    assert student_tail([np.inf, -np.inf], degrees).tolist() == [0.0, 1.0]


def test_students_tail_with_one_degree_is_cauchys() -> None:
    for t in (1e-9, 0.3, 7.0, 1e8):
        assert student_tail(t, 1).item() == pytest.approx(math.atan2(1, t) / math.pi, rel=1e-13)


def test_other_tails_are_scipys() -> None:
    from scipy.special import betainc

    x = np.linspace(0, 1, 41)
    for a, b in [(0.5, 0.5), (2, 3), (70, 0.5), (3, 400), (60, 80)]:
        assert incomplete_beta(a, b, x) == pytest.approx(betainc(a, b, x), rel=1e-10, abs=1e-300)
    for z in (-3.0, 0.0, 1.0, 9.0):
        assert normal_tail(z) == pytest.approx(scipy.norm.sf(z), rel=1e-12)
    with pytest.raises(ValueError, match="degrees"):
        student_tail([1.0], 0)


@pytest.mark.parametrize("function", ORACLES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("n", [3, 4, 5, 9, 16, 33, 34, 60, 560])
def test_correlations_and_p_values_are_scipys(function, n: int, tied: bool) -> None:
    compared = 0
    for seed in range(12):
        x, y = scores(n, tied=tied, seed=seed)
        if len(set(x)) == 1 or len(set(y)) == 1:
            continue
        found, expected = function(x, y), ORACLES[function](x, y)
        assert found.value == pytest.approx(expected.statistic, abs=1e-12)
        assert found.n == n
        if abs(found.value) < 1 - 1e-9:  # at 1 the p-value is rounding, there and here
            assert found.p == pytest.approx(expected.pvalue, rel=1e-9, abs=1e-15)
            compared += 1
    assert compared


@pytest.mark.parametrize("n", [34, 50, 200, 2000])
@pytest.mark.parametrize("swaps", [0, 1])
def test_exact_p_of_long_lists_almost_in_order(n: int, swaps: int) -> None:
    x = np.arange(n, dtype=float)
    y = x.copy()
    if swaps:
        y[[3, 4]] = y[[4, 3]]
    assert tau_b(x, y).p == pytest.approx(scipy.kendalltau(x, y).pvalue, rel=1e-9, abs=1e-300)
    assert tau_b(x, -y).p == pytest.approx(scipy.kendalltau(x, -y).pvalue, rel=1e-9, abs=1e-300)


def test_exact_p_by_looking_at_all_orders() -> None:
    x = np.arange(5.0)
    sizes = [abs(tau_b(x, np.array(order)).value) for order in itertools.permutations(x)]
    for order in itertools.islice(itertools.permutations(x), 0, 120, 7):
        found = tau_b(x, np.array(order))
        share = np.mean([size >= abs(found.value) - 1e-12 for size in sizes])
        assert found.p == pytest.approx(min(1.0, share))


def test_tau_a_by_hand() -> None:
    assert tau_a([1, 2, 3], [1, 3, 2]).value == pytest.approx(1 / 3)
    assert tau_a([1, 2, 2], [1, 2, 3]).value == pytest.approx(2 / 3)
    x, y = scores(40, tied=False, seed=1)
    assert tau_a(x, y).value == pytest.approx(tau_b(x, y).value)


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=90),
    st.sampled_from([0.0, 0.5, 1.0, 3.0]),
)
@settings(max_examples=150, deadline=None)
def test_pair_counts_are_the_twins(items: list[tuple[int, int]], epsilon: float) -> None:
    gold, metric = ([float(v) for v in column] for column in zip(*items, strict=True))
    counts = twin.pair_counts(gold, metric, epsilon)
    assert pair_counts(gold, metric, epsilon=epsilon) == PairCounts(*counts)
    assert sum(counts) == len(items) * (len(items) - 1) // 2


def test_pair_counts_with_margins_of_real_numbers() -> None:
    for seed in range(5):
        x, y = scores(200, tied=False, seed=seed)
        y = np.round(y, 1)
        for epsilon in (0.0, 0.1, 0.3, 1.0):
            assert list(vars(pair_counts(x, y, epsilon=epsilon)).values()) == twin.pair_counts(x, y, epsilon)
    zeros = pair_counts([0.0, 1.0] * 20, [0.0, -0.0] * 20)
    assert (zeros.concordant, zeros.metric_ties, zeros.both_ties) == (0, 400, 380)


def test_ranks_are_scipys() -> None:
    values = np.round(np.random.default_rng(3).normal(size=(6, 30)), 1)
    assert np.array_equal(average_ranks(values), scipy.rankdata(values, axis=1))


def test_both_forms_of_spearman_agree_without_ties() -> None:
    for seed in range(5):
        x, y = scores(25, tied=False, seed=seed)
        assert spearman_without_ties(x, y) == pytest.approx(spearman(x, y).value, abs=1e-14)
    with pytest.raises(InputError, match="without ties"):
        spearman_without_ties([1, 1, 2], [1, 2, 3])


def test_correlation_matrix() -> None:
    rows = np.random.default_rng(2).normal(size=(4, 30))
    assert correlation_matrix(rows) == pytest.approx(np.corrcoef(rows), abs=1e-14)
    rows[2] = 7.0
    found = correlation_matrix(rows)
    assert np.isnan(found[2]).all()
    assert not np.isnan(np.delete(np.delete(found, 2, 0), 2, 1)).any()
    with pytest.raises(InputError, match="score 2 in row 1"):
        correlation_matrix([[1.0, math.nan, 2.0]])


def test_sizes_of_scores_do_not_matter() -> None:
    x, y = scores(20, tied=False, seed=4)
    expected = pearson(x, y).value
    for factor in (1e-200, 1e200):
        assert pearson(factor * x, y).value == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("function", [*ORACLES, tau_a], ids=lambda f: f.__name__)
def test_what_has_no_correlation_says_why(function) -> None:
    assert function([1, 2, 3], [5, 5, 5]).reason == "all metric scores are equal"
    assert function([4, 4], [1, 2]).reason == "all human scores are equal"
    assert function([1], [1]).reason == "1 score cannot be correlated: at least two are needed"
    nothing = function([], [])
    assert (nothing.value, nothing.p, nothing.n) == (None, None, 0)
    assert not nothing.by_construction
    with pytest.raises(InputError, match="metric score 2 of 3 is nan"):
        function([1, 2, 3], [1, math.nan, 3])
    with pytest.raises(InputError, match="human score 1 of 2 is inf"):
        function([math.inf, 2], [1, 3])
    with pytest.raises(InputError, match="2 human scores, but 3 metric scores"):
        function([1, 2], [1, 2, 3])


@pytest.mark.parametrize("function", [*ORACLES, tau_a], ids=lambda f: f.__name__)
def test_two_points_lie_on_a_line(function) -> None:
    found = function([1, 2], [9.3, 1.1])
    assert (found.value, found.p, found.by_construction) == (-1.0, None, True)
    assert not found.significant()
    assert not function([1, 2, 3], [1, 3, 2]).by_construction
    assert correlation_p(0.3, 2) is None
    assert correlation_p(1.0, 9) == 0.0
    assert found.data()["by_construction"] is True
