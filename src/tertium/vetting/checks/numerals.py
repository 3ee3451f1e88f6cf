"""Numbers as texts write them, and what they may mean: figures, and words from zero to twelve."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from tertium.vetting.checks.base import Span
from tertium.vetting.checks.placeholders import without_placeholders

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


_ARTICLES = frozenset(
    ["un", "une", "ein", "eine", "einen", "einem", "einer", "eines", "uno", "una", "um", "uma", "een"]
)  # more often than numbers


@lru_cache(maxsize=64)
def _words(language: str) -> dict[str, int]:
    short = re.split("[-_]", language.lower())[0]
    known = _WORDS.get(short, "").split()
    found = {word: i for i, words in enumerate(known, 1) for word in words.split("|")}
    return {**found, _ZERO[short]: 0} if short in _ZERO else found


def said(text: str, language: str) -> set[Decimal]:
    """Numbers from zero to twelve that are written as words, but for words that are articles, too.

    >>> said("deux fichiers sur un disque", "fr"), articles("deux fichiers sur un disque", "fr")
    ({Decimal('2')}, {Decimal('1')})
    """
    known = _words(language)
    words = re.findall(r"\w+", text.lower()) if known else []
    return {Decimal(known[word]) for word in words if word in known and word not in _ARTICLES}


def articles(text: str, language: str) -> set[Decimal]:
    """One, where a text has an article that may mean it."""
    known = _words(language)
    words = re.findall(r"\w+", text.lower()) if known else []
    return {Decimal(1)} if any(word in known and word in _ARTICLES for word in words) else set()


_DIGIT = re.compile(r"\d")


def has_digit(text: str) -> bool:
    return _DIGIT.search(text) is not None
