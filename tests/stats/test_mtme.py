"""mt-metrics-eval's numbers: correlations under all averagings, margins, calibration curves, accuracies, shuffles."""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any

import numpy as np
import pytest

from tertium.stats import taulike
from tertium.stats.accuracy import difference_p, pairwise_accuracy, soft_pairwise_accuracy
from tertium.stats.calibration import (
    accuracy,
    accuracy_curve,
    calibrated_accuracy,
    grouped_pair_counts,
    tau_b_with_margin,
)
from tertium.stats.correlation import pearson, spearman
from tertium.stats.grouping import Averaging, averaged, grouped, pairwise_difference_pearson
from tertium.stats.kendall import tau_b, tau_c
from tertium.stats.paired_statistics import (
    MeanAccuracy,
    MeanCalibratedAccuracy,
    MeanPearson,
    MeanTau,
    PairedStatistic,
)
from tertium.stats.permutation import permutation_test

pytestmark = pytest.mark.golden

AVERAGINGS = {"none": Averaging.NONE, "sys": Averaging.SYSTEM, "item": Averaging.ITEM}
TEN_DIGITS = 1e-9
STATISTICS: dict[str, PairedStatistic] = {
    "pearson": MeanPearson(),
    "kendall_b": MeanTau(),
    "acc23": MeanAccuracy(),
    "acc23_ties_opt": MeanCalibratedAccuracy(),
    "pairwise_acc23_opt": MeanCalibratedAccuracy(),
}


@pytest.fixture(scope="module")
def data(golden: Any) -> Any:
    return golden("stats/stats_mtme.json")


def matrix(data: Any, name: str) -> np.ndarray:
    rows = data["inputs"][name]
    return np.array([[np.nan if value is None else value for value in row] for row in rows], dtype=float)


@pytest.mark.parametrize("metric", ["m1", "m2"])
@pytest.mark.parametrize("name", AVERAGINGS)
def test_correlations(data: Any, metric: str, name: str) -> None:
    gold, own, expected = matrix(data, "gold"), matrix(data, metric), data["results"][metric]
    for label, function in (
        ("Pearson", pearson),
        ("Spearman", spearman),
        ("Kendall", tau_b),
        ("Kendall-c", tau_c),
    ):
        found, (value, p, groups) = (
            averaged(function, gold, own, AVERAGINGS[name]),
            expected[f"{label}/{name}"],
        )
        assert found.value == pytest.approx(value, abs=TEN_DIGITS)
        assert found.n_groups == groups
        tested = [group.p for group in found.groups if group.p is not None]
        assert np.mean(tested) == pytest.approx(p, abs=1e-8)  # p of r = 1 is rounding


@pytest.mark.parametrize("metric", ["m1", "m2"])
@pytest.mark.parametrize("name", AVERAGINGS)
@pytest.mark.parametrize("epsilon", [0.0, 0.05, 0.1])
def test_margins(data: Any, metric: str, name: str, epsilon: float) -> None:
    gold, own, expected = matrix(data, "gold"), matrix(data, metric), data["results"][metric]
    margin = f" eps={epsilon:g}" if epsilon else ""
    tau, groups = expected[f"KendallVariants-b{margin}/{name}"]
    found, n = tau_b_with_margin(gold, own, AVERAGINGS[name], epsilon=epsilon)
    assert (found, n) == (pytest.approx(tau, abs=TEN_DIGITS), groups)
    right = accuracy(gold, own, AVERAGINGS[name], epsilon=epsilon)
    assert right == pytest.approx(expected[f"KendallVariants-acc23{margin}/{name}"][0], abs=TEN_DIGITS)
    assert right is not None
    assert 2 * right - 1 == pytest.approx(expected[f"KendallVariants-23{margin}/{name}"][0], abs=TEN_DIGITS)


@pytest.mark.parametrize("metric", ["m1", "m2"])
@pytest.mark.parametrize("name", AVERAGINGS)
def test_calibration_and_its_whole_curve(data: Any, metric: str, name: str) -> None:
    gold, own, averaging = matrix(data, "gold"), matrix(data, metric), AVERAGINGS[name]
    expected = data["results"][metric][f"KendallWithTiesOpt-acc23 sample_rate=1/{name}"]
    thresholds, values = accuracy_curve(gold, own, averaging)
    assert thresholds == pytest.approx(expected["thresholds"], abs=TEN_DIGITS)
    assert values == pytest.approx(expected["taus"], abs=TEN_DIGITS)
    found = calibrated_accuracy(gold, own, averaging)
    assert found.accuracy == pytest.approx(expected["tau"], abs=TEN_DIGITS)
    assert found.epsilon == pytest.approx(expected["eps"], abs=TEN_DIGITS)
    as_tau = data["results"][metric][f"KendallWithTiesOpt-23 sample_rate=1/{name}"]
    assert (found.tau, found.epsilon) == pytest.approx((as_tau["tau"], as_tau["eps"]), abs=TEN_DIGITS)
    assert 2 * values - 1 == pytest.approx(as_tau["taus"], abs=TEN_DIGITS)


@pytest.mark.parametrize("metric", ["m1", "m2"])
@pytest.mark.parametrize("name", AVERAGINGS)
@pytest.mark.parametrize("threshold", [0, 25])
def test_strict_tau_of_pooled_pairs(data: Any, metric: str, name: str, threshold: int) -> None:
    """Pairs of a group whose human scores differ by the threshold at least; all that is not concordant is wrong."""
    groups = grouped(matrix(data, "gold"), AVERAGINGS[name])
    own = groups.scores(matrix(data, metric))
    counts = np.zeros((3, 3), dtype=int)
    for gold, scores in zip(groups.parts(groups.human), groups.parts(own), strict=True):
        i, j = np.triu_indices(len(gold), 1)
        far = np.abs(gold[i] - gold[j]) >= threshold
        i, j = i[far], j[far]
        counts += taulike.verdict_counts(
            taulike.verdicts(gold[i], gold[j]), taulike.verdicts(scores[i], scores[j])
        )
    found = taulike.tau_like(counts, taulike.STRICT)
    value, pairs = data["results"][metric][f"KendallLike(thresh={threshold})/{name}"]
    assert (found.value, found.denominator) == (pytest.approx(value, abs=TEN_DIGITS), pairs)
    if threshold == 0:
        assert sum(group.pairs for group in grouped_pair_counts(groups, own)) == pairs


@pytest.mark.parametrize("metric", ["m1", "m2"])
def test_pairwise_differences(data: Any, metric: str) -> None:
    found = pairwise_difference_pearson(matrix(data, "gold"), matrix(data, metric))
    assert found.value == pytest.approx(data["results"][metric]["Pearson-pdp/item"][0], abs=TEN_DIGITS)


def test_systems(data: Any) -> None:
    expected = data["results"]["system"]
    for metric, value in zip(("m1", "m2"), expected["pearson"], strict=True):
        assert pearson(expected["gold"], expected[metric]).value == pytest.approx(value, abs=TEN_DIGITS)
        found = pairwise_accuracy(expected["gold"], expected[metric])
        assert [found.agreeing, found.pairs] == expected[f"agreement_{metric}"]


@pytest.mark.parametrize("key", [f"{s}/{a}" for s in STATISTICS for a in AVERAGINGS])
def test_permutation_tests(data: Any, key: str) -> None:
    """Differences are equal; p-values agree as two samples of shuffles do."""
    expected = data["results"]["perm_both"][key]
    name, averaging = key.split("/")
    gold, m1, m2 = (matrix(data, which) for which in ("gold_complete", "m1", "m2"))
    found = permutation_test(
        gold, m1, m2, STATISTICS[name], averaging=AVERAGINGS[averaging], resamples=4000, block=None
    )
    assert found.difference == pytest.approx(expected["delta"], abs=TEN_DIGITS)
    p, k = found.share, expected.get("k", expected["k_used"])
    spread = np.sqrt(max(p, 1e-3) * (1 - p) * (1 / k + 1 / 4000))
    assert abs(found.share - expected["pval"]) < 3.5 * spread


@cache
def _half() -> np.ndarray:
    return ((np.arange(4096)[:, None] >> np.arange(12)) & 1).astype(float)


def masks_that_give(
    gold: np.ndarray, first: np.ndarray, second: np.ndarray, wanted: list[float]
) -> np.ndarray:
    """All of the 2^24 shuffles after which Pearson's r of the two metrics are these two numbers."""
    a, b = ((scores - scores.mean()) / scores.std() for scores in (first.ravel(), second.ravel()))
    centred = gold.ravel() - gold.mean()
    own, other = (np.stack([x, x * x, x * centred], axis=1) for x in (a, b))
    change, base = other - own, own.sum(axis=0)
    low, high = _half() @ change[:12], _half() @ change[12:]
    square, found = centred @ centred, []

    def r(sums: np.ndarray) -> np.ndarray:
        return sums[:, 2] / np.sqrt((sums[:, 1] - sums[:, 0] ** 2 / 24) * square)

    for h in range(4096):
        sums = base + low + high[h]
        near = np.flatnonzero(np.abs(r(sums) - wanted[0]) < 2e-10)
        rest = base + other.sum(axis=0) - sums[near]
        for code in near[np.abs(r(rest) - wanted[1]) < 2e-10]:
            found.append(np.concatenate([_half()[code], _half()[h]]).astype(bool))
    return np.array(found)


def test_shuffles_give_the_same_statistics(data: Any) -> None:
    """The original's first three shuffles are found from the two correlations that it printed; under the very same
    shuffles all its other statistics come out, in all averagings."""
    gold, m1, m2 = (matrix(data, which) for which in ("gold_complete", "m1", "m2"))
    printed = data["results"]["perm_both"]
    for turn in range(3):
        candidates = masks_that_give(gold, m2, m1, printed["pearson/none"]["first3_resampled"][turn])
        assert len(candidates)
        fits = np.ones(len(candidates), dtype=bool)
        for name, averaging in itertools.product(
            ["pearson", "kendall_b", "acc23", "acc23_ties_opt"], AVERAGINGS
        ):
            groups = grouped(gold, AVERAGINGS[averaging])
            own, other = ((groups.scores(m) - m.mean()) / m.std() for m in (m2, m1))
            masks = candidates
            if averaging == "item" and name != "acc23_ties_opt":  # it flattens items x systems there
                masks = candidates.reshape(-1, 6, 4).transpose(0, 2, 1).reshape(-1, 24)
            got = STATISTICS[name].shuffled(groups, own, other, masks[:, groups.cells])
            expected = printed[f"{name}/{averaging}"]["first3_resampled"][turn]
            fits &= (np.abs(np.stack(got, axis=1) - expected) < TEN_DIGITS).all(axis=1)
        assert fits.any()


def test_soft_pairwise_accuracy(data: Any) -> None:
    """p-values within the error of 1,000 trials. Systems 1 and 2 have the same mean by m2: there rounding decided in
    the original which of the equal differences count, and any number between those of > and >= can come out."""
    expected = data["results"]["pce"]
    gold = matrix(data, "gold_complete")
    for name in ("gold", "m1", "m2"):
        scores = gold if name == "gold" else matrix(data, name)
        found = difference_p(scores, trials=20_000)
        for i, j in itertools.combinations(range(4), 2):
            p = found[i, j]
            if (name, i, j) == ("m2", 0, 1):
                assert 1 - found[j, i] - 0.05 < expected[name][i][j] < p + 0.05
            else:
                assert expected[name][i][j] == pytest.approx(p, abs=4 * np.sqrt(p * (1 - p) / 1000) + 0.002)
    m1 = soft_pairwise_accuracy(gold, matrix(data, "m1"), trials=20_000)
    assert m1.value == pytest.approx(expected["soft_pairwise_accuracy_m1"], abs=0.02)
    m2 = soft_pairwise_accuracy(gold, matrix(data, "m2"), trials=20_000)
    tie = (m2.metric_p[0, 1] - expected["m2"][0][1]) / 6  # what the one cell makes of the mean
    assert m2.value + tie == pytest.approx(expected["soft_pairwise_accuracy_m2"], abs=0.02)
