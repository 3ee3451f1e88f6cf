"""What an item tells automatic judges: its key `judge`, read and checked (`docs/challenge-judges.md`)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from tertium.challenge.items import Item
from tertium.challenge.judges.expressions import compiled
from tertium.errors import InputError
from tertium.io.settings import Words, Written, Wrong, read_record
from tertium.text.normalize import plain_typography


def _word(text: str) -> tuple[str, re.Pattern[str]]:
    """A word, or one of several between bars, as it stands between characters that are no letters."""
    choices = [plain_typography(choice) for choice in text.split("|")]
    if not all(choices):
        raise InputError(f"{text!r} names no word, or has an empty one between bars")
    return text, re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, choices))})(?!\w)", re.IGNORECASE)


def _filled(text: str) -> str:
    if not text.strip():
        raise Wrong("is empty")
    return text


Pattern = Annotated[re.Pattern[str], Written(str), compiled]
Pair = Annotated[tuple[Pattern, Pattern], Words("a pair of patterns", "pairs of patterns")]


@dataclass(frozen=True)
class Hints:
    """The patterns, words and wrong versions of an item, ready for use.

    >>> item = Item("1", "Lexical", "", "Well?", "It rains.", judge={"accept": [r"\\bpleut\\b"], "words": ["il|ça"]})
    >>> Hints.of(item).words
    (('il|ça', re.compile('(?<!\\\\w)(?:il|ça)(?!\\\\w)', re.IGNORECASE)),)
    """

    accept: tuple[Pattern, ...] = ()
    reject: tuple[Pattern, ...] = ()
    order: tuple[Pair, ...] = ()
    words: tuple[Annotated[tuple[str, re.Pattern[str]], Written(str), _word], ...] = ()
    wrong: tuple[Annotated[str, _filled], ...] = ()

    @property
    def has_patterns(self) -> bool:
        return bool(self.accept or self.reject or self.order or self.words)

    @classmethod
    def of(cls, item: Item) -> Hints:
        """The hints of an item; what is wrong with them is said by item, key and place in the list."""
        where = f"item {item.id!r}: judge"
        hints = read_record(cls, item.judge or {}, where)
        reference = plain_typography(item.reference)
        for place, text in enumerate(hints.wrong, 1):
            if plain_typography(text) == reference:
                raise InputError(f"{where}: wrong[{place}] is the reference itself")
        return hints


def read_hints(items: Iterable[Item]) -> dict[str, Hints]:
    """The hints of all items, by id: whatever is wrong with any of them is said before anything is judged."""
    return {item.id: Hints.of(item) for item in items}
