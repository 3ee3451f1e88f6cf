"""Proposals for a segment: how alike, what differs, why in this order."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher

from tertium import _native
from tertium.io.memories.unit import Unit

_TOKEN = re.compile(r"\w+|[^\w\s]")
SOURCE, MACHINE = "source", "machine"  # where proposals come from that no memory has
EXACT, IN_CONTEXT, WITH_METADATA = 100, 101, 102


@dataclass(frozen=True)
class TermFlag:
    """A term that a proposal translates otherwise than the document does: by the first proposal of a segment, or by a
    glossary (segment 0)."""

    term: str
    proposed: str
    chosen: str
    segment: int

    def words(self) -> str:
        where = f"segment {self.segment}" if self.segment else "the glossary"
        return f"“{self.term}” is {self.proposed} here, but {self.chosen} in {where}"


@dataclass(frozen=True)
class Proposal:
    """A stored translation for a segment, or the segment itself.

    `rate` is the percentage that translators know: 100 for the same text, 101 where a neighbour is the same, too, 102
    where the client is, besides; below, what the edits of characters and of words leave, on average, at most 99.
    `differences` are places in the segment and in the stored source that are not the same.
    """

    source: str
    target: str
    rate: int
    characters: float
    words: float
    differences: tuple[tuple[int, int, int, int], ...]
    reasons: tuple[str, ...]
    client: str = ""
    translator: str = ""
    document: str = ""
    date: str = ""
    unit: int = 0
    worth: float | None = None  # what the policy expects: edits saved (six tenths) and chrF
    earned: tuple[tuple[str, float], ...] = ()  # what each piece of information adds to that
    origin: str = (
        "memory"  # or "source": the segment itself as it stands, which has no rate (0); or "machine"
    )
    terms: tuple[TermFlag, ...] = ()  # that the document translates otherwise


def as_it_stands(text: str, reason: str) -> Proposal:
    """The source itself: no match, so that it has no rate."""
    return Proposal(text, text, 0, 0.0, 0.0, (), (reason,), origin=SOURCE)


@dataclass(frozen=True)
class Context:
    """What surrounds a segment: its neighbours, who wants it, and what it is about."""

    before: str = ""
    after: str = ""
    client: str = ""
    domain: str = ""


def word_likeness(one: str, other: str) -> float:
    """Share of words that need no edit, of the longer text.

    >>> word_likeness("open the file", "open a file")
    0.6666666666666667
    """
    a, b = _TOKEN.findall(one), _TOKEN.findall(other)
    longer = max(len(a), len(b))
    return 1 - _edits(a, b) / longer if longer else 1.0


def _edits(a: list[str], b: list[str]) -> int:
    """Edits of words: each is one character."""
    numbers: dict[str, int] = {}
    one, other = ("".join(chr(numbers.setdefault(word, len(numbers))) for word in own) for own in (a, b))
    return _native.text_distance(one, other)


def differences(one: str, other: str) -> tuple[tuple[int, int, int, int], ...]:
    """Places of words that are not the same, in both texts.

    >>> differences("open the file", "open a file")
    ((5, 8, 5, 6),)
    """
    a, b = (list(_TOKEN.finditer(text)) for text in (one, other))
    found = SequenceMatcher(None, [m.group() for m in a], [m.group() for m in b], autojunk=False)
    return tuple(
        (*_span(a, first, last, len(one)), *_span(b, start, end, len(other)))
        for kind, first, last, start, end in found.get_opcodes()
        if kind != "equal"
    )


def _span(tokens: list[re.Match[str]], first: int, last: int, end: int) -> tuple[int, int]:
    if first < last:
        return tokens[first].start(), tokens[last - 1].end()
    place = tokens[first].start() if first < len(tokens) else end
    return place, place


def rate_of(same: bool, characters: float, words: float, *, context: bool, metadata: bool) -> int:
    """The percentage.

    >>> rate_of(False, 0.95, 0.8, context=False, metadata=False)
    87
    >>> rate_of(True, 1.0, 1.0, context=True, metadata=False)
    101
    """
    if same:
        return EXACT + context + (context and metadata)
    return min(99, int(50 * (characters + words) + 1e-9))


def neighbours(unit: Unit) -> tuple[str, str]:
    """Sources before and after a unit in its document, where its properties tell."""
    names = (("x-context-pre", "context-before"), ("x-context-post", "context-after"))
    return tuple(next(filter(None, map(unit.property, own)), "") for own in names)  # type: ignore[return-value]
