"""Tests of ranks and Welch's test against scipy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from tertium.stats.ranktests import Alternative, rank_sum_test, signed_rank_test
from tertium.stats.welch import paired_t_test, welch_test

ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "less", "greater")


def pairs(kind: str, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x, y = rng.normal(0.4, 1, n), rng.normal(0, 1.5, n)
    if kind == "tied":  # ties and differences of zero
        x, y = np.round(2 * x), np.round(2 * y)
    return x, y


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("kind", ["continuous", "tied"])
@pytest.mark.parametrize("n", [1, 2, 5, 9, 13, 14, 30, 50, 51, 200])
def test_signed_ranks_are_scipys(n: int, kind: str, alternative: Alternative) -> None:
    for seed in range(4):
        x, y = pairs(kind, n, seed)
        ours = signed_rank_test(x, y, alternative=alternative)
        if not np.any(x != y):
            assert ours.p is None
            continue
        theirs = stats.wilcoxon(x, y, alternative=alternative)
        assert ours.p == pytest.approx(float(theirs.pvalue), rel=1e-10, abs=1e-15)
        if alternative == "greater":  # for two-sided tests scipy gives the smaller of both sums
            assert ours.statistic == theirs.statistic


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_signed_ranks_with_continuity_correction(alternative: Alternative) -> None:
    x, y = pairs("tied", 40, 5)
    ours = signed_rank_test(x, y, alternative=alternative, correction=True, method="approximate")
    theirs = stats.wilcoxon(x, y, alternative=alternative, correction=True, method="asymptotic")
    assert ours.p == pytest.approx(float(theirs.pvalue), rel=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("kind", ["continuous", "tied"])
@pytest.mark.parametrize(("m", "k"), [(1, 1), (3, 4), (8, 30), (9, 9), (40, 25)])
def test_rank_sums_are_scipys(m: int, k: int, kind: str, alternative: Alternative) -> None:
    for seed in range(4):
        x, y = pairs(kind, m, seed)[0], pairs(kind, k, seed + 10)[1]
        theirs = stats.mannwhitneyu(x, y, alternative=alternative)
        ours = rank_sum_test(x, y, alternative=alternative)
        assert ours.statistic == float(theirs.statistic)
        if ours.p is None:
            assert len(set(x) | set(y)) == 1
            continue
        assert ours.p == pytest.approx(float(theirs.pvalue), rel=1e-10, abs=1e-15)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize(("m", "k"), [(2, 2), (3, 40), (25, 25)])
def test_welch_is_scipys(m: int, k: int, alternative: Alternative) -> None:
    for seed in range(4):
        x, y = pairs("continuous", m, seed)[0], pairs("continuous", k, seed + 10)[1]
        theirs = stats.ttest_ind(x, y, equal_var=False, alternative=alternative)
        ours = welch_test(x, y, alternative=alternative)
        assert ours.t == pytest.approx(float(theirs.statistic), rel=1e-12)
        assert ours.degrees == pytest.approx(float(theirs.df), rel=1e-12)
        assert ours.p == pytest.approx(float(theirs.pvalue), rel=1e-9)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n", [2, 9, 60])
def test_paired_t_is_scipys(n: int, alternative: Alternative) -> None:
    for seed in range(4):
        x, y = pairs("continuous", n, seed)
        theirs = stats.ttest_rel(x, y, alternative=alternative)
        ours = paired_t_test(x, y, alternative=alternative)
        assert ours.t == pytest.approx(float(theirs.statistic), rel=1e-12)
        assert ours.degrees == theirs.df
        assert ours.p == pytest.approx(float(theirs.pvalue), rel=1e-9)


def test_nothing_to_test() -> None:
    assert paired_t_test([1.0, 2.0], [1.0, 2.0]).p is None
    assert paired_t_test([1.0, 2.0], [2.0, 3.0], alternative="less").p == 0
    assert paired_t_test([1.0, 2.0], [2.0, 3.0], alternative="greater").p == 1
    assert paired_t_test([1.0], [2.0]).p is None
    assert signed_rank_test([1.0, 2.0], [1.0, 2.0]).p is None
    assert rank_sum_test([], [1.0]).p is None
    assert rank_sum_test([1.0, 1.0], [1.0]).p is None
    assert welch_test([1.0], [1.0, 2.0]).p is None
    assert welch_test([1.0, 1.0], [2.0, 2.0]).p is None
    with pytest.raises(ValueError, match="two columns of numbers"):
        signed_rank_test([1.0, np.nan], [1.0, 2.0])
    with pytest.raises(ValueError, match="without ties"):
        rank_sum_test([1.0, 1.0], [1.0, 2.0], method="exact")
    with pytest.raises(ValueError, match="two-sided, less or greater"):
        welch_test([1.0, 1.0], [1.0, 2.0], alternative="more")  # type: ignore[arg-type]
