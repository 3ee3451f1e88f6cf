"""Numbers, dates, times and amounts: what one side has, the other must have, as its language writes it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from tertium.io.memories.unit import Unit
from tertium.vetting.batches import UnitBatch
from tertium.vetting.checks.base import Doubt, difference
from tertium.vetting.checks.numerals import FoundNumber, articles, has_digit, numbers_of, said
from tertium.vetting.signs import NUMBERS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_PART = re.compile(r"\d+")
_NEAR = 10  # how far a number is from another that it may be a slip for
_MOST = 50_000  # changes that are counted


class Numbers:
    """Numbers that only one side has; 1,234.5 and 1 234,5 are one, and so are 3 and three.

    One number that became another near it is the surest sign of a slip; where the client has the same change in other
    units, somebody meant it (8.5 inches are 21.59 cm).
    """

    name = "numbers"
    sentence = (
        "Numbers, dates, times and amounts are the same on both sides, however each language writes them."
    )

    def __init__(self) -> None:
        self._changes: Counter[tuple[str, str, str]] = Counter()  # clients, and their changes of numbers

    def learn(self, units: Sequence[Unit]) -> None:
        batch = UnitBatch.of(units)
        for i in self.sieve(batch).nonzero()[0].tolist():
            self._changes.update(_changes(batch[i].client, *_apart(batch[i])))
        least = 2
        while len(self._changes) > _MOST:  # rare ones go, most of which will not come again
            self._changes = Counter({pair: n for pair, n in self._changes.items() if n >= least})
            least *= 2

    def sieve(self, batch: UnitBatch) -> NDArray[np.bool_]:
        return batch.has(either=NUMBERS)

    def look(self, unit: Unit) -> Doubt | None:
        """
        >>> Numbers().look(Unit("1,234.5 km on 3/4/2018", "1 234,5 km le 4.3.2018", "en", "fr"))
        >>> Numbers().look(Unit("Wait 10 seconds", "Attendez 100 secondes", "en", "fr")).sentence
        '10 is missing; 100 is extra'
        """
        missing, extra = _apart(unit)
        if not missing and not extra:
            return None
        spans = [tuple(own.span for own in side) for side in (missing, extra)]
        texts = [[own.text for own in side] for side in (missing, extra)]
        return Doubt(
            self.name, difference("numbers", *texts), self._score(unit.client, missing, extra), *spans
        )

    def _score(self, client: str, missing: list[FoundNumber], extra: list[FoundNumber]) -> float:
        if not extra:
            return 0.6
        if not missing:
            return 0.4
        if len(missing) != len(extra):
            return 0.7
        if any(self._changes[change] > 1 for change in _changes(client, missing, extra)):  # elsewhere, too
            return 0.5
        return 0.8 if len(missing) > 1 else 1.0 if _near(missing[0].text, extra[0].text) else 0.9


def _changes(client: str, missing: list[FoundNumber], extra: list[FoundNumber]) -> list[tuple[str, str, str]]:
    """Which numbers became which; not single digits, which meet by chance."""
    if len(missing) != len(extra):
        return []
    pairs = [(one.text, other.text) for one, other in zip(missing, extra, strict=True)]
    return [(client, *pair) for pair in pairs if max(map(len, pair)) > 1]


def _apart(unit: Unit) -> tuple[list[FoundNumber], list[FoundNumber]]:
    """Numbers of the source that the target lacks, and those that only the target has."""
    if not (has_digit(unit.source) or has_digit(unit.target)):
        return [], []
    missing, extra = _unmatched(list(numbers_of(unit.source)), list(numbers_of(unit.target)))
    missing, extra = _parts_matched(missing, extra)
    if missing or extra:
        missing = _unsaid(missing, said(unit.target, unit.target_language))
        extra = _unsaid(extra, said(unit.source, unit.source_language))
        if len(missing) > len(extra):  # an article may be a number, unless there is another in its place
            missing = _unsaid(missing, articles(unit.target, unit.target_language))
        elif len(extra) > len(missing):
            extra = _unsaid(extra, articles(unit.source, unit.source_language))
    return missing, extra


def _unsaid(numbers: list[FoundNumber], words: set[Decimal]) -> list[FoundNumber]:
    return [own for own in numbers if not own.readings & words] if numbers and words else numbers


def _near(one: str, other: str) -> bool:
    """Whether two numbers differ in one part, by little, by a digit, or by the order of its digits.

    >>> _near("31", "32"), _near("10", "100"), _near("32678", "32768"), _near("8.5", "21,59")
    (True, True, True, False)
    """
    ours, theirs = (_PART.findall(text) for text in (one, other))
    apart = [pair for pair in zip(ours, theirs, strict=False) if pair[0] != pair[1]]
    if len(ours) != len(theirs) or len(apart) != 1:
        return False
    a, b = apart[0]
    return abs(int(a) - int(b)) <= _NEAR or sorted(a) == sorted(b) or _one_digit(a, b)


def _one_digit(a: str, b: str) -> bool:
    """Whether a digit was added, left out, or replaced."""
    if len(a) == len(b):
        return sum(one != other for one, other in zip(a, b, strict=True)) == 1
    short, long = sorted((a, b), key=len)
    return len(long) - len(short) == 1 and any(long[:i] + long[i + 1 :] == short for i in range(len(long)))


def _unmatched(
    left: list[FoundNumber], right: list[FoundNumber]
) -> tuple[list[FoundNumber], list[FoundNumber]]:
    """What is left over when each number has taken its like from the other side."""
    rest, missing = list(right), []
    for own in left:
        like = next((other for other in rest if own.readings & other.readings), None)
        if like is None:
            missing.append(own)
        else:
            rest.remove(like)
    return missing, rest


def _parts_matched(
    missing: list[FoundNumber], extra: list[FoundNumber]
) -> tuple[list[FoundNumber], list[FoundNumber]]:
    """Dates whose parts are written apart on one side only: 4.3.2018 and 3/4/2018, 12.30 and 12:30."""
    if len(missing) == len(extra) or not missing or not extra:
        return missing, extra
    apart = [[part for own in side for part in _digits(own)] for side in (missing, extra)]
    lists = [sorted(int(own.text) for own in side) for side in apart]
    return ([], []) if lists[0] == lists[1] else (missing, extra)


def _digits(own: FoundNumber) -> Iterator[FoundNumber]:
    for part in re.finditer(r"\d+", own.text):
        yield FoundNumber((own.span[0] + part.start(), own.span[0] + part.end()), part.group(), frozenset())
