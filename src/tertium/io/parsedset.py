"""The contents of a WMT test-set file, its sides (source, references, systems) aligned by segment."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from tertium.errors import InputError, many

Kind = Literal["src", "ref", "hyp"]
Place = tuple[str, str]  # document and segment


@dataclass(frozen=True)
class ParsedSet:
    """Segments of a test-set file: `texts["src"]`, `texts["ref"]`, `texts["online-A"]`..., all equally long.

    `references` and `systems` say which keys of `texts` are which; `documents` and `segment_ids` name each
    segment.
    """

    name: str
    texts: dict[str, list[str]]
    documents: list[str]
    segment_ids: list[str]
    references: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    metadata: dict[str, list[str]] = field(default_factory=dict)
    lines: dict[str, list[int]] = field(
        default_factory=dict, compare=False
    )  # where segments stand in the file

    def __len__(self) -> int:
        return len(self.documents)

    def kind(self, key: str) -> Kind:
        """Which side a key of `texts` is."""
        return "ref" if key in self.references else "hyp" if key in self.systems else "src"


@dataclass
class Side:
    """One text of a file, segment by segment: the source, a reference or a system's output."""

    kind: Kind
    label: str
    file: str
    segments: dict[Place, str] = field(default_factory=dict)
    lines: dict[Place, int] = field(default_factory=dict)

    def add(self, document: str, segment: str, text: str, line: int) -> None:
        """Add a segment. White space becomes one space, as in everything made from WMT's files."""
        place = (document, segment)
        if place in self.segments:
            raise InputError(
                f"{self.file}: line {line}: {self.key} has segment {segment!r} of document {document!r} twice"
            )
        self.segments[place], self.lines[place] = " ".join(text.split()), line

    @property
    def key(self) -> str:
        """`src`, `ref` or `ref:A`, or the system's name."""
        if not self.label or self.kind == "src":
            return {"src": "src", "ref": "ref", "hyp": "system"}[self.kind]
        named = self.kind == "hyp" or self.label.lower().startswith("ref")
        return self.label if named else f"ref:{self.label}"


def merged(sides: Iterable[Side]) -> list[Side]:
    """Sides of the same name with different documents are one; with the same documents they are two texts."""
    kept: list[Side] = []
    for side in sides:
        for known in kept:
            same = (known.kind, known.label) == (side.kind, side.label)
            if same and not known.segments.keys() & side.segments.keys():
                known.segments.update(side.segments)
                known.lines.update(side.lines)
                break
        else:
            kept.append(side)
    return kept


def assemble(
    name: str, file: str, sides: Sequence[Side], about: dict[str, dict[str, str]] | None = None
) -> ParsedSet:
    """All sides in the order of the first; a segment that one side has and another lacks is refused.

    `about` has metadata for each document (its original language, its domain).
    """
    if not any(side.segments for side in sides):
        raise InputError(f"{file}: there are no segments in this file")
    first = next((side for side in sides if side.kind == "src"), sides[0])
    places = list(first.segments)
    texts: dict[str, list[str]] = {}
    lines: dict[str, list[int]] = {}
    keys: dict[Kind, list[str]] = {"src": [], "ref": [], "hyp": []}
    for side in sides:
        key = _free(side.key, texts)
        _check_places(side, key, first)
        texts[key] = [side.segments[place] for place in places]
        lines[key] = [side.lines.get(place, 0) for place in places]
        keys[side.kind].append(key)
    if len(keys["src"]) > 1:
        raise InputError(f"{file}: there are {len(keys['src'])} sources for the same segments")
    known = about or {}
    columns = dict.fromkeys(column for facts in known.values() for column in facts)
    metadata = {
        column: [known.get(document, {}).get(column, "") for document, _ in places] for column in columns
    }
    return ParsedSet(
        name=name,
        texts=texts,
        documents=[document for document, _ in places],
        segment_ids=[segment for _, segment in places],
        references=tuple(keys["ref"]),
        systems=tuple(keys["hyp"]),
        metadata=metadata,
        lines=lines,
    )


def combine(sets: Sequence[ParsedSet], files: Sequence[str]) -> ParsedSet:
    """Files that belong together (source, references, systems, each in its own) as one set.

    `files` are their names, for messages. Segments are matched by document and id, in the first file's order.

    >>> parts = [assemble("s", file, [Side(kind, "", file, {("d", "1"): "text"}, {("d", "1"): 3})])
    ...          for file, kind in (("a.sgm", "ref"), ("b.sgm", "hyp"))]
    >>> combine(parts, ["a.sgm", "b.sgm"]).texts
    {'ref': ['text'], 'system': ['text']}
    """
    sides = []
    metadata: dict[str, dict[str, str]] = {}
    for one, file in zip(sets, files, strict=True):
        for key, texts in one.texts.items():
            side = Side(one.kind(key), key.removeprefix("ref:"), file)
            places = list(zip(one.documents, one.segment_ids, strict=True))
            side.segments = dict(zip(places, texts, strict=True))
            side.lines = dict(zip(places, one.lines[key], strict=True))
            sides.append(side)
        for column, values in one.metadata.items():
            for document, value in zip(one.documents, values, strict=True):
                metadata.setdefault(document, {}).setdefault(column, value)
    return assemble(sets[0].name, files[0], sides, metadata)


def _free(key: str, taken: dict[str, list[str]]) -> str:
    """`key`, or key-2, key-3... where that name is taken."""
    number, free = 1, key
    while free in taken:
        number += 1
        free = f"{key}-{number}"
    return free


def _check_places(side: Side, key: str, first: Side) -> None:
    for lacking, having in ((side, first), (first, side)):
        missing = [place for place in having.segments if place not in lacking.segments]
        if missing:
            document, segment = missing[0]
            whole = all(own != document for own, _ in lacking.segments)
            others = sum(own != document for own, _ in missing) if whole else len(missing) - 1
            more = f" and {many(others, 'more segment')}" if others else ""
            what = f"document {document!r}" if whole else f"segment {segment!r} of document {document!r}"
            lacks, has = (key, first.key) if lacking is side else (first.key, key)
            where = "at" if having.file == lacking.file else f"in {having.file},"
            raise InputError(
                f"{lacking.file}: {lacks} lacks {what}{more}, which {has} has {where} line "
                f"{having.lines.get(missing[0], 0)}"
            )
