"""Permutation tests: shuffles by the twin, both ways of counting, level, early stop; accuracies, outliers, sums."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats as scipy

from tertium import _native
from tertium.errors import InputError
from tertium.stats import paired_statistics, permutation, resampling
from tertium.stats.accuracy import (
    difference_p,
    pair_agreement,
    pairwise_accuracy,
    soft_pairwise_accuracies,
    soft_pairwise_accuracy,
)
from tertium.stats.correlation import pearson, spearman
from tertium.stats.grouping import Averaging, averaged, grouped
from tertium.stats.kendall import tau_b
from tertium.stats.outliers import find_outliers
from tertium.stats.paired_statistics import (
    MeanAccuracy,
    MeanCalibratedAccuracy,
    MeanPearson,
    MeanSpearman,
    MeanTau,
)
from tertium.stats.permutation import Shuffle, permutation_test, permutation_tests
from tertium.stats.summaries import summarise

NAN = math.nan


def example(seed: int, systems: int = 6, items: int = 15) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    human = np.round(rng.normal(size=(systems, items)) * 2)
    human[rng.random(human.shape) < 0.1] = NAN
    known = np.nan_to_num(human)
    return human, known + 2 * rng.normal(size=human.shape), np.round(known + 3 * rng.normal(size=human.shape))


FUNCTIONS = {MeanPearson: pearson, MeanSpearman: spearman, MeanTau: tau_b}


@pytest.mark.parametrize("averaging", Averaging)
@pytest.mark.parametrize("kind", FUNCTIONS, ids=lambda kind: kind.__name__)
def test_shuffled_statistics_are_statistics_of_shuffled_scores(kind, averaging: Averaging) -> None:
    human, first, second = example(1)
    groups = grouped(human, averaging)
    own, other = groups.scores(first), groups.scores(second)
    masks = np.random.default_rng(2).random((150, len(own))) < 0.5
    ours, theirs = kind().shuffled(groups, own, other, masks)
    assert kind().of(groups, own) == pytest.approx(averaged(FUNCTIONS[kind], human, first, averaging).value)
    for turn in (0, 63, 64, 149):
        for found, (a, b) in ((ours, (own, other)), (theirs, (other, own))):
            mixed = np.empty(human.shape)
            mixed.ravel()[groups.cells] = np.where(masks[turn], b, a)
            mixed[np.isnan(human)] = NAN
            expected = averaged(FUNCTIONS[kind], human, mixed, averaging).value
            assert found[turn] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("averaging", Averaging)
@pytest.mark.parametrize("statistic", [MeanTau(), MeanTau(1.0), MeanAccuracy(), MeanAccuracy(0.7)], ids=str)
def test_pairs_are_counted_the_same_in_bits_and_by_sorting(
    statistic, averaging: Averaging, monkeypatch: pytest.MonkeyPatch
) -> None:
    human, first, second = example(3, 5, 12)
    groups = grouped(human, averaging)
    own, other = groups.scores(first), groups.scores(second)
    masks = np.random.default_rng(4).random((130, len(own))) < 0.5
    by_bits = statistic.shuffled(groups, own, other, masks)
    monkeypatch.setattr(paired_statistics, "_LARGE", 0)
    by_sorting = statistic.shuffled(groups, own, other, masks)
    assert np.array_equal(by_bits, by_sorting, equal_nan=True)
    for turn in (0, 64, 129):
        assert by_bits[0][turn] == pytest.approx(statistic.of(groups, np.where(masks[turn], other, own)))


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    human, first, second = example(5)
    groups = grouped(human, Averaging.ITEM)
    own, other = groups.scores(first), groups.scores(second)
    masks = np.random.default_rng(4).random((200, len(own))) < 0.5
    statistics = [MeanPearson(), MeanSpearman(), MeanTau(), MeanAccuracy()]
    whole = [statistic.shuffled(groups, own, other, masks) for statistic in statistics]
    monkeypatch.setattr(paired_statistics, "_BLOCK", 3 * len(own))
    for statistic, expected in zip(statistics, whole, strict=True):
        assert np.allclose(statistic.shuffled(groups, own, other, masks), expected, atol=1e-14)


def test_constant_groups_are_undefined_and_left_out() -> None:
    groups = grouped([[1, 1], [2, 1], [3, 1]], Averaging.ITEM)
    scores = np.array([1.0, 2.0, 3.0, 1.0, 5.0, 2.0])
    nobody = np.zeros((1, 6), dtype=bool)
    for statistic in (MeanPearson(), MeanSpearman(), MeanTau()):
        assert statistic.shuffled(groups, scores, -scores, nobody)[0] == pytest.approx([1.0])
        assert statistic.of(groups, scores) == pytest.approx(1.0)
    flat = grouped([[1.0, 1.0, 1.0]])
    assert np.isnan(MeanPearson().of(flat, np.array([1.0, 2.0, 3.0])))


@pytest.mark.parametrize("shuffle", Shuffle)
def test_a_better_metric_is_found_and_equal_ones_are_not(shuffle: Shuffle) -> None:
    rng = np.random.default_rng(8)
    human = rng.normal(size=(12, 60))
    good, bad = human + rng.normal(size=human.shape), human + 5 * rng.normal(size=human.shape)
    found = permutation_test(human, good, bad, shuffle=shuffle)
    assert found.p is not None
    assert found.p < 0.02
    assert found.resamples < found.asked  # it stopped early
    assert found.share < 0.02
    back = permutation_test(human, bad, good, shuffle=shuffle)
    assert back.p is not None
    assert back.p > 0.9
    assert back.difference == pytest.approx(-found.difference)


def test_the_level_is_kept() -> None:
    alarms = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        human = rng.normal(size=(4, 10))
        first, second = (human + rng.normal(size=human.shape) for _ in range(2))
        found = permutation_test(human, first, second, MeanTau(), resamples=199, block=None, seed=seed)
        assert found.p is not None
        alarms += found.p <= 0.05
    assert alarms / 300 == pytest.approx(0.05, abs=0.04)


def test_early_stop_and_seeds() -> None:
    human, first, second = example(9)
    whole = permutation_test(human, first, second, block=None, resamples=500)
    assert (whole.resamples, whole.asked) == (500, 500)
    blocks = permutation_test(human, second, first, block=50, resamples=500)
    assert blocks.resamples == 50
    assert permutation_test(human, first, second, block=None, resamples=500) == whole
    other = permutation_test(human, first, second, block=None, resamples=500, seed=1)
    assert other.exceeding != whole.exceeding
    same = permutation_test(human, first, first, block=None, resamples=50)
    assert (same.difference, same.p) == (0.0, 1.0)


def test_all_pairs() -> None:
    human, first, second = example(10)
    third = np.zeros(human.shape)
    found = permutation_tests(human, [second, first, third], MeanCalibratedAccuracy(), resamples=40, block=20)
    assert np.isnan(found.values[2])
    assert np.isnan(found.p[2]).all()
    assert np.isnan(found.p[:, 2]).all()
    better = int(found.values[1] > found.values[0])
    single = permutation_test(
        human,
        [second, first][better],
        [second, first][1 - better],
        MeanCalibratedAccuracy(),
        resamples=40,
        block=20,
    )
    assert found.p[better, 1 - better] == single.p
    assert np.isnan(found.p[1 - better, better])


@pytest.mark.parametrize("averaging", [Averaging.NONE, Averaging.ITEM])
def test_pairs_together_are_pairs_alone(averaging: Averaging) -> None:
    """Sums that pairs share give each pair what it gets by itself."""
    human, *metrics = example(14)
    metrics += example(15)[1:]
    found = permutation_tests(human, metrics, averaging=averaging, resamples=300)
    for i, j in np.argwhere(~np.isnan(found.p)):
        alone = permutation_test(human, metrics[i], metrics[j], averaging=averaging, resamples=300)
        assert found.p[i, j] == alone.p
        assert found.values[i] == alone.first
    assert (~np.isnan(found.p)).sum() == 6


@pytest.mark.parametrize("n", [1, 7, 8, 31, 32, 33, 1023, 1024, 1025, 1030])
@pytest.mark.parametrize(("columns", "rows"), [(1, 3), (4, 255), (5, 256), (9, 300)])
def test_masked_sums(n: int, columns: int, rows: int) -> None:
    rng = np.random.default_rng(n)
    values = rng.normal(size=(columns, n))
    bits = rng.random((rows, n)) < 0.5
    packed = np.packbits(bits, axis=1, bitorder="little")
    found = np.asarray(_native.masked_sums(values, packed))
    assert found == pytest.approx(values @ bits.T, abs=1e-12)
    with pytest.raises(ValueError, match="a bit for each place"):
        _native.masked_sums(values, np.zeros((2, packed.shape[1] + 1), dtype=np.uint8))


def test_sums_that_are_not_above() -> None:
    sums = np.random.default_rng(3).integers(0, 3, size=(6, 50)).astype(float)
    found = np.asarray(_native.not_above(sums, 3, [0.0, 1.0])).reshape(2, 3, 3)
    for matrix, slack in ((0, 0.0), (1, 1.0)):
        own = sums[3 * matrix : 3 * matrix + 3]
        expected = (own[:, None] - own[None] <= slack).sum(axis=2)
        np.fill_diagonal(expected, 0)
        assert np.array_equal(found[matrix], expected)
    with pytest.raises(ValueError, match="a slack for each matrix"):
        _native.not_above(sums, 3, [0.0])


def test_bad_tests() -> None:
    human, first, _ = example(11)
    with pytest.raises(InputError, match="every segment the same score"):
        permutation_test(human, first, np.ones(human.shape))
    with pytest.raises(InputError, match="at least one resample"):
        permutation_test(human, first, first, resamples=0)


def test_difference_p_is_scipys_permutation_test() -> None:
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(3, 9)) + np.array([[0.5], [0.0], [0.2]])
    found = difference_p(scores, trials=20_000)
    for i, j in ((0, 1), (0, 2), (1, 2), (2, 0)):
        exact = scipy.permutation_test(
            (scores[i], scores[j]),
            lambda a, b, axis: np.mean(a - b, axis=axis),
            permutation_type="samples",
            alternative="greater",
            vectorized=True,
            n_resamples=np.inf,
        ).pvalue
        assert found[i, j] == pytest.approx(exact, abs=0.015)


def test_pairwise_accuracy_by_hand() -> None:
    human, metric = [5, 4, 3, 3], [9, 7, 8, 8]
    assert vars(pairwise_accuracy(human, metric)) == {"agreeing": 4, "pairs": 6, "left_out": 0}
    mask = np.zeros((4, 4), dtype=bool)
    mask[0, 1] = mask[2, 1] = True
    assert vars(pairwise_accuracy(human, metric, counted=mask)) == {"agreeing": 1, "pairs": 2, "left_out": 4}
    assert pairwise_accuracy([1], [1]).accuracy is None
    with pytest.raises(InputError, match="must be square"):
        pairwise_accuracy(human, metric, counted=[True])


def test_agreement_in_pairs() -> None:
    """Seed 004, table 4: ties of the metric are wrong, pairs without a majority are left out."""
    found = pair_agreement([1, -1, 1, 0], [0.5, 0.5, 0.5, 0.5], [0.4, 0.6, 0.5, 0.1])
    assert (found.agreeing, found.pairs, found.left_out) == (2, 3, 1)
    with pytest.raises(InputError, match="1 preferences for 2 pairs"):
        pair_agreement([1], [1, 2], [2, 1])


def test_soft_accuracy() -> None:
    rng = np.random.default_rng(3)
    human = rng.normal(size=(5, 50)) + np.arange(5)[:, None] * 0.2
    good, bad = human + 0.3 * rng.normal(size=human.shape), -human
    assert soft_pairwise_accuracy(human, good).value > 0.9 > soft_pairwise_accuracy(human, bad).value
    gaps = human.copy()
    gaps[2, :10] = NAN
    together = soft_pairwise_accuracies(gaps, [good, bad])
    assert [own.value for own in together] == [soft_pairwise_accuracy(gaps, m).value for m in (good, bad)]
    found = soft_pairwise_accuracy(gaps, good)
    assert (found.segments, found.left_out) == (40, 10)
    with pytest.raises(InputError, match="no segment was judged"):
        soft_pairwise_accuracy([[NAN, 1], [1, NAN]], [[1, 2], [3, 4]])
    with pytest.raises(InputError, match="system 2 has no finite score for segment 1"):
        soft_pairwise_accuracy([[1, 1], [1, 2]], [[1, 2], [NAN, 4]])
    with pytest.raises(InputError, match="two systems"):
        soft_pairwise_accuracy([[1, 1]], [[1, 2]])


def test_outliers() -> None:
    scores = [0.10, 0.12, 0.08, 0.11, 0.09, -0.90, 0.60]
    found = find_outliers(scores)
    assert found.outlying.tolist() == [False] * 5 + [True, True]
    spread = 1.483 * np.median(np.abs(np.array(scores) - 0.10))
    assert found.distances == pytest.approx(np.abs(np.array(scores) - 0.10) / spread)
    assert found.kept.sum() == 5
    same = find_outliers([1.0, 1.0, 1.0, 9.0])
    assert (same.outlying.any(), same.reason) == (False, "more than half of the systems have the same score")
    assert find_outliers([1.0, 9.0]).reason == "two systems have no outlier"
    with pytest.raises(InputError, match="finite"):
        find_outliers([1.0, NAN, 2.0])


def test_summaries() -> None:
    found = summarise([[0.9, 0.9], [0.8, 0.7], [NAN, 0.5]], [[0.01, 0.01], [0.01, 0.01], [NAN, 0.01]])
    assert found.mean == pytest.approx([0.85, 0.8])
    assert found.median == pytest.approx([0.85, 0.8])
    assert found.deviation == pytest.approx([np.std([0.9, 0.8], ddof=1), np.std([0.9, 0.7], ddof=1)])
    assert found.wins.tolist() == [2, 2]
    assert found.used.tolist() == [True, True, False]
    nobody = summarise([[0.5, 0.4]], [[0.2, 0.3]])
    assert np.isnan(nobody.mean).all()
    assert nobody.wins.tolist() == [0, 0]
    assert summarise([[0.7004, 0.7001]], [[0.01, 0.01]], digits=3).wins.tolist() == [1, 1]
    with pytest.raises(InputError, match="pairs x metrics"):
        summarise([[0.5]], [[0.5, 0.1]])


def test_coins_run_on_from_block_to_block(monkeypatch: pytest.MonkeyPatch) -> None:
    human, first, second = example(13)
    whole = permutation_test(human, first, second, MeanTau(), block=None, resamples=300)
    p = difference_p(first, trials=300)
    monkeypatch.setattr(permutation, "_COINS", 1)
    monkeypatch.setattr(resampling, "BLOCK", 40)
    assert permutation_test(human, first, second, MeanTau(), block=None, resamples=300) == whole
    assert np.array_equal(difference_p(first, trials=300), p, equal_nan=True)
