"""What is to be judged: segments with the outputs of all systems, from a test set or from JSON Lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tertium.errors import InputError, did_you_mean
from tertium.human.campaigns.units import Unit, units_of
from tertium.testset import TestSet

_KEYS = (
    "id",
    "document",
    "source",
    "reference",
    "question",
    "source_spans",
    "reference_spans",
    "units",
    "outputs",
)
_TEXTS = ("id", "document", "source", "reference", "question")
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]"
)  # no sheet and no database holds them
LONGEST = 20_000  # characters of one text: more is no segment
_SPACE = re.compile(r"\s")

Marked = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Segment:
    """A segment, or a paragraph of several: its texts, what systems made of it, what is asked about it.

    >>> Segment("7", {"A": "a cat", "B": "the cat", "C": "a cat"}).distinct()
    [('a cat', ('A', 'C')), ('the cat', ('B',))]
    """

    id: str
    outputs: Mapping[str, str]
    source: str = ""
    reference: str = ""
    document: str = ""
    question: str = ""
    source_spans: Marked = ()
    reference_spans: Marked = ()
    units: tuple[Unit, ...] = ()
    tokens: int = field(default=0, compare=False)  # of the source, or of the reference

    def __post_init__(self) -> None:
        for name in (self.id, self.document, *self.outputs):
            if not name.isprintable():
                raise InputError(f"segment {self.id!r}: {name!r} cannot stand in a table")

    def distinct(self) -> list[tuple[str, tuple[str, ...]]]:
        """Each different output once, with the systems that gave it: identical outputs are one item."""
        by_text: dict[str, list[str]] = {}
        for system, text in self.outputs.items():
            by_text.setdefault(text, []).append(system)
        return [(text, tuple(systems)) for text, systems in by_text.items()]

    @classmethod
    def of(cls, record: Mapping[str, Any], where: str) -> Segment:
        """From a JSON object; what is wrong is said with its place.

        >>> Segment.of({"id": "1", "outputs": {"A": "x"}, "sourse": "y"}, "new.jsonl: line 1")
        Traceback (most recent call last):
        tertium.errors.InputError: new.jsonl: line 1: unknown key 'sourse'; did you mean 'source'? (known: document, \
id, outputs, question, reference, reference_spans, source, source_spans, units)
        """
        for key in record:
            if key not in _KEYS:
                raise InputError(f"{where}: unknown key {key!r}{did_you_mean(key, _KEYS)}")
        values: dict[str, Any] = {}
        for key in _TEXTS:
            if key in record:
                values[key] = text_checked(record[key], f"{where}: {key}")
        if not values.get("id", "").strip():
            raise InputError(f"{where}: a segment needs an id")
        outputs = record.get("outputs")
        if not isinstance(outputs, dict) or not outputs:
            raise InputError(f"{where}: outputs must be an object from system to translation")
        for system, text in outputs.items():
            if not system.strip() or _SPACE.search(system):
                raise InputError(f"{where}: the system {system!r} must have a name without spaces")
            text_checked(system, f"{where}: a system's name")
            text_checked(text, f"{where}: the output of {system}")
        for key, text in (("source_spans", "source"), ("reference_spans", "reference")):
            values[key] = _spans(record.get(key, ()), len(values.get(text, "")), f"{where}: {key}")
        if "units" in record:
            values["units"] = units_of(record["units"], values.get("source", ""), f"{where}: units")
        return cls(outputs=dict(outputs), **values)


def text_checked(value: Any, where: str) -> str:
    """A string that every part can hold: no control characters, no lone surrogates, not endless."""
    if not isinstance(value, str):
        raise InputError(f"{where} must be a string, not {value!r:.60}")
    if found := _FORBIDDEN.search(value):
        raise InputError(f"{where} holds the character {found.group()!r}, which no browser shows")
    if len(value) > LONGEST:
        raise InputError(f"{where} has {len(value)} characters; a text has at most {LONGEST}")
    return value


def _spans(value: Any, length: int, where: str) -> Marked:
    found = []
    last = 0
    if not isinstance(value, list | tuple):
        raise InputError(f"{where} must be a list of [start, end], not {value!r}")
    for span in value:
        whole = isinstance(span, list | tuple) and len(span) == 2
        if not whole or any(isinstance(edge, bool) or not isinstance(edge, int) for edge in span):
            raise InputError(f"{where} must be a list of [start, end] in characters, not {span!r}")
        start, end = span
        if not last <= start < end <= length:
            raise InputError(f"{where}: [{start}, {end}] is empty, out of order or outside the text")
        found.append((start, end))
        last = end
    return tuple(found)


def segments_of(testset: TestSet, systems: Sequence[str] | None = None) -> list[Segment]:
    """The segments of a test set, numbered from 1 like its lines; the first reference that a segment has.

    >>> len(segments_of(TestSet.sample(), ["literal", "strong"])[0].outputs)
    2
    """
    names = list(testset.systems) if systems is None else list(systems)
    for name in names:
        if name not in testset.systems:
            raise InputError(
                f"test set {testset.name!r} has no output of the system {name!r}{did_you_mean(name, testset.systems)}"
            )
    streams = testset.references.streams
    found = []
    for i in range(len(testset)):
        outputs = {name: testset.systems[name][i] or "" for name in names}
        for name, text in outputs.items():
            text_checked(text, f"system {name}, line {i + 1}")
        reference = next((given for stream in streams if (given := stream[i])), "")
        found.append(
            Segment(
                id=str(i + 1),
                outputs=outputs,
                source=text_checked(
                    "" if testset.sources is None else testset.sources[i] or "", f"source, line {i + 1}"
                ),
                reference=text_checked(reference, f"reference, line {i + 1}"),
                document="" if testset.documents is None else testset.documents[i],
            )
        )
    return found


def counted(segments: Iterable[Segment]) -> list[Segment]:
    """The segments with their numbers of tokens (13a), of the source or, without one, of the reference.

    >>> [segment.tokens for segment in counted([Segment("1", {}, source="Hello, world.")])]
    [4]
    """
    from tertium.text.tokenizers import tokenize

    listed = list(segments)
    words = tokenize([segment.source or segment.reference for segment in listed], "13a")
    return [replace(segment, tokens=len(own)) for segment, own in zip(listed, words, strict=True)]
