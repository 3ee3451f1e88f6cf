"""Proportions: against published values, scipy, and sums over all outcomes."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tertium.stats.proportions import mcnemar_exact, sign_test, wilson_interval
from tests.conftest import skip_or_fail


def scipy_stats() -> Any:
    try:
        from scipy import stats
    except ImportError:
        skip_or_fail("scipy is not installed (pip install 'tertium[test]')")
    return stats


def test_wilson_as_scipy_has_it() -> None:
    stats = scipy_stats()
    for successes, total in ((0, 5), (5, 5), (1, 3), (32, 108), (387, 506), (1, 100_000)):
        for confidence in (0.9, 0.95, 0.99):
            expected = stats.binomtest(successes, total).proportion_ci(confidence, "wilson")
            found = wilson_interval(successes, total, confidence=confidence)
            assert found == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_wilson_solves_its_equation() -> None:
    """The ends are the p for which the observed share is z standard errors away."""
    z = 1.959963984540054
    low, high = wilson_interval(32, 108) or (0, 0)
    for end in (low, high):
        assert abs(32 / 108 - end) == pytest.approx(z * math.sqrt(end * (1 - end) / 108), rel=1e-12)


def test_wilson_at_the_edges() -> None:
    assert wilson_interval(0, 0) is None
    assert (wilson_interval(0, 3) or (1,))[0] == 0
    assert (wilson_interval(3, 3) or (0, 0))[1] == 1
    for successes, total in ((4, 3), (-1, 3)):
        with pytest.raises(ValueError, match="cannot be"):
            wilson_interval(successes, total)
    with pytest.raises(ValueError, match="confidence"):
        wilson_interval(1, 3, confidence=95)


def test_sign_test_is_the_sum_over_all_outcomes() -> None:
    for positive in range(12):
        for negative in range(12):
            n = positive + negative
            uneven = abs(positive - negative)
            ways = sum(math.comb(n, k) for k in range(n + 1) if abs(n - 2 * k) >= uneven)
            assert sign_test(positive, negative) == ways / 2**n


def test_sign_test_of_many() -> None:
    """The two ways of summing meet, and both are scipy's number."""
    from tertium.stats import proportions

    whole = [sign_test(n // 2 - d, n // 2 + d) for n in (4_000, 5_000) for d in (0, 30, 200)]
    limit, proportions._EXACT = proportions._EXACT, 0
    try:
        rounded = [sign_test(n // 2 - d, n // 2 + d) for n in (4_000, 5_000) for d in (0, 30, 200)]
    finally:
        proportions._EXACT = limit
    assert rounded == pytest.approx(whole, rel=1e-9)
    stats = scipy_stats()
    assert sign_test(499_000, 501_000) == pytest.approx(stats.binomtest(499_000, 10**6).pvalue, rel=1e-7)


def test_mcnemar() -> None:
    assert mcnemar_exact(0, 0) == 1
    assert mcnemar_exact(5, 5) == 1
    assert mcnemar_exact(0, 6) == 2 / 64
    assert mcnemar_exact(6, 0) == 2 / 64
    with pytest.raises(ValueError, match="negative"):
        mcnemar_exact(-1, 2)
