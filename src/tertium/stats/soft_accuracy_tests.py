"""Is one metric's soft pairwise accuracy higher than another's? Permutation tests for SPA (Thompson et al. 2024).

mt-metrics-eval lets each segment score change sides alone (`Shuffle.BOTH`). A metric that likes a system too much likes
it on every segment: such errors average out under its coins, but not in the score, and true nulls are rejected far more
often than they should be. Whole systems changing sides (`Shuffle.SYSTEMS`) keep the level.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError
from tertium.stats.accuracy import difference_ps
from tertium.stats.permutation import (
    RESAMPLES,
    PermutationTests,
    Shuffle,
    compare_all,
    standardised,
)
from tertium.stats.resampling import SEED

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from tertium.stats.permutation import Pairs, Resampled, Vector


def soft_accuracy_tests(
    human: ArrayLike,
    metrics: Sequence[ArrayLike],
    *,
    shuffle: Shuffle = Shuffle.SYSTEMS,
    trials: int = 1000,
    resamples: int = RESAMPLES,
    block: int | None = None,
    seed: int = SEED,
) -> PermutationTests:
    """Every pair of metrics, the better one tested against the worse. All are systems x segments of oriented scores;
    a segment that people did not judge for every system is left out.

    `Shuffle.SYSTEMS`: all of a system's segment scores change sides together. What a metric gives to all systems of a
    segment is subtracted first: SPA does not depend on it, and the two metrics' scores can then stand for each other.
    `Shuffle.BOTH`: each score alone, as in mt-metrics-eval; p-values of systems are computed again in each resample.
    `trials` is the number of permutations behind SPA's own p-values.

    >>> rng = np.random.default_rng(1)
    >>> human = rng.normal(size=(8, 40)) + np.arange(8)[:, None]
    >>> metrics = [human + rng.normal(size=human.shape), human + 2 * rng.normal(size=(8, 1))]
    >>> tests = soft_accuracy_tests(human, metrics)
    >>> tests.made, (tests.p[0, 1] < 0.1).item()
    ('all 256 permutations', True)
    """
    people = np.asarray(human, dtype=np.float64)
    judged = np.asarray(~np.isnan(people).any(axis=0))
    if len(people) < 2 or not judged.any():
        raise InputError("soft pairwise accuracy needs two systems and a segment that people judged for both")
    people = people[:, judged]
    rows = [np.asarray(metric, dtype=np.float64)[:, judged] for metric in metrics]
    if shuffle is Shuffle.SYSTEMS:
        rows = [row - row.mean(axis=0) for row in rows]
    scores = [standardised(row) for row in rows]
    filled = np.stack([np.zeros(people.shape) if row is None else row for row in scores])
    if shuffle is Shuffle.SYSTEMS:
        values, resampled = _systems_change_sides(people, filled, trials, seed)
        units = len(people)
    elif shuffle is Shuffle.BOTH:
        values, resampled = _scores_change_sides(people, filled, trials, seed)
        units = people.size
    else:
        raise InputError("soft pairwise accuracy is tested by systems or by single scores that change sides")
    values = [np.nan if row is None else value for row, value in zip(scores, values, strict=True)]
    return compare_all(values, units, resampled, resamples=resamples, block=block, seed=seed)


def _systems_change_sides(
    people: Vector, metrics: Vector, trials: int, seed: int
) -> tuple[list[float], Resampled]:
    """A mixed metric has p-values of a system of one metric against a system of the other. There are so few of those
    that all are computed beforehand; a resample only looks them up."""
    number, systems, segments = metrics.shape
    first, second = np.triu_indices(systems, 1)
    by_people = difference_ps(people[None], trials, seed)[0][first, second]
    p = difference_ps(metrics.reshape(1, -1, segments), trials, seed)[0]
    p = p.reshape(number, systems, number, systems)
    values = [1 - float(np.abs(by_people - p[m, first, m, second]).mean()) for m in range(number)]
    places = np.arange(len(first))

    def resampled(coins: NDArray[np.uint8], pairs: Pairs) -> Iterable[tuple[Vector, Vector]]:
        bits = np.unpackbits(coins, axis=1, count=systems, bitorder="little")
        choice = 2 * bits[:, first] + bits[:, second]
        for i, j in pairs:
            sides = [(i, i), (i, j), (j, i), (j, j)]
            errors = np.stack([np.abs(by_people - p[a, first, b, second]) for a, b in sides], axis=1)
            yield 1 - errors[places, choice].mean(axis=1), 1 - errors[places, 3 - choice].mean(axis=1)

    return values, resampled


def _scores_change_sides(
    people: Vector, metrics: Vector, trials: int, seed: int
) -> tuple[list[float], Resampled]:
    """As in mt-metrics-eval: p-values from the same trials for each mixture of the two metrics' scores."""
    upper = np.triu_indices(len(people), 1)
    by_people = difference_ps(people[None], trials, seed)[0][upper]

    def soft_accuracies(matrices: Vector) -> list[float]:
        return [1 - float(np.abs(by_people - p[upper]).mean()) for p in difference_ps(matrices, trials, seed)]

    def resampled(coins: NDArray[np.uint8], pairs: Pairs) -> Iterable[tuple[Vector, Vector]]:
        masks = np.unpackbits(coins, axis=1, count=people.size, bitorder="little").view(bool)
        for i, j in pairs:
            sides = []
            for mask in masks.reshape(-1, *people.shape):
                mixed = [np.where(mask, metrics[j], metrics[i]), np.where(mask, metrics[i], metrics[j])]
                sides.append(soft_accuracies(np.stack(mixed).astype(np.float64)))
            table = np.array(sides)
            yield table[:, 0], table[:, 1]

    return soft_accuracies(metrics), resampled
