"""Units of a document that stand beside the wrong text, found in the second pass, document by document.

Every unit is weighed by the words it has; where some do not fit, the units around them are looked at together, as
`memory report` looks at whole documents (`shifts.py`): is there another alignment that is much better? So long
documents cost little, and a shift is seen from its first unit to its last.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tertium.vetting.batches import WholeDocuments
from tertium.vetting.lexicon import MemoryLexicon
from tertium.vetting.shifts import Region, Sample, Straightener, documents

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from tertium.io.memories.unit import Unit

TAUGHT = 50_000  # units that teach which words translate which
POOR = 0.3  # evidence a word, of both sides, below which a unit may stand beside the wrong text
RUN = 6.0  # evidence against a run of words, above which it may
APART = 3  # units, from one such unit to the next, that are looked at together
AROUND = 3  # units on both sides of them that are looked at, too
EACH = 3.0  # log odds that another alignment must be better by for each unit it changes
LEAST = 3  # units of a document that has neighbours


class BetterPlace(NamedTuple):
    """Where the translation of a unit's source stands: units from and to, of those looked at together."""

    unit: int
    targets: tuple[int, int]
    sources: tuple[int, int]
    region: Region
    texts: tuple[str, str]  # what belongs together


class Displacement:
    """A learner that stands on the words' evidence. It sees nothing but in `WholeDocuments`."""

    names = ("misalignment",)
    stands_on = (MemoryLexicon,)

    def __init__(self) -> None:
        self._sample = Sample(TAUGHT)
        self._straightener: Straightener | None = None
        self._places: dict[int, BetterPlace] = {}

    def learn(self, units: Sequence[Unit]) -> None:
        self._sample.add(units)

    def found(self, names: Sequence[str], rows: Callable[[Sequence[Unit]], NDArray[np.float64]]) -> None:
        """Nothing is made before a document needs it."""

    def weigh(
        self, units: Sequence[Unit], names: Sequence[str], rows: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """How sure it is that a unit stands beside the wrong text: 0, or from one half on."""
        sure = np.zeros((len(units), 1))
        self._places = {}
        if not isinstance(units, WholeDocuments):
            return sure
        at = {name: i for i, name in enumerate(names)}
        poor = rows[:, at["both mean"]] < POOR
        for side in ("source", "target"):
            poor |= rows[:, at[f"{side} run"]] > RUN
        begin = 0
        for own in documents(units):
            end = begin + len(own)
            if len(own) >= LEAST and poor[begin:end].sum() >= 2:
                for first, past in windows(poor[begin:end]):
                    self._look(units, begin + first, begin + past, sure)
            begin = end
        return sure

    def place(self, unit: Unit) -> BetterPlace | None:
        """Where a unit that was weighed last belongs."""
        return self._places.get(id(unit))

    def _look(self, units: Sequence[Unit], begin: int, end: int, sure: NDArray[np.float64]) -> None:
        if self._straightener is None:
            self._straightener = Straightener(self._sample)
            self._sample = Sample(TAUGHT)  # the texts have taught
        own = units[begin:end]
        for region in self._straightener.regions(own):
            if region.gain < EACH * (region.end - region.begin):
                continue
            for bead in region.beads:
                for n in range(*bead.source):
                    if bead.source != bead.target or bead.source[1] - bead.source[0] > 1:
                        sure[begin + n] = region.certainty
                        texts = (
                            " ".join(one.source for one in own[slice(*bead.source)]),
                            " ".join(one.target for one in own[slice(*bead.target)]),
                        )
                        self._places[id(own[n])] = BetterPlace(n, bead.target, bead.source, region, texts)


def windows(poor: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Units to look at together: two poor ones or more that are near each other, with those around them.

    >>> [*windows(np.array([n in (7, 9, 20, 30, 31, 33) for n in range(35)]))]
    [(4, 13), (27, 35)]
    """
    places = poor.nonzero()[0].tolist()
    begin = 0
    for k in range(1, len(places) + 1):
        if k == len(places) or places[k] - places[k - 1] > APART:
            if k - begin > 1:
                yield max(0, places[begin] - AROUND), min(len(poor), places[k - 1] + AROUND + 1)
            begin = k
