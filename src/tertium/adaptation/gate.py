"""What stands before every learner: corrections that are empty, of another language, or of other segments.

A correction of a segment has more to do with what was proposed for it than with what was proposed for other segments:
its likeness to its own proposal, in standard deviations of its likeness to those of others, is what `StrayedTexts`
looks at (docs/estimate-online.md): a sequential test that doubts a stream by chance once in 100,000 corrections at
most. While a stream is doubted nothing is learnt, what was learnt since it was last beyond doubt is taken back, and
balances stand at static.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium.adaptation.base import SourceSegment, checked_correction
from tertium.matching.languages import other_language
from tertium.online.strayed import NEAR, StrayedTexts

SAME = 0.5  # likeness from which on a correction has edited its proposal, for sure
OTHERS = 30  # proposals of other segments that a correction is compared with
LEAST = 8  # fewer say nothing


def likeness(one: str, other: str) -> float:
    """What two texts have in common: Dice's coefficient of their trigrams of characters, capitals aside.

    >>> likeness("Snow tonight", "snow tonight"), likeness("Snow", "Rain")
    (1.0, 0.0)
    """
    a, b = _trigrams(one), _trigrams(other)
    return 2 * len(a & b) / (len(a) + len(b))


def _trigrams(text: str) -> set[str]:
    padded = f"  {' '.join(text.lower().split())} "
    return {padded[i : i + 3] for i in range(len(padded) - 2)}


@dataclass(frozen=True)
class Admission:
    """Whether a correction is learnt from, why not, and to how many corrections to go back (None: to none)."""

    admitted: bool
    reasons: tuple[str, ...] = ()
    back_to: int | None = None


class CorrectionGate:
    """Looks at corrections before they are learnt from.

    >>> gate = CorrectionGate("fr")
    >>> gate.look(SourceSegment("Snow"), "Snow", "Neige").admitted
    True
    >>> german = "Das ist nicht die Datei, die wir mit dem Programm öffnen und auf der Platte haben."
    >>> gate.look(SourceSegment("Snow"), "Snow", german).reasons[0][:28]
    'the correction seems to be i'
    """

    def __init__(self, target_language: str = "") -> None:
        self.language = target_language
        self.strays = StrayedTexts()
        self.proposed: deque[str] = deque(maxlen=OTHERS)
        self.seen = 0  # corrections that were learnt from
        self.calm = 0  # of these, those before the first that is in doubt now

    @property
    def doubted(self) -> bool:
        """Whether nothing is learnt at present."""
        return self.strays.held

    def look(self, segment: SourceSegment, proposal: str, correction: str) -> Admission:
        """What to do with a correction, given what was proposed (empty: nothing)."""
        text = checked_correction(segment, correction)
        if self.language and (strange := other_language([text], self.language)) is not None:
            return Admission(False, (f"the correction {strange}: nothing is learnt from it",))
        related = self._related(proposal, text)
        if proposal:
            self.proposed.append(proposal)
        before = self.doubted
        alarm = related is not None and self.strays.look(related)
        if alarm:
            back, self.seen = self.calm, self.calm
            said = (
                "corrections have no more to do with what was proposed than with other segments: the stream looks "
                f"poisoned. Back to the first {back:,} corrections; nothing is learnt until they make sense again"
            )
            return Admission(False, (said,), back)
        if self.doubted:
            return Admission(False, ("corrections still look poisoned: nothing is learnt",))
        self.seen += 1
        if self.strays.doubt == 0:
            self.calm = self.seen
        return Admission(True, ("corrections make sense again",) if before else ())

    def _related(self, proposal: str, correction: str) -> float | None:
        """How far a correction is more like its own proposal than like others; None where nobody can tell."""
        if not proposal or len(self.proposed) < LEAST:
            return None
        own, *others = (likeness(text, correction) for text in (proposal, *self.proposed))
        if own >= SAME:
            return NEAR
        spread = max(float(np.std(others)), 0.02)
        return (own - float(np.mean(others))) / spread

    def state(self) -> dict[str, Any]:
        """What it knows, in plain JSON types."""
        return {
            "strays": self.strays.state.tolist(),
            "proposed": list(self.proposed),
            "seen": self.seen,
            "calm": self.calm,
        }

    def take(self, state: Mapping[str, Any]) -> None:
        self.strays.state = np.array(state["strays"], float)
        self.proposed = deque(state["proposed"], maxlen=OTHERS)
        self.seen, self.calm = int(state["seen"]), int(state["calm"])

    def forget(self) -> None:
        self.__init__(self.language)  # type: ignore[misc]
