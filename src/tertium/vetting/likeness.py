"""What both texts of a unit have in common to the eye, whatever their languages (native/likeness.hpp)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tertium import _native
from tertium.vetting.batches import UnitBatch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.io.memories.unit import Unit

SIDE = (
    "capitals",  # share of words with a capital
    "names alone",  # such words, but for the first, that the other side has none like
    "numbers alone",
    "small same",  # share of words in small letters that the other side has, too
    "closed",  # ends in a full stop or the like
    "marks a word",
)
BOTH = (
    "trigrams",  # that both have, as a share (Dice)
    "mark difference",
    "closed difference",
    "numbers there",
)


class Likeness:
    """A learner that has nothing to learn: numbers for each unit, from its own two texts.

    >>> from tertium.io.memories.unit import Unit
    >>> rows = Likeness().measure([Unit("Send flowers to Sydney", "Envía flores a Yerevan")])
    >>> [float(rows[0, Likeness.names.index(f"{side} names alone")]) for side in ("source", "target")]
    [1.0, 1.0]
    """

    names = (
        *(f"{side} {name}" for side in ("source", "target") for name in SIDE),
        *(f"both {name}" for name in BOTH),
    )

    def learn(self, units: Sequence[Unit]) -> None:
        pass

    def ready(self) -> None:
        pass

    def measure(self, units: Sequence[Unit]) -> NDArray[np.float64]:
        batch = UnitBatch.of(units)
        found: NDArray[np.float64] = np.asarray(_native.likeness(batch.sources, batch.targets))
        return found
