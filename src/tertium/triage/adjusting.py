"""An earlier curve and fresh segments, few or many: the curve is moved, and bent where there are enough of them.

First the marks m of the earlier curve become m + a + b (m - mean of m), by least squares that shrink a and b to 0
(`SHIFT` and `STRETCH` are how large they are expected to be). Then, in bins of the fresh segments, the mean of what is
still missed is added, as if `HOLD` segments in each had missed nothing. So fifty segments can say that all marks are
too high, and a thousand have a curve of their own. All of it was chosen on the development part of MLQE-PE's five sets,
with the curve of the training part as the earlier one (tools/calibration_table.py, `drift`).
"""

from __future__ import annotations

import numpy as np

from tertium.estimation.words import Numbers
from tertium.stats.reliability import equal_bins, isotonic

SHIFT, STRETCH = 10.0, 2.0  # points; and of 1
HOLD = 25.0
BIN = 25  # segments of which a point of a curve is the mean, at least
MOST_BINS = 40


def adjusted(points: tuple[Numbers, Numbers], estimates: Numbers, truth: Numbers) -> tuple[Numbers, Numbers]:
    """The points of a curve, moved to where fresh segments say that it is; it only rises.

    >>> old = np.array([0.0, 1.0]), np.array([60.0, 80.0])
    >>> draw = np.random.default_rng(1)
    >>> x = draw.random(400)
    >>> at, worth = adjusted(old, x, 50 + 20 * x + draw.normal(0, 5, 400))
    >>> np.interp([0.25, 0.75], at, worth).round().tolist()
    [55.0, 65.0]
    """
    at, worth = points
    said = np.interp(estimates, at, worth)
    middle, missed = said.mean(), truth - said
    apart, noise = said - middle, max(float(np.var(missed)), 1.0)
    shift = missed.sum() / (len(missed) + noise / SHIFT**2)
    stretch = (missed - missed.mean()) @ apart / (apart @ apart + noise / STRETCH**2)

    bins = equal_bins(estimates, max(1, min(MOST_BINS, len(estimates) // BIN)))
    left = missed - shift - stretch * apart
    centres = np.array([estimates[own].mean() for own in bins])
    bent = [left[own].sum() / (len(own) + HOLD) for own in bins]
    places = np.union1d(at, centres)
    before = np.interp(places, at, worth)
    moved = before + shift + stretch * (before - middle) + np.interp(places, centres, bent)
    return places, np.clip(isotonic(moved), 0.0, 100.0)
