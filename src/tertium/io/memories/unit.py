"""A unit of a translation memory: two texts that translate each other, and what is known about them."""

from __future__ import annotations

from typing import Any, NamedTuple, Self


class Unit(NamedTuple):
    """Source, target, their languages, and metadata; unknown is an empty text or None.

    `source` and `target` are what a reader sees. Where a segment has inline tags, `source_markup` and `target_markup`
    hold it with them, in TMX's vocabulary (`tertium.io.memories.inline`). `raw` is the element of a TMX file, letter by
    letter, so that what nobody understood is written as it was read; whatever is changed is changed by `changed`,
    which forgets it.

    >>> unit = Unit("One", "Un", "en", "fr", client="apt", properties=(("x-domain", "tools"),))
    >>> unit.property("x-domain"), unit.changed(target="Une").target
    ('tools', 'Une')
    """

    source: str
    target: str
    source_language: str = ""
    target_language: str = ""
    client: str = ""
    translator: str = ""
    document: str = ""
    position: int | None = None  # in its document
    date: str = ""  # ISO 8601, of the last change
    used: int | None = None  # how many times
    properties: tuple[tuple[str, str], ...] = ()  # anything else; a name may occur more than once
    source_markup: str = ""
    target_markup: str = ""
    raw: str = ""

    def property(self, name: str) -> str:
        """The first property of this name; empty where there is none."""
        return next((value for key, value in self.properties if key == name), "")

    def about(self) -> str:
        """What it is about, where a property says so."""
        return next(filter(None, map(self.property, DOMAINS)), "")

    def document_type(self) -> str:
        """What sort of document it is from, where a property says so."""
        return next(filter(None, map(self.property, DOCUMENT_TYPES)), "")

    def changed(self, **fields: Any) -> Self:
        """With other values. Texts without markup of their own lose the old one."""
        for side in ("source", "target"):
            if side in fields:
                fields.setdefault(f"{side}_markup", "")
        return self._replace(**{"raw": "", **fields})


DOMAINS = ("domain", "x-domain", "subject", "x-subject")  # properties that name one
DOCUMENT_TYPES = ("document-type", "x-document-type", "document_type", "genre", "x-genre")  # likewise
METADATA = ("client", "translator", "document", "position", "date", "used")
