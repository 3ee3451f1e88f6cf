"""Is one metric better than another? Permutation tests over their scores (Deutsch, Dror and Roth 2021).

Every test here has the same form. Under the null hypothesis two metrics are equally good, so it does not matter which
of them a score comes from. Units of scores (single scores, systems, segments, documents) change sides between the two
metrics, each by the toss of a coin; p is how often the difference of the statistics is then at least as large as it
is. The test is valid if the metrics' errors on different units are independent: the unit says what the test assumes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from tertium import _native
from tertium.errors import InputError
from tertium.stats.grouping import Averaging, Groups, grouped
from tertium.stats.paired_statistics import MeanPearson, PairedStatistic, defined_mean
from tertium.stats.resampling import SEED, Draws

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Vector = NDArray[np.float64]
    Pairs = Sequence[tuple[int, int]]
    # Coins (resamples x units, packed) and pairs of metrics to both statistics of each pair after each resample.
    Resampled = Callable[[NDArray[np.uint8], Pairs], Iterable[tuple[Vector, Vector]]]

RESAMPLES = 1000
BLOCK = 100
STOP_BELOW, STOP_ABOVE = 0.02, 0.50
MANY = 100  # segments: from here on means over pairs of cells are not counted again in each resample
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

    `share` = exceeding / resamples is what mt-metrics-eval prints. Where there are no more permutations than
    resamples, each is made once (`exact`): one of them is the scores as they are, and p = exceeding / resamples.
    p is None where a statistic is undefined.
    """

    first: float
    second: float
    exceeding: int
    resamples: int  # made, fewer than asked for where the test stopped early
    asked: int
    seed: int
    exact: bool = False

    @property
    def difference(self) -> float:
        return self.first - self.second

    @property
    def p(self) -> float | None:
        if np.isnan(self.difference):
            return None
        return self.share if self.exact else (self.exceeding + 1) / (self.resamples + 1)

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
    stops early, and neither does a test that makes every permutation once. Scores are oriented: higher is better.

    >>> rng = np.random.default_rng(1)
    >>> human = rng.normal(size=(5, 40))
    >>> good, bad = human + rng.normal(size=human.shape), human + 4 * rng.normal(size=human.shape)
    >>> found = permutation_test(human, good, bad)
    >>> round(found.first, 2), round(found.second, 2), round(found.p, 3), found.resamples
    (0.73, 0.31, 0.01, 100)
    """
    measure = MeanPearson() if statistic is None else statistic
    groups = grouped(human, averaging)
    scores = [standardised(groups.scores(metric)) for metric in (first, second)]
    if any(row is None for row in scores):
        raise InputError("a metric that gives every segment the same score cannot be tested against another")
    values, units, resampled = _resampling(groups, scores, measure, averaging, shuffle)
    tests, _ = _tested(values, [(0, 1)], units, resampled, resamples, block, seed)
    return tests[0]


def standardised(scores: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Scores with mean 0 and standard deviation 1; None where all are equal."""
    if scores.min() == scores.max():
        return None
    return np.ascontiguousarray((scores - scores.mean()) / scores.std())


def _resampling(
    groups: Groups,
    scores: Sequence[Vector | None],
    statistic: PairedStatistic,
    averaging: Averaging,
    shuffle: Shuffle,
) -> tuple[list[float], int, Resampled]:
    """The metrics' values, the number of units that change sides, and what computes both sides' statistics then."""
    known = [np.zeros(len(groups.cells)) if row is None else row for row in scores]
    if shuffle is Shuffle.SEGMENTS and averaging is Averaging.ITEM:
        # A segment that changes sides takes its value with it: the mean over segments needs one sum for each metric.
        by_group = np.stack([statistic.by_group(groups, row) for row in known])
        values = [
            np.nan if row is None else float(mean)
            for row, mean in zip(scores, defined_mean(by_group), strict=True)
        ]
        return values, len(groups), _of_means(by_group)
    values = [statistic.of(groups, row) for row in known]
    values = [np.nan if row is None else value for row, value in zip(scores, values, strict=True)]
    systems, segments = groups.shape
    units = {Shuffle.BOTH: len(groups.cells), Shuffle.SYSTEMS: systems, Shuffle.SEGMENTS: segments}[shuffle]
    unit_of_cell = {
        Shuffle.BOTH: np.arange(len(groups.cells)),
        Shuffle.SYSTEMS: groups.cells // segments,
        Shuffle.SEGMENTS: groups.cells % segments,
    }[shuffle]
    # Units that nobody judged have no coin: they would only double the number of permutations.
    used, unit_of_cell = np.unique(unit_of_cell, return_inverse=True)
    if shuffle is Shuffle.SEGMENTS and len(used) >= MANY:
        contributions = statistic.contributions(groups, known)
        if contributions is not None:
            table = np.zeros((len(known), len(used)))
            for row, cells in zip(table, contributions, strict=True):
                row += np.bincount(unit_of_cell, cells, len(used))
            return values, len(used), _of_contributions(table)
        if (ranked := statistic.as_means(groups, known)) is not None:
            groups, known = ranked
            statistic = MeanPearson()
    if len(used) == units == len(groups.cells):
        return values, units, lambda coins, pairs: statistic.each_pair(groups, known, pairs, coins)

    def resampled(coins: NDArray[np.uint8], pairs: Pairs) -> Iterable[tuple[Vector, Vector]]:
        bits = np.unpackbits(coins, axis=1, count=len(used), bitorder="little")
        masks = np.packbits(bits[:, unit_of_cell], axis=1, bitorder="little")
        return statistic.each_pair(groups, known, pairs, masks)

    return values, len(used), resampled


def _of_contributions(table: Vector) -> Resampled:
    """For metrics x units of contributions to a mean over pairs of cells: a statistic of two metrics whose difference
    varies as that of the means does, after the difference of a unit's contributions has changed its sign.

    Each pair of cells has two ends, so the contributions add up to twice the mean; that is what makes their sum vary as
    much as the mean over pairs does (Hoeffding 1948).
    """
    totals = table.sum(axis=1)

    def resampled(coins: NDArray[np.uint8], pairs: Pairs) -> Iterable[tuple[Vector, Vector]]:
        turned = np.asarray(_native.masked_sums(table, coins)).reshape(len(table), -1)
        for i, j in pairs:
            yield totals[i] - 2 * turned[i], totals[j] - 2 * turned[j]

    return resampled


def _of_means(by_group: Vector) -> Resampled:
    """For metrics x units of values: the means over units that are defined, after units have changed sides."""
    defined = ~np.isnan(by_group)
    columns = np.concatenate([np.where(defined, by_group, 0.0), defined.astype(np.float64)])
    return of_ratios(columns[: len(by_group)], columns[len(by_group) :])


def of_ratios(numerators: Vector, denominators: Vector) -> Resampled:
    """For metrics x units: what computes sum of numerators / sum of denominators after units have changed sides."""
    columns = np.ascontiguousarray(np.concatenate([numerators, denominators]))
    totals = columns.sum(axis=1)
    metrics = len(numerators)

    def resampled(coins: NDArray[np.uint8], pairs: Pairs) -> Iterable[tuple[Vector, Vector]]:
        leaving = np.asarray(_native.masked_sums(columns, coins)).reshape(len(columns), -1)
        for i, j in pairs:
            sides = []
            for a, b in ((i, j), (j, i)):
                above, below = (totals[k + a] - leaving[k + a] + leaving[k + b] for k in (0, metrics))
                with np.errstate(invalid="ignore", divide="ignore"):
                    sides.append(np.where(below > 0.5, above / below, np.nan))
            yield sides[0], sides[1]

    return resampled


def _tested(
    values: Sequence[float],
    pairs: Pairs,
    units: int,
    resampled: Resampled,
    resamples: int,
    block: int | None,
    seed: int,
) -> tuple[list[PermutationTest], list[Vector]]:
    """All pairs under the same coins, each until its answer is clear; with the differences after each resample."""
    if resamples < 1 or (block is not None and block < 1):
        raise InputError(
            f"there must be at least one resample, and one in a block, not {resamples} and {block}"
        )
    exact = units < 63 and 2**units <= resamples
    total = 2**units if exact else resamples
    stop = None if exact else block
    edges = [values[i] - values[j] - _ROUNDING for i, j in pairs]
    exceeding, made = [0] * len(pairs), [0] * len(pairs)
    differences: list[list[Vector]] = [[] for _ in pairs]
    unclear, done = list(range(len(pairs))), 0
    draws = Draws(seed)
    step = max(64, _COINS // units)
    while unclear and done < total:
        here = min(total - done, step if stop is None else stop)
        coins = _every(units, done, here) if exact else draws.coins(units, here)
        done += here
        sides = resampled(coins, [pairs[k] for k in unclear])
        for k, (first, second) in zip(unclear, sides, strict=True):
            moved = first - second
            exceeding[k] += int((moved >= edges[k]).sum()) + int(np.isnan(moved).sum())
            made[k] = done
            differences[k].append(moved)
        if stop is not None:
            unclear = [k for k in unclear if STOP_BELOW <= exceeding[k] / done <= STOP_ABOVE]
    tests = [
        PermutationTest(values[i], values[j], exceeding[k], made[k], resamples, seed, exact)
        for k, (i, j) in enumerate(pairs)
    ]
    return tests, [np.concatenate(parts) for parts in differences]


def _every(units: int, start: int, number: int) -> NDArray[np.uint8]:
    """Permutations `start` to `start + number` of all 2^units, packed; the first leaves every unit where it is."""
    bits = (np.arange(start, start + number)[:, None] >> np.arange(units)) & 1
    return np.packbits(bits.astype(np.uint8), axis=1, bitorder="little")


@dataclass(frozen=True, eq=False)
class PermutationTests:
    """All metrics against all: `p[i, j]` of "metric i is better than metric j", NaN on the diagonal and where metric j
    is the better one. `values` are the statistic; NaN where it is undefined.

    `units` is how many things change sides, `exact` whether every permutation was made once. `observed` and
    `differences` have the difference of the statistics of each tested pair (i, j): as it is, and after each
    permutation.
    """

    values: NDArray[np.float64]
    p: NDArray[np.float64]
    resamples: int
    seed: int
    units: int
    exact: bool
    observed: Mapping[tuple[int, int], float] = field(default_factory=dict, repr=False)
    differences: Mapping[tuple[int, int], NDArray[np.float64]] = field(default_factory=dict, repr=False)

    @property
    def least_p(self) -> float:
        """The smallest p-value that the test can give: one permutation of all 2^units, or of those made."""
        return least_p(self.units, self.resamples)

    @property
    def made(self) -> str:
        """How the permutations were chosen, in words."""
        if self.exact:
            return f"all {2**self.units:,} permutations"
        return f"{self.resamples:,} random permutations, seed {self.seed}"


def least_p(units: int, resamples: int = RESAMPLES) -> float:
    """The smallest p-value of a permutation test of so many units: 2^-units, or 1 / (resamples + 1) if that is larger.

    >>> least_p(3), round(least_p(20), 6)
    (0.125, 0.000999)
    """
    return 2.0**-units if units < 63 and 2**units <= resamples else 1 / (resamples + 1)


def compare_all(
    values: Sequence[float],
    units: int,
    resampled: Resampled,
    *,
    resamples: int = RESAMPLES,
    block: int | None = None,
    seed: int = SEED,
) -> PermutationTests:
    """Every pair of metrics with a value, the better one tested against the worse, all under the same coins.

    `resampled` takes coins (resamples x units, packed) and pairs of metrics, and computes the statistics of both
    metrics of each pair after each resample.
    """
    defined = range(len(values))
    pairs = [
        (i, j)
        for i in defined
        for j in defined
        if values[i] > values[j] or (values[i] == values[j] and i < j)
    ]
    tests, differences = _tested(values, pairs, units, resampled, resamples, block, seed)
    p = np.full((len(values), len(values)), np.nan)
    for (i, j), test in zip(pairs, tests, strict=True):
        p[i, j] = np.nan if test.p is None else test.p
    exact = units < 63 and 2**units <= resamples
    observed = {pair: test.difference for pair, test in zip(pairs, tests, strict=True)}
    by_pair = dict(zip(pairs, differences, strict=True))
    return PermutationTests(np.array(values), p, resamples, seed, units, exact, observed, by_pair)


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
    scores = [standardised(groups.scores(metric)) for metric in metrics]
    values, units, resampled = _resampling(groups, scores, measure, averaging, shuffle)
    return compare_all(values, units, resampled, resamples=resamples, block=block, seed=seed)
