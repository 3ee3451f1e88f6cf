"""Semantic units of a source sentence: a tree given with the item, each to be marked (HUME, Birch et al. 2016)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tertium.errors import InputError, did_you_mean
from tertium.io.hume import INNER_MARKS, LEAF_MARKS

_KEYS = ("id", "text", "span", "children")
DEEPEST = 20


@dataclass(frozen=True)
class Unit:
    """A unit and those it is made of; without any it is a leaf.

    >>> tree = Unit("1", "I sleep", children=(Unit("1.1", "I"), Unit("1.2", "sleep")))
    >>> [unit.id for unit in tree.walk()], tree.marks
    (['1', '1.1', '1.2'], ('good', 'bad'))
    """

    id: str
    text: str
    span: tuple[int, int] | None = None
    children: tuple[Unit, ...] = ()

    @property
    def marks(self) -> tuple[str, ...]:
        """What a unit can be marked with: a leaf green, orange or red, any other good or bad."""
        return INNER_MARKS if self.children else LEAF_MARKS

    def walk(self) -> Iterator[Unit]:
        """This unit, then everything below it, from left to right."""
        yield self
        for child in self.children:
            yield from child.walk()

    def data(self) -> dict[str, Any]:
        """For JSON, as `units_of` reads it."""
        found: dict[str, Any] = {"id": self.id, "text": self.text}
        if self.span is not None:
            found["span"] = list(self.span)
        if self.children:
            found["children"] = [child.data() for child in self.children]
        return found


def units_of(value: Any, source: str, where: str) -> tuple[Unit, ...]:
    """The trees that a JSON list describes: objects with id, text or span, and children.

    >>> units_of([{"id": "1", "span": [2, 7]}], "I sleep", "x.jsonl: line 1")[0].text
    'sleep'
    """
    if not isinstance(value, list) or not value:
        raise InputError(f"{where} must be a list of units, not {value!r:.60}")
    trees = tuple(_unit(one, source, where, 1) for one in value)
    seen: set[str] = set()
    for unit in every(trees):
        if unit.id in seen:
            raise InputError(f"{where}: the unit {unit.id!r} stands twice")
        seen.add(unit.id)
    return trees


def every(trees: Sequence[Unit]) -> Iterator[Unit]:
    """All units of some trees."""
    for tree in trees:
        yield from tree.walk()


def _unit(value: Any, source: str, where: str, depth: int) -> Unit:
    if not isinstance(value, Mapping):
        raise InputError(f"{where}: a unit is an object, not {value!r:.60}")
    if depth > DEEPEST:
        raise InputError(f"{where}: units are nested more than {DEEPEST} deep")
    for key in value:
        if key not in _KEYS:
            raise InputError(f"{where}: unknown key {key!r} in a unit{did_you_mean(key, _KEYS)}")
    identity = value.get("id")
    if not isinstance(identity, str) or not identity.strip():
        raise InputError(f"{where}: a unit needs an id")
    span, text = value.get("span"), value.get("text")
    if span is not None:
        edges = isinstance(span, list | tuple) and len(span) == 2 and all(type(e) is int for e in span)
        if not edges or not 0 <= span[0] < span[1] <= len(source):
            raise InputError(f"{where}: the span {span!r} of unit {identity!r} is not inside the source")
        text = source[span[0] : span[1]] if text is None else text
    if not isinstance(text, str) or not text.strip():
        raise InputError(f"{where}: unit {identity!r} needs a text or a span")
    children = value.get("children", [])
    if not isinstance(children, list):
        raise InputError(f"{where}: the children of unit {identity!r} must be a list")
    return Unit(
        identity,
        text,
        None if span is None else (span[0], span[1]),
        tuple(_unit(child, source, where, depth + 1) for child in children),
    )
