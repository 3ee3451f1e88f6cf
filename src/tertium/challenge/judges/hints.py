"""What an item tells automatic judges: its key `judge`, read and checked (`docs/challenge-judges.md`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tertium.challenge.items import Item
from tertium.challenge.judges.expressions import compiled
from tertium.errors import InputError, did_you_mean
from tertium.text.normalize import plain_typography

KEYS = ("accept", "reject", "order", "words", "wrong")


@dataclass(frozen=True)
class Hints:
    """The patterns, words and wrong versions of an item, ready for use.

    >>> item = Item("1", "Lexical", "", "Well?", "It rains.", judge={"accept": [r"\\bpleut\\b"], "words": ["il|ça"]})
    >>> Hints.of(item).words
    (('il|ça', re.compile('(?<!\\\\w)(?:il|ça)(?!\\\\w)', re.IGNORECASE)),)
    """

    accept: tuple[re.Pattern[str], ...] = ()
    reject: tuple[re.Pattern[str], ...] = ()
    order: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = ()
    words: tuple[tuple[str, re.Pattern[str]], ...] = ()
    wrong: tuple[str, ...] = ()

    @property
    def has_patterns(self) -> bool:
        return bool(self.accept or self.reject or self.order or self.words)

    @classmethod
    def of(cls, item: Item) -> Hints:
        """The hints of an item; what is wrong with them is said by item, key and place in the list."""
        where = f"item {item.id!r}: judge"
        given: Mapping[str, Any] = item.judge or {}
        for key in given:
            if key not in KEYS:
                raise InputError(f"{where}: unknown key {key!r}{did_you_mean(key, KEYS)}")
        return cls(
            accept=tuple(compiled(text, place) for place, text in _texts(given, "accept", where)),
            reject=tuple(compiled(text, place) for place, text in _texts(given, "reject", where)),
            order=tuple(
                (compiled(before, f"{place}[1]"), compiled(after, f"{place}[2]"))
                for place, (before, after) in _pairs(given, where)
            ),
            words=tuple((text, _word(text, place)) for place, text in _texts(given, "words", where)),
            wrong=tuple(text for _, text in _wrong(given, item, where)),
        )


def read_hints(items: Iterable[Item]) -> dict[str, Hints]:
    """The hints of all items, by id: whatever is wrong with any of them is said before anything is judged."""
    return {item.id: Hints.of(item) for item in items}


def _list(given: Mapping[str, Any], key: str, where: str) -> list[tuple[str, Any]]:
    value = given.get(key, [])
    if not isinstance(value, list | tuple):
        raise InputError(f"{where}: {key} must be a list, not {value!r}")
    return [(f"{where}: {key}[{place}]", entry) for place, entry in enumerate(value, 1)]


def _texts(given: Mapping[str, Any], key: str, where: str) -> list[tuple[str, str]]:
    found = _list(given, key, where)
    for place, entry in found:
        if not isinstance(entry, str):
            raise InputError(f"{place} must be a string, not {entry!r}")
    return found


def _pairs(given: Mapping[str, Any], where: str) -> list[tuple[str, tuple[str, str]]]:
    found = _list(given, "order", where)
    for place, pair in found:
        whole = isinstance(pair, list | tuple) and len(pair) == 2
        if not whole or not all(isinstance(entry, str) for entry in pair):
            raise InputError(f"{place} must be a pair of patterns, not {pair!r}")
    return [(place, (pair[0], pair[1])) for place, pair in found]


def _wrong(given: Mapping[str, Any], item: Item, where: str) -> list[tuple[str, str]]:
    found = _texts(given, "wrong", where)
    reference = plain_typography(item.reference)
    for place, text in found:
        if not text.strip():
            raise InputError(f"{place} is empty")
        if plain_typography(text) == reference:
            raise InputError(f"{place} is the reference itself")
    return found


def _word(text: str, where: str) -> re.Pattern[str]:
    """A word, or one of several between bars, as it stands between characters that are no letters."""
    choices = [plain_typography(choice) for choice in text.split("|")]
    if not all(choices):
        raise InputError(f"{where}: {text!r} names no word, or an empty one between bars")
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, choices))})(?!\w)", re.IGNORECASE)
