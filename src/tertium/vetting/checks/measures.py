"""What stands beside numbers: months, halves of the day, currencies, units. Each must be the same on both sides."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from tertium.io.memories.unit import Unit
from tertium.vetting.checks.base import Doubt, Span, difference
from tertium.vetting.checks.numerals import has_digit, readings
from tertium.vetting.checks.placeholders import without_placeholders
from tertium.vetting.signs import CLOCK, CURRENCY, CURRENCY_WORD, DIGIT, MEASURE, MONTH, MONTH_WORD, either

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tertium.vetting.batches import UnitBatch

_SPACE = r"[ \u00a0\u202f\u2009]?"
_DAY = r"(?:\d{1,2}(?:st|nd|rd|th|er|º|\.)?)"
_BESIDE = re.compile(
    rf"(?:(?P<day>\b{_DAY})(?:\s+(?:of|de|del|di))?\s+)?(?P<name>[^\W\d_]{{3,12}})(?P<dot>\.)?(?P<after>,?\s+\d{{1,4}}\b)?"
)
_CLOCK = re.compile(
    rf"\b(?P<hour>[01]?\d|2[0-4])(?:{_SPACE}[:.h]{_SPACE}(?P<minute>[0-5]\d))?(?:\s?(?P<half>[ap])\.?\s?m\b\.?)",
    re.IGNORECASE,
)
_TIME = re.compile(
    rf"\b(?P<hour>[01]?\d|2[0-4])(?:{_SPACE}[:.hH]{_SPACE}(?P<minute>[0-5]\d)|{_SPACE}(?:h|Uhr|heures?)\b)"
)
_MEASURE = re.compile(
    rf"(?<![\w.,$-])(?P<number>\d+(?:[ \u00a0\u202f.,]\d+)*){_SPACE}"
    r"(?P<unit>°[CF]|%(?![(\w])|km/h|mi/h|[^\W\d_]+)(?![\w/(])"
)
_MONEY = re.compile(
    rf"(?P<before>US\$|[$€£¥₹₽]|\b(?:USD|EUR|GBP|JPY|CHF|INR|CNY|RMB|RUB)\b){_SPACE}\d"
    rf"|\d{_SPACE}(?P<after>US\$|[$€£¥₹₽](?!\w)|[^\W\d_]{{3,9}}\b)"
)


_UNCLEAR = dict.fromkeys("mgltoBLWVAK")  # one letter may be many units


class FoundMeasure(NamedTuple):
    """Where something stands, how it is written, and what it means; `number`, what it is said of."""

    span: Span
    text: str
    meaning: str
    number: frozenset[object] = frozenset()


@cache
def _names(kind: str) -> dict[str, str]:
    """What names of one kind mean: `unit`, `currency`, or `month.` and a language."""
    text = (files("tertium") / "data" / "measures.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines())
    return {name: meaning for own, meaning, names in rows if own == kind for name in names.split()}


@cache
def _months(language: str) -> dict[str, str]:
    return _names("month." + re.split("[-_]", language.lower())[0])


def measure_words(language: str) -> dict[str, int]:
    """Months and currencies, for the scan of signs."""
    return {
        **dict.fromkeys(_names("currency"), CURRENCY_WORD),
        **dict.fromkeys(_months(language), MONTH_WORD),
    }


def months_of(text: str, language: str) -> Iterator[FoundMeasure]:
    """Months by name, beside a day or a year: without one, may and march are no months.

    >>> [own.meaning for own in months_of("on 21 March 2018, you may go in May 2019", "en")]
    ['3', '5']
    """
    names = _months(language)
    for found in _BESIDE.finditer(text) if names else ():
        meaning = names.get(found["name"].lower())
        if meaning and (found["day"] or found["after"]):
            yield FoundMeasure(found.span("name"), found["name"], meaning)


def halves_of(text: str, _language: str) -> Iterator[FoundMeasure]:
    """Times of the clock with twelve hours, as minutes of the day.

    >>> [own.meaning for own in halves_of("from 9:30 am to 3 p.m.", "en")]
    ['570', '900']
    """
    for found in _CLOCK.finditer(text):
        hour = int(found["hour"]) % 12 + 12 * (found["half"].lower() == "p")
        yield FoundMeasure(found.span(), found.group(), str(60 * hour + int(found["minute"] or 0)))


def times_of(text: str) -> Iterator[FoundMeasure]:
    """Times of the clock with 24 hours, as minutes of the day.

    >>> [own.meaning for own in times_of("de 9 h 30 à 15:00")]
    ['570', '900']
    """
    for found in _TIME.finditer(text):
        yield FoundMeasure(
            found.span(), found.group(), str(60 * int(found["hour"]) + int(found["minute"] or 0))
        )


def currencies_of(text: str, _language: str) -> Iterator[FoundMeasure]:
    """Currencies beside a number.

    >>> [own.meaning for own in currencies_of("$5 or 4 euros", "en")]
    ['dollar', 'euro']
    """
    for found in _MONEY.finditer(text):
        side = "before" if found["before"] else "after"
        meaning = _names("currency").get(found[side].lower())
        if meaning:
            yield FoundMeasure(found.span(side), found[side], meaning)


def units_of(text: str, _language: str = "") -> Iterator[FoundMeasure]:
    """Units behind numbers.

    >>> [(own.text, own.meaning) for own in units_of("10 Mo en 5 secondes")]
    [('Mo', 'megabyte'), ('secondes', 'second')]
    """
    known = _names("unit")
    for found in _MEASURE.finditer(text):
        name = found["unit"]
        meaning = known.get(name) or (len(name) > 2 and known.get(name.lower()))
        if meaning:
            yield FoundMeasure(found.span("unit"), name, meaning, readings(found["number"]))


Finder = Callable[[str, str], Iterator[FoundMeasure]]


def _both(unit: Unit, find: Finder) -> tuple[list[FoundMeasure], list[FoundMeasure]]:
    source, target = (without_placeholders(text) for text in (unit.source, unit.target))
    return list(find(source, unit.source_language)), list(find(target, unit.target_language))


def _told(name: str, score: float, missing: list[FoundMeasure], extra: list[FoundMeasure]) -> Doubt:
    texts = [[own.text for own in side] for side in (missing, extra)]
    return Doubt(
        name, difference(name, *texts), score, *(tuple(own.span for own in side) for side in (missing, extra))
    )


class Dates:
    """Months that are named on both sides, and are not the same."""

    name = "dates"
    sentence = "Months of dates are the same on both sides, by name or by number."

    def sieve(self, batch: UnitBatch) -> NDArray[np.bool_]:
        return batch.has(DIGIT | MONTH, DIGIT | MONTH)

    def look(self, unit: Unit) -> Doubt | None:
        """
        >>> Dates().look(Unit("on March 3, 2018", "le 3 mai 2018", "en", "fr")).sentence
        'March is missing; mai is extra'
        """
        if not has_digit(unit.source) or not has_digit(unit.target):
            return None
        left, right = _both(unit, months_of)
        if not left or not right:
            return None
        missing, extra = _unlike(left, right)
        return _told(self.name, 0.9, missing, extra) if missing and extra else None


class Times:
    """A time of the clock with twelve hours that the other side tells otherwise."""

    name = "times"
    sentence = "Times with am or pm are the same hour on the other side."

    def sieve(self, batch: UnitBatch) -> NDArray[np.bool_]:
        return batch.has(DIGIT, DIGIT, either(CLOCK))

    def look(self, unit: Unit) -> Doubt | None:
        """
        >>> Times().look(Unit("at 3:30 pm", "à 15 h 30", "en", "fr"))
        >>> Times().look(Unit("at 3:30 pm", "à 3 h 30", "en", "fr")).sentence
        '3:30 pm is missing; 3 h 30 is extra'
        """
        if not has_digit(unit.source) or not has_digit(unit.target):
            return None
        left, right = _both(unit, halves_of)
        if bool(left) == bool(right):
            missing, extra = _unlike(left, right)
            return _told(self.name, 0.8, missing, extra) if missing and extra else None
        told = list(times_of(without_placeholders(unit.target if left else unit.source)))
        missing, extra = _unlike(left, told) if left else _unlike(told, right)
        return _told(self.name, 0.7, missing, extra) if missing and extra else None


class Amounts:
    """Amounts of money in another currency."""

    name = "amounts"
    sentence = "Amounts of money are in the same currency on both sides."

    def sieve(self, batch: UnitBatch) -> NDArray[np.bool_]:
        return batch.has(DIGIT | CURRENCY, DIGIT | CURRENCY)

    def look(self, unit: Unit) -> Doubt | None:
        """
        >>> Amounts().look(Unit("It costs $5", "Cela coûte 5 €", "en", "fr")).sentence
        '$ is missing; € is extra'
        """
        if not has_digit(unit.source) or not has_digit(unit.target):
            return None
        left, right = _both(unit, currencies_of)
        missing, extra = _unlike(left, right)
        return _told(self.name, 0.7, missing, extra) if missing and extra else None


class SameUnits:
    """The same number of something else."""

    name = "units"
    sentence = "Numbers have the same unit on both sides: 10 MB is 10 Mo, 5 s are not 5 min."

    def sieve(self, batch: UnitBatch) -> NDArray[np.bool_]:
        return batch.has(DIGIT | MEASURE, DIGIT | MEASURE)

    def look(self, unit: Unit) -> Doubt | None:
        """
        >>> SameUnits().look(Unit("10 MB in 5 seconds", "10 Mo en 5 minutes", "en", "fr")).sentence
        'seconds is missing; minutes is extra'
        """
        if not has_digit(unit.source) or not has_digit(unit.target):
            return None
        left, right = _both(unit, units_of)
        if not left or not right:
            return None
        missing, extra = _unlike(left, right)
        pairs = [
            (one, other)
            for one in missing
            for other in extra
            if one.number & other.number and not _UNCLEAR.keys() & {one.text, other.text}
        ]
        if not pairs:
            return None
        return _told(self.name, 0.8, [one for one, _ in pairs[:1]], [other for _, other in pairs[:1]])


def _unlike(
    left: list[FoundMeasure], right: list[FoundMeasure]
) -> tuple[list[FoundMeasure], list[FoundMeasure]]:
    """What is left over when each has taken its like from the other side."""
    rest, missing = list(right), []
    for own in left:
        like = next((other for other in rest if other.meaning == own.meaning), None)
        if like is None:
            missing.append(own)
        else:
            rest.remove(like)
    return missing, rest
