"""Weather bulletins, made: short, templated, by type of warning, with a machine translation that makes the same
mistakes day after day.

Nothing of this was ever sent. It has what the bulletins of a weather office have (seed 002): few templates, the same
terms again and again, terms that depend on the type of warning (heavy snow is "neige abondante", heavy rain "pluie
forte"), translators who do not agree in everything, and desks that change with the season.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from tertium.adaptation.base import SourceSegment
from tertium.adaptation.streams import Stream, StreamItem
from tertium.errors import InputError
from tertium.io.toml import read_toml

NAME = "made bulletins"
TRANSLATORS = ("first translator", "second translator")
_DATA = Path(__file__).parent.parent / "data" / "adaptation" / "bulletins.toml"
_CHOICE = re.compile(r"\[\[(.*?)\|(.*?)\]\]")
_OWN = re.compile(r"\{t:(.*?)\|(.*?)\}")


@cache
def templates() -> Mapping[str, Any]:
    """Types of warnings with their lines, regions and times."""
    return read_toml(_DATA, "table of bulletins")[0]


def bulletins(segments: int = 1200, *, seed: int = 1, random_order: bool = False) -> Stream:
    """So many segments: the winter desk's types, then those of the summer desk. `mt` is a made machine translation.

    >>> stream = bulletins(4)
    >>> [item.segment.type for item in stream.items][0] in ("wind", "snowfall", "freezing rain")
    True
    >>> stream.items[0].mt == stream.items[0].correction
    False
    """
    if segments < 1:
        raise InputError("a stream has at least one segment")
    draw = random.Random(seed)
    data = templates()
    desks = list(dict.fromkeys(own["desk"] for own in data["types"]))
    items: list[StreamItem] = []
    number = 0
    while len(items) < segments:
        desk = desks[len(items) * len(desks) // segments] if not random_order else draw.choice(desks)
        kind = draw.choice([own for own in data["types"] if own["desk"] == desk])
        number += 1
        about = {
            "client": desk,
            "type": kind["name"],
            "document": f"bulletin {number}",
            "translator": draw.choice(TRANSLATORS),
        }
        head, *others = kind["lines"]
        chosen = [head, *draw.sample(others, draw.randint(2, 3))]
        items.extend(_item(line, kind, data, about, draw) for line in chosen)
    return Stream(NAME, tuple(items[:segments]))


def _item(
    line: list[str],
    kind: Mapping[str, Any],
    data: Mapping[str, Any],
    about: Mapping[str, str],
    draw: random.Random,
) -> StreamItem:
    slots = {
        "region": draw.choice(data["regions"]),
        "when": draw.choice(data["whens"]),
        "amount": draw.choice(kind["amounts"]),
    }
    source, target = (
        _filled(text, {name: own[side] for name, own in slots.items()}) for side, text in enumerate(line)
    )
    who = TRANSLATORS.index(about["translator"]) + 1
    machine = _capital(_CHOICE.sub(r"\1", _OWN.sub(r"\1", target)))
    office = _capital(_CHOICE.sub(r"\2", _OWN.sub(rf"\{who}", target)))
    return StreamItem(SourceSegment(source, **about), office, machine)


def _filled(text: str, slots: Mapping[str, str]) -> str:
    for name, own in slots.items():
        text = text.replace(f"{{{name}}}", own)
    return text


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
