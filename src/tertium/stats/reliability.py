"""What a number that was said is worth: curves that only rise, and how far what was said is from what was true."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def isotonic(values: ArrayLike, weights: ArrayLike | None = None) -> NDArray[np.float64]:
    """The rising sequence nearest to these values by (weighted) squares: neighbours in the wrong order become their
    mean (Ayer et al. 1955).

    >>> isotonic([1, 3, 2, 4]).tolist()
    [1.0, 2.5, 2.5, 4.0]
    """
    given = np.asarray(values, float)
    heavy = np.ones(len(given)) if weights is None else np.asarray(weights, float)
    means: list[float] = []
    masses: list[float] = []
    sizes: list[int] = []
    for value, weight in zip(given.tolist(), heavy.tolist(), strict=True):
        mean, mass, size = value, weight, 1
        while means and means[-1] >= mean:
            before = masses.pop()
            mean = (means.pop() * before + mean * mass) / (before + mass)
            mass, size = mass + before, size + sizes.pop()
        means.append(mean)
        masses.append(mass)
        sizes.append(size)
    return np.repeat(means, sizes) if means else np.zeros(0)


def equal_bins(values: ArrayLike, number: int) -> list[NDArray[np.int64]]:
    """Places of values in bins of equal sizes, as far as that goes, the lowest first; equal values are in one bin.

    >>> [own.tolist() for own in equal_bins([5, 1, 1, 1, 9, 7], 3)]
    [[1, 2, 3], [0], [5, 4]]
    """
    given = np.asarray(values, float)
    order = np.argsort(given, kind="stable")
    ordered = given[order]
    edges = [0]
    for cut in range(1, number):
        place = round(cut * len(given) / number)
        if 0 < place < len(given):
            place = int(np.searchsorted(ordered, ordered[place], side="left"))
            if place <= edges[-1]:  # as many equal ones as a bin has places, or more
                place = int(np.searchsorted(ordered, ordered[place], side="right"))
            if edges[-1] < place < len(given):
                edges.append(place)
    return [order[a:b] for a, b in zip(edges, [*edges[1:], len(given)], strict=True) if b > a]


@dataclass(frozen=True)
class ReliabilityBin:
    """Things that were said to be worth about the same."""

    number: int
    said: float  # mean
    true: float  # mean
    margin: float  # half of the 95% interval of what was true


@dataclass(frozen=True)
class Reliability:
    """How far what was said is from what was true, in bins of equal sizes."""

    bins: tuple[ReliabilityBin, ...]
    error: float  # mean distance of the two, over all (expected calibration error)
    chance: float  # what that would be, on average, if everything said were right


def reliability(said: ArrayLike, true: ArrayLike, bins: int = 10) -> Reliability:
    """The expected calibration error: the mean, over bins of equal sizes, of |mean said - mean true|. `chance` is what
    chance alone makes of it, sqrt(2 / pi) times the standard error of each bin's mean.

    >>> found = reliability([10, 10, 20, 20], [0, 20, 20, 30], bins=2)
    >>> found.error, [(own.said, own.true) for own in found.bins]
    (2.5, [(10.0, 10.0), (20.0, 25.0)])
    """
    ours, theirs = np.asarray(said, float), np.asarray(true, float)
    if ours.shape != theirs.shape or not ours.size:
        raise ValueError(f"{ours.size} values said, {theirs.size} true")
    found, error, chance = [], 0.0, 0.0
    for places in equal_bins(ours, bins):
        own = theirs[places]
        spread = float(np.std(own, ddof=1)) / math.sqrt(len(own)) if len(own) > 1 else 0.0
        found.append(
            ReliabilityBin(len(own), float(ours[places].mean()), float(own.mean()), 1.959964 * spread)
        )
        share = len(own) / len(ours)
        error += share * abs(found[-1].said - found[-1].true)
        chance += share * math.sqrt(2 / math.pi) * spread
    return Reliability(tuple(found), error, chance)
