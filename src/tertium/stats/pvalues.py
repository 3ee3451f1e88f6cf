"""Two-sided p-values and intervals from the scores of resamples.

A score that is undefined (NaN) in a resample counts against significance: it is taken for a difference as large as
the observed one. p = (c + 1) / (resamples + 1) is never zero (Davison and Hinkley 1997, section 4.2).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from tertium.stats.distributions import student_quantile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

MANY_UNITS = 100  # segments or documents from which percentiles of resamples hold (docs/significance.md)
RUN_SPLITS = 10_000
_ROUNDING = 1e-12  # differences that agree to this, relative to the scores, are equal


@dataclass(frozen=True)
class Interval:
    """A 95% interval of a score and the mean and standard deviation of its resamples; None where there is none."""

    mean: float | None = None
    low: float | None = None
    high: float | None = None
    half_width: float | None = None
    spread: float | None = None
    undefined: int = 0  # resamples without a score

    def within(self, least: float, most: float) -> tuple[float | None, float | None]:
        """The ends of the interval of a share, which cannot lie outside of these bounds.

        >>> Interval(low=0.7, high=1.1).within(0.0, 1.0)
        (0.7, 1.0)
        """
        low = None if self.low is None else max(least, self.low)
        return low, None if self.high is None else min(most, self.high)


def percentile_interval(scores: NDArray[np.float64], share: float = 0.95) -> Interval:
    """Mean and the central 95% (or another `share`) of the scores, those undefined left out and counted.

    >>> percentile_interval(np.arange(101.0)).low
    2.5
    """
    defined = scores[~np.isnan(scores)]
    missing = len(scores) - len(defined)
    if not len(defined):
        return Interval(undefined=missing)
    ordered = np.sort(defined)
    low, high = (_quantile(ordered, round(end, 9)) for end in ((1 - share) / 2, (1 + share) / 2))
    return Interval(float(defined.mean()), low, high, (high - low) / 2, _spread(defined), missing)


def resample_interval(
    scores: NDArray[np.float64],
    value: float | None,
    n_units: int,
    *,
    bootstrap: bool = True,
    share: float = 0.95,
) -> Interval:
    """The 95% interval (or another `share`) of a score over `n_units` segments or documents, from its resamples.

    From `MANY_UNITS` on it is the middle 95% of the resamples. With fewer units these are too narrow: bootstrap
    resamples have (n - 1)/n of the variance of other samples, and the variance itself is uncertain. There the interval
    is value +- t(n - 1) standard errors (Student 1908), which holds where percentiles do not (docs/significance.md).
    `bootstrap` is false where the scores already vary as those of other samples would (`stats.subsampling`).

    >>> resample_interval(np.array([4.0, 5.0, 6.0]), 5.0, 5).half_width.__round__(3)
    3.104
    """
    found = percentile_interval(scores, share)
    if n_units >= MANY_UNITS or found.spread is None:
        return found
    if value is None or n_units < 2:
        return replace(found, low=None, high=None, half_width=None)
    error = found.spread * (math.sqrt(n_units / (n_units - 1)) if bootstrap else 1.0)
    half = student_quantile((1 + share) / 2, n_units - 1) * error
    return replace(found, low=value - half, high=value + half, half_width=half)


def sacrebleu_interval(scores: NDArray[np.float64]) -> Interval:
    """As sacrebleu takes it: the scores a fortieth from either end.

    >>> sacrebleu_interval(np.array([1.0, 2.0, 6.0])).half_width
    2.5
    """
    defined = np.sort(scores[~np.isnan(scores)])
    missing = len(scores) - len(defined)
    if not len(defined):
        return Interval(undefined=missing)
    tail = len(defined) // 40
    low, high = float(defined[tail]), float(defined[-1 - tail])
    return Interval(float(defined.mean()), low, high, 0.5 * (high - low), _spread(defined), missing)


def _quantile(ordered: NDArray[np.float64], share: float) -> float:
    """numpy's, bit for bit, without what it imports and checks, which takes ten times as long as sorting."""
    place = share * (len(ordered) - 1)
    before = int(place)
    one, other = float(ordered[before]), float(ordered[min(before + 1, len(ordered) - 1)])
    between = place - before
    return one + (other - one) * between if between < 0.5 else other - (other - one) * (1 - between)


def _spread(scores: NDArray[np.float64]) -> float:
    return float(scores.std(ddof=1)) if len(scores) > 1 else 0.0


def bootstrap_p(first: NDArray[np.float64], second: NDArray[np.float64], observed: float) -> float:
    """Paired bootstrap (Koehn 2004), as a two-sided test: how often resampled differences, moved to the mean 0
    that the null hypothesis gives them (Riezler and Maxwell 2005), are at least as large as the observed one.

    >>> bootstrap_p(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 3.0]), 0.0)
    1.0
    """
    differences = second - first
    defined = ~np.isnan(differences)
    centred = differences[defined] - (differences[defined].mean() if defined.any() else 0.0)
    return _share(centred, observed, _scale(first, second), len(differences))


def randomisation_p(first: NDArray[np.float64], second: NDArray[np.float64], observed: float) -> float:
    """Approximate randomisation (Noreen 1989): how often swapped systems differ at least as much.

    >>> randomisation_p(np.array([1.0, 2.0, 3.0]), np.array([2.0, 2.0, 1.0]), 2.0)
    0.5
    """
    differences = second - first
    return _share(differences[~np.isnan(differences)], observed, _scale(first, second), len(differences))


def exact_randomisation_p(first: NDArray[np.float64], second: NDArray[np.float64], observed: float) -> float:
    """The same where the scores are those of all ways to swap, the one observed among them: a share, not an estimate.

    >>> exact_randomisation_p(np.array([1.0, 2.0]), np.array([3.0, 2.0]), 2.0)
    0.5
    """
    differences = second - first
    edge = abs(observed) - _ROUNDING * _scale(first, second)
    return float((~(np.abs(differences) < edge)).mean())  # undefined counts as at least as large


def run_permutation_p(first: Sequence[float], second: Sequence[float], seed: int) -> float:
    """Two-sided permutation test of the mean scores of two systems' runs: in how many of the ways to share the runs
    out between the systems the means differ at least as much. Exact up to `RUN_SPLITS` ways, else by as many draws.

    >>> run_permutation_p([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], seed=1)
    0.1
    """
    scores, n = np.array([*first, *second]), len(first)
    places = range(len(scores))
    exact = math.comb(len(scores), n) <= RUN_SPLITS
    if exact:
        chosen = np.array(list(combinations(places, n)))
    else:
        rng = np.random.default_rng(seed)
        chosen = np.array([rng.permutation(len(scores))[:n] for _ in range(RUN_SPLITS)])
    sums, rest = scores[chosen].sum(axis=1), len(scores) - n
    differences = np.abs(sums / n - (scores.sum() - sums) / rest)
    observed = abs(scores[:n].mean() - scores[n:].mean())
    large = int((differences >= observed - _ROUNDING * np.abs(scores).max()).sum())
    return large / len(chosen) if exact else (large + 1) / (len(chosen) + 1)


def _scale(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    """The largest score, its sign aside; 0 where none is defined."""
    return float(max(np.fmax.reduce(np.abs(scores), initial=0.0) for scores in (first, second)))


def _share(differences: NDArray[np.float64], observed: float, scale: float, total: int) -> float:
    edge = abs(observed) - _ROUNDING * scale
    large = int((np.abs(differences) >= edge).sum()) + total - len(differences)
    return (large + 1) / (total + 1)


def sacrebleu_bootstrap_p(first: NDArray[np.float64], second: NDArray[np.float64], observed: float) -> float:
    """sacrebleu's: absolute differences, moved by *their* mean, that are strictly larger than the observed one."""
    sizes = np.abs(second - first)
    return _strictly_larger(sizes - sizes.mean(), observed)


def sacrebleu_randomisation_p(
    first: NDArray[np.float64], second: NDArray[np.float64], observed: float
) -> float:
    """sacrebleu's: absolute differences strictly larger than the observed one."""
    return _strictly_larger(np.abs(second - first), observed)


def _strictly_larger(sizes: NDArray[np.float64], observed: float) -> float:
    large = int((sizes > abs(observed)).sum()) + int(np.isnan(sizes).sum())
    return (large + 1) / (len(sizes) + 1)
