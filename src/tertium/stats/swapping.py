"""Whether two metrics differ in Kendall's tau over a few systems: their scores swapped, system by system."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError
from tertium.stats.resampling import SEED

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

EXACT_UP_TO = 12  # systems: all 4,096 ways to swap
SWAPS = 4_095  # drawn for more systems; with the scores as they are, 4,096


def swap_test(task: ArrayLike, first: ArrayLike, second: ArrayLike, *, seed: int = SEED) -> float:
    """The two-sided p-value of the difference between two metrics' tau-b with a task.

    If both metrics are equally good, their standardised scores of a system are exchangeable: p is the share of all
    ways to swap them that make a difference as large (PERM-BOTH of Deutsch, Dror and Roth 2021, for scores of
    systems). With five systems it is 2/32 or more.

    >>> task = [1, 2, 3, 4, 5, 6]
    >>> swap_test(task, [1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1])
    0.03125
    """
    gold, one, other = (np.asarray(scores, dtype=np.float64) for scores in (task, first, second))
    if not len(gold) == len(one) == len(other):
        raise InputError("a task and two metrics need scores of the same systems")
    n = len(gold)
    if n <= EXACT_UP_TO:
        swaps = (np.arange(1 << n)[:, None] >> np.arange(n)) & 1 == 1
    else:
        drawn = np.random.default_rng(seed).integers(0, 2, (SWAPS, n)) == 1
        swaps = np.vstack([np.zeros((1, n), dtype=bool), drawn])
    one, other = _standardised(one), _standardised(other)
    ahead = _taus(gold, np.where(swaps, other, one)) - _taus(gold, np.where(swaps, one, other))
    return float((np.abs(ahead) >= abs(ahead[0]) - 1e-12).mean())


def _standardised(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    spread = scores.std()
    return np.asarray((scores - scores.mean()) / (spread if spread > 0 else 1.0), dtype=np.float64)


def _taus(gold: NDArray[np.float64], scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """tau-b of each row of scores; 0 where it is undefined."""
    i, j = np.triu_indices(len(gold), 1)
    people = np.sign(gold[i] - gold[j])
    metric = np.sign(scores[:, i] - scores[:, j])
    scale = np.sqrt((people != 0).sum() * (metric != 0).sum(axis=1))
    return np.asarray(np.divide(metric @ people, scale, out=np.zeros(len(scores)), where=scale > 0))
