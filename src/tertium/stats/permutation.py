"""Is one metric better than another? Permutation tests over their scores (Deutsch, Dror and Roth 2021)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError
from tertium.stats.grouping import Averaging, Groups, grouped
from tertium.stats.paired_statistics import MeanPearson, PairedStatistic
from tertium.stats.resampling import SEED, Draws

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

RESAMPLES = 1000
BLOCK = 100
STOP_BELOW, STOP_ABOVE = 0.02, 0.50
_ROUNDING = 1e-12
_COINS = 2**26  # held at a time


class Shuffle(Enum):
    """What changes sides together: each score alone (PERM-BOTH), all of a system, or all of a segment."""

    BOTH = "both"
    SYSTEMS = "systems"
    SEGMENTS = "segments"


@dataclass(frozen=True)
class PermutationTest:
    """One-sided: is the first metric better? p = (exceeding + 1) / (resamples + 1) is never 0.

    `share` = exceeding / resamples is what mt-metrics-eval prints. p is None where a statistic is undefined.
    """

    first: float
    second: float
    exceeding: int
    resamples: int  # made, fewer than asked for where the test stopped early
    asked: int
    seed: int

    @property
    def difference(self) -> float:
        return self.first - self.second

    @property
    def p(self) -> float | None:
        return None if np.isnan(self.difference) else (self.exceeding + 1) / (self.resamples + 1)

    @property
    def share(self) -> float:
        return self.exceeding / self.resamples


def permutation_test(
    human: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    statistic: PairedStatistic | None = None,
    *,
    averaging: Averaging = Averaging.NONE,
    shuffle: Shuffle = Shuffle.BOTH,
    resamples: int = RESAMPLES,
    block: int | None = BLOCK,
    seed: int = SEED,
) -> PermutationTest:
    """Does the first metric agree with people better than the second? All three are systems x segments.

    Both metrics are standardised, so that their scores can stand for each other. If they are equally good it does not
    matter which of them a score comes from: in each resample a coin decides for each cell (or system, or segment),
    and p is how often the difference of the statistics is then at least as large as it is.

    After each `block` resamples the test stops if the answer is clear: a share below 0.02 or above 0.5. None never
    stops early. Scores are oriented: higher is better.

    >>> rng = np.random.default_rng(1)
    >>> human = rng.normal(size=(5, 40))
    >>> good, bad = human + rng.normal(size=human.shape), human + 4 * rng.normal(size=human.shape)
    >>> found = permutation_test(human, good, bad)
    >>> round(found.first, 2), round(found.second, 2), round(found.p, 3), found.resamples
    (0.73, 0.31, 0.01, 100)
    """
    measure = MeanPearson() if statistic is None else statistic
    groups = grouped(human, averaging)
    own, other = (_standardised(groups.scores(metric)) for metric in (first, second))
    if own is None or other is None:
        raise InputError("a metric that gives every segment the same score cannot be tested against another")
    values = [measure.of(groups, own), measure.of(groups, other)]
    return _tested(groups, [own, other], values, [(0, 1)], measure, shuffle, resamples, block, seed)[0]


def _standardised(scores: NDArray[np.float64]) -> NDArray[np.float64] | None:
    if scores.min() == scores.max():
        return None
    return np.ascontiguousarray((scores - scores.mean()) / scores.std())


def _tested(
    groups: Groups,
    scores: Sequence[NDArray[np.float64]],
    values: Sequence[float],
    pairs: Sequence[tuple[int, int]],
    statistic: PairedStatistic,
    shuffle: Shuffle,
    resamples: int,
    block: int | None,
    seed: int,
) -> list[PermutationTest]:
    """All pairs under the same shuffles, each until its answer is clear."""
    if resamples < 1 or (block is not None and block < 1):
        raise InputError(
            f"there must be at least one resample, and one in a block, not {resamples} and {block}"
        )
    edges = [values[i] - values[j] - _ROUNDING for i, j in pairs]
    exceeding, made = [0] * len(pairs), [0] * len(pairs)
    unclear, done = list(range(len(pairs))), 0
    draws = Draws(seed)
    step = max(64, _COINS // len(groups.cells))
    while unclear and done < resamples:
        here = min(resamples - done, step if block is None else block)
        masks = _masks(draws, groups, shuffle, here)
        done += here
        found = statistic.each_pair(groups, scores, [pairs[k] for k in unclear], masks)
        for k, (ours, theirs) in zip(unclear, found, strict=True):
            differences = ours - theirs
            exceeding[k] += int((differences >= edges[k]).sum()) + int(np.isnan(differences).sum())
            made[k] = done
        if block is not None:
            unclear = [k for k in unclear if STOP_BELOW <= exceeding[k] / done <= STOP_ABOVE]
    return [
        PermutationTest(values[i], values[j], exceeding[k], made[k], resamples, seed)
        for k, (i, j) in enumerate(pairs)
    ]


def _masks(draws: Draws, groups: Groups, shuffle: Shuffle, number: int) -> NDArray[np.uint8]:
    """Shuffles x judged cells, packed: which change sides."""
    systems, items = groups.shape
    unit = {Shuffle.SYSTEMS: groups.cells // items, Shuffle.SEGMENTS: groups.cells % items}
    n = {Shuffle.BOTH: len(groups.cells), Shuffle.SYSTEMS: systems, Shuffle.SEGMENTS: items}[shuffle]
    packed = draws.coins(n, number)
    if shuffle is Shuffle.BOTH:
        return packed
    bits = np.unpackbits(packed, axis=1, count=n, bitorder="little")
    return np.packbits(bits[:, unit[shuffle]], axis=1, bitorder="little")


@dataclass(frozen=True, eq=False)
class PermutationTests:
    """All metrics against all: `p[i, j]` of "metric i is better than metric j", NaN on the diagonal and where metric j
    is the better one. `values` are the statistic; NaN where it is undefined."""

    values: NDArray[np.float64]
    p: NDArray[np.float64]
    resamples: int
    seed: int


def permutation_tests(
    human: ArrayLike,
    metrics: Sequence[ArrayLike],
    statistic: PairedStatistic | None = None,
    *,
    averaging: Averaging = Averaging.NONE,
    shuffle: Shuffle = Shuffle.BOTH,
    resamples: int = RESAMPLES,
    block: int | None = BLOCK,
    seed: int = SEED,
) -> PermutationTests:
    """Every pair of metrics, the better one tested against the worse, all under the same shuffles.

    >>> rng = np.random.default_rng(1)
    >>> human = rng.normal(size=(5, 40))
    >>> metrics = [human + noise * rng.normal(size=human.shape) for noise in (4, 1)]
    >>> permutation_tests(human, metrics).p.round(3).tolist()
    [[nan, nan], [0.01, nan]]
    """
    measure = MeanPearson() if statistic is None else statistic
    groups = grouped(human, averaging)
    scores = [_standardised(groups.scores(metric)) for metric in metrics]
    values = np.array([np.nan if own is None else measure.of(groups, own) for own in scores])
    defined = [i for i, own in enumerate(scores) if own is not None]
    pairs = [
        (i, j)
        for i in defined
        for j in defined
        if values[i] > values[j] or (values[i] == values[j] and i < j)
    ]
    known = [np.empty(0) if own is None else own for own in scores]
    tests = _tested(groups, known, values.tolist(), pairs, measure, shuffle, resamples, block, seed)
    p = np.full((len(scores), len(scores)), np.nan)
    for (i, j), test in zip(pairs, tests, strict=True):
        p[i, j] = np.nan if test.p is None else test.p
    return PermutationTests(values, p, resamples, seed)
