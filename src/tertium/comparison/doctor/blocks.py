"""Short blocks of lines that stand one line too early or too late: what speaks for it, in log odds, and where they end.

Of each line: how many more of its words (by rarity) are in the reference of the other place than in that of its own,
and how much more alike it is, in characters, to that reference, and to the lines of other systems there. Each weighs
what a logistic regression says: of lines of WMT17's de-en and cs-en outputs as they are, and of the same lines shifted
by one. Over a block log odds add. The line that a block has changed places with, at its other end, speaks for it too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tertium.comparison.doctor.column import TextColumn

Odds = npt.NDArray[np.float64]

# Fitted and chosen on de-en and cs-en of WMT17 by `python -m tools.doctor_blocks`: every output as it is stays below.
ALONE = (8.5, 6.4, 0.0, 8.0)  # characters, words, characters of other systems; the least log odds of a block
AMONG = (3.4, 4.0, 7.0, 4.0)  # where there are other systems
_PROMISING = 0.1  # two lines that together gain so much, in whole lines, are looked at
_AROUND = 3  # lines beyond those that are promising
OTHERS = 3  # systems to compare with
LEAST = 2  # lines in a block


@dataclass(frozen=True, eq=False)
class Neighbours:
    """A text, its reference and other systems: how well its lines fit so many lines away."""

    column: TextColumn
    reference: TextColumn
    others: Sequence[TextColumn]
    gains: Odds  # of words, by line
    distance: int

    def likeness(self, text: TextColumn, places: Sequence[int], away: Sequence[int]) -> Odds:
        """How much more alike lines are to those of a text so many lines away than to those beside them, by chrF."""
        from tertium.families.chrf import ChrF

        own = [self.column.line(i) for i in places]
        targets = [i + lines for i, lines in zip(places, away, strict=True)]
        there = [text.line(i) if 0 <= i < len(text) else "" for i in targets]
        here = [text.line(i) for i in places]
        metric = ChrF()
        rows = metric.statistics([*own, *own], metric.prepare([*there, *here]))
        found = np.nan_to_num(metric.score_rows(rows, "segment")) / 100
        return found[: len(own)] - found[len(own) :]

    def odds(self, places: Sequence[int]) -> tuple[Odds, Odds]:
        """Log odds of these lines by the reference alone, and with the other systems."""
        away = [self.distance] * len(places)
        like = self.likeness(self.reference, places, away)
        words = self.gains[np.asarray(places)]
        characters, weight, _, _ = ALONE
        alone = characters * like + weight * words
        if not self.others:
            return alone, alone
        beside = np.mean([self.likeness(other, places, away) for other in self.others], axis=0)
        characters, weight, shared, _ = AMONG
        return alone, characters * like + weight * words + shared * beside

    def blocks(self, taken: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """First and last lines of short blocks, outside those that are known."""
        for found in self.promising(taken):
            best = next((one for one in found if one[2] >= one[3] and one[1] - one[0] + 1 >= LEAST), None)
            if best is not None:
                yield best[:2]

    def promising(self, taken: Sequence[tuple[int, int]]) -> Iterator[list[tuple[int, int, float, float]]]:
        """Where there may be blocks: first and last line, log odds and how many are needed, alone and among systems."""
        together = self.gains[:-1] + self.gains[1:]
        windows = [
            range(max(0, begin - _AROUND), min(len(self.column), end + 2 + _AROUND))
            for begin, end in _grouped(np.flatnonzero(together > _PROMISING).tolist())
            if not any(begin <= last + _AROUND and end + 1 >= first - _AROUND for first, last in taken)
        ]
        both = self.odds([i for places in windows for i in places]) if windows else ()
        ends = np.cumsum([len(places) for places in windows])[:-1].tolist()
        for places, alone, among in zip(windows, *(np.split(odds, ends) for odds in both), strict=bool(both)):
            found = []
            tests = ((alone, ALONE[-1]), (among, AMONG[-1]))
            for odds, least in tests if self.others else tests[:1]:
                begin, end, total = largest_sum(odds)
                if total < least - ALONE[0]:  # nothing that the line behind it may say is enough
                    continue
                by_line = dict(zip(places, odds.tolist(), strict=True))
                first, last, more = self.settled(begin + places[0], end + places[0], by_line)
                found.append((first, last, total + more, least))
            yield found

    def ends(self, first: int, last: int) -> tuple[int, int]:
        """The ends of a longer block, to the line."""
        inside = (first + last) // 2
        before = range(max(0, first - _AROUND), min(first + _AROUND, inside) + 1)
        behind = range(max(last - _AROUND, inside), min(len(self.column), last + _AROUND + 1))
        odds = self.odds([*before, *behind])[1 if self.others else 0]
        left, right = odds[: len(before)], odds[len(before) :]
        begin = before[int(np.argmax(np.cumsum(left[::-1])[::-1]))]
        end = behind[int(np.argmax(np.cumsum(right)))]
        by_line = dict(zip([*before, *behind], odds.tolist(), strict=True))
        return self.settled(begin, end, by_line)[:2]

    def settled(self, first: int, last: int, odds: Mapping[int, float]) -> tuple[int, int, float]:
        """The block without lines at its end that rather belong where it begins, and what that adds to its log odds."""
        if abs(self.distance) != 1:
            return first, last, 0.0
        step = self.distance  # the line that it has changed places with stands behind the block, or before it
        begin, end = (first, last) if step > 0 else (last, first)
        ends = [end - step * k for k in range(_AROUND) if k <= last - first and (end - step * k) in odds]
        places = [one + step for one in ends]
        inside = [k for k, place in enumerate(places) if 0 <= place < len(self.column)]
        added = np.zeros(len(ends))
        if inside:
            away = [begin - places[k] for k in inside]
            added[inside] = ALONE[0] * self.likeness(self.reference, [places[k] for k in inside], away)
        added = np.maximum(added, 0.0)
        added[1:] -= np.cumsum([odds[one] for one in ends[:-1]])
        best = int(np.argmax(added))
        return min(begin, ends[best]), max(begin, ends[best]), float(added[best])


def largest_sum(values: Sequence[float] | Odds) -> tuple[int, int, float]:
    """First and last place of the stretch with the largest sum, and the sum.

    >>> largest_sum([-1, 2, -1, 3, -5, 1])
    (1, 3, 4.0)
    """
    best, total, begin = (0, 0, -np.inf), -np.inf, 0
    for i, value in enumerate(values):
        if total <= 0:
            total, begin = 0.0, i
        total += float(value)
        if total > best[2]:
            best = begin, i, total
    return best[0], best[1], float(best[2])


def _grouped(places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Places that are at most three lines apart, as first and last."""
    begin = end = None
    for place in places:
        if end is None or place - end > _AROUND:
            if begin is not None and end is not None:
                yield begin, end
            begin = place
        end = place
    if begin is not None and end is not None:
        yield begin, end
