"""Lines in the wrong order: outputs whose rare words occur in the reference of another line.

A word that is rare in both texts says where a line belongs. For each output the reference that shares most such words
(weighted by rarity) is looked for; where it is clearly another one than the line's own, the line is displaced.
Stretches of lines that are displaced by the same distance are those in which more of the words (again by rarity) are in
the other line than in their own, summed over the stretch: that finds blocks of few lines, too. Where several systems
agree, the reference is at fault.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tertium.comparison.doctor.column import TextColumn, share
from tertium.comparison.doctor.diagnosis import Finding

_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}|[^\W_]+")
_ASCII_WORD = re.compile("[a-z0-9]+")
_RARE = 3  # a word in so many lines at most says where a line belongs
_SAMPLE = 4000  # lines that are looked at, evenly spread
_RUN = 5  # so many displaced lines are no coincidence
_GAIN = 1.5  # nor is a stretch that, moved, would share so much more, in whole lines


def _words(text: str) -> set[str]:
    """Lower-cased words; of scripts without spaces pairs of characters."""
    if text.isascii():
        return {word for word in _ASCII_WORD.findall(text.lower()) if len(word) > 2}
    found: set[str] = set()
    for word in _WORD.findall(text.lower()):
        if "\u3040" <= word[0] <= "\ud7af":
            found.update(word[i : i + 2] for i in range(len(word) - 1))
        elif len(word) > 2:
            found.add(word)
    return found


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

    def distances(self) -> list[int]:
        """How far several lines are displaced."""
        apart = Counter(j - i for i, j in self.lines.items())
        return [distance for distance, count in apart.items() if count >= 3]

    def shift(self) -> str:
        """How the lines are displaced, if most are by the same distance."""
        (distance, count), *_ = Counter(j - i for i, j in self.lines.items()).most_common(1)
        if count < 0.6 * len(self.lines):
            return ""
        first = min(i for i, j in self.lines.items() if j - i == distance)
        return f", most of them {_distance(distance)}, from line {first + 1} on"


def _bags(column: TextColumn) -> list[set[str]]:
    return [_words(line or "") for line in column.lines]


def _index(reference: TextColumn) -> dict[str, list[int]]:
    """The lines in which each word occurs."""
    index: dict[str, list[int]] = {}
    for j, words in enumerate(reference.once(_bags)):
        for word in words:
            index.setdefault(word, []).append(j)
    return index


def _rarity(reference: TextColumn) -> dict[str, float]:
    """What it weighs that a line has this word."""
    lines = len(reference)
    return {word: math.log(1 + lines / len(places)) for word, places in reference.once(_index).items()}


def stretches(column: TextColumn, reference: TextColumn, distance: int) -> Iterator[tuple[int, int, int]]:
    """First line, last line and distance of lines that together fit the reference better so many lines away."""
    own, theirs, rarity = column.once(_bags), reference.once(_bags), reference.once(_rarity)
    total, first, best, last, informed = 0.0, 0, 0.0, 0, 0
    for i in range(len(own) + 1):
        gain = -1.0
        if i < len(own) and 0 <= i + distance < len(theirs):
            here, there = own[i] & theirs[i], own[i] & theirs[i + distance]
            if here == there or (not total and len(there) <= len(here)):
                continue
            known = math.fsum(rarity[word] for word in own[i] if word in rarity)
            gain = (sum(rarity[word] for word in there) - sum(rarity[word] for word in here)) / known
        if total + gain <= 0 or (best >= _GAIN and total + gain < best - _GAIN):
            if best >= _GAIN and informed >= 3:
                yield first, last, distance
            total, best, informed = 0.0, 0.0, 0
        if gain <= 0 and not total:
            continue
        first = first if total else i
        total, informed = total + gain, informed + (gain > 0)
        if total > best:
            best, last = total, i


def displaced(column: TextColumn, reference: TextColumn) -> Displaced:
    """The lines of a text that belong to other lines of the reference than their own."""
    index = reference.once(_index)
    own = [(i, words) for i, words in enumerate(column.once(_bags)) if words]
    common = Counter(word for _, words in own for word in words)
    step, lines = max(1, len(column) // _SAMPLE), len(reference)
    found: dict[int, int] = {}
    judged = 0
    for i, words in own[::step]:
        weights: dict[int, float] = {}
        hits: Counter[int] = Counter()
        for word in words:
            places = index.get(word, ())
            if len(places) <= _RARE and common[word] <= _RARE:
                for j in places:
                    weights[j] = weights.get(j, 0.0) + math.log(1 + lines / len(places))
                    hits[j] += 1
        best = max(weights, key=lambda j: (weights[j], j == i, -j), default=i)
        if hits[best] < 2:
            continue
        judged += 1
        if best != i and weights[best] > 2 * weights.get(i, 0.0):
            found[i] = best
    return Displaced(column, found, judged)


def check_order(
    systems: Sequence[TextColumn], reference: TextColumn, source: TextColumn | None
) -> Iterator[Finding]:
    """Texts whose lines belong elsewhere, as a whole or in a run of lines; for texts of equal length."""
    found = [displaced(system, reference) for system in systems]
    whole = [own for own in found if own.wholly]
    if len(whole) > 1 and 2 * len(whole) > len(systems):
        number = f"{len(whole)} of {len(systems)}"
        message = f"{number} systems have their lines in a different order{whole[0].shift()}"
        yield Finding.at("order", "serious", reference.name, message, _WHOLE, whole[0].lines)
    else:
        yield from (_out_of_order(own, reference) for own in whole)
    if source is not None:
        beside = displaced(source, reference)
        if beside.wholly and beside.judged >= 20 and share(len(beside.lines), beside.judged) >= 0.6:
            yield _out_of_order(beside, reference)
    yield from _check_runs([own for own in found if not own.wholly], reference)


_WHOLE = "put the lines in the same order: until then no score can be trusted"
_SOME = "look at these lines: a segment may be missing before them, and another duplicated after them"


def _out_of_order(own: Displaced, reference: TextColumn) -> Finding:
    head = f"{len(own.lines)} of {own.judged} lines with rare words belong to other lines of {reference.name}"
    return Finding.at("order", "serious", own.column.name, head + own.shift(), _WHOLE, own.lines)


def _check_runs(found: Sequence[Displaced], reference: TextColumn) -> Iterator[Finding]:
    """Runs of displaced lines; those that several systems share are the reference's."""
    runs = [
        (own.column.name, *run)
        for own in found
        for distance in sorted({-1, 1, *own.distances()})
        for run in stretches(own.column, reference, distance)
    ]
    while runs:
        name, first, last, distance = runs[0]
        alike: list[tuple[str, int, int, int]] = []
        while more := [run for run in runs if run[3] == distance and run[1] <= last and run[2] >= first]:
            alike += more
            runs = [run for run in runs if run not in more]
            first, last = min(run[1] for run in alike), max(run[2] for run in alike)
        names = list(dict.fromkeys(run[0] for run in alike))
        lines, distant = f"lines {first + 1} to {last + 1}", _distance(distance)
        message = f"{lines} fit {reference.name} {distant}"
        if len(names) > 1:
            name, message = reference.name, f"{lines} of {len(names)} systems fit {distant} here"
        yield Finding.at("order", "serious", name, message, _SOME, range(first, last + 1))


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
        message = f"has {len(column)} lines, {standard.name} has {n}"
        if len(found.lines) >= _RUN:
            message += f"; {len(found.lines)} lines fit elsewhere{found.shift()}"
        advice = "look for lost, split or empty lines: all texts must have a line for each segment"
        yield Finding("line counts", "unusable", column.name, message, advice)
