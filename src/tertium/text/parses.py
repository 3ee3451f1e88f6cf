"""A text with its parse: words, lemmas, universal tags and features, dependencies, sentences, entities.

One text is one `Parsed`, however many sentences it has: a paragraph is a forest, and places of words count from its
start. Layers that a parser does not make are there, but empty: "" for lemmas, tags and relations, heads -1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, cast

Features = Mapping[str, str]  # such as {"Number": "Sing"}
NO_HEAD = -1


@dataclass(frozen=True)
class Entity:
    """A named entity: the first word, the one after the last, and its kind."""

    begin: int
    end: int
    kind: str = ""


Spans = tuple[tuple[int, int], ...]


class _Spans:
    """Where words stand in their text: as given, or looked for when somebody asks, since most do not."""

    def __get__(self, one: Any, owner: Any = None) -> Any:
        if one is None:
            return ()
        found: Spans = one.__dict__["_spans"]
        if not found and one.words:
            found = one.__dict__["_spans"] = tuple(word_places(one.text, one.words))
        return found

    def __set__(self, one: Any, spans: Spans) -> None:
        one.__dict__["_spans"] = spans


@dataclass(frozen=True)
class DeepNode:
    """A node of a tree below the surface (tectogrammatical): its attributes, and the place of the node above, or -1."""

    values: Mapping[str, str] = field(hash=False)
    head: int = NO_HEAD


@dataclass(frozen=True)
class Tree:
    """A tree of phrases: labels from the root down, each before its children, and places of parents (-1: the root).

    >>> print(Tree(("S", "NP", "men", "VP", "sleep"), (-1, 0, 1, 0, 3)))
    (S (NP men) (VP sleep))
    """

    labels: tuple[str, ...]
    parents: tuple[int, ...]

    def __str__(self) -> str:
        inner, written, open_ones = set(self.parents), "", [NO_HEAD]
        for place, (label, parent) in enumerate(zip(self.labels, self.parents, strict=True)):
            while open_ones[-1] != parent:
                open_ones.pop()
                written += ")"
            written += " " * bool(written) + "(" * (place in inner) + label
            if place in inner:
                open_ones.append(place)
        return written + ")" * (len(open_ones) - 1)


@dataclass(frozen=True)
class Parsed:
    """One text, word by word. Syntactic words of one surface word (French *du*: *de le*) share its span.

    `heads` are places of words in this text, -1 for roots; `starts` the first word of each sentence; `spans` the
    characters of each word in `text`.
    """

    text: str
    words: tuple[str, ...]
    lemmas: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    features: tuple[Features, ...] = field(default=(), hash=False)
    heads: tuple[int, ...] = ()
    relations: tuple[str, ...] = ()
    starts: tuple[int, ...] = ()
    spans: Spans = cast(Spans, _Spans())  # noqa: RUF009
    entities: tuple[Entity, ...] = ()
    phrases: tuple[Tree, ...] = ()  # of each sentence
    deep: tuple[DeepNode, ...] = ()  # below the surface

    def __post_init__(self) -> None:
        """Layers that were not given are filled with nothing."""
        n = len(self.words)
        empty: dict[str, tuple[object, ...]] = {
            "lemmas": ("",) * n,
            "tags": ("",) * n,
            "features": ({},) * n,
            "heads": (NO_HEAD,) * n,
            "relations": ("",) * n,
            "starts": (0,) * bool(n),
        }
        for name, nothing in empty.items():
            if not getattr(self, name):
                object.__setattr__(self, name, nothing)

    def __len__(self) -> int:
        return len(self.words)

    @property
    def sentences(self) -> Iterator[tuple[int, int]]:
        """The first word of each sentence, and the one after its last."""
        yield from zip(self.starts, (*self.starts[1:], len(self.words)), strict=False)

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The dependents of each word, in order."""
        found: list[list[int]] = [[] for _ in self.words]
        for place, head in enumerate(self.heads):
            if head != NO_HEAD:
                found[head].append(place)
        return tuple(map(tuple, found))

    @cached_property
    def subtrees(self) -> tuple[tuple[int, ...], ...]:
        """Of each word itself and all that hangs on it, in the order of the text.

        >>> Parsed("the old man", ("the", "old", "man"), heads=(2, 2, -1)).subtrees
        ((0,), (1,), (0, 1, 2))
        """
        found: list[list[int]] = [[place] for place in range(len(self.words))]
        for place in self._upwards():
            found[place].sort()
            if self.heads[place] != NO_HEAD:
                found[self.heads[place]] += found[place]
        return tuple(map(tuple, found))

    def _upwards(self) -> Iterator[int]:
        """Words, each after all that hang on it."""
        waiting = [len(below) for below in self.children]
        ready = [place for place, left in enumerate(waiting) if not left]
        while ready:
            place = ready.pop()
            yield place
            if (head := self.heads[place]) != NO_HEAD:
                waiting[head] -= 1
                if not waiting[head]:
                    ready.append(head)


def goes_round(heads: Sequence[int]) -> int | None:
    """A place that hangs on itself, by way of others; None where heads are those of trees.

    >>> goes_round([1, -1]), goes_round([1, 2, 1])
    (None, 1)
    """
    rooted: set[int] = {NO_HEAD}
    for place in range(len(heads)):
        way = set()
        while place not in rooted:
            rooted.add(place)
            way.add(place)
            place = heads[place]
        if place in way:
            return place
    return None


def joined(parts: Sequence[Parsed], text: str) -> Parsed:
    """Parses of consecutive sentences as the parse of the text that they make up, white space aside.

    >>> one, two = Parsed("Il dort.", ("Il", "dort", ".")), Parsed("Oui!", ("Oui", "!"))
    >>> both = joined([one, two], "Il dort.  Oui!")
    >>> both.starts, both.spans[-1]
    ((0, 3), (13, 14))
    """
    places = [place for place, character in enumerate(text) if not character.isspace()]
    before = words = nodes = 0  # characters that are not white space, words and deep nodes of earlier parts
    moved = []
    for part in parts:
        counted, blank = [0], 0
        for character in part.text:
            blank += not character.isspace()
            counted.append(blank)
        spans = tuple(
            (places[before + counted[begin]], places[before + counted[end] - 1] + 1)
            for begin, end in part.spans
        )
        moved.append(
            replace(
                part,
                spans=spans,
                heads=tuple(head if head == NO_HEAD else head + words for head in part.heads),
                starts=tuple(start + words for start in part.starts),
                entities=tuple(replace(e, begin=e.begin + words, end=e.end + words) for e in part.entities),
                deep=tuple(
                    replace(d, head=d.head if d.head == NO_HEAD else d.head + nodes) for d in part.deep
                ),
            )
        )
        before, words, nodes = before + blank, words + len(part), nodes + len(part.deep)
    layers = (
        "words",
        "lemmas",
        "tags",
        "features",
        "heads",
        "relations",
        "starts",
        "spans",
        "entities",
        "phrases",
        "deep",
    )
    return Parsed(
        text, **{name: tuple(value for part in moved for value in getattr(part, name)) for name in layers}
    )


def word_places(text: str, words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where words stand in a text that is made of them."""
    place = 0
    for word in words:
        begin = text.find(word, place)
        if begin < 0:
            raise ValueError(f"{word!r} is not in {text[place:]!r}")
        place = begin + len(word)
        yield begin, place
