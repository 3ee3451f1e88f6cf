"""Units as TMX 1.4b. A unit that came from TMX and was not changed is written as it was, letter by letter."""

from __future__ import annotations

import codecs
from collections.abc import Iterable
from typing import TextIO

from tertium import __version__
from tertium.io.memories.dates import compact_date
from tertium.io.memories.inline import attributes_of, visible
from tertium.io.memories.notes import Notes
from tertium.io.memories.tmx import OPENING, SEGMENT, TmxReader
from tertium.io.memories.unit import Unit
from tertium.io.memories.xmlstream import escaped_text, escaped_value, writable

_TU = ("tuid", "o-encoding", "datatype", "creationdate", "creationid", "creationtool", "creationtoolversion",
       "lastusagedate", "segtype", "o-tmf", "srclang")  # fmt: skip
CONTROL_CHARACTERS = "texts with control characters, which XML cannot hold, written as U+FFFD: {}"
_SIDES = ("source", "target")


class TmxWriter:
    """Writes units, with head, encoding and indentation `like` those of the file they come from, where it is TMX."""

    def __init__(self, file: TextIO, notes: Notes, like: TmxReader | None = None) -> None:
        self._buffer, self._notes, self._like = file.buffer, notes, like
        encoding = like.encoding if like else "utf-8"
        self._encode = codecs.getincrementalencoder(encoding)("xmlcharrefreplace").encode
        self._begin = "\ufeff" if like and like.has_mark and encoding != "utf-16" else ""
        self._gap = "\n"
        self._begun = False

    def write(self, unit: Unit) -> None:
        element = unit.raw or self._element(unit)
        if self._begun:
            self._put(self._gap + element)
        else:
            self._begun = True
            head = self._like.head if self._like else ""  # known once a unit was read
            self._gap = self._like.gap if self._like and head else "\n"
            self._put(self._begin + (head or _new_head(unit.source_language)) + element)

    def finish(self) -> None:
        """The end of the file; without units there is an empty body."""
        head, tail = (self._like.head, self._like.tail) if self._like else ("", "")
        if not self._begun:
            self._put(self._begin + head.rstrip() if head else _new_head("").rstrip())
        self._put(tail or "\n</body>\n</tmx>\n")

    def _put(self, text: str) -> None:
        self._buffer.write(self._encode(text))

    def _element(self, unit: Unit) -> str:
        clean = self._clean
        attributes = dict[str, str]()
        about = {"": list[str](), "source": list[str](), "target": list[str]()}
        for name, value in unit.properties:
            side, dot, own = name.partition(".")
            if name in _TU and name not in attributes:
                attributes[name] = value
            else:
                known = bool(dot) and side in _SIDES
                about[side if known else ""].append(_property(own if known else name, clean(value)))
        for key, value in (
            ("changeid", unit.translator),
            ("changedate", compact_date(unit.date) if unit.date else ""),
            ("usagecount", "" if unit.used is None else str(unit.used)),
        ):
            if value:
                attributes[key] = value
        for key, value in (
            ("client", unit.client),
            ("document", unit.document),
            ("position", "" if unit.position is None else str(unit.position)),
        ):
            if value:
                about[""].append(_property(key, clean(value)))
        texts = (
            (unit.source_language, about["source"], unit.source, unit.source_markup),
            (unit.target_language, about["target"], unit.target, unit.target_markup),
        )
        variants = "".join(
            f'<tuv xml:lang="{escaped_value(language)}">{"".join(props)}'
            f"<seg>{markup or escaped_text(clean(text))}</seg></tuv>"
            for language, props, text, markup in texts
        )
        opened = "".join(f' {key}="{escaped_value(clean(value))}"' for key, value in attributes.items())
        return f"<tu{opened}>{''.join(about[''])}{variants}</tu>"

    def _clean(self, text: str) -> str:
        found = writable(text)
        if found is not text and found != text:
            self._notes.add(
                "texts with control characters, which XML cannot hold, written as U+FFFD: {}", repr(text[:40])
            )
        return found


def with_properties(raw: str, properties: Iterable[tuple[str, str]]) -> str:
    """A unit as it stands in a file, with further properties at its beginning and all else as it is.

    >>> with_properties('<tu tuid="1"><tuv/></tu>', [("x-why", "R&D")])
    '<tu tuid="1"><prop type="x-why">R&amp;D</prop><tuv/></tu>'
    """
    opening = OPENING.match(raw)
    at = opening.end() if opening else 0
    made = "".join(_property(name, writable(value)) for name, value in properties)
    return raw[:at] + made + raw[at:]


def with_segment(raw: str, before: str, after: str, language: str) -> str | None:
    """A unit as it stands in a file, with another segment in one language, of which `before` is what a reader sees
    now; None if it is not found there.

    >>> with_segment('<tu><tuv xml:lang="fr"><seg>a </seg></tuv></tu>', "a ", "a", "fr")
    '<tu><tuv xml:lang="fr"><seg>a</seg></tuv></tu>'
    """
    at = raw.find("<tuv")
    while at >= 0:
        following = raw.find("<tuv", at + 4)
        variant = raw[at : following if following >= 0 else len(raw)]
        opening, segment = OPENING.match(variant), SEGMENT.search(variant)
        named = attributes_of(opening.group(1)) if opening else {}
        if segment and language in (named.get("xml:lang"), named.get("lang")):
            begin, end = segment.end(), variant.rfind("</seg")
            if end < begin or visible(variant[begin:end]) != before:
                return None
            return raw[: at + begin] + after + raw[at + end :]
        at = following
    return None


def _property(name: str, value: str) -> str:
    if name == "note":
        return f"<note>{escaped_text(value)}</note>"
    return f'<prop type="{escaped_value(writable(name))}">{escaped_text(value)}</prop>'


def _new_head(source: str) -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<tmx version="1.4">\n'
        f'<header creationtool="tertium" creationtoolversion="{__version__}" segtype="sentence" o-tmf="tertium" '
        f'adminlang="en" srclang="{escaped_value(source or "*all*")}" datatype="plaintext"/>\n<body>\n'
    )
