"""Numbers, dates, times and amounts: what one side has, the other must have, as its language writes it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from tertium.io.memories.unit import Unit
from tertium.vetting.checks.base import Doubt, Span, difference
from tertium.vetting.checks.placeholders import without_placeholders
from tertium.vetting.signs import NUMBERS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tertium.vetting.batches import UnitBatch

_GROUPS = "\u00a0\u202f\u2009 '’.,"
_NUMBER = re.compile(
    r"(?<![\d])(?:\d{1,3}(?:([\u00a0\u202f\u2009 '’.,])\d{3})(?:\1\d{3})*(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)*)"
)
_GROUPED = re.compile(r"(\d{1,3})((?:[\u00a0\u202f\u2009 '’.,]\d{3})+)(?:([.,])(\d+))?")
_DECIMAL = re.compile(r"(\d+)[.,](\d+)")
_HALF_DAY = re.compile(r"\s*(?:[ap]\.?m\b|o['’]clock)", re.IGNORECASE)
_WORDS = {
    "en": "one two three four five six seven eight nine ten eleven twelve",
    "fr": "un|une deux trois quatre cinq six sept huit neuf dix onze douze",
    "de": "ein|eine|eins|einen|einem|einer zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "es": "un|uno|una dos tres cuatro cinco seis siete ocho nueve diez once doce",
    "it": "un|uno|una due tre quattro cinque sei sette otto nove dieci undici dodici",
    "pt": "um|uma dois|duas três quatro cinco seis sete oito nove dez onze doze",
    "nl": "een|één twee drie vier vijf zes zeven acht negen tien elf twaalf",
}


class FoundNumber(NamedTuple):
    """A number: where it stands, how it is written, and what it may mean."""

    span: Span
    text: str
    readings: frozenset[Decimal | tuple[int, ...]]


@lru_cache(maxsize=1 << 14)
def readings(text: str) -> frozenset[Decimal | tuple[int, ...]]:
    """What a number may mean, in one language or another.

    >>> sorted(map(str, readings("1,234"))), sorted(map(str, readings("1 234,50"))), readings("1.2.3")
    (['1.234', '1234'], ['1234.5'], frozenset({(1, 2, 3)}))
    """
    found: set[Decimal | tuple[int, ...]] = set()
    grouped = _GROUPED.fullmatch(text)
    if grouped:
        first, groups, point, rest = grouped.groups()
        marks = set(groups[::4])
        if len(marks) == 1 and point not in marks:
            whole = first + "".join(groups[i + 1 : i + 4] for i in range(0, len(groups), 4))
            found.add(_plain(whole, rest or ""))
    decimal = _DECIMAL.fullmatch(text)
    if decimal:
        found.add(_plain(*decimal.groups()))
    if not found:
        parts = re.split(f"[{_GROUPS}]", text)
        found.add(_plain(parts[0], "") if len(parts) == 1 else tuple(map(int, parts)))
    return frozenset(found)


def _plain(whole: str, rest: str) -> Decimal:
    """Digits of any script as a number, without zeros that say nothing."""
    value = Decimal(f"{int(whole)}.{''.join(str(int(digit)) for digit in rest) or 0}")
    return value.normalize() if value else Decimal(0)


def numbers_of(text: str) -> Iterator[FoundNumber]:
    """The numbers of a text, without those of placeholders."""
    bare = without_placeholders(text)
    for found in _NUMBER.finditer(bare):
        means = readings(found.group())
        if _HALF_DAY.match(bare, found.end()):
            means |= {own + 12 for own in means if isinstance(own, Decimal) and own <= 12} | {
                own - 12 for own in means if own == 12
            }
        yield FoundNumber(found.span(), found.group(), means)


_ZERO = {"en": "zero", "fr": "zéro", "de": "null", "es": "cero", "it": "zero", "pt": "zero", "nl": "nul"}


@lru_cache(maxsize=64)
def _words(language: str) -> dict[str, int]:
    short = re.split("[-_]", language.lower())[0]
    known = _WORDS.get(short, "").split()
    found = {word: i for i, words in enumerate(known, 1) for word in words.split("|")}
    return {**found, _ZERO[short]: 0} if short in _ZERO else found


def _said(text: str, language: str) -> set[Decimal]:
    """Numbers from one to twelve that are written as words."""
    known = _words(language)
    return (
        {Decimal(known[word]) for word in re.findall(r"\w+", text.lower()) if word in known}
        if known
        else set()
    )


class Numbers:
    """Numbers that only one side has; 1,234.5 and 1 234,5 are one, and so are 3 and three."""

    name = "numbers"
    sentence = (
        "Numbers, dates, times and amounts are the same on both sides, however each language writes them."
    )

    def sieve(self, batch: UnitBatch) -> NDArray[np.bool_]:
        return batch.has(either=NUMBERS)

    def look(self, unit: Unit) -> Doubt | None:
        """
        >>> Numbers().look(Unit("1,234.5 km on 3/4/2018", "1 234,5 km le 4.3.2018", "en", "fr"))
        >>> Numbers().look(Unit("Wait 10 seconds", "Attendez 100 secondes", "en", "fr")).sentence
        '10 is missing; 100 is extra'
        """
        if not (has_digit(unit.source) or has_digit(unit.target)):
            return None
        left, right = list(numbers_of(unit.source)), list(numbers_of(unit.target))
        missing, extra = _unmatched(left, right)
        missing, extra = _parts_matched(missing, extra)
        if missing:
            said = _said(unit.target, unit.target_language)
            missing = [own for own in missing if not own.readings & said]
        if extra:
            said = _said(unit.source, unit.source_language)
            extra = [own for own in extra if not own.readings & said]
        if not missing and not extra:
            return None
        spans = [tuple(own.span for own in side) for side in (missing, extra)]
        texts = [[own.text for own in side] for side in (missing, extra)]
        score = 0.8 if not extra else 0.6 if not missing else 1.0 if len(missing) == len(extra) else 0.9
        return Doubt(self.name, difference("numbers", *texts), score, *spans)


_DIGIT = re.compile(r"\d")


def has_digit(text: str) -> bool:
    return _DIGIT.search(text) is not None


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
