"""The items of a challenge set: short sentences built around one divergence, each with one yes/no question.

Isabelle, Cherry and Foster (2017), *A Challenge Set Approach to Evaluating Machine Translation*. The files are
described in `docs/challenge-format.md`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any

from tertium.errors import InputError, did_you_mean
from tertium.io.settings import Words, read_record

Span = Annotated[tuple[int, int], Words("[start, end] in characters", "[start, end] in characters")]

TEXTS = ("id", "category", "subcategory", "question", "source", "reference", "languages", "notes")
SPANS = ("source_spans", "reference_spans")
OBJECTS = ("judge", "metadata")
REQUIRED = ("id", "category", "question", "source")
_LANGUAGE = r"[A-Za-z]{2,3}(?:_[A-Za-z0-9]+)*"
_PAIR = re.compile(rf"{_LANGUAGE}-{_LANGUAGE}")
_BREAKS = re.compile(r"[\x00-\x1f\x7f]")
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")  # no table and no sheet holds them


@dataclass(frozen=True)
class Item:
    """One challenge: a source sentence, a question on its translation, and where to look.

    Spans are [start, end) in characters, in order and apart. `judge` is for automatic judges (their patterns and
    contrastive translations), `metadata` for anything else.

    >>> item = Item("1", "Lexical", "Idioms", "Is the idiom rendered?", "It rains cats and dogs.",
    ...     "Il pleut des cordes.", source_spans=((3, 22),))
    >>> item.highlighted("source")
    ('rains cats and dogs',)
    """

    id: str
    category: str
    subcategory: str
    question: str
    source: str
    reference: str = ""
    source_spans: tuple[Span, ...] = ()
    reference_spans: tuple[Span, ...] = ()
    languages: str = ""
    notes: str = ""
    judge: Mapping[str, Any] | None = field(default=None, hash=False)
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if trouble := _trouble(self):
            raise InputError(f"item {self.id!r}: {trouble}")

    def highlighted(self, text: str) -> tuple[str, ...]:
        """The highlighted parts of the `"source"` or the `"reference"`."""
        whole, spans = getattr(self, text), getattr(self, f"{text}_spans")
        return tuple(whole[start:end] for start, end in spans)

    def data(self) -> dict[str, Any]:
        """The item as it stands in a JSON Lines file; `judge` and `metadata` only where there is something."""
        objects = {"judge": self.judge, "metadata": self.metadata or None}
        return {
            **{key: getattr(self, key) for key in TEXTS},
            **{key: [list(span) for span in getattr(self, key)] for key in SPANS},
            **{key: dict(value) for key, value in objects.items() if value is not None},
        }

    @classmethod
    def of(cls, record: Mapping[str, Any], where: str) -> Item:
        """The item that a record (a line of a file) describes; what is wrong with it is said with its place.

        >>> Item.of({"id": "1", "category": "Lexical", "question": "Well?", "sourse": "x"}, "set.jsonl: line 1")
        Traceback (most recent call last):
        tertium.errors.InputError: set.jsonl: line 1: sourse: unknown key; did you mean 'source'? (known: category, \
id, judge, languages, metadata, notes, question, reference, reference_spans, source, source_spans, subcategory)
        """
        return read_record(cls, record, where)

    @staticmethod
    def completed(given: Mapping[str, Any]) -> Mapping[str, Any]:
        """A category need not have parts."""
        return {"subcategory": "", **given}


def _trouble(item: Item) -> str:
    for key in REQUIRED:
        if not getattr(item, key).strip():
            return f"{key!r} is empty"
    for key in ("id", "category", "subcategory"):
        value = getattr(item, key)
        if value != value.strip() or _BREAKS.search(value):
            return f"{key!r} has leading or trailing white space, or a control character: {value!r}"
    for key in TEXTS:
        if found := _UNWRITABLE.search(getattr(item, key)):
            return f"{key!r} contains the control character {found.group()!r}"
    if item.languages and not _PAIR.fullmatch(item.languages):
        return f"'languages' must be a pair such as en-fr, not {item.languages!r}"
    for key, text in (("source_spans", item.source), ("reference_spans", item.reference)):
        last = 0
        for start, end in getattr(item, key):
            span = f"{key!r} [{start}, {end}]"
            if not 0 <= start <= end <= len(text):
                return f"{span} is out of range: the text has {len(text)} characters"
            if start == end:
                return f"{span} is empty"
            if start < last:
                return f"{span} overlaps the span before it, or is out of order"
            last = end
    return ""


@dataclass(frozen=True)
class ChallengeSet:
    """Items in their order, each id once.

    >>> item = Item("1", "Lexical", "Idioms", "Is the idiom rendered?", "It rains cats and dogs.")
    >>> ChallengeSet((item,), name="tiny").categories
    {'Lexical': ('Idioms',)}
    """

    items: tuple[Item, ...]
    name: str = ""

    def __post_init__(self) -> None:
        if not self.items:
            raise InputError(f"{self.name or 'the challenge set'}: has no items")
        seen: set[str] = set()
        for item in self.items:
            if item.id in seen:
                raise InputError(f"{self.name or 'the challenge set'}: the id {item.id!r} occurs twice")
            seen.add(item.id)

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    def __contains__(self, identity: object) -> bool:
        return identity in self._by_id

    def __getitem__(self, identity: str) -> Item:
        return self._by_id[identity]

    @cached_property
    def _by_id(self) -> dict[str, Item]:
        return {item.id: item for item in self.items}

    def required(self, identity: str, where: str) -> Item:
        """The item with this id; an unknown id is refused with the place where it stands."""
        try:
            return self._by_id[identity]
        except KeyError:
            near = did_you_mean(identity, self._by_id).partition(" (known")[0]
            raise InputError(f"{where}: unknown item {identity!r}{near} (the set is {self.name})") from None

    @cached_property
    def categories(self) -> dict[str, tuple[str, ...]]:
        """Categories and their subcategories, in the order in which they first stand in the set."""
        found: dict[str, dict[str, None]] = {}
        for item in self.items:
            found.setdefault(item.category, {}).setdefault(item.subcategory)
        return {category: tuple(names) for category, names in found.items()}

    def only(self, ids: Sequence[str]) -> ChallengeSet:
        """The set of these items, in the order of this set."""
        wanted = set(ids)
        return ChallengeSet(tuple(item for item in self.items if item.id in wanted), self.name)
