"""What a translator starts from in each segment, and what is to be done with it: pass, edit, block, or new.

Of a stored translation its match rate decides, as translators know it: the same text passes, unless something speaks
against it; from 70% on it is edited. Of a machine translation its mark decides, and what detectors say. Where there are
both, the one is shown that saves more.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tertium.analysis.analysed import DONE, NEW
from tertium.analysis.effort import MACHINE_BAND, REPEATED, THERE
from tertium.analysis.experience import Experience
from tertium.analysis.machine import MachineOutput
from tertium.matching.documents import DocumentSegment
from tertium.matching.matched import BANDS, MatchedSegment
from tertium.matching.parts import HELPFUL
from tertium.matching.proposals import EXACT, MACHINE, SOURCE, Proposal
from tertium.triage.verdicts import BLOCK, EDIT, PASS, Thresholds
from tertium.vetting.suspicion import Suspicion

AS_IT_STANDS = "source as it stands"
MEMORY = "memory"


class StartingPoint(NamedTuple):
    """A status; what is shown, from where, how alike, of what worth; the band it counts in, the share of words it is
    expected to save; and why."""

    status: str
    target: str
    origin: str
    rate: int | None
    mark: float | None
    band: str
    saved: float
    reasons: tuple[str, ...]
    error: float | None = None  # of the share saved, where the memory does not tell
    proposals: tuple[Proposal, ...] = ()


class Decider(NamedTuple):
    """What decisions stand on: what matches saved before, what the machine made, from which marks on things pass."""

    experience: Experience
    machine: MachineOutput | None
    thresholds: Thresholds

    def decide(
        self, place: int, given: DocumentSegment, found: MatchedSegment, doubt: Suspicion | None
    ) -> StartingPoint:
        """The memory's, or the machine's where it saves more; or nothing."""
        if given.target:
            return StartingPoint(DONE, given.target, "", None, None, THERE, 1.0, ("translated already",))
        stored, made = self._stored(given, found, doubt), self._made(place, given)
        proposals = (*found.proposals, *self._proposal(place, given))
        both = [own for own in (stored, made) if own is not None]
        shown = [own for own in both if own.status != BLOCK]
        if shown:  # where both save the same, the memory's: a person made it
            return max(shown, key=lambda own: own.saved)._replace(proposals=proposals)
        if both:
            return both[-1]._replace(proposals=proposals)
        why = f"the best match has {found.rate}%" if found.rate else "nothing like it is stored"
        return StartingPoint(NEW, "", "", found.rate or None, None, NEW, 0.0, (why,), proposals=proposals)

    def _stored(
        self, given: DocumentSegment, found: MatchedSegment, doubt: Suspicion | None
    ) -> StartingPoint | None:
        if not helpful(found):
            return None
        best = found.proposals[0]
        reasons = [*(own.words() for own in best.terms), *_tags(given)]
        if best.origin == SOURCE:
            worth = best.worth or 0.0
            said = ("best left as it stands, the policy expects", *reasons)
            return StartingPoint(EDIT, best.target, SOURCE, None, None, AS_IT_STANDS, worth, said)
        saved = float(self.experience.expected([best.rate])[0])
        if doubt is not None:
            checks = [f"the stored unit is doubtful: {own.sentence}" for own in doubt.reasons[:2]]
            reasons += checks or ["the stored unit is doubtful"]
        exact = best.rate >= EXACT
        if exact and not reasons and self.experience.learned and 100 * saved < self.thresholds.passes:
            reasons.append(f"of 100 words of such matches {100 - 100 * saved:.0f} were edited before")
        head = "the same text is stored" if exact else f"a match of {best.rate}%"
        status = PASS if exact and not reasons else EDIT
        about = (best.target, MEMORY, best.rate, None, band_of(best.rate), saved)
        return StartingPoint(status, *about, (head, *reasons))

    def _made(self, place: int, given: DocumentSegment) -> StartingPoint | None:
        machine = self.machine
        if machine is None or place not in machine.estimates:
            return None
        mark, verdict = machine.estimates[place]
        said = "machine translation" + ("" if mark is None else f", mark {mark:.0f}")
        if place in machine.detections or verdict == BLOCK:
            why = machine.detections.get(place, f"its mark is below {self.thresholds.edits:g}")
            return StartingPoint(BLOCK, "", MACHINE, None, mark, NEW, 0.0, (said, why))
        saved = mark / 100 if machine.saves and mark is not None else 0.0
        tags = tuple(_tags(given))
        about = (machine.texts[place].strip(), MACHINE, None, mark, MACHINE_BAND, saved)
        error = machine.error if machine.saves else 0.0
        return StartingPoint(EDIT if tags else verdict, *about, (said, *tags), error)

    def _proposal(self, place: int, given: DocumentSegment) -> Iterator[Proposal]:
        """The machine's, beside those of the memory."""
        if self.machine is not None and place in self.machine.estimates:
            mark = self.machine.estimates[place][0]
            text = self.machine.texts[place].strip()
            worth = None if mark is None else mark / 100
            yield Proposal(given.source, text, 0, 0.0, 0.0, (), (), worth=worth, origin=MACHINE)


def helpful(found: MatchedSegment) -> bool:
    """Whether the first proposal is worth to start from: by its rate, or by what a policy expects."""
    best = next(iter(found.proposals), None)
    return best is not None and (best.rate >= HELPFUL or 100 * (best.worth or 0.0) >= HELPFUL)


def _tags(given: DocumentSegment) -> Iterator[str]:
    """Inline tags are in no proposal: somebody has to put them in."""
    if given.source_markup and given.source_markup != given.source:
        yield "inline tags are to be put in"


def band_of(rate: int) -> str:
    """The band of a match rate.

    >>> band_of(101), band_of(100), band_of(88)
    ('101-102', '100', '85-94')
    """
    low, high = next((own for own in BANDS if own[0] <= rate), BANDS[-1])
    return f"{low}-{high}" if low < high else str(low)


EXACT_BANDS = (band_of(EXACT + 1), band_of(EXACT))
ORDER = (THERE, REPEATED, *(band_of(low) for low, _ in BANDS), AS_IT_STANDS, MACHINE_BAND, NEW)
