"""Permutation tests against plain enumeration: systems, segments, SPA, outcomes of comparisons, tau, hybrids."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest

from tertium.errors import InputError
from tertium.stats import permutation
from tertium.stats.accuracy import pairwise_accuracy, soft_pairwise_accuracies
from tertium.stats.calibration import calibrated_accuracy
from tertium.stats.correlation import pearson, spearman
from tertium.stats.grouping import Averaging, grouped
from tertium.stats.hybrids import draw_hybrids, hybrid_tests
from tertium.stats.kendall import tau_b
from tertium.stats.outcome_tests import outcome_tests
from tertium.stats.paired_statistics import (
    MeanAccuracy,
    MeanCalibratedAccuracy,
    MeanPearson,
    MeanSpearman,
    MeanTau,
    PairedStatistic,
)
from tertium.stats.permutation import Shuffle, least_p, permutation_test, permutation_tests
from tertium.stats.soft_accuracy_tests import soft_accuracy_tests
from tertium.stats.taulike import WMT14, tau_like, tau_tests, verdict_counts

Matrix = np.ndarray
OF_ROWS: dict[PairedStatistic, Callable[[Matrix, Matrix], float | None]] = {
    MeanPearson(): lambda human, metric: pearson(human, metric).value,
    MeanSpearman(): lambda human, metric: spearman(human, metric).value,
    MeanTau(): lambda human, metric: tau_b(human, metric).value,
    MeanAccuracy(): lambda human, metric: pairwise_accuracy(human, metric).accuracy,
}
MEANS = [*OF_ROWS, MeanCalibratedAccuracy()]


def standard(scores: Matrix) -> Matrix:
    return np.asarray((scores - scores.mean()) / scores.std())


def scores_of(seed: int, systems: int, items: int) -> tuple[Matrix, Matrix, Matrix]:
    rng = np.random.default_rng(seed)
    human = np.round(rng.normal(size=(systems, items)), 1)
    return human, human + 0.5 * rng.normal(size=human.shape), human + rng.normal(size=human.shape)


def enumerated(units: int, first: Callable[[Matrix], float], second: Callable[[Matrix], float]) -> Matrix:
    """Differences of two statistics for all 2^units choices of what changes sides, the lowest unit first."""
    masks = [np.array(bits[::-1], dtype=bool) for bits in itertools.product((0, 1), repeat=units)]
    return np.array([first(mask) - second(mask) for mask in masks])


@pytest.mark.parametrize("statistic", OF_ROWS, ids=str)
def test_systems_are_enumerated(statistic: PairedStatistic) -> None:
    human, first, second = scores_of(1, 6, 1)
    function = OF_ROWS[statistic]
    a, b = standard(first), standard(second)
    expected = enumerated(
        6,
        lambda mask: function(human[:, 0], np.where(mask, b[:, 0], a[:, 0])) or 0.0,
        lambda mask: function(human[:, 0], np.where(mask, a[:, 0], b[:, 0])) or 0.0,
    )
    test = permutation_test(human, first, second, statistic)
    assert (test.exact, test.resamples) == (True, 64)
    assert test.p == pytest.approx((expected >= expected[0] - 1e-12).mean())
    tests = permutation_tests(human, [first, second], statistic)
    assert (tests.exact, tests.units, tests.made) == (True, 6, "all 64 permutations")
    better = (0, 1) if tests.values[0] >= tests.values[1] else (1, 0)
    sign = 1 if better == (0, 1) else -1
    assert tests.differences[better] == pytest.approx(sign * expected, abs=1e-12)
    assert tests.p[better] == pytest.approx(((sign * expected) >= sign * expected[0] - 1e-12).mean())


def test_few_units_have_a_smallest_p() -> None:
    human = np.arange(4.0)[:, None]
    tests = permutation_tests(human, [human, -human])
    assert tests.p[0, 1] == tests.least_p == 1 / 16
    assert [least_p(n) for n in (3, 5)] == [1 / 8, 1 / 32]
    assert least_p(10) == 1 / 1001
    many = permutation_tests(np.arange(12.0)[:, None], [np.arange(12.0)[:, None], -np.arange(12.0)[:, None]])
    assert (many.exact, many.p[0, 1] >= 1 / 101) == (False, True)


@pytest.mark.parametrize("averaging", [Averaging.ITEM, Averaging.NONE, Averaging.SYSTEM])
@pytest.mark.parametrize("statistic", MEANS, ids=str)
def test_segments_change_sides_with_all_their_systems(
    statistic: PairedStatistic, averaging: Averaging
) -> None:
    human, first, second = scores_of(2, 4, 7)
    human[1, 2] = human[:, 5] = np.nan
    groups = grouped(human, averaging)
    a, b = (standard(groups.scores(metric)) for metric in (first, second))
    segment = groups.cells % 7
    judged = np.unique(segment)

    def mixed(mask: Matrix, one: Matrix, other: Matrix) -> float:
        moved = np.isin(segment, judged[mask])
        return statistic.of(groups, np.where(moved, other, one))

    by_item = averaging is Averaging.ITEM
    if by_item and isinstance(statistic, MeanCalibratedAccuracy):
        # Each metric keeps its margin: a segment takes its accuracy along.
        ours, theirs = statistic.by_group(groups, a), statistic.by_group(groups, b)
        expected = enumerated(
            6,
            lambda mask: float(np.where(mask, theirs, ours).mean()),
            lambda mask: float(np.where(mask, ours, theirs).mean()),
        )
    else:
        expected = enumerated(6, lambda mask: mixed(mask, a, b), lambda mask: mixed(mask, b, a))
    tests = permutation_tests(
        human, [first, second], statistic, averaging=averaging, shuffle=Shuffle.SEGMENTS
    )
    assert (tests.units, tests.exact) == (6, True)
    ((i, j),) = tests.differences
    sign = 1 if (i, j) == (0, 1) else -1
    assert tests.differences[i, j] == pytest.approx(sign * expected, abs=1e-9)


@pytest.mark.parametrize("averaging", Averaging)
@pytest.mark.parametrize("statistic", MEANS, ids=str)
def test_parts_of_statistics_add_up(statistic: PairedStatistic, averaging: Averaging) -> None:
    human, first, _ = scores_of(3, 5, 9)
    human[0, :3] = np.nan
    groups = grouped(human, averaging)
    scores = np.round(groups.scores(first), 1)
    value = statistic.of(groups, scores)
    assert np.nanmean(statistic.by_group(groups, scores)) == pytest.approx(value)
    assert PairedStatistic.by_group(statistic, groups, scores) == pytest.approx(
        statistic.by_group(groups, scores), nan_ok=True
    ) or isinstance(statistic, MeanCalibratedAccuracy)
    parts = statistic.contributions(groups, [scores, -scores])
    if parts is not None:
        assert parts[0].sum() / 2 == pytest.approx(value)
        assert parts[1].sum() / 2 == pytest.approx(statistic.of(groups, -scores))
    if (ranked := statistic.as_means(groups, [scores])) is not None:
        assert MeanPearson().of(ranked[0], ranked[1][0]) == pytest.approx(value)


@pytest.mark.parametrize("statistic", [MeanTau(), MeanSpearman(), MeanCalibratedAccuracy()], ids=str)
def test_many_segments_need_no_new_counts(
    statistic: PairedStatistic, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is computed once for each metric gives nearly the p-values of counting all pairs again."""
    human, first, second = scores_of(4, 4, 40)
    first = human + 0.9 * (first - human) / 0.5
    p = []
    for many in (1000, 1):
        monkeypatch.setattr(permutation, "MANY", many)
        tests = permutation_tests(
            human, [first, second], statistic, shuffle=Shuffle.SEGMENTS, block=None, resamples=300
        )
        p.append(np.nanmin(tests.p))
    assert p[0] == pytest.approx(p[1], abs=0.08)
    assert 0.02 < p[0] < 0.98


def test_systems_change_sides_for_soft_accuracy() -> None:
    human, first, second = scores_of(5, 4, 12)
    a, b = (standard(metric - metric.mean(axis=0)) for metric in (first, second))

    def mixed(mask: Matrix, one: Matrix, other: Matrix) -> float:
        rows = np.where(mask[:, None], other, one)
        return soft_pairwise_accuracies(human, [rows], trials=200)[0].value

    expected = enumerated(4, lambda mask: mixed(mask, a, b), lambda mask: mixed(mask, b, a))
    gaps = np.concatenate([human, np.full((4, 1), np.nan)], axis=1)
    metrics = [np.concatenate([metric, np.ones((4, 1))], axis=1) for metric in (first, second)]
    tests = soft_accuracy_tests(gaps, metrics, trials=200)
    ((i, j),) = tests.differences
    sign = 1 if (i, j) == (0, 1) else -1
    assert tests.differences[i, j] == pytest.approx(sign * expected, abs=1e-9)
    plain = soft_pairwise_accuracies(human, [first, second], trials=200)
    assert tests.values == pytest.approx([one.value for one in plain])
    flat = soft_accuracy_tests(gaps, [*metrics, np.zeros(gaps.shape)], trials=200)
    assert np.isnan(flat.values[2])
    assert np.isnan(flat.p[2]).all()


def test_single_scores_change_sides_for_soft_accuracy() -> None:
    """mt-metrics-eval's: p-values of systems from the same trials after every exchange."""
    human, first, second = scores_of(6, 2, 4)
    a, b = standard(first), standard(second)

    def mixed(mask: Matrix, one: Matrix, other: Matrix) -> float:
        return soft_pairwise_accuracies(human, [np.where(mask.reshape(2, 4), other, one)], trials=50)[0].value

    expected = enumerated(8, lambda mask: mixed(mask, a, b), lambda mask: mixed(mask, b, a))
    tests = soft_accuracy_tests(human, [first, second], shuffle=Shuffle.BOTH, trials=50)
    ((i, j),) = tests.differences
    assert tests.differences[i, j] == pytest.approx(expected if i == 0 else -expected, abs=1e-9)
    with pytest.raises(InputError, match="two systems"):
        soft_accuracy_tests(human[:1], [first[:1]])
    with pytest.raises(InputError, match="by systems or by single scores"):
        soft_accuracy_tests(human, [first], shuffle=Shuffle.SEGMENTS)


def test_outcomes_change_sides() -> None:
    human, first, second = scores_of(7, 3, 3)
    human[2, 2] = np.nan  # segments with three comparisons, three and one
    groups = grouped(human, Averaging.ITEM)

    def right(metric: Matrix) -> Matrix:
        margin = calibrated_accuracy(human, metric).epsilon
        rows = []
        for gold, own in zip(groups.parts(groups.human), groups.parts(groups.scores(metric)), strict=True):
            i, j = np.triu_indices(len(gold), 1)
            apart = own[i] - own[j]
            said = np.where(np.abs(apart) <= margin, 0, np.sign(apart))
            rows.append((said == np.sign(gold[i] - gold[j])) / len(i) / 3)
        return np.concatenate(rows)

    a, b = right(first), right(second)
    expected = enumerated(
        7,
        lambda mask: float(np.where(mask, b, a).sum()),
        lambda mask: float(np.where(mask, a, b).sum()),
    )
    tests = outcome_tests(human, [first, second])
    ((i, j),) = tests.differences
    assert tests.differences[i, j] == pytest.approx(expected if i == 0 else -expected, abs=1e-12)
    values = [calibrated_accuracy(human, metric).accuracy for metric in (first, second)]
    assert tests.values == pytest.approx(values)


def test_comparisons_of_a_segment_change_sides_together() -> None:
    rng = np.random.default_rng(8)
    units = np.array([3, 3, 3, 5, 5, 9, 11, 11])
    people = np.zeros(8, dtype=int)
    verdicts = rng.integers(0, 3, size=(2, 8))
    order = np.unique(units)

    def tau(mask: Matrix, one: Matrix, other: Matrix) -> float:
        moved = np.isin(units, order[mask])
        return tau_like(verdict_counts(people, np.where(moved, other, one)), WMT14).value or 0.0

    expected = enumerated(4, lambda mask: tau(mask, *verdicts), lambda mask: tau(mask, *verdicts[::-1]))
    tests = tau_tests(people, verdicts, units=units)
    ((i, j),) = tests.differences
    assert (tests.units, tests.exact) == (4, True)
    assert tests.differences[i, j] == pytest.approx(expected if i == 0 else -expected, abs=1e-12)
    assert tau_tests(people, verdicts).units == 8


def test_the_systems_of_hybrids_change_sides() -> None:
    """Where a hybrid is nothing but its systems' shares, systems that change sides before they are mixed."""
    rng = np.random.default_rng(9)
    drawn = draw_hybrids(5, 30, 120)
    people = rng.normal(size=5)
    gold = drawn.mixed_by_share(people)
    systems = people + 0.7 * rng.normal(size=(2, 5))
    table = np.stack([drawn.mixed_by_share(row) for row in systems])
    a, b = ((row - mixed.mean()) / mixed.std() for row, mixed in zip(systems, table, strict=True))

    def r(mask: Matrix, one: Matrix, other: Matrix) -> float:
        return pearson(gold, drawn.mixed_by_share(np.where(mask, other, one))).value or 0.0

    expected = enumerated(5, lambda mask: r(mask, a, b), lambda mask: r(mask, b, a))
    tests = hybrid_tests(gold, table, drawn)
    ((i, j),) = tests.differences
    assert (tests.units, tests.exact) == (5, True)
    assert tests.differences[i, j] == pytest.approx(expected if i == 0 else -expected, abs=1e-9)
    used = np.arange(120) < 100
    flat = hybrid_tests(gold, np.concatenate([table, np.ones((1, 120))]), drawn, used=used)
    assert np.isnan(flat.values[2])
    assert flat.values[0] == pytest.approx(pearson(gold[:100], table[0, :100]).value)
