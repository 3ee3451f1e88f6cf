"""Randomisation tests for scores in blocks: every sentence is judged under every condition."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np

from tertium.stats.pvalues import randomisation_p
from tertium.stats.resampling import SEED, Draws

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray

_ROUNDING = 1e-9  # relative: sums of the same numbers in another order are equal
_KEY = 32  # bits of a random key; equal keys keep their order, which happens once in billions


def block_permutation_p(scores: ArrayLike, *, permutations: int = 10_000, seed: int = SEED) -> float:
    """Do conditions (columns) differ, given blocks (rows)? A permutation test of the randomised block design.

    The statistic is the spread of the conditions' means, sum_j (m_j - m)^2 (the F of an analysis of variance orders
    permutations the same way, Edgington 1980); labels are shuffled within each block. p = (larger or equal + 1) /
    (permutations + 1). One block alone can show nothing: its p is 1.

    >>> block_permutation_p([[1, 2, 3], [1, 2, 3], [1, 2, 3], [2, 3, 4]], permutations=999) < 0.05
    True
    >>> block_permutation_p([[1, 1], [2, 2]], permutations=99)
    1.0
    """
    table = _checked(scores)
    observed = _spread(table.mean(axis=0))
    edge = observed - _ROUNDING * float(np.abs(table).max(initial=0.0)) ** 2
    large = sum(int((_spread(means) >= edge).sum()) for means in _shuffled_means(table, permutations, seed))
    return (large + 1) / (permutations + 1)


def _shuffled_means(
    table: NDArray[np.float64], permutations: int, seed: int
) -> Iterator[NDArray[np.float64]]:
    """The means of conditions after labels have been shuffled within each block: a row for each permutation."""
    blocks, conditions = table.shape
    for packed in Draws(seed).swaps(_KEY * blocks * conditions, permutations):
        bits = np.ascontiguousarray(packed[:, : 4 * blocks * conditions])
        keys = bits.view("<u4").reshape(-1, blocks, conditions)
        order = keys.argsort(axis=2, kind="stable")
        shuffled = np.take_along_axis(np.broadcast_to(table, keys.shape), order, axis=2)
        yield shuffled.mean(axis=1)


def contrast_permutation_p(
    scores: ArrayLike, contrasts: ArrayLike, *, permutations: int = 10_000, seed: int = SEED
) -> list[float]:
    """Are contrasts of conditions zero? One test for each row of weights (which sum to zero), by shuffling the labels
    of conditions (columns) within each block (row).

    All shuffles where there are no more of them than `permutations` (an exact test), else drawn ones.

    >>> contrast_permutation_p([[1, 2], [1, 3], [1, 4]], [[-1, 1]])
    [0.25]
    """
    table, weights = _checked(scores), _checked(contrasts)
    blocks, conditions = table.shape
    observed = np.abs(table.mean(axis=0) @ weights.T)
    edges = observed - _ROUNDING * float(np.abs(table).max(initial=0.0)) * np.abs(weights).sum(axis=1)
    if math.factorial(conditions) ** blocks <= permutations:
        sums = np.zeros((1, conditions))
        for row in table:
            orders = np.array(list(itertools.permutations(row)))
            sums = (sums[:, None, :] + orders).reshape(-1, conditions)
        large = (np.abs(sums / blocks @ weights.T) >= edges).mean(axis=0)
        return [float(share) for share in large]
    count = np.zeros(len(weights))
    for means in _shuffled_means(table, permutations, seed):
        count += (np.abs(means @ weights.T) >= edges).sum(axis=0)
    return [float(share) for share in (count + 1) / (permutations + 1)]


def sign_flip_p(differences: ArrayLike, *, trials: int = 10_000, seed: int = SEED) -> list[float]:
    """Is the mean of paired differences zero? One test a column, by turning the signs of rows (Fisher 1935).

    All 2^n patterns of signs where there are no more of them than `trials` (an exact test), else `trials` drawn ones.

    >>> sign_flip_p([[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]])
    [0.25, 1.0]
    """
    table = _checked(differences)
    n = len(table)
    observed = table.mean(axis=0)
    if 2**n <= trials:
        signs = np.array(list(itertools.product((1, -1), repeat=n)))
        flipped = signs @ table / n
        edges = np.abs(observed) - _ROUNDING * np.abs(table).max(axis=0, initial=0.0)
        return [float(share) for share in (np.abs(flipped) >= edges).mean(axis=0)]
    parts = [
        (1.0 - 2.0 * np.unpackbits(packed, axis=1, count=n, bitorder="little")) @ table / n
        for packed in Draws(seed).swaps(n, trials)
    ]
    flipped = np.vstack(parts)
    nothing = np.zeros(len(flipped))
    return [randomisation_p(nothing, flipped[:, j], float(observed[j])) for j in range(table.shape[1])]


def _checked(scores: ArrayLike) -> NDArray[np.float64]:
    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2 or not table.size or not np.isfinite(table).all():
        raise ValueError("a test of blocks needs a table of finite numbers")
    return table


def _spread(means: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(((means - means.mean(axis=-1, keepdims=True)) ** 2).sum(axis=-1))
