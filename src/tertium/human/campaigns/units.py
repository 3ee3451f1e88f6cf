"""Semantic units of a source sentence: a tree given with the item, each to be marked (HUME, Birch et al. 2016)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from tertium.errors import InputError
from tertium.io.hume import INNER_MARKS, LEAF_MARKS
from tertium.io.settings import NonEmpty, Wrong, read_record

DEEPEST = 20


def _filled(identity: str) -> str:
    if not identity.strip():
        raise Wrong("is empty")
    return identity


@dataclass(frozen=True)
class SemanticUnit:
    """A unit and those it is made of; without any it is a leaf.

    >>> tree = SemanticUnit("1", "I sleep", children=(SemanticUnit("1.1", "I"), SemanticUnit("1.2", "sleep")))
    >>> [unit.id for unit in tree.walk()], tree.marks
    (['1', '1.1', '1.2'], ('good', 'bad'))
    """

    id: Annotated[str, _filled]
    text: str = ""  # if the file gives a span only, the source has it
    span: tuple[int, int] | None = None
    children: tuple[SemanticUnit, ...] = ()

    @property
    def marks(self) -> tuple[str, ...]:
        """What a unit can be marked with: a leaf green, orange or red, any other good or bad."""
        return INNER_MARKS if self.children else LEAF_MARKS

    def walk(self) -> Iterator[SemanticUnit]:
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


def units_of(value: Any, source: str, where: str) -> tuple[SemanticUnit, ...]:
    """The trees that a JSON list describes: objects with id, text or span, and children.

    >>> units_of([{"id": "1", "span": [2, 7]}], "I sleep", "x.jsonl: line 1")[0].text
    'sleep'
    """
    trees: tuple[SemanticUnit, ...] = tuple(
        _placed(one, source, where, 1) for one in read_record(_TREES, value, where)
    )
    seen: set[str] = set()
    for unit in every(trees):
        if unit.id in seen:
            raise InputError(f"{where}: the unit {unit.id!r} occurs twice")
        seen.add(unit.id)
    return trees


def every(trees: Sequence[SemanticUnit]) -> Iterator[SemanticUnit]:
    """All units of some trees."""
    for tree in trees:
        yield from tree.walk()


_TREES: Any = Annotated[tuple[SemanticUnit, ...], NonEmpty()]


def _placed(unit: SemanticUnit, source: str, where: str, depth: int) -> SemanticUnit:
    """The unit with its text, which a span may give."""
    if depth > DEEPEST:
        raise InputError(f"{where}: units are nested more than {DEEPEST} deep")
    start, end = unit.span or (0, 1)
    if unit.span and not 0 <= start < end <= len(source):
        raise InputError(f"{where}: the span {list(unit.span)} of unit {unit.id!r} is not inside the source")
    text = unit.text or (source[start:end] if unit.span else "")
    if not text.strip():
        raise InputError(f"{where}: unit {unit.id!r} needs a text or a span")
    children = tuple(_placed(child, source, where, depth + 1) for child in unit.children)
    return replace(unit, text=text, children=children)
