"""Lines in the wrong order: outputs whose rare words occur in the reference of another line.

A word that is rare in both texts says where a line belongs. For each output the reference that shares most such words
(weighted by rarity) is looked for; where it is clearly another one than the line's own, the line is displaced.
Long stretches of lines that are displaced by the same distance are those in which more of the words (by rarity) are in
the other line than in their own, summed over the stretch; short ones are the matter of `blocks`. Where several systems
agree, the reference is at fault.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tertium.comparison.doctor.blocks import OTHERS, Neighbours, Odds
from tertium.comparison.doctor.column import TextColumn, share
from tertium.comparison.doctor.diagnosis import Finding, worded
from tertium.comparison.doctor.swaps import LONGEST, Swap, Swaps
from tertium.results import sentence

_RARE = 3  # a word in so many lines at most says where a line belongs
_RUN = 5  # so many displaced lines are no coincidence
_EXPLAINED = 0.9  # of the displaced lines are in one block: then it is the block that is told
_GAIN = 1.5  # nor is a stretch that, moved, would share so much more, in whole lines
Run = tuple[int, int]  # the first and the last line


@dataclass(frozen=True)
class Displaced:
    """Lines (from 0) whose text belongs to another line, with that line; and how many lines could be judged."""

    column: TextColumn
    lines: dict[int, int]
    judged: int

    @property
    def wholly(self) -> bool:
        """Whether the whole text is affected."""
        return len(self.lines) >= _RUN and share(len(self.lines), self.judged) >= 0.3

    def in_one_block(self, runs: Sequence[tuple[int, int, int]]) -> bool:
        """Whether one run of lines, however long, is all that is displaced."""
        if len(runs) != 1:
            return False
        [(first, last, _)] = runs
        return share(sum(first <= i <= last for i in self.lines), len(self.lines)) >= _EXPLAINED

    def distances(self) -> list[int]:
        """How far several lines are displaced; the most frequent distances are enough."""
        apart = Counter(j - i for i, j in self.lines.items())
        return [distance for distance, count in apart.most_common(5) if count >= 3]

    def shift(self) -> str:
        """How the lines are displaced, if most are by the same distance."""
        (distance, count), *_ = Counter(j - i for i, j in self.lines.items()).most_common(1)
        if count < 0.6 * len(self.lines):
            return ""
        first = min(i for i, j in self.lines.items() if j - i == distance)
        return sentence("doctor.shift", distance=_distance(distance), first=first + 1)


def _rarity(lines: int, most: int) -> npt.NDArray[np.float64]:
    """What it weighs that a line has a word that 0, 1, 2... of all lines have."""
    counts = np.arange(most + 1)
    return np.where(counts > 0, np.log1p(lines / np.maximum(counts, 1)), 0.0)


def _gains(
    column: TextColumn, reference: TextColumn, distance: int
) -> tuple[npt.NDArray[np.int64], Odds, npt.NDArray[np.uint8]]:
    """Lines that fit the reference better, or worse, so many lines away: by how much, and whether by more words."""
    own, theirs = column.words.types, reference.words.types
    weights = _rarity(len(reference), len(reference))
    lines, gains, more = own.gains(theirs, column.vocabulary.native, weights, distance)
    return np.asarray(lines), np.asarray(gains, dtype=float), np.asarray(more)


def all_gains(column: TextColumn, reference: TextColumn, distance: int) -> Odds:
    """The same for every line."""
    gains = np.zeros(len(column))
    places, values, _ = _gains(column, reference, distance)
    gains[places] = values
    return gains


def _stretches(places: npt.NDArray[np.int64], gains: Odds, more: npt.NDArray[np.uint8]) -> Iterator[Run]:
    """First and last lines of stretches that together fit the reference better so many lines away."""
    starts = np.flatnonzero((more > 0) & (gains > 0))
    lines, values = places.tolist(), gains.tolist()
    k = 0
    while (start := int(np.searchsorted(starts, k))) < len(starts):
        k = int(starts[start])
        first, last, total, best, informed = lines[k], lines[k], 0.0, 0.0, 0
        while k < len(values):
            gain = values[k]
            if total + gain <= 0 or (best >= _GAIN and total + gain < best - _GAIN):
                break
            total, informed = total + gain, informed + (gain > 0)
            if total > best:
                best, last = total, lines[k]
            k += 1
        if best >= _GAIN and informed >= 3:
            yield first, last


def displaced(column: TextColumn, reference: TextColumn) -> Displaced:
    """The lines of a text that belong to other lines of the reference than their own."""
    own, theirs = column.words.types, reference.words.types
    # Whole numbers: sums must not depend on the order of words, or equal lines would not be equal.
    weights = np.round(2**20 * _rarity(len(reference), _RARE)[1:]).astype(np.int64).tolist()
    lines, belong, judged = own.displaced(theirs, column.vocabulary.native, weights)
    return Displaced(column, dict(zip(lines.tolist(), belong.tolist(), strict=True)), judged)


def check_order(
    systems: Sequence[TextColumn], reference: TextColumn, source: TextColumn | None
) -> Iterator[Finding]:
    """Texts whose lines belong elsewhere, as a whole or in a run of lines; for texts of equal length."""
    found = [displaced(system, reference) for system in systems]
    blocks = {own.column.name: _longest(own, reference, systems, source) for own in found}
    whole = [own for own in found if own.wholly and not own.in_one_block(blocks[own.column.name])]
    if len(whole) > 1 and 2 * len(whole) > len(systems):
        counts = {"count": len(whole), "systems": len(systems)}
        message, advice = worded("doctor.order-of-systems", **counts, shift=whole[0].shift())
        yield Finding.at("order", "serious", reference.name, message, advice, whole[0].lines)
    else:
        yield from (_out_of_order(own, reference) for own in whole)
    if source is not None:
        beside = displaced(source, reference)
        if beside.wholly and beside.judged >= 20 and share(len(beside.lines), beside.judged) >= 0.6:
            yield _out_of_order(beside, reference)
    yield from _check_runs([own for own in found if own not in whole], blocks, reference)


def _out_of_order(own: Displaced, reference: TextColumn) -> Finding:
    counts = {"count": len(own.lines), "judged": own.judged, "reference": reference.name}
    message, advice = worded("doctor.order", **counts, shift=own.shift())
    return Finding.at("order", "serious", own.column.name, message, advice, own.lines)


def _longest(
    own: Displaced, reference: TextColumn, systems: Sequence[TextColumn], source: TextColumn | None
) -> list[tuple[int, int, int]]:
    """The stretches of a text; in a displaced one lines also fit by chance at other distances."""
    others = [system for system in systems if system is not own.column][:OTHERS]
    found = []
    for distance in sorted({-1, 1, *own.distances()}):
        places, values, more = _gains(own.column, reference, distance)
        gains = np.zeros(len(own.column))
        gains[places] = values
        near = Neighbours(own.column, reference, others, gains, distance)
        long = [near.ends(first, last) for first, last in _stretches(places, values, more)]
        short = near.blocks(long) if abs(distance) == 1 else ()
        found += [(first, last, distance) for first, last in (*long, *short)]
    sure = list(Swaps(own.column, reference, others, source, all_gains).found())
    found.sort(key=lambda run: run[0] - run[1])
    longer = [run for run in found if run[1] - run[0] >= LONGEST and not _explained(run, sure)]
    swaps = [
        (swap.first, swap.last, swap.distance)
        for swap in sorted(sure)
        if not any(swap.touches(first, last) for first, last, _ in longer)
    ]
    kept: list[tuple[int, int, int]] = []
    for run in (*longer, *swaps, *(run for run in found if run not in longer)):
        if not any(run[0] <= last and run[1] >= first and run[2] != away for first, last, away in kept):
            kept.append(run)
    return kept


def _explained(run: tuple[int, int, int], swaps: Sequence[Swap]) -> bool:
    """Whether it is several pairs, side by side, that look like a block."""
    inside = [swap.lines for swap in swaps if not swap.distance and swap.touches(*run[:2])]
    return len(inside) > 1 and set().union(*inside) >= set(range(run[0], run[1] + 1))


def _check_runs(
    found: Sequence[Displaced], blocks: Mapping[str, Sequence[tuple[int, int, int]]], reference: TextColumn
) -> Iterator[Finding]:
    """Runs of displaced lines; those that several systems share are the reference's."""
    runs = [(own.column.name, *run) for own in found for run in blocks[own.column.name]]
    while runs:
        name, first, last, distance = runs[0]
        alike: list[tuple[str, int, int, int]] = []
        while more := [run for run in runs if run[3] == distance and run[1] <= last and run[2] >= first]:
            alike += more
            runs = [run for run in runs if run not in more]
            first, last = min(run[1] for run in alike), max(run[2] for run in alike)
        names = dict.fromkeys(run[0] for run in alike)
        for own in found:  # a few lines are hardly enough for one system: what do the others say there?
            if own.column.name not in names:
                asked = [(first, last, distance)] if distance else [(first, first, 1), (last, last, -1)]
                if math.fsum(_gained(own.column, reference, *run) for run in asked) > _GAIN / 2:
                    names[own.column.name] = None
        name = name if len(names) == 1 else reference.name
        lines = {"first": first + 1, "last": last + 1}
        several, away = len(names) > 1, _distance(distance)
        if not distance and several:
            message, advice = worded("doctor.changed-places-in-reference", **lines, systems=len(names))
        elif not distance:
            message, advice = worded("doctor.changed-places", **lines)
        elif several:
            message, advice = worded(
                "doctor.stretch-of-reference", **lines, systems=len(names), distance=away
            )
        else:
            message, advice = worded("doctor.stretch", **lines, reference=reference.name, distance=away)
        yield Finding.at("order", "serious", name, message, advice, range(first, last + 1))


def _gained(column: TextColumn, reference: TextColumn, first: int, last: int, distance: int) -> float:
    """What lines would share more with the reference so many lines away."""
    places, gains, _ = _gains(column, reference, distance)
    return math.fsum(gains[(places >= first) & (places <= last)].tolist())


def _distance(lines: int) -> str:
    return f"{abs(lines)} {'line' if abs(lines) == 1 else 'lines'} {'later' if lines > 0 else 'earlier'}"


def check_counts(columns: Sequence[TextColumn]) -> Iterator[Finding]:
    """Texts of different length, with the place where a line seems to be missing or too many."""
    n = Counter(len(column) for column in columns if column.role == "reference").most_common(1)[0][0]
    standard = next(column for column in columns if column.role == "reference" and len(column) == n)
    for column in columns:
        if len(column) == n:
            continue
        found = displaced(column, standard)
        elsewhere = ""
        if (count := len(found.lines)) >= _RUN:
            elsewhere = sentence("doctor.line-counts-elsewhere", count=count, shift=found.shift())
        counts = {"count": len(column), "reference": standard.name, "expected": n}
        message, advice = worded("doctor.line-counts", **counts, elsewhere=elsewhere)
        yield Finding("line counts", "unusable", column.name, message, advice)
