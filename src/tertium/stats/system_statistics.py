"""The same for whole systems: statistics of the means of systems' segment scores, after scores have changed sides.

For `permutation_test(..., averaging=Averaging.SYSTEM)`: a group is a system there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium.stats.paired_statistics import PairedStatistic, mask_blocks, moved_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.stats.grouping import Groups

    Vector = NDArray[np.float64]


@dataclass(frozen=True)
class _OfSystems(PairedStatistic):
    """A statistic of two rows of systems' means: people's, and a metric's after each shuffle."""

    def of(self, groups: Groups, scores: Vector) -> float:
        """Of the means of the scores of each system."""
        means = _sums(groups, scores) / groups.sizes
        return float(self._statistic(_sums(groups, groups.human) / groups.sizes, means[None, :])[0])

    def shuffled(
        self, groups: Groups, first: Vector, second: Vector, masks: NDArray[np.bool_]
    ) -> tuple[Vector, Vector]:
        """Of both metrics after each shuffle."""
        human = _sums(groups, groups.human) / groups.sizes
        totals, change = (_sums(groups, first), _sums(groups, second)), (second - first)[None, :]
        found: tuple[list[Vector], list[Vector]] = ([], [])
        for block in mask_blocks(masks):
            moved = moved_sums(block, change, groups.starts)[0]
            found[0].append(self._statistic(human, (totals[0] + moved) / groups.sizes))
            found[1].append(self._statistic(human, (totals[1] - moved) / groups.sizes))
        return np.concatenate(found[0]), np.concatenate(found[1])

    def _statistic(self, human: Vector, means: Vector) -> Vector:
        raise NotImplementedError


@dataclass(frozen=True)
class SystemPearson(_OfSystems):
    """Pearson's r of systems' mean scores with people's.

    >>> from tertium.stats.grouping import Averaging, grouped
    >>> groups = grouped([[1.0, 2.0], [2.0, 3.0], [4.0, 6.0]], Averaging.SYSTEM)
    >>> SystemPearson().of(groups, np.array([1.0, 1.0, 2.0, 2.0, 3.0, 5.0])).__round__(3)
    0.999
    """

    def _statistic(self, human: Vector, means: Vector) -> Vector:
        gold = human - human.mean()
        own = means - means.mean(axis=1, keepdims=True)
        size = np.sqrt((own * own).sum(axis=1) * (gold @ gold))
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.where(size > 0, (own @ gold) / size, np.nan))


@dataclass(frozen=True)
class SystemAccuracy(_OfSystems):
    """Pairwise accuracy: the share of pairs of systems that the metric orders as people do (Kocmi et al. 2021).

    >>> from tertium.stats.grouping import Averaging, grouped
    >>> groups = grouped([[1.0, 2.0], [2.0, 3.0], [4.0, 6.0]], Averaging.SYSTEM)
    >>> SystemAccuracy().of(groups, np.array([2.0, 2.0, 1.0, 1.0, 3.0, 5.0])).__round__(3)
    0.667
    """

    def _statistic(self, human: Vector, means: Vector) -> Vector:
        i, j = np.triu_indices(len(human), 1)
        if not len(i):
            return np.full(len(means), np.nan)
        return np.asarray((np.sign(means[:, i] - means[:, j]) == np.sign(human[i] - human[j])).mean(axis=1))


def _sums(groups: Groups, values: Vector) -> Vector:
    return np.add.reduceat(values, groups.starts[:-1])
