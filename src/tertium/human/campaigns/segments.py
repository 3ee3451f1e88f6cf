"""What is to be judged: segments with the outputs of all systems, from a test set or from JSON Lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Annotated, Any

from tertium.errors import InputError, did_you_mean
from tertium.human.campaigns.units import SemanticUnit, units_of
from tertium.io.settings import NonEmpty, Words, Written, Wrong, read, read_record
from tertium.testset import TestSet

# no sheet and no database can hold them
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
LONGEST = 20_000  # characters of one text: more is no segment
_SPACE = re.compile(r"\s")


def _clean(text: str) -> str:
    if found := _FORBIDDEN.search(text):
        raise Wrong(f"contains the character {found.group()!r}, which browsers do not show")
    if len(text) > LONGEST:
        raise Wrong(f"has {len(text)} characters; a text can have at most {LONGEST}")
    return text


def _identity(text: str) -> str:
    if not text.strip():
        raise InputError("a segment needs an id")
    return text


def _system_names(outputs: Mapping[str, str]) -> Mapping[str, str]:
    for system in outputs:
        if not system.strip() or _SPACE.search(system):
            raise InputError(f"the system {system!r} must have a name without spaces")
        text_checked(system, "a system's name")
    return outputs


Text = Annotated[str, _clean]
Span = Annotated[tuple[int, int], Words("[start, end] in characters", "[start, end] in characters")]
Marked = tuple[Span, ...]
Outputs = Annotated[
    Mapping[str, str],
    Written(Mapping[str, Text]),
    NonEmpty(),
    Words("a table from system to translation", ""),
    _system_names,
]


@dataclass(frozen=True)
class GivenSpan:
    """An error marked beforehand, by a metric or a person: characters of the output, or of the source."""

    start: int | None = None  # neither start nor end: something is missing, nobody knows where
    end: int | None = None
    severity: str = ""
    category: str = ""
    in_source: bool = False
    origin: str = ""  # who or what marked it: a metric by its signature

    def data(self) -> dict[str, Any]:
        """As an answer has it."""
        found = {key: value for key, value in vars(self).items() if key not in ("in_source", "origin")}
        return found | ({"in_source": True} if self.in_source else {})


@dataclass(frozen=True, kw_only=True)
class Texts:
    """What a segment and a screen show besides outputs."""

    source: Text = ""
    reference: Text = ""
    document: Text = ""
    question: Text = ""
    source_spans: Marked = ()
    reference_spans: Marked = ()
    units: Annotated[tuple[SemanticUnit, ...], Written(Any)] = ()  # read together with the source
    tokens: int = field(
        default=0, compare=False, metadata={"key": None}
    )  # of the source, or of the reference
    line: int = field(default=0, compare=False, metadata={"key": None})  # in the test set, from 1

    def texts(self) -> dict[str, Any]:
        return {one.name: getattr(self, one.name) for one in fields(Texts)}


@dataclass(frozen=True)
class Segment(Texts):
    """A segment, or a paragraph of several: its texts, and the outputs of systems.

    >>> Segment("7", {"A": "a cat", "B": "the cat", "C": "a cat"}).distinct()
    [('a cat', ('A', 'C')), ('the cat', ('B',))]
    """

    id: Annotated[str, _clean, _identity]
    outputs: Outputs
    spans: Mapping[str, tuple[GivenSpan, ...]] = field(default_factory=dict)  # errors given, by system

    def __post_init__(self) -> None:
        for name in (self.id, self.document, *self.outputs):
            if not name.isprintable():
                raise InputError(f"segment {self.id!r}: {name!r} cannot be used in a table")

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
        tertium.errors.InputError: new.jsonl: line 1: sourse: unknown key; did you mean 'source'? (known: document, \
id, outputs, question, reference, reference_spans, source, source_spans, spans, \
units)
        """
        segment = read_record(cls, record, where)
        _in_order(segment.source_spans, segment.source, f"{where}: source_spans")
        _in_order(segment.reference_spans, segment.reference, f"{where}: reference_spans")
        for system, spans in segment.spans.items():
            for span in spans:
                checked_span(span, segment, system, f"{where}: spans.{system}")
        if "units" in record:
            units = units_of(segment.units, segment.source, f"{where}: units")
            segment = replace(segment, units=units)
        return segment


def checked_span(span: GivenSpan, segment: Segment, system: str, where: str) -> None:
    """Refuse a span that is not in its text."""
    if system not in segment.outputs:
        raise InputError(f"{where}: there is no output of the system {system!r}")
    if (span.start, span.end, span.in_source) == (None, None, False):
        return
    text = segment.source if span.in_source else segment.outputs[system]
    if span.start is None or span.end is None or not 0 <= span.start <= span.end <= len(text):
        raise InputError(f"{where}: [{span.start}, {span.end}] is outside the text")


def text_checked(value: Any, where: str) -> str:
    """A string that every part can hold: no control characters, no lone surrogates, of limited length."""
    kind: Any = Text
    found: str = read(kind, value, where)
    return found


def _in_order(spans: Marked, text: str, where: str) -> None:
    last = 0
    for start, end in spans:
        if not last <= start < end <= len(text):
            raise InputError(f"{where}: [{start}, {end}] is empty, out of order or outside the text")
        last = end


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
