"""Segment-level accuracy of pairs, with ties as verdicts like any other, and the margin that makes a metric tie.

People often judge two translations equally good; most metrics hardly ever do. Deutsch, Foster and Freitag (2023) let a
metric tie where two scores differ by epsilon at most, and choose the epsilon with which it agrees with people most:

    acc_eq = (C + T_both) / all pairs,    tau_eq = 2 acc_eq - 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium import _native
from tertium.errors import InputError
from tertium.stats.grouping import Averaging, Groups, grouped
from tertium.stats.kendall import PairCounts

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_LARGEST = 2**62


@dataclass(frozen=True)
class CalibratedAccuracy:
    """Accuracy with the best margin for ties, beside the one with exact ties only."""

    accuracy: float
    epsilon: float
    without_margin: float
    n_groups: int
    pairs: int
    left_out: int  # groups without a pair

    @property
    def tau(self) -> float:
        """The same as a correlation."""
        return 2 * self.accuracy - 1


def calibrated_accuracy(
    human: ArrayLike, metric: ArrayLike, averaging: Averaging = Averaging.ITEM
) -> CalibratedAccuracy:
    """acc_eq with the best epsilon of all, the smallest if several are best; the mean over groups.

    Every distance of two metric scores is tried, without ever holding all pairs.

    >>> found = calibrated_accuracy([[1, 2], [1, 3], [3, 3]], [[0.5, 0.1], [0.6, 0.5], [0.9, 0.6]])
    >>> round(found.accuracy, 3), round(found.epsilon, 3), round(found.without_margin, 3)
    (1.0, 0.1, 0.667)
    """
    groups = grouped(human, averaging)
    return calibrate(groups, groups.scores(metric))


def calibrate(groups: Groups, scores: NDArray[np.float64]) -> CalibratedAccuracy:
    """The same for cells that are grouped already."""
    pairs, weights, whole, used = _pair_weights(groups)
    epsilon, best, exact = _native.calibrate_ties(groups.human, scores, groups.starts, weights)
    return CalibratedAccuracy(
        best / whole / used, epsilon, exact / whole / used, used, int(pairs.sum()), len(groups) - used
    )


def _pair_weights(groups: Groups) -> tuple[NDArray[np.int64], NDArray[np.int64], int, int]:
    """Pairs of each group, what one of them weighs (whole numbers), what a group weighs, and how many groups count."""
    sizes = groups.sizes
    pairs = sizes * (sizes - 1) // 2
    different = [int(number) for number in np.unique(pairs) if number]
    if not different:
        raise InputError("no group has two judged segments, so there is no pair to compare")
    used = int((pairs > 0).sum())
    whole = math.lcm(*different)
    if (
        whole * used > _LARGEST
    ):  # so many sizes that a common multiple is too large: the nearest whole weights
        whole = _LARGEST // used
    weights = np.array([round(whole / number) if number else 0 for number in pairs.tolist()], dtype=np.int64)
    return pairs, weights, whole, used


def accuracy_curve(
    human: ArrayLike, metric: ArrayLike, averaging: Averaging = Averaging.ITEM
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """All thresholds in ascending order from 0, and acc_eq at each: what `calibrated_accuracy` finds the top of.

    Holds every pair: for plots and for checking, not for hundreds of thousands of scores in one group.

    >>> thresholds, accuracies = accuracy_curve([[1, 2], [1, 3], [3, 3]], [[0.5, 0.25], [0.75, 0.5], [1.0, 0.75]])
    >>> thresholds.tolist(), accuracies.round(3).tolist()
    ([0.0, 0.25, 0.5], [0.667, 0.667, 0.333])
    """
    groups = grouped(human, averaging)
    scores = groups.scores(metric)
    _, weights, whole, used = _pair_weights(groups)
    distances, changes, start = [np.zeros(1)], [np.zeros(1)], 0.0
    parts = zip(groups.parts(groups.human), groups.parts(scores), weights.tolist(), strict=True)
    for gold, own, weight in parts:
        first, second = np.triu_indices(len(gold), 1)
        by_people, apart = np.sign(gold[first] - gold[second]), own[first] - own[second]
        right = by_people * np.sign(apart) > 0
        start += weight * int(right.sum())
        distances.append(np.abs(apart))
        changes.append(weight * ((by_people == 0).astype(float) - right))
    distance, change = np.concatenate(distances), np.concatenate(changes)
    thresholds, places = np.unique(distance, return_inverse=True)
    values = start + np.cumsum(np.bincount(places, weights=change))
    return thresholds, values / whole / used


def grouped_pair_counts(
    groups: Groups, scores: NDArray[np.float64], epsilon: float = 0.0
) -> list[PairCounts]:
    """Pairs of each group by what people and the metric say of them."""
    rows = np.asarray(_native.pair_counts(groups.human, scores, groups.starts, epsilon))
    return [PairCounts(*row) for row in rows.tolist()]


def accuracy(
    human: ArrayLike, metric: ArrayLike, averaging: Averaging = Averaging.ITEM, *, epsilon: float = 0.0
) -> float | None:
    """acc_eq with a given margin, the mean over groups that have a pair; None where none has.

    >>> accuracy([[1, 2], [1, 3], [3, 3]], [[0.5, 0.1], [0.6, 0.5], [0.9, 0.6]], epsilon=0.11)
    1.0
    """
    groups = grouped(human, averaging)
    found = [counts.accuracy for counts in grouped_pair_counts(groups, groups.scores(metric), epsilon)]
    defined = [value for value in found if value is not None]
    return sum(defined) / len(defined) if defined else None


def tau_b_with_margin(
    human: ArrayLike, metric: ArrayLike, averaging: Averaging = Averaging.ITEM, *, epsilon: float = 0.0
) -> tuple[float | None, int]:
    """tau-b where metric scores within `epsilon` tie: the mean over groups that have one, and how many do.

    >>> tau_b_with_margin([[1, 2], [1, 3], [3, 3]], [[0.5, 0.1], [0.6, 0.5], [0.9, 0.6]], epsilon=0.11)
    (1.0, 2)
    """
    groups = grouped(human, averaging)
    found = [counts.tau_b for counts in grouped_pair_counts(groups, groups.scores(metric), epsilon)]
    defined = [value for value in found if value is not None]
    return (sum(defined) / len(defined) if defined else None), len(defined)
