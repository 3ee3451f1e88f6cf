"""Tests and intervals of commands other than compare, report and meta keep what they promise: a small, fixed part of
`python -m tools.simulate_others`, whose tables stand in docs/evidence/tests.md."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from scipy import stats

from tertium.human.campaigns.wins import _duel
from tertium.monitor.comparing import adjusted_difference
from tertium.stats.blocks import contrast_permutation_p, sign_flip_p
from tertium.stats.groups import group_mean_interval
from tertium.stats.pvalues import bootstrap_p
from tertium.stats.resampling import SEED, Draws
from tests.conftest import ROOT
from tools.simulate_few import ALPHA, HOLDS, most
from tools.simulate_others import CASES, UNITS, WORDS, Case, _word_scores, rates

SLOW = ("assign evaluate", "memory policy evaluate")  # 10,000 resamples each time
TIMES = 200
FEW = [case for case in CASES if case.command not in SLOW]


def label(case: Case) -> str:
    return f"{case.command}: {case.subject}, {case.test or case.interval}"


@pytest.mark.parametrize("case", FEW, ids=label)
def test_true_nulls_and_intervals(case: Case, shared: object) -> None:
    """Rejected in no more than 5% of the cases, and held in 93% at least, but for chance (99.9%)."""
    times = 50 if case.interval.startswith("Welch") or case.interval.endswith("Welch's below 100") else TIMES
    for n in (5, 10, 20):
        rejected, held = rates(case, n, times)
        if rejected is not None and not case.note:
            assert rejected <= most(times), n
        if held is not None:
            assert held >= stats.binom.ppf(0.001, times, HOLDS) / times, n


@pytest.mark.parametrize("case", [case for case in CASES if case.command in SLOW], ids=label)
def test_true_nulls_of_slow_commands(case: Case) -> None:
    rejected, held = rates(case, 10, 100)
    assert rejected is None or rejected <= most(100)
    assert held is None or held >= stats.binom.ppf(0.001, 100, HOLDS) / 100


def test_a_simulation_notices_a_test_that_rejects_too_many() -> None:
    """What was printed before: the bootstrap over comparisons, and sign flips against the mean of the others."""
    rng = np.random.default_rng(SEED)
    bootstrap = flips = 0
    for _ in range(TIMES):
        first = rng.choice([-1.0, 1.0], 10)
        signs = np.repeat(first, 2)  # two annotators who agree
        drawn = np.concatenate([counts @ signs for counts in Draws(1).counts(20, 199)]) / 20
        bootstrap += bootstrap_p(np.zeros(199), drawn, float(signs.mean())) <= ALPHA
        scores = _word_scores(rng, 10)
        others = (scores.sum(axis=1, keepdims=True) - scores) / (WORDS - 1)
        flips += min(sign_flip_p(scores - others, trials=1_024)) * WORDS <= ALPHA
    assert bootstrap / TIMES > most(TIMES)
    assert flips / TIMES > most(TIMES)


def test_contrasts_by_hand() -> None:
    """All (3!)^3 shuffles of three blocks, one by one; drawn ones come near."""
    rng = np.random.default_rng(2)
    table, contrast = rng.normal(size=(3, 3)), np.array([1.0, -0.5, -0.5])
    observed = abs(table.mean(axis=0) @ contrast)
    found = [
        abs(np.mean(rows, axis=0) @ contrast) >= observed - 1e-12
        for rows in product(*(list(permutations(row)) for row in table))
    ]
    assert contrast_permutation_p(table, [contrast]) == [np.mean(found)]
    [drawn] = contrast_permutation_p(table, [contrast], permutations=200)
    assert drawn == pytest.approx(np.mean(found), abs=0.15)
    assert contrast_permutation_p(np.ones((4, 3)), [contrast]) == [1.0]


def test_two_words_are_sign_flips() -> None:
    table = np.random.default_rng(4).normal(size=(8, 2))
    [p] = contrast_permutation_p(table, [[1, -1]])
    assert p == sign_flip_p((table[:, 0] - table[:, 1])[:, None])[0]


def test_intervals_of_grouped_means() -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(50, 10, 12)
    found = group_mean_interval(values)
    half = stats.t.ppf(0.975, 11) * values.std(ddof=1) / np.sqrt(12)
    assert (found.low, found.high) == pytest.approx((values.mean() - half, values.mean() + half), abs=0.5)
    assert group_mean_interval([4.0]).low is None
    assert group_mean_interval([2.0, 4.0, 6.0], [1, 2, 3]).low is None  # the mean of each is 2


def test_annotators_of_a_segment_are_one_observation() -> None:
    outcomes = [(1, 5, (str(i), "")) for i in range(4) for _ in range(10)]
    assert _duel(("a", "b"), outcomes, SEED, 999).p == 2 / 16


def test_periods_are_compared_as_by_welch() -> None:
    """One class, a segment a document: the adjusted difference is that of means."""
    rng = np.random.default_rng(5)
    first, second = rng.normal(50, 5, 7), rng.normal(55, 9, 6)
    sides = [{("", 0): list(enumerate(side.tolist()))} for side in (first, second)]
    difference, low, high, p = adjusted_difference(*sides)
    theirs = stats.ttest_ind(second, first, equal_var=False)
    assert difference == pytest.approx(second.mean() - first.mean())
    assert p == pytest.approx(theirs.pvalue)
    assert (low, high) == pytest.approx(tuple(theirs.confidence_interval()))


def test_the_page_has_every_case() -> None:
    page = (ROOT / "docs" / "evidence" / "tests.md").read_text("utf-8")
    for case in CASES:
        lines = [
            line for line in page.splitlines() if line.startswith(f"| `{case.command}` | {case.subject} |")
        ]
        assert lines, label(case)
        assert all(line.count("|") == len(UNITS) + 4 for line in lines)
