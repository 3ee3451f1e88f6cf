"""Segments that somebody pastes or sends: JSON Lines in a text."""

from __future__ import annotations

from tertium.errors import InputError
from tertium.human.campaigns.segments import Segment
from tertium.io.records import parsed_json


def segments_from_text(text: str) -> list[Segment]:
    """The segments of a text with one JSON object a line; complaints name the line.

    >>> segments_from_text('{"id": "n1", "source": "Hallo", "outputs": {"A": "Hello"}}')[0].source
    'Hallo'
    """
    found: list[Segment] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        where = f"line {number}"
        record = parsed_json(line, where)
        if not isinstance(record, dict):
            raise InputError(f"{where}: an object is expected here")
        segment = Segment.of(record, where)
        if segment.id in seen:
            raise InputError(f"{where}: the id {segment.id!r} is already on line {seen[segment.id]}")
        seen[segment.id] = number
        found.append(segment)
    if not found:
        raise InputError("there are no segments")
    return found
