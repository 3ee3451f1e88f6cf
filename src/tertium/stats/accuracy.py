"""Does a metric decide between two systems, or two texts, as people do? Accuracy of pairs, plain and soft."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium import _native
from tertium.errors import InputError
from tertium.stats.correlation import paired_scores
from tertium.stats.resampling import SEED, Draws

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_ROUNDING = 1e-12  # differences that agree to this, relative to the scores, are equal


@dataclass(frozen=True)
class PairAgreement:
    """How many of the pairs a metric decides as people do."""

    agreeing: int
    pairs: int
    left_out: int = 0  # pairs about which people say nothing

    @property
    def accuracy(self) -> float | None:
        return self.agreeing / self.pairs if self.pairs else None


def pairwise_accuracy(
    human: ArrayLike, metric: ArrayLike, *, counted: ArrayLike | None = None
) -> PairAgreement:
    """The share of pairs of systems that the metric orders as people do (Kocmi et al. 2021).

    sign(metric difference) = sign(human difference); `counted[i, j]` can keep pairs only, those that people tell
    apart significantly, for example. Scores are oriented: higher is better.

    >>> pairwise_accuracy([3.0, 2.0, 1.0], [0.9, 0.5, 0.6]).accuracy.__round__(3)
    0.667
    """
    people, own = paired_scores(human, metric)
    first, second = np.triu_indices(len(people), 1)
    chosen = np.ones(len(first), dtype=bool)
    if counted is not None:
        kept = np.asarray(counted, dtype=bool)
        if kept.shape != (len(people), len(people)):
            raise InputError(f"a mask of pairs of {len(people)} systems must be square, not {kept.shape}")
        chosen = (kept | kept.T)[first, second]
    same = np.sign(people[first] - people[second]) == np.sign(own[first] - own[second])
    return PairAgreement(int((same & chosen).sum()), int(chosen.sum()), int((~chosen).sum()))


def pair_agreement(preferred: ArrayLike, first: ArrayLike, second: ArrayLike) -> PairAgreement:
    """How often a metric prefers the one of two texts that the majority of people prefers (Libovický,
    Brovelli and Cartoni 2018, table 4). A tie of the metric is wrong; where people are undecided the pair is left out.

    `preferred` is 1 where people prefer the first, -1 the second, 0 where they are undecided; scores are oriented.

    >>> pair_agreement([1, 1, -1, 0], [0.9, 0.5, 0.1, 0.1], [0.5, 0.5, 0.6, 0.9])
    PairAgreement(agreeing=2, pairs=3, left_out=1)
    """
    people = np.sign(np.asarray(preferred, dtype=np.float64))
    one, other = paired_scores(first, second)
    if people.shape != one.shape:
        raise InputError(f"there are {people.size} preferences for {one.size} pairs")
    decided = people != 0
    right = decided & (np.sign(one - other) == people)
    return PairAgreement(int(right.sum()), int(decided.sum()), int((~decided).sum()))


def difference_p(scores: ArrayLike, *, trials: int = 1000, seed: int = SEED) -> NDArray[np.float64]:
    """p[i, j]: one-sided p-value of "system i is better than system j", a paired permutation test over segments.

    Where the systems do not differ it does not matter whose score a segment's score is: for each trial a coin for each
    segment turns the difference round, the same coins for all pairs. p = (1 + #{d* >= d}) / (1 + trials); the diagonal
    is NaN.

    >>> difference_p([[3, 4, 5, 6, 7], [1, 2, 2, 3, 4]], trials=1000).round(2).tolist()
    [[nan, 0.02], [1.0, nan]]
    """
    matrix = np.asarray(scores, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[1] < 1:
        raise InputError(
            f"a permutation test needs systems x segments of scores, not the shape {matrix.shape}"
        )
    return np.asarray(difference_ps(matrix[None], trials, seed)[0])


def difference_ps(matrices: NDArray[np.float64], trials: int, seed: int) -> NDArray[np.float64]:
    """`difference_p` of several matrices (of people, and of metrics) under the same coins.

    What is turned round counts twice: d* = d - 2 (t_i - t_j), t the sums of the scores that are turned. So d* >= d just
    where t_i <= t_j, and a trial needs one sum a system and no more.
    """
    if not np.isfinite(matrices).all():
        _, system, item = np.argwhere(~np.isfinite(matrices))[0] + 1
        raise InputError(
            f"system {system} has no finite score for segment {item}: leave it out for all systems"
        )
    number, systems, n = matrices.shape
    slacks = _ROUNDING / 2 * np.maximum(1.0, np.abs(matrices).sum(axis=2).max(axis=1))
    columns = np.ascontiguousarray(matrices.reshape(-1, n))
    larger = np.zeros((number, systems, systems), dtype=np.int64)
    for masks in Draws(seed).swaps(n, trials):
        sums = _native.masked_sums(columns, masks)
        larger += np.asarray(_native.not_above(sums, systems, slacks.tolist())).reshape(larger.shape)
    p = (larger + 1) / (trials + 1)
    p[:, np.arange(systems), np.arange(systems)] = np.nan
    return np.asarray(p)


@dataclass(frozen=True, eq=False)
class SoftAccuracy:
    """Soft pairwise accuracy, with the p-values of people and metric behind it (systems x systems, i < j counts)."""

    value: float
    human_p: NDArray[np.float64]
    metric_p: NDArray[np.float64]
    trials: int
    seed: int
    segments: int  # used: those that people judged for all systems
    left_out: int


def soft_pairwise_accuracy(
    human: ArrayLike, metric: ArrayLike, *, trials: int = 1000, seed: int = SEED
) -> SoftAccuracy:
    """How closely a metric's confidence in each pair of systems follows that of people (Thompson et al. 2024):

        SPA = 1 - mean over pairs of |p_human - p_metric|,

    p the one-sided p-values of paired permutation tests. Unlike pairwise accuracy it does not count a coin toss
    between equally good systems as right or wrong. Systems x segments of oriented scores; a segment that people did
    not judge for every system is left out.

    >>> human = [[3, 4, 5, 4], [2, 2, 3, 3], [1, 3, 2, 3]]
    >>> soft_pairwise_accuracy(human, human).value
    1.0
    """
    return soft_pairwise_accuracies(human, [metric], trials=trials, seed=seed)[0]


def soft_pairwise_accuracies(
    human: ArrayLike, metrics: Sequence[ArrayLike], *, trials: int = 1000, seed: int = SEED
) -> list[SoftAccuracy]:
    """The same for several metrics: the coins are tossed, and people's p-values made, once for all of them.

    >>> human = [[3, 4, 5, 4], [2, 2, 3, 3], [1, 3, 2, 3]]
    >>> [found.value for found in soft_pairwise_accuracies(human, [human, human])]
    [1.0, 1.0]
    """
    people = np.asarray(human, dtype=np.float64)
    every = [np.asarray(metric, dtype=np.float64) for metric in metrics]
    for own in every:
        if people.shape != own.shape or people.ndim != 2:
            raise InputError(f"human scores are of shape {people.shape}, the metric's of {own.shape}")
    if len(people) < 2:
        raise InputError("soft pairwise accuracy needs at least two systems")
    judged = np.asarray(~np.isnan(people).any(axis=0))
    if not judged.any():
        raise InputError("no segment was judged by people for all systems")
    used, upper = int(judged.sum()), np.triu_indices(len(people), 1)
    chosen = [people, *every] if used == len(judged) else [matrix[:, judged] for matrix in (people, *every)]
    by_people, *by_metrics = difference_ps(np.stack(chosen), trials, seed)
    return [
        SoftAccuracy(
            1 - float(np.abs(by_people[upper] - p[upper]).mean()),
            by_people,
            p,
            trials,
            seed,
            used,
            len(judged) - used,
        )
        for p in by_metrics
    ]
