"""mt-metrics-eval's permutation test for accuracy with calibrated ties: outcomes of comparisons change sides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tertium.stats.calibration import calibrate
from tertium.stats.grouping import Averaging, grouped
from tertium.stats.permutation import RESAMPLES, PermutationTests, compare_all, of_ratios
from tertium.stats.resampling import SEED

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def outcome_tests(
    human: ArrayLike,
    metrics: Sequence[ArrayLike],
    *,
    resamples: int = RESAMPLES,
    block: int | None = None,
    seed: int = SEED,
) -> PermutationTests:
    """Every pair of metrics, the better acc_eq by item against the worse; all are systems x segments.

    Each metric ties what its own margin says, and keeps it. For every pair of systems on a segment a coin decides
    whether the metrics exchange whether they were right (`perm_test = "pairs"` of mt-metrics-eval, as WMT has used it
    since 2023). The test takes comparisons of the same segment for independent, which they are not.

    >>> rng = np.random.default_rng(1)
    >>> human = rng.normal(size=(5, 40))
    >>> metrics = [human + noise * rng.normal(size=human.shape) for noise in (1, 4)]
    >>> outcome_tests(human, metrics).p.round(3).tolist()
    [[nan, 0.023], [nan, nan]]
    """
    groups = grouped(human, Averaging.ITEM)
    sizes = groups.sizes
    used = int((sizes > 1).sum())
    first = [np.triu_indices(size, 1)[0] + start for size, start in zip(sizes, groups.starts, strict=False)]
    second = [np.triu_indices(size, 1)[1] + start for size, start in zip(sizes, groups.starts, strict=False)]
    one, other = np.concatenate(first), np.concatenate(second)
    pairs = sizes * (sizes - 1) // 2
    weights = np.repeat(1 / np.maximum(pairs, 1) / max(used, 1), pairs)
    by_people = np.sign(groups.human[one] - groups.human[other])
    right, values = [], []
    for metric in metrics:
        scores = groups.scores(metric)
        apart = scores[one] - scores[other]
        tied = np.abs(apart) <= calibrate(groups, scores).epsilon
        right.append((np.where(tied, 0.0, np.sign(apart)) == by_people) * weights)
        values.append(np.nan if scores.min() == scores.max() else float(right[-1].sum()))
    columns = np.stack(right)
    resampled = of_ratios(columns, np.broadcast_to(weights, columns.shape))
    return compare_all(values, len(one), resampled, resamples=resamples, block=block, seed=seed)
