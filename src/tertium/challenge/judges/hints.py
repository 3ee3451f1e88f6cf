"""What an item tells automatic judges: its key `judge`, read and checked (`docs/challenge-judges.md`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

from tertium.challenge.items import ChallengeSet, Item
from tertium.challenge.judges.expressions import compiled
from tertium.errors import InputError
from tertium.io.records import read_json_lines
from tertium.io.settings import Words, Written, Wrong, read_record
from tertium.io.streams import FilePath, display_name
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
        if (known := vars(item).get("_hints")) is not None:
            return known  # type: ignore[no-any-return]
        where = f"item {item.id!r}: judge"
        hints = read_record(cls, item.judge or {}, where)
        reference = plain_typography(item.reference)
        for place, text in enumerate(hints.wrong, 1):
            if plain_typography(text) == reference:
                raise InputError(f"{where}: wrong[{place}] is the reference itself")
        vars(item)["_hints"] = (
            hints  # read once, as a cached property would: judges ask for them again and again
        )
        return hints


@dataclass(frozen=True)
class _HintLine:
    id: str
    judge: Mapping[str, Any]


def with_hints(items: ChallengeSet, path: FilePath) -> ChallengeSet:
    """The set with what a file says to judges: a JSON object with `id` and `judge` on each line, for sets whose texts
    are somebody else's. An item that the file does not name keeps its own hints.

    >>> items = ChallengeSet((Item("1", "Lexical", "", "Well?", "It rains."),))
    >>> path = written("hints.jsonl", '{"id": "1", "judge": {"words": ["pleut"]}}')
    >>> with_hints(items, path)["1"].judge
    {'words': ['pleut']}
    """
    found: dict[str, Item] = {}
    for where, values in read_json_lines(path):
        line = read_record(_HintLine, values, where)
        item = items.required(line.id, where)
        if item.id in found:
            raise InputError(f"{where}: the id {item.id!r} occurs twice")
        found[item.id] = replace(item, judge=line.judge)
    if not found:
        raise InputError(f"{display_name(path)}: has no patterns")
    return ChallengeSet(tuple(found.get(item.id, item) for item in items), items.name)


def read_hints(items: Iterable[Item]) -> dict[str, Hints]:
    """The hints of all items, by id: whatever is wrong with any of them is said before anything is judged."""
    return {item.id: Hints.of(item) for item in items}
