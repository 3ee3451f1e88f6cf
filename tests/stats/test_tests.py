"""p-values, intervals, corrections, power and clusters, on numbers worked out by hand or by brute force."""

from __future__ import annotations

import itertools
import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.stats import pvalues
from tertium.stats.clusters import rank_clusters
from tertium.stats.multiple import benjamini_hochberg, holm
from tertium.stats.power import smallest_detectable

NAN = math.nan


def test_percentile_interval() -> None:
    found = pvalues.percentile_interval(np.append(np.arange(1001.0), [NAN, NAN]))
    assert (found.mean, found.low, found.high, found.half_width) == (500.0, 25.0, 975.0, 475.0)
    assert found.undefined == 2
    assert found.spread == pytest.approx(np.arange(1001).std(ddof=1))
    nothing = pvalues.percentile_interval(np.array([NAN, NAN]))
    assert nothing == pvalues.Interval(undefined=2)
    assert pvalues.sacrebleu_interval(np.array([NAN])) == pvalues.Interval(undefined=1)
    assert pvalues.percentile_interval(np.array([3.0])).spread == 0.0


def test_sacrebleu_interval_by_its_definition() -> None:
    scores = np.random.default_rng(1).normal(size=1000)
    ordered = sorted(scores)
    found = pvalues.sacrebleu_interval(scores)
    assert found.half_width == 0.5 * (ordered[1000 - 25 - 1] - ordered[25])


def test_bootstrap_p_counts_centred_differences() -> None:
    first = np.zeros(5)
    second = np.array([1.0, 2.0, 3.0, 4.0, 10.0])  # centred: -3 -2 -1 0 6
    assert pvalues.bootstrap_p(first, second, 2.0) == (3 + 1) / 6
    assert pvalues.bootstrap_p(second, first, -2.0) == (3 + 1) / 6
    assert pvalues.bootstrap_p(first, second, 7.0) == 1 / 6
    assert pvalues.bootstrap_p(first, first, 0.0) == 1.0


def test_undefined_resamples_count_against_significance() -> None:
    first, second = np.zeros(4), np.array([1.0, 3.0, NAN, NAN])
    assert pvalues.bootstrap_p(first, second, 5.0) == 3 / 5
    assert pvalues.randomisation_p(first, second, 5.0) == 3 / 5
    assert pvalues.bootstrap_p(first, np.full(4, NAN), 5.0) == 1.0
    assert pvalues.sacrebleu_randomisation_p(first, second, 5.0) == 3 / 5


def test_randomisation_counts_ties_in_spite_of_rounding() -> None:
    """0.1 + 0.2 - 0.3 is no difference."""
    first, second = np.array([0.1 + 0.2, 0.3]), np.array([0.0, 0.0])
    assert pvalues.randomisation_p(first, second, 0.3) == 1.0
    assert pvalues.randomisation_p(first, second, 0.1 + 0.2) == 1.0
    assert pvalues.sacrebleu_randomisation_p(first, second, 0.3) == 2 / 3  # strict, and to the last bit


def test_randomisation_against_all_permutations() -> None:
    """With every assignment of sides tried once, the p-value is the exact one."""
    one, other = np.array([3.0, 1.0, 4.0, 1.0, 5.0]), np.array([2.0, 0.0, 1.0, 1.0, 1.0])
    masks = np.array(list(itertools.product([0, 1], repeat=5)))
    first = (masks * other + (1 - masks) * one).mean(axis=1)
    second = (masks * one + (1 - masks) * other).mean(axis=1)
    observed = other.mean() - one.mean()
    extreme = sum(abs(b - a) >= abs(observed) - 1e-9 for a, b in zip(first, second, strict=True))
    assert pvalues.randomisation_p(first, second, observed) == (extreme + 1) / 33


def test_bootstrap_has_the_right_size() -> None:
    """Under the null hypothesis p-values below 0.05 come up about once in twenty."""
    rng, found = np.random.default_rng(4), 0
    for _ in range(400):
        differences = rng.normal(size=60)
        resampled = rng.choice(differences, (300, 60)).mean(axis=1)
        found += pvalues.bootstrap_p(np.zeros(300), resampled, differences.mean()) < 0.05
    assert 8 <= found <= 36


def test_holm_and_benjamini_hochberg_on_published_numbers() -> None:
    # Benjamini and Hochberg (1995), section 3.2: 4 of 15 hypotheses are rejected at 0.05, by Bonferroni only 3.
    p = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459]
    p += [0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000]
    assert sum(q is not None and q <= 0.05 for q in benjamini_hochberg(p)) == 4
    assert sum(q is not None and q <= 0.05 for q in holm(p)) == 3


@settings(max_examples=200, derandomize=True, deadline=None)
@given(st.lists(st.one_of(st.none(), st.floats(0, 1)), max_size=12), st.floats(0.001, 0.999))
def test_adjusted_values_decide_as_the_step_procedures_do(p: list[float | None], alpha: float) -> None:
    known = sorted(value for value in p if value is not None)
    m = len(known)
    down = 0
    while down < m and known[down] * (m - down) <= alpha:
        down += 1
    up = max((i for i in range(1, m + 1) if known[i - 1] * m / i <= alpha), default=0)
    for adjusted, rejected in ((holm(p), down), (benjamini_hochberg(p), up)):
        assert [value is None for value in adjusted] == [value is None for value in p]
        edge = any(value is not None and abs(value - alpha) < 1e-12 for value in adjusted)
        assert edge or sum(value is not None and value <= alpha for value in adjusted) == rejected
        assert all(a is None or b is None or a >= b - 1e-15 for a, b in zip(adjusted, p, strict=True))


def test_the_smallest_difference_is_found_with_the_power_asked_for() -> None:
    normal = NormalDist()
    for alpha, power in ((0.05, 0.8), (0.01, 0.9), (0.1, 0.5)):
        size = smallest_detectable(2.5, 10**6, alpha=alpha, power=power) / 2.5
        edge = normal.inv_cdf(1 - alpha / 2)
        assert normal.cdf(size - edge) + normal.cdf(-size - edge) == pytest.approx(power, abs=1e-3)
    assert smallest_detectable(0.0, 10) == 0.0


def test_clusters_as_wmt_draws_them() -> None:
    won = {("A", "C"), ("B", "C"), ("A", "D"), ("B", "D"), ("C", "E"), ("D", "E"), ("A", "E"), ("B", "E")}
    assert rank_clusters("ABCDE", lambda above, it: (above, it) in won) == [["A", "B"], ["C", "D"], ["E"]]
    assert rank_clusters("ABC", lambda above, it: False) == [["A", "B", "C"]]
    assert rank_clusters("ABC", lambda above, it: True) == [["A"], ["B"], ["C"]]
    assert rank_clusters("", lambda above, it: True) == []
