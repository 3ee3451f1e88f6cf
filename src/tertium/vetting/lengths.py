"""How long targets are for their sources, learnt from the memory itself: Gale and Church's measure, made robust.

The logarithm of the ratio of characters is compared with the median of sources of that length, in units of their spread
(the median distance, which a few wrong units cannot move).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tertium.vetting.batches import UnitBatch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.io.memories.unit import Unit

MOST = 100_000  # lengths that are kept
CLASSES = 24  # of lengths: half a doubling each
ADDED = 3.0  # characters, so that short texts may differ
WEIGHT = 20.0  # units after which a class counts as much as all others
LEAST_SPREAD = 0.05


class Lengths:
    """A learner: units once, then how unusual the length of each target is.

    >>> from tertium.io.memories.unit import Unit
    >>> lengths = Lengths()
    >>> lengths.learn([Unit("a" * n, "b" * (n + n // 5)) for n in range(10, 90)])
    >>> lengths.ready()
    >>> [round(float(z), 1) for z in lengths.measure([Unit("a" * 50, "b" * 60), Unit("a" * 50, "b" * 20)])[:, 0]]
    [0.1, -20.0]
    """

    names = ("length z", "length distance", "length characters", "length ratio")

    def __init__(self) -> None:
        self._kept: list[tuple[int, int]] = []
        self._step, self._seen = 1, 0

    def learn(self, units: Sequence[Unit]) -> None:
        first = self._step - 1 - self._seen % self._step
        self._seen += len(units)
        self._kept += [(len(unit.source), len(unit.target)) for unit in units[first :: self._step]]
        while len(self._kept) > MOST:
            self._kept, self._step = self._kept[::2], 2 * self._step

    def ready(self) -> None:
        kept = np.array(self._kept, dtype=float).reshape(-1, 2)
        self._kept = []
        kept = kept[(kept > 0).all(axis=1)]
        classes, ratios = _classes(kept[:, 0]), _ratios(kept)
        centre = float(np.median(ratios)) if len(ratios) else 0.0
        spread = float(np.median(np.abs(ratios - centre))) if len(ratios) else 1.0
        self._centres, self._spreads = np.full(CLASSES, centre), np.full(CLASSES, spread)
        for i in range(CLASSES):
            own = ratios[classes == i]
            if len(own):
                share = len(own) / (len(own) + WEIGHT)
                middle = float(np.median(own))
                self._centres[i] += share * (middle - centre)
                self._spreads[i] += share * (float(np.median(np.abs(own - middle))) - spread)
        self._spreads = np.maximum(1.4826 * self._spreads, LEAST_SPREAD)

    def measure(self, units: Sequence[Unit]) -> NDArray[np.float64]:
        lengths = UnitBatch.of(units).lengths.astype(float)
        classes = _classes(lengths[:, 0])
        ratios = _ratios(lengths)
        z = (ratios - self._centres[classes]) / self._spreads[classes]
        return np.column_stack([z, np.abs(z), lengths[:, 0], ratios])


def _classes(lengths: NDArray[np.float64]) -> NDArray[np.intp]:
    return np.minimum(2.0 * np.log2(np.maximum(lengths, 1.0)), CLASSES - 1).astype(np.intp)


def _ratios(lengths: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.log((lengths[:, 1] + ADDED) / (lengths[:, 0] + ADDED))
