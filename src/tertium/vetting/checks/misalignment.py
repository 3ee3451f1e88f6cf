"""Units whose text fits a neighbour's better, seen over the whole document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.vetting.checks.base import Doubt
from tertium.vetting.misplaced import BetterPlace, Displacement

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tertium.io.memories.unit import Unit

_SHOWN = 60  # characters of a text


class Misalignment:
    """A unit that stands beside the text of a neighbour."""

    name = "misalignment"
    sentence = (
        "No other unit of the document has a target that fits better (in files that hold documents in order)."
    )
    learner = Displacement

    def sieve(self, rows: NDArray[np.float64]) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = rows[:, 0] > 0.0
        return found

    def doubt(self, learner: Displacement, unit: Unit, row: Sequence[float]) -> Doubt | None:
        place = learner.place(unit) if row[0] > 0.0 else None
        if place is None:
            return None
        spans = ((0, len(unit.source)),), ((0, len(unit.target)),)
        return Doubt(self.name, told(place), row[0], *spans)


def told(place: BetterPlace) -> str:
    """What happened to a unit, in words."""
    (begin, end), (first, past) = place.targets, place.sources
    where = f"{place.region.cause} of {place.region.end - place.region.begin} units"
    quoted = place.texts[1] if len(place.texts[1]) <= _SHOWN else place.texts[1][: _SHOWN - 2].rstrip() + " …"
    if begin == end:
        return f"nothing near it translates the source ({where})"
    if past - first > 1:
        return f"its translation is that of {past - first} units together: “{quoted}” ({where})"
    if end - begin > 1:
        return f"its translation is in {end - begin} units: “{quoted}” ({where})"
    away = begin - place.unit
    units = "1 unit" if abs(away) == 1 else f"{abs(away)} units"
    return f"its translation stands {units} {'later' if away > 0 else 'earlier'}: “{quoted}” ({where})"
