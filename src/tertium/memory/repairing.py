"""What can be repaired in a target without knowing what it means; packages add theirs (`tertium.memory_repairs`).

A repair works on the segment with its tags, as XML: letters, character references and tags.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

from tertium.comparison.doctor.damage import without_mojibake
from tertium.io.memories.inline import is_well_formed, visible
from tertium.io.memories.tmxwriting import with_properties, with_segment
from tertium.io.memories.unit import Unit
from tertium.io.memories.xmlstream import escaped_text, text_of
from tertium.registry import Registry

Repair = Callable[[str, str], str]  # source and target as XML; gives the target
BEFORE, REPAIRED = "x-tertium-before", "x-tertium-repaired"
_EDGES = re.compile(r"(\s*)(.*?)(\s*)", re.DOTALL)
_TAGS = re.compile(
    r"<(?:bpt|ept|ph|it|ut)\b[^>]*?/>|<(bpt|ept|ph|it|ut)\b[^>]*>.*?</\1\s*>|</?hi\b[^>]*>"
    r"|&lt;/?[A-Za-z][\w:.-]*(?:(?!&[lg]t;).)*?&gt;",
    re.DOTALL,
)
_BEGINS, _ENDS = re.compile(r"<bpt\b|<hi\b|&lt;[A-Za-z]"), re.compile(r"<ept\b|</hi\b|&lt;/")
_IDENTITY = re.compile(r"""\bi\s*=\s*["']([^"']*)["']""")
_NAME = re.compile(r"&lt;/?([\w:.-]+)")


def spaces(source: str, target: str) -> str:
    """White space at both ends as the source has it.

    >>> spaces("Name: ", " Nom :")
    'Nom : '
    """
    if not source.strip() or not target.strip() or target[0] == "<" or target[-1] == ">":
        return target
    wanted, own = _EDGES.fullmatch(source), _EDGES.fullmatch(target)
    if wanted is None or own is None or "<" in (source[0], target[0]) or ">" in (source[-1], target[-1]):
        return target
    before, after = (
        mine if bool(mine) == bool(theirs) else theirs
        for theirs, mine in ((wanted.group(1), own.group(1)), (wanted.group(3), own.group(3)))
    )
    return before + own.group(2) + after


def mojibake(_source: str, target: str) -> str:
    """UTF-8 that was read as another encoding, read rightly.

    >>> mojibake("Summer", "Ã©tÃ© Ã\xa0 Paris")
    'été à Paris'
    """
    return target if target.isascii() else without_mojibake(target)


def tags(source: str, target: str) -> str:
    """Tags in the order of the source, where they are the same and no pair of them can be closed as they stand.

    >>> tags("&lt;b&gt;Save&lt;/b&gt; now", "&lt;/b&gt;Enregistrer&lt;b&gt; maintenant")
    '&lt;b&gt;Enregistrer&lt;/b&gt; maintenant'
    """
    wanted = [found.group() for found in _TAGS.finditer(source)]
    own = [found.group() for found in _TAGS.finditer(target)]
    if len(own) < 2 or wanted == own or Counter(wanted) != Counter(own) or nested(own) or not nested(wanted):
        return target
    following = iter(wanted)
    return _TAGS.sub(lambda _: next(following), target)


def nested(found: Iterable[str]) -> bool:
    """Whether each end belongs to the last begin that is open; tags that nobody ends are no matter.

    >>> nested(["&lt;b&gt;", "&lt;/b&gt;", "&lt;br&gt;"]), nested(["&lt;/b&gt;", "&lt;b&gt;"])
    (True, False)
    """
    opened: list[str] = []
    for tag in found:
        if _BEGINS.match(tag):
            opened.append(_which(tag))
        elif _ENDS.match(tag):
            if _which(tag) not in opened:
                return False
            while opened.pop() != _which(tag):
                pass
    return True


def _which(tag: str) -> str:
    """What an end has in common with its begin."""
    found = _NAME.match(tag) or _IDENTITY.search(tag)
    return found.group(1) if found else ""


REPAIRS: Registry[Repair] = Registry(
    "repair of units",
    "tertium.memory_repairs",
    {
        "mojibake": "tertium.memory.repairing:mojibake",
        "tags": "tertium.memory.repairing:tags",
        "spaces": "tertium.memory.repairing:spaces",
    },
)


class RepairedUnit(NamedTuple):
    """A unit, what was repaired in it, and its target before; where nothing was, the unit as it came."""

    unit: Unit
    repairs: tuple[str, ...] = ()
    before: str = ""


def repaired(unit: Unit, repairs: Iterable[tuple[str, Repair]]) -> RepairedUnit:
    """A unit with everything repaired that can be; it says so in its properties, and keeps what was there before.

    >>> found = repaired(Unit("Open ", "Ouvrir"), [("spaces", spaces)])
    >>> found.unit.target, found.repairs, found.unit.property("x-tertium-before")
    ('Ouvrir ', ('spaces',), 'Ouvrir')
    """
    source = unit.source_markup or escaped_text(unit.source)
    target = unit.target_markup or escaped_text(unit.target)
    done = []
    for name, repair in repairs:
        after = repair(source, target)
        if after != target and is_well_formed(after):
            done.append(name)
            target = after
    if not done:
        return RepairedUnit(unit)
    changed = _changed(unit, target, (REPAIRED, " ".join(done)))
    return RepairedUnit(changed, tuple(done), unit.target) if changed is not None else RepairedUnit(unit)


def _changed(unit: Unit, target: str, about: tuple[str, str]) -> Unit | None:
    """With another target. What came from TMX stays as it is there, but for the one segment."""
    raw = ""
    if unit.raw:
        written = with_segment(unit.raw, unit.target, target, unit.target_language)
        if written is None:
            return None
        raw = with_properties(written, [about, (BEFORE, unit.target)])
    fields = {
        "target": visible(target) if "<" in target else text_of(target),
        "target_markup": target if "<" in target else "",
        "properties": (*unit.properties, about, (BEFORE, unit.target)),
    }
    return unit.changed(**fields)._replace(raw=raw)
