"""The most careful judge: an output that is the reference is right, one that is a known wrong version is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tertium.challenge.items import Item
from tertium.challenge.judges.hints import read_hints
from tertium.challenge.judges.verdicts import Ruling
from tertium.challenge.outputs import System
from tertium.text.normalize import plain_typography


@dataclass(frozen=True)
class EqualityJudge:
    """Compares an output with the reference and the `wrong` versions of an item, letter by letter in plain typography,
    but for case and a final full stop.

    >>> item = Item("1", "Lexical", "", "Well?", "It rains.", "Il pleut.", judge={"wrong": ["Il neige."]})
    >>> [r.call for r in EqualityJudge().rule(System("A"), [item] * 3, ["Il pleut", "il neige.", "Il grêle."])]
    ['yes', 'no', 'unsure']
    """

    name = "equality"
    signature = "equality with the reference or a wrong version|text:plain,case-insensitive,no final stop"
    systems = None

    def rule(self, system: System, items: Sequence[Item], texts: Sequence[str]) -> list[Ruling]:
        hints = read_hints(items)
        found = []
        for item, text in zip(items, texts, strict=True):
            output = _bare(text)
            wrong = {_bare(version): place for place, version in enumerate(hints[item.id].wrong, 1)}
            if output and output == _bare(item.reference):
                found.append(Ruling("yes", "is the reference"))
            elif output in wrong:
                found.append(Ruling("no", f"is the wrong version {wrong[output]}"))
            else:
                found.append(Ruling("unsure", "is neither the reference nor a known wrong version"))
        return found


def _bare(text: str) -> str:
    return plain_typography(text).casefold().removesuffix(".").rstrip()
