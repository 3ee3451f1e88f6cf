"""How much work a document is: words that are to be translated, and hours, with an interval.

A segment costs the share of its words that is to be edited, and reading: of a segment that needs no edit at all,
`reading` (a tenth) of what its translation costs. Segments without anything to start from cost all their words, what is
repeated within the document only reading. Hours are these words divided by words per hour, which nobody measured here:
it is said beforehand, and the interval is that of the words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tertium.analysis.experience import Experience, Spread

READING = 0.1  # of the work of translating
WORDS_PER_HOUR = 300.0  # some 2,400 words in a day of eight hours
EDGE = 1.959964  # 95%
REPEATED, NEW, THERE = "repeated", "new", "there already"
MACHINE_BAND = "machine"


class Portion(NamedTuple):
    """A segment, as work sees it: its words, where its text comes from, and the share that is expected to be saved."""

    words: int
    band: str
    saved: float
    exact: bool = False
    error: float | None = None  # standard deviation of that share, where the memory does not tell


@dataclass(frozen=True)
class Effort:
    """New words that the work amounts to, and hours; None where no interval is known."""

    words: int
    weighted: float
    low: float | None
    high: float | None
    hours: float
    hours_low: float | None
    hours_high: float | None
    words_per_hour: float
    reading: float
    assumed: bool  # words per hour are our own guess, nobody named them

    def time(self) -> tuple[str, str, str]:
        """The unit in which hours are told, how many there are, and between what (empty: not known).

        >>> Effort(142, 114.0, 105.0, 124.0, 0.38, 0.35, 0.413, 300.0, 0.1, True).time()
        ('minutes', '23', '21 to 25')
        """
        unit, many, digits = ("hours", 1.0, 1) if self.hours >= 1 else ("minutes", 60.0, 0)
        if self.hours_low is None or self.hours_high is None:
            between = ""
        else:
            between = f"{many * self.hours_low:,.{digits}f} to {many * self.hours_high:,.{digits}f}"
        return unit, f"{many * self.hours:,.{digits}f}", between


@dataclass(frozen=True)
class EffortBand:
    """Segments of a kind: how many, their words, what is expected to be saved of them, and the work that is left."""

    band: str
    segments: int
    words: int
    saved: float | None  # mean share, by words
    weighted: float


def cost(portion: Portion, reading: float) -> float:
    """New words that a segment amounts to.

    >>> [round(cost(Portion(10, "75-84", saved), reading=0.2), 6) for saved in (1.0, 0.5, 0.0)]
    [2.0, 6.0, 10.0]
    """
    if portion.band == THERE:
        return 0.0
    return portion.words * (reading + (1 - reading) * (1 - portion.saved))


def effort_of(
    portions: Sequence[Portion],
    experience: Experience,
    *,
    words_per_hour: float | None = None,
    reading: float = READING,
) -> Effort:
    """The work of a document, with a 95% interval where the memory has enough documents to tell."""
    rate = words_per_hour or WORDS_PER_HOUR
    weighted = sum(cost(own, reading) for own in portions)
    words = sum(own.words for own in portions)
    error = _error(portions, experience)
    low = high = None
    if error is not None:
        least = reading * sum(own.words for own in portions if own.band != THERE)
        most = float(sum(own.words for own in portions if own.band != THERE))
        margin = EDGE * (1 - reading) * error
        low, high = max(least, weighted - margin), min(most, weighted + margin)
    hours = [None if own is None else own / rate for own in (weighted, low, high)]
    return Effort(
        words,
        weighted,
        low,
        high,
        weighted / rate,
        hours[1],
        hours[2],
        rate,
        reading,
        words_per_hour is None,
    )


def _error(portions: Sequence[Portion], experience: Experience) -> float | None:
    """Standard deviation of the words that are saved; None where it is not known. A document that is far from the mean
    in one way is taken to be so in others, too."""
    alone = common = 0.0
    for own in portions:
        if own.band in (NEW, THERE, REPEATED):
            continue
        spread = experience.exact if own.exact else experience.fuzzy
        if own.error is not None:
            documents = experience.fuzzy.documents if experience.fuzzy else 0.0
            spread = Spread(own.error, documents)
        if spread is None:
            return None
        alone += (spread.segments * own.words) ** 2
        common += spread.documents * own.words
    return float(np.sqrt(alone + common**2))


def bands_of(portions: Sequence[Portion], order: Sequence[str], reading: float) -> tuple[EffortBand, ...]:
    """Portions by band, in this order; those that nothing is in are left out."""
    found = []
    for band in order:
        own = [portion for portion in portions if portion.band == band]
        if own:
            words = sum(portion.words for portion in own)
            saved = sum(portion.words * portion.saved for portion in own) / words if words else 0.0
            known = None if band in (NEW, THERE) else saved
            found.append(
                EffortBand(band, len(own), words, known, sum(cost(portion, reading) for portion in own))
            )
    return tuple(found)
