"""What permutation tests compare: statistics of two metrics after some of their scores have changed sides."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium import _native
from tertium.stats.calibration import calibrate, grouped_pair_counts
from tertium.stats.correlation import average_ranks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.stats.grouping import Groups

    Vector = NDArray[np.float64]
    Masks = NDArray[np.bool_]
    Pairs = Sequence[tuple[int, int]]

_BLOCK = 2**22  # numbers held at a time
_LARGE = (
    256  # cells: in larger groups pairs are sorted for each shuffle, in smaller ones all are looked at once
)


class PairedStatistic:
    """A statistic that a permutation test can shuffle. NaN where it is undefined."""

    def of(self, groups: Groups, scores: Vector) -> float:
        """Its value for a metric."""
        raise NotImplementedError

    def by_group(self, groups: Groups, scores: Vector) -> Vector:
        """Its value in each group, of which it is the mean; override it where groups can be computed together."""
        ones = (
            replace(groups, human=gold, cells=cells, starts=np.array([0, len(cells)]))
            for gold, cells in zip(
                groups.parts(groups.human), np.split(groups.cells, groups.starts[1:-1]), strict=True
            )
        )
        return np.array([self.of(one, part) for one, part in zip(ones, groups.parts(scores), strict=True)])

    def as_means(self, groups: Groups, scores: Sequence[Vector]) -> tuple[Groups, list[Vector]] | None:
        """Scores whose `MeanPearson` is this statistic, for those of which it is a correlation; else None."""
        return None

    def contributions(self, groups: Groups, scores: Sequence[Vector]) -> Vector | None:
        """For statistics that are means over pairs of cells, what each cell contributes, metrics x cells: the mean
        over all pairs that it is in, so that the sum is twice the statistic. None for others."""
        return None

    def shuffled(self, groups: Groups, first: Vector, second: Vector, masks: Masks) -> tuple[Vector, Vector]:
        """Its values for both metrics after each shuffle: a row of booleans, true where cells change sides."""
        raise NotImplementedError

    def each_pair(
        self, groups: Groups, scores: Sequence[Vector], pairs: Pairs, masks: NDArray[np.uint8]
    ) -> Iterator[tuple[Vector, Vector]]:
        """The same for several pairs of metrics; `masks` are packed, eight cells to a byte, from the lowest bit on."""
        bits = np.unpackbits(masks, axis=1, count=len(groups.cells), bitorder="little").view(bool)
        for i, j in pairs:
            yield self.shuffled(groups, scores[i], scores[j], bits)


@dataclass(frozen=True)
class MeanPearson(PairedStatistic):
    """Pearson's r, the mean over groups. A shuffled metric's sums are its own plus those of what came in.

    >>> from tertium.stats.grouping import grouped
    >>> groups = grouped([[1.0, 2.0, 3.0]])
    >>> MeanPearson().of(groups, np.array([1.0, 2.0, 2.0])).__round__(4)
    0.866
    """

    def of(self, groups: Groups, scores: Vector) -> float:
        if len(groups) == 1:
            gold, own = groups.human - groups.human.mean(), scores - scores.mean()
            return float(_pearson(_moments(own, gold).sum(axis=1), len(gold), (gold * gold).sum()))
        nobody = np.zeros((1, len(scores)), dtype=bool)
        return float(self.shuffled(groups, scores, scores, nobody)[0][0])

    def by_group(self, groups: Groups, scores: Vector) -> Vector:
        sizes = groups.sizes.astype(np.float64)
        number = np.repeat(np.arange(len(groups)), groups.sizes)
        gold, own = (v - (np.bincount(number, v) / sizes)[number] for v in (groups.human, scores))
        sums = np.stack([np.bincount(number, row) for row in _moments(own, gold)]).astype(np.float64)
        return _pearson(sums, sizes, np.bincount(number, gold * gold))

    def shuffled(self, groups: Groups, first: Vector, second: Vector, masks: Masks) -> tuple[Vector, Vector]:
        if len(groups) == 1:
            packed = np.packbits(masks, axis=1, bitorder="little")
            return next(self.each_pair(groups, (first, second), [(0, 1)], packed))
        sizes = groups.sizes.astype(np.float64)
        number = np.repeat(np.arange(len(groups)), groups.sizes)
        middle = (
            np.bincount(number, (first + second) / 2) / sizes
        )  # near the means: little is lost by subtracting
        gold = groups.human - (np.bincount(number, groups.human) / sizes)[number]
        gold_square = np.bincount(number, gold * gold)
        columns = [_moments(scores - middle[number], gold) for scores in (first, second)]
        change = columns[1] - columns[0]
        totals = [np.stack([np.bincount(number, c) for c in part])[:, None] for part in columns]
        found: tuple[list[Vector], list[Vector]] = ([], [])
        for block in mask_blocks(masks):
            moved = moved_sums(block, change, groups.starts)
            for side, sums in zip(found, (totals[0] + moved, totals[1] - moved), strict=True):
                side.append(defined_mean(_pearson(sums, sizes, gold_square)))
        return np.concatenate(found[0]), np.concatenate(found[1])

    def each_pair(
        self, groups: Groups, scores: Sequence[Vector], pairs: Pairs, masks: NDArray[np.uint8]
    ) -> Iterator[tuple[Vector, Vector]]:
        """In one group what moves out of each metric is summed once for all pairs that it is in."""
        if len(groups) > 1:
            yield from super().each_pair(groups, scores, pairs, masks)
            return
        used = sorted({metric for pair in pairs for metric in pair})
        gold = groups.human - groups.human.mean()
        gold_square = (gold * gold).sum()
        middle = sum(scores[metric].mean() for metric in used) / len(used)
        columns = {metric: _moments(scores[metric] - middle, gold) for metric in used}
        totals = {metric: columns[metric].sum(axis=1)[:, None] for metric in used}
        if len(pairs) < len(used):
            tables = [columns[j] - columns[i] for i, j in pairs]
        else:
            tables = [columns[metric] for metric in used]
        table = tables[0] if len(tables) == 1 else np.concatenate(tables)
        sums = np.asarray(_native.masked_sums(table, masks)).reshape(len(tables), 3, -1)
        out = dict(zip(used, sums, strict=False))
        for number, (i, j) in enumerate(pairs):
            moved = sums[number] if len(pairs) < len(used) else out[j] - out[i]
            sides = (totals[i] + moved, totals[j] - moved)
            first, second = (_pearson(side, len(gold), gold_square) for side in sides)
            yield first, second


def _moments(scores: Vector, gold: Vector) -> Vector:
    """x, its square and its product with people's scores, each a row."""
    rows = np.empty((3, len(scores)))
    rows[0] = scores
    np.multiply(scores, scores, out=rows[1])
    np.multiply(scores, gold, out=rows[2])
    return rows


def _pearson(sums: Vector, n: Vector | int, gold_square: Any) -> Vector:
    """r from sums of moments; NaN where scores, or people's, are all the same."""
    x, xx, xy = sums
    spread = (xx - x**2 / n) * gold_square
    flat = spread <= 1e-24 * np.maximum(1.0, xx) * np.maximum(1.0, gold_square)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(flat, np.nan, xy / np.sqrt(spread))


@dataclass(frozen=True)
class MeanSpearman(PairedStatistic):
    """Spearman's rho, the mean over groups.

    >>> from tertium.stats.grouping import grouped
    >>> MeanSpearman().of(grouped([[1.0, 2.0, 3.0]]), np.array([1.0, 3.0, 2.0]))
    0.5
    """

    def of(self, groups: Groups, scores: Vector) -> float:
        nobody = np.zeros((1, len(scores)), dtype=bool)
        return float(self.shuffled(groups, scores, scores, nobody)[0][0])

    def by_group(self, groups: Groups, scores: Vector) -> Vector:
        return np.asarray(self._of_groups(groups, scores[None, :])[0])

    def as_means(self, groups: Groups, scores: Sequence[Vector]) -> tuple[Groups, list[Vector]]:
        def ranks(values: Vector) -> Vector:
            return np.concatenate([average_ranks(part) for part in groups.parts(values)])

        return replace(groups, human=ranks(groups.human)), [ranks(row) for row in scores]

    def shuffled(self, groups: Groups, first: Vector, second: Vector, masks: Masks) -> tuple[Vector, Vector]:
        found: tuple[list[Vector], list[Vector]] = ([], [])
        for block in mask_blocks(masks):
            for side, (own, other) in zip(found, ((first, second), (second, first)), strict=True):
                side.append(defined_mean(self._of_groups(groups, np.where(block, other, own))))
        return np.concatenate(found[0]), np.concatenate(found[1])

    def _of_groups(self, groups: Groups, rows: Vector) -> Vector:
        found = np.empty((len(rows), len(groups)))
        for size in np.unique(groups.sizes):
            which = np.flatnonzero(groups.sizes == size)
            cells = groups.starts[which][:, None] + np.arange(size)
            gold = 2 * average_ranks(groups.human[cells]) - (size + 1)
            own = 2 * average_ranks(rows[:, cells]) - (size + 1)
            with np.errstate(invalid="ignore", divide="ignore"):
                spread = np.sqrt((own * own).sum(axis=-1) * (gold * gold).sum(axis=-1))
                found[:, which] = (own * gold).sum(axis=-1) / spread
        return found


@dataclass(frozen=True)
class MeanTau(PairedStatistic):
    """Kendall's tau-b, the mean over groups; scores within `epsilon` tie.

    >>> from tertium.stats.grouping import grouped
    >>> MeanTau().of(grouped([[1.0, 2.0, 3.0]]), np.array([1.0, 3.0, 2.0])).__round__(4)
    0.3333
    """

    epsilon: float = 0.0

    def of(self, groups: Groups, scores: Vector) -> float:
        return float(defined_mean(self.by_group(groups, scores)[None, :])[0])

    def by_group(self, groups: Groups, scores: Vector) -> Vector:
        values = [counts.tau_b for counts in grouped_pair_counts(groups, scores, self.epsilon)]
        return np.array(values, dtype=np.float64)

    def contributions(self, groups: Groups, scores: Sequence[Vector]) -> Vector:
        pairs, gold_ties = _pairs_and_ties(groups)
        whole = []
        for row in scores:
            counts = np.asarray(_native.pair_counts(groups.human, row, groups.starts, self.epsilon))
            ordered = np.sqrt((pairs - gold_ties) * (pairs - counts[:, 3] - counts[:, 4]))
            whole.append(np.divide(1.0, ordered, out=np.zeros(len(groups)), where=ordered > 0))
        margins = [self.epsilon] * len(scores)
        return _contributions(groups, scores, margins, np.stack(whole), lambda gold, own: gold * own)

    def shuffled(self, groups: Groups, first: Vector, second: Vector, masks: Masks) -> tuple[Vector, Vector]:
        pairs, gold_ties = _pairs_and_ties(groups)
        found: tuple[list[Vector], list[Vector]] = ([], [])
        for counts in _shuffled_counts(groups, first, second, masks, self.epsilon):
            for metric, side in enumerate(found):
                right, wrong, both = (counts[:, :, metric, c].astype(np.float64) for c in range(3))
                by_people, by_metric = pairs - gold_ties, right + wrong + gold_ties - both
                with np.errstate(invalid="ignore", divide="ignore"):
                    side.append(defined_mean((right - wrong) / np.sqrt(by_people * by_metric)))
        return np.concatenate(found[0]), np.concatenate(found[1])


@dataclass(frozen=True)
class MeanAccuracy(PairedStatistic):
    """acc_eq (`tertium.stats.calibration`), the mean over groups; scores within `epsilon` tie.

    >>> from tertium.stats.grouping import grouped
    >>> MeanAccuracy().of(grouped([[1.0, 2.0, 3.0]]), np.array([1.0, 3.0, 2.0])).__round__(4)
    0.6667
    """

    epsilon: float = 0.0

    def of(self, groups: Groups, scores: Vector) -> float:
        return float(defined_mean(self.by_group(groups, scores)[None, :])[0])

    def by_group(self, groups: Groups, scores: Vector) -> Vector:
        values = [counts.accuracy for counts in grouped_pair_counts(groups, scores, self.epsilon)]
        return np.array(values, dtype=np.float64)

    def contributions(self, groups: Groups, scores: Sequence[Vector]) -> Vector:
        return _accuracy_contributions(groups, scores, [self.epsilon] * len(scores))

    def shuffled(self, groups: Groups, first: Vector, second: Vector, masks: Masks) -> tuple[Vector, Vector]:
        pairs, _ = _pairs_and_ties(groups)
        found: tuple[list[Vector], list[Vector]] = ([], [])
        for counts in _shuffled_counts(groups, first, second, masks, self.epsilon):
            for metric, side in enumerate(found):
                with np.errstate(invalid="ignore", divide="ignore"):
                    side.append(defined_mean((counts[:, :, metric, 0] + counts[:, :, metric, 2]) / pairs))
        return np.concatenate(found[0]), np.concatenate(found[1])


@dataclass(frozen=True)
class MeanCalibratedAccuracy(PairedStatistic):
    """acc_eq with the best margin for ties, found again after each shuffle.

    >>> from tertium.stats.grouping import grouped
    >>> MeanCalibratedAccuracy().of(grouped([[1.0, 1.0, 3.0]]), np.array([1.0, 1.5, 4.0]))
    1.0
    """

    def of(self, groups: Groups, scores: Vector) -> float:
        return calibrate(groups, scores).accuracy

    def by_group(self, groups: Groups, scores: Vector) -> Vector:
        """With the margin for ties that is best over all groups."""
        return MeanAccuracy(calibrate(groups, scores).epsilon).by_group(groups, scores)

    def contributions(self, groups: Groups, scores: Sequence[Vector]) -> Vector:
        margins = [0.0 if row.min() == row.max() else calibrate(groups, row).epsilon for row in scores]
        return _accuracy_contributions(groups, scores, margins)

    def shuffled(self, groups: Groups, first: Vector, second: Vector, masks: Masks) -> tuple[Vector, Vector]:
        ours = [self.of(groups, np.where(mask, second, first)) for mask in masks]
        theirs = [self.of(groups, np.where(mask, first, second)) for mask in masks]
        return np.array(ours), np.array(theirs)


def _accuracy_contributions(groups: Groups, scores: Sequence[Vector], margins: Sequence[float]) -> Vector:
    pairs = groups.sizes * (groups.sizes - 1) / 2
    whole = np.divide(1.0, pairs, out=np.zeros(len(groups)), where=pairs > 0)
    weights = np.broadcast_to(whole, (len(scores), len(groups)))
    # Every cell ties with itself, which is no pair: that much is taken off.
    ones = _contributions(groups, scores, margins, weights, lambda gold, own: gold == own)
    used = np.count_nonzero(whole)
    return np.asarray(ones - np.repeat(whole, groups.sizes) / max(1, used))


def _contributions(
    groups: Groups,
    scores: Sequence[Vector],
    margins: Sequence[float],
    weights: Vector,
    kernel: Callable[[NDArray[np.int8], NDArray[np.int8]], NDArray[Any]],
) -> Vector:
    """For each metric and cell, the sum of a kernel of the signs of differences over the cells of its group, times the
    group's weight; the mean over groups with a weight."""
    found = np.zeros((len(scores), len(groups.human)))
    for number, (start, stop) in enumerate(pairwise(groups.starts.tolist())):
        step = max(1, _BLOCK // (stop - start))
        for row in range(start, stop, step):
            rows, columns = slice(row, min(stop, row + step)), slice(start, stop)
            gold = np.sign(groups.human[rows, None] - groups.human[None, columns]).astype(np.int8)
            for m, (own, margin) in enumerate(zip(scores, margins, strict=True)):
                apart = own[rows, None] - own[None, columns]
                signs = (apart > margin).view(np.int8) - (apart < -margin).view(np.int8)
                found[m, rows] = kernel(gold, signs).sum(axis=1) * weights[m, number]
    used = np.count_nonzero(weights, axis=1)
    return np.asarray(found / np.maximum(1, used)[:, None])


def mask_blocks(masks: Masks) -> Iterator[Masks]:
    step = max(1, _BLOCK // max(1, masks.shape[1]))
    for start in range(0, len(masks), step):
        yield masks[start : start + step]


def moved_sums(masks: Masks, columns: Vector, starts: NDArray[np.int64]) -> Vector:
    """Columns x shuffles x groups: the sums over the cells that change sides."""
    parts = [np.add.reduceat(np.where(masks, column, 0.0), starts[:-1], axis=1) for column in columns]
    return np.stack(parts)


def defined_mean(values: Vector) -> Vector:
    """The mean of each row over what is defined; NaN where nothing is.

    >>> defined_mean(np.array([[1.0, 2.0, np.nan], [np.nan, np.nan, np.nan]])).tolist()
    [1.5, nan]
    """
    defined = ~np.isnan(values)
    number = defined.sum(axis=1)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(defined, values, 0.0).sum(axis=1) / np.where(number, number, np.nan))


def _pairs_and_ties(groups: Groups) -> tuple[Vector, Vector]:
    """Of each group all pairs, and those that people tie."""
    sizes = groups.sizes
    rows = np.asarray(_native.pair_counts(groups.human, groups.human, groups.starts, 0.0))
    return sizes * (sizes - 1) / 2, rows[:, 4].astype(np.float64)


def _shuffled_counts(
    groups: Groups, first: Vector, second: Vector, masks: Masks, epsilon: float
) -> Iterator[NDArray[np.int64]]:
    """Blocks of shuffles x groups x two metrics x (concordant, discordant, tied by both)."""
    if int(groups.sizes.max()) > _LARGE:
        for mask in masks:
            sides = (np.where(mask, second, first), np.where(mask, first, second))
            parts = [np.asarray(_native.pair_counts(groups.human, s, groups.starts, epsilon)) for s in sides]
            yield np.stack(parts, axis=1)[None, :, :, [0, 1, 4]]
        return
    step = 64 * max(1, _BLOCK // (64 * 6 * len(groups)))
    for start in range(0, len(masks), step):
        block = masks[start : start + step]
        words = _words(block)
        rows = np.asarray(
            _native.swap_counts(
                groups.human, first, second, groups.starts, epsilon, epsilon, words, len(block)
            )
        )
        yield rows.reshape(len(block), len(groups), 2, 3)


def _words(masks: Masks) -> NDArray[np.uint64]:
    """Shuffles x cells as cells x words, bit s of word w being shuffle 64 w + s."""
    shuffles, cells = masks.shape
    packed = np.zeros((cells, -(-shuffles // 64) * 8), dtype=np.uint8)
    bits = np.packbits(masks, axis=0, bitorder="little")
    packed[:, : len(bits)] = bits.T
    return packed.view("<u8").astype(np.uint64)
