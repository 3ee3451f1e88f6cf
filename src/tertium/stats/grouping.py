"""Systems x segments of scores, correlated as a whole, segment by segment, or system by system.

A matrix has a row for each system and a column for each segment ("item"). People judged some of the cells; the others
are NaN in the human matrix and left out. A metric must have a score wherever people judged.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError
from tertium.stats.correlation import Correlation

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


class Averaging(Enum):
    """What is correlated: all cells at once, or the cells of each item or of each system, and then the mean."""

    NONE = "none"
    ITEM = "item"
    SYSTEM = "system"


@dataclass(frozen=True, eq=False)
class Groups:
    """The judged cells of a matrix, those of a group together.

    `cells` are positions in the flattened matrix; group g is cells[starts[g]:starts[g + 1]].
    """

    human: NDArray[np.float64]
    cells: NDArray[np.int64]
    starts: NDArray[np.int64]
    shape: tuple[int, int]  # systems, items

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def sizes(self) -> NDArray[np.int64]:
        return np.diff(self.starts)

    @property
    def left_out(self) -> int:
        """Cells that people did not judge."""
        return self.shape[0] * self.shape[1] - len(self.cells)

    def scores(self, metric: ArrayLike) -> NDArray[np.float64]:
        """A metric's scores of the judged cells; one that is missing there is refused."""
        given = np.asarray(metric, dtype=np.float64)
        if given.shape != self.shape:
            raise InputError(
                f"human scores are {_by(self.shape)}, the metric's {_by(given.shape)} (systems x segments)"
            )
        taken = given.ravel()[self.cells]
        bad = np.flatnonzero(~np.isfinite(taken))
        if len(bad):
            system, item = divmod(int(self.cells[bad[0]]), self.shape[1])
            raise InputError(
                f"the metric has no finite score for system {system + 1}, segment {item + 1}, which people judged"
                f" ({len(bad)} such cells)"
            )
        return np.ascontiguousarray(taken)

    def parts(self, values: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        """Values of the cells, group by group."""
        return np.split(values, self.starts[1:-1])


def grouped(human: ArrayLike, averaging: Averaging = Averaging.NONE) -> Groups:
    """The judged cells of systems x items of human scores, in groups; groups nobody judged are left out.

    >>> groups = grouped([[1, np.nan], [2, 3]], Averaging.ITEM)
    >>> groups.human.tolist(), groups.starts.tolist(), groups.left_out
    ([1.0, 2.0, 3.0], [0, 2, 3], 1)
    """
    matrix = np.asarray(human, dtype=np.float64)
    if matrix.ndim != 2:
        raise InputError(f"human scores must be a matrix of systems x segments, not of shape {matrix.shape}")
    if np.isinf(matrix).any():
        system, item = np.argwhere(np.isinf(matrix))[0] + 1
        raise InputError(f"the human score of system {system}, segment {item} is infinite")
    judged = ~np.isnan(matrix)
    if not judged.any():
        raise InputError("no segment has a human score")
    places = np.arange(matrix.size).reshape(matrix.shape)
    if averaging is Averaging.ITEM:
        cells, sizes = places.T[judged.T], judged.sum(axis=0)
    elif averaging is Averaging.SYSTEM:
        cells, sizes = places[judged], judged.sum(axis=1)
    else:
        cells, sizes = places[judged], np.array([judged.sum()])
    starts = np.concatenate([[0], np.cumsum(sizes[sizes > 0])]).astype(np.int64)
    shape = int(matrix.shape[0]), int(matrix.shape[1])
    return Groups(np.ascontiguousarray(matrix.ravel()[cells]), cells.astype(np.int64), starts, shape)


@dataclass(frozen=True, eq=False)
class MeanCorrelation:
    """The mean of the correlations of groups. Groups without one are left out and counted, with the reasons."""

    value: float | None
    groups: tuple[Correlation, ...]

    @property
    def n_groups(self) -> int:
        """Groups that have a correlation."""
        return sum(found.value is not None for found in self.groups)

    @property
    def left_out(self) -> int:
        return len(self.groups) - self.n_groups

    @property
    def reason(self) -> str | None:
        """Why there is no value: the first group's reason."""
        return (
            None if self.value is not None else next((g.reason for g in self.groups), "there are no groups")
        )


def averaged(
    statistic: Callable[[NDArray[np.float64], NDArray[np.float64]], Correlation],
    human: ArrayLike,
    metric: ArrayLike,
    averaging: Averaging = Averaging.NONE,
) -> MeanCorrelation:
    """A correlation (`pearson`, `spearman`, `tau_b`...) over all judged cells, or its mean over items or systems.

    >>> from tertium.stats.correlation import pearson
    >>> human, metric = [[1, 2], [2, 3], [3, np.nan]], [[1, 2], [2, 1], [3, 9]]
    >>> found = averaged(pearson, human, metric, Averaging.ITEM)
    >>> found.value, [group.n for group in found.groups]
    (0.0, [3, 2])
    """
    groups = grouped(human, averaging)
    scores = groups.scores(metric)
    found = tuple(
        statistic(gold, own)
        for gold, own in zip(groups.parts(groups.human), groups.parts(scores), strict=True)
    )
    defined = [one.value for one in found if one.value is not None]
    return MeanCorrelation(sum(defined) / len(defined) if defined else None, found)


def pairwise_difference_pearson(human: ArrayLike, metric: ArrayLike) -> Correlation:
    """Pearson's r without centring between differences of scores of two systems on the same segment, over all pairs:
    sum dH dM / (|dH| |dM|), so that no segment's ease or difficulty counts. Systems x segments in, NaN not judged.

    >>> round(pairwise_difference_pearson([[1, 2], [2, 2], [3, 0]], [[1, 1], [2, 3], [4, 0]]).value, 3)
    0.859
    """
    groups = grouped(human, Averaging.ITEM)
    scores = groups.scores(metric)
    people, own = [], []
    for gold, part in zip(groups.parts(groups.human), groups.parts(scores), strict=True):
        first, second = np.triu_indices(len(gold), 1)
        people.append(gold[first] - gold[second])
        own.append(part[first] - part[second])
    by_people, by_metric = np.concatenate(people), np.concatenate(own)
    size = float(np.sqrt((by_people @ by_people) * (by_metric @ by_metric)))
    if size == 0:
        return Correlation(
            None, None, len(by_people), "no two systems differ on a segment, by people or by the metric"
        )
    return Correlation(float(by_people @ by_metric) / size, None, len(by_people))


def _by(shape: tuple[int, ...]) -> str:
    return " x ".join(map(str, shape))
