"""Documents as units of text: what belongs together, its segments joined, and long documents cut.

What a document is, is said by ids (`documents`), by blank lines between paragraphs (`blank`), or by a number of words
(`words:180`: consecutive segments of one document, cut where segments end).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tertium._native import Lines
from tertium.errors import SpecError, did_you_mean
from tertium.text.segments import References

KINDS = ("documents", "blank", "words")
WORDS = 180  # of a unit, as Libovický, Brovelli and Cartoni (2018) have them


class Units(NamedTuple):
    """What a document is.

    >>> Units.of("words:100"), Units.of("words").words, str(Units.of("blank"))
    (Units(kind='words', words=100), 180, 'blank')
    """

    kind: str = "documents"
    words: int = WORDS

    @classmethod
    def of(cls, text: str) -> Units:
        kind, colon, number = text.partition(":")
        if kind not in KINDS:
            raise SpecError(
                f"--units {text}: a document is one of documents, blank, words:{WORDS}{did_you_mean(kind, KINDS)}"
            )
        if not colon:
            return cls(kind)
        if kind != "words" or not number.isdecimal() or len(number) > 10 or not 0 < int(number) <= 10**9:
            raise SpecError(f"--units {text}: a number of words is given as words:{WORDS}")
        return cls(kind, int(number))

    def __str__(self) -> str:
        return f"{self.kind}:{self.words}" if self.kind == "words" else self.kind

    def named(self, references: References, documents: Sequence[str] | None) -> list[str] | None:
        """The document of each segment."""
        if self.kind == "words":
            return cut(references.first, documents, self.words)
        if self.kind == "blank":
            return [str(i + 1) for i in range(len(references))]
        return None if documents is None else list(documents)


def numbered(documents: Iterable[str]) -> list[int]:
    """The number of each segment's document, from 0 in the order in which documents begin.

    >>> numbered(["b", "a", "b"])
    [0, 1, 0]
    """
    known: dict[str, int] = {}
    return [known.setdefault(name, len(known)) for name in documents]


def beginnings(groups: Sequence[int]) -> list[int]:
    """The first segment of each document.

    >>> beginnings([0, 1, 0, 2])
    [0, 1, 3]
    """
    found: dict[int, int] = {}
    for i, group in enumerate(groups):
        found.setdefault(group, i)
    return list(found.values())


def joined(lines: Iterable[str | None], groups: Sequence[int], separator: str = "\n") -> list[str]:
    """The text of each document.

    >>> joined(["one", "two", "three"], [0, 1, 0], " ")
    ['one three', 'two']
    """
    return [separator.join(line or "" for line in own) for own in _gathered(lines, groups)]


def joined_references(references: References, groups: Sequence[int], separator: str = "\n") -> References:
    """The references of each document. One that lacks some of its segments has those of the first reference there is;
    one that lacks all is none."""
    if not any(stream.count_missing() for stream in references.streams):
        return references.map(lambda stream: Lines(joined(stream, groups, separator)))
    first = list(references.first)
    streams: list[Lines] = []
    for stream in references.streams:
        whole = [text if line is None else line for line, text in zip(stream, first, strict=True)]
        has = [any(line is not None for line in own) for own in _gathered(stream, groups)]
        texts = joined(whole, groups, separator)
        streams.append(Lines([text if there else None for text, there in zip(texts, has, strict=True)]))
    return References(tuple(streams), references.pseudo)


def _gathered(lines: Iterable[str | None], groups: Sequence[int]) -> list[list[str | None]]:
    found: list[list[str | None]] = [[] for _ in range(max(groups, default=-1) + 1)]
    for group, line in zip(groups, lines, strict=True):
        found[group].append(line)
    return found


def cut(lines: Iterable[str | None], documents: Sequence[str] | None, target: int = WORDS) -> list[str]:
    """Units of about `target` words: consecutive segments of one document, cut where a segment ends.

    >>> cut(["a b", "c d", "e", "f g h i", "j"], ["x", "x", "x", "x", "y"], 4)
    ['x#1', 'x#1', 'x#2', 'x#2', 'y']
    """
    words = [len((line or "").split()) for line in lines]
    groups = [0] * len(words) if documents is None else numbered(documents)
    mark = "#"
    while any(mark in name for name in documents or ()):  # no unit may have the id of another document
        mark += "#"
    ids = [""] * len(words)
    places: list[list[int]] = [[] for _ in range(max(groups, default=-1) + 1)]
    for i, group in enumerate(groups):
        places[group].append(i)
    for own in places:
        parts = _parts(own, words, target)
        for number, part in enumerate(parts, 1):
            for i in part:
                name = "" if documents is None else documents[i] + mark * (len(parts) > 1)
                ids[i] = name + (str(number) if documents is None or len(parts) > 1 else "")
    return ids


def _parts(places: Sequence[int], words: Sequence[int], target: int) -> list[list[int]]:
    """Cut where the length comes nearest to the target; what remains is a unit if it has half of it."""
    parts: list[list[int]] = [[]]
    length = 0
    for i in places:
        if parts[-1] and abs(length - target) <= abs(length + words[i] - target):
            parts.append([])
            length = 0
        parts[-1].append(i)
        length += words[i]
    if len(parts) > 1 and 2 * length < target:
        rest = parts.pop()
        parts[-1] += rest
    return parts
