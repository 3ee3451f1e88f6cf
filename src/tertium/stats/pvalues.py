"""Two-sided p-values and intervals from the scores of resamples.

A score that is undefined (NaN) in a resample counts against significance: it is taken for a difference as large as
the observed one. p = (c + 1) / (resamples + 1) is never zero (Davison and Hinkley 1997, section 4.2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ROUNDING = 1e-12  # differences that agree to this, relative to the scores, are equal


@dataclass(frozen=True)
class Interval:
    """What resamples say of a score: bootstrap mean, the middle 95%, standard deviation; None without resamples."""

    mean: float | None = None
    low: float | None = None
    high: float | None = None
    half_width: float | None = None
    spread: float | None = None
    undefined: int = 0  # resamples without a score


def percentile_interval(scores: NDArray[np.float64]) -> Interval:
    """Mean and the central 95% of the scores, those undefined left out and counted.

    >>> percentile_interval(np.arange(101.0)).low
    2.5
    """
    defined = scores[~np.isnan(scores)]
    missing = len(scores) - len(defined)
    if not len(defined):
        return Interval(undefined=missing)
    ordered = np.sort(defined)
    low, high = (_quantile(ordered, share) for share in (0.025, 0.975))
    return Interval(float(defined.mean()), low, high, (high - low) / 2, _spread(defined), missing)


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
