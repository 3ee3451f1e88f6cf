"""A line, or two, that have changed places with the line beside them: what speaks for it, in log odds.

Every line concerned is asked where it fits better, where it stands or where it would come to stand: by its words (by
rarity), by its likeness in characters to the reference, by its length, and by its likeness to other systems. Words and
characters weigh as the square root of the number of words: a short line may look like any other by chance. Weights are
those of a logistic regression on pairs of lines as they are; lines that have changed places have all signs turned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tertium.comparison.doctor.blocks import Neighbours, Odds
from tertium.comparison.doctor.column import TextColumn

SIGNS = (
    *("characters", "words", "length"),
    *("source characters", "source words", "source length"),
    "characters of others",
)
# By whether there is a source, and whether there are other systems: what each sign weighs, and the least log odds of
# one line and of two.
# Fitted and chosen on de-en and cs-en of WMT17 by `python -m tools.doctor_blocks`: every output as it is stays below.
WEIGHTS = {
    (False, False): ((1.9, 1.8, 0.8, 0, 0, 0, 0), (6.0, 3.0)),
    (True, False): ((1.7, 1.6, 0.5, 0.8, 0.8, 0.8, 0), (4.5, 3.0)),
    (False, True): ((0.8, 0.9, 0.4, 0, 0, 0, 1.8), (2.0, 2.0)),
    (True, True): ((0.7, 0.8, 0.3, 0.2, 0.3, 0.4, 1.7), (2.0, 2.0)),
}
_HARDLY = 1.0  # words may speak against it so much, in log odds, and the rest is looked at
LONGEST = 2  # lines; longer blocks are the matter of `blocks`


class Swap(NamedTuple):
    """Lines that stand `distance` lines from where they belong, and what speaks for it; the last or the first one of
    them has changed places with the others."""

    first: int
    last: int
    distance: int  # of the block; 0: two lines, either of which may be the block
    odds: float  # above those that are needed

    @property
    def lines(self) -> frozenset[int]:
        """The block and the line that it has changed places with."""
        return frozenset(range(self.first - (self.distance < 0), self.last + 1 + (self.distance > 0)))

    def touches(self, first: int, last: int) -> bool:
        """Whether it has lines in common with a run."""
        return first <= max(self.lines) and last >= min(self.lines)


@dataclass(frozen=True, eq=False)
class Swaps:
    """A text, its reference, other systems and the source."""

    column: TextColumn
    reference: TextColumn
    others: Sequence[TextColumn]
    source: TextColumn | None
    gained: Callable[
        [TextColumn, TextColumn, int], Odds
    ]  # what words say of a text beside another, so many lines away

    @cached_property
    def gains(self) -> Mapping[int, Odds]:
        return self._gains(self.reference)

    @cached_property
    def source_gains(self) -> Mapping[int, Odds]:
        return {} if self.source is None else self._gains(self.source)

    def _gains(self, text: TextColumn) -> dict[int, Odds]:
        distances = (*range(-LONGEST, 0), *range(1, LONGEST + 1))
        return {distance: self.gained(self.column, text, distance) for distance in distances}

    @cached_property
    def sizes(self) -> Odds:
        return np.asarray(np.sqrt(self.column.sizes))

    @property
    def weights(self) -> Iterator[tuple[Odds, tuple[float, ...]]]:
        """By the reference (and the source, if there is one) alone, and with the other systems."""
        for others in (False, True) if self.others else (False,):
            weights, least = WEIGHTS[self.source is not None, others]
            yield np.array(weights), least

    def steps(self, length: int, distance: int) -> list[tuple[int, int]]:
        """The lines concerned, counted from the first one, and how far from where they belong each would stand."""
        if distance > 0:
            return [*((k, 1) for k in range(length)), (length, -length)]
        return [(0, length), *((k + 1, -1) for k in range(length))]

    def features(self, firsts: npt.NDArray[np.int64], steps: Sequence[tuple[int, int]]) -> Odds:
        """Characters, words, length and characters of other systems, summed over the lines concerned."""
        found = np.zeros((len(firsts), len(SIGNS)))
        for step, away in steps:
            places = firsts + step
            near = Neighbours(self.column, self.reference, self.others, self.gains[away], away)
            lines, ways = places.tolist(), [away] * len(places)
            roots = self.sizes[places]
            found[:, 0] += roots * near.likeness(self.reference, lines, ways)
            found[:, 1] += roots * self.gains[away][places]
            found[:, 2] += self._lengths(self.reference, places, away)
            if self.source is not None:
                found[:, 3] += roots * near.likeness(self.source, lines, ways)
                found[:, 4] += roots * self.source_gains[away][places]
                found[:, 5] += self._lengths(self.source, places, away)
            if self.others:
                beside = [near.likeness(other, lines, ways) for other in self.others]
                found[:, 6] += roots * np.mean(beside, axis=0)
        return found

    def _lengths(self, text: TextColumn, places: npt.NDArray[np.int64], away: int) -> Odds:
        """How much nearer the usual length beside a text a line would be so many lines away, in squared logarithms."""
        own, theirs = (np.log(5.0 + one.survey.characters) for one in (self.column, text))
        apart = own[places] - np.median(own - theirs)
        return np.asarray((apart - theirs[places]) ** 2 - (apart - theirs[places + away]) ** 2)

    def found(self) -> Iterator[Swap]:
        """Those that are sure enough, the surest first, none of which has a line in common with another."""
        sure = [own for length in range(1, LONGEST + 1) for own in self._of(length)]
        taken: set[int] = set()
        for own in sorted(sure, key=lambda swap: -swap.odds):
            if not own.lines & taken:
                taken |= own.lines
                yield own

    def _of(self, length: int) -> Iterator[Swap]:
        for distance in (1, -1) if length > 1 else (1,):
            steps = self.steps(length, distance)
            firsts = np.arange(len(self.column) - length)
            words = sum((self.sizes * self.gains[away])[firsts + step] for step, away in steps)
            hardly = firsts[WEIGHTS[False, False][0][1] * np.asarray(words) > -_HARDLY]
            if not len(hardly):
                continue
            features = self.features(hardly, steps)
            sure = np.maximum.reduce(
                [features @ weights - least[length - 1] for weights, least in self.weights]
            )
            for first, more in zip(hardly.tolist(), sure.tolist(), strict=True):
                if more >= 0 and length == 1:
                    yield Swap(first, first + 1, 0, more)
                elif more >= 0:
                    begin = first if distance > 0 else first + 1
                    yield Swap(begin, begin + length - 1, distance, more)
