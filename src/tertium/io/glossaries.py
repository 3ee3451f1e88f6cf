"""Glossaries: on each line a term of the source, a tab, and its translation, several between bars; or TBX."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import closing

from tertium.errors import InputError
from tertium.io.memories.xmlstream import XmlStream
from tertium.io.records import text_lines
from tertium.io.streams import FilePath, display_name

HEADER = ("source", "target")
TBX = (".tbx", ".tbx.gz", ".tbx.xz")
_TBX_LIMIT = 256  # megabytes
_DECLARATION = re.compile(r"^<\?xml[^>]*\?>")
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


def read_glossary(path: FilePath) -> dict[str, tuple[str, ...]]:
    """Translations by term. A first line `source`, `target` is a header; empty lines and those with # are skipped."""
    name = display_name(path)
    found: dict[str, tuple[str, ...]] = {}
    lines: dict[str, int] = {}
    first = True
    for number, line in text_lines(path):
        if not line.strip() or line.startswith("#"):
            continue
        fields = [field.strip() for field in line.split("\t")]
        header, first = first and tuple(field.lower() for field in fields[:2]) == HEADER, False
        if header:
            continue
        where = f"{name}: line {number}"
        if len(fields) < 2:
            raise InputError(f"{where}: a term and its translation are separated by a tab")
        term, listed = fields[0], tuple(text for part in fields[1].split("|") if (text := part.strip()))
        if not term or not listed:
            raise InputError(f"{where}: the {'term' if not term else 'translation'} is empty")
        if term.lower() in lines:
            raise InputError(f"{where}: {term!r} is there twice, first on line {lines[term.lower()]}")
        lines[term.lower()] = number
        found[term] = listed
    if not found:
        raise InputError(f"{name}: there are no terms in this file")
    return found


def read_terms(path: FilePath, source: str, target: str) -> dict[str, tuple[str, ...]]:
    """Translations by term of a glossary of either format; of TBX the terms in two languages."""
    if not os.fspath(path).lower().endswith(TBX):
        return read_glossary(path)
    name = display_name(path)
    found: dict[str, list[str]] = {}
    languages: dict[str, None] = {}
    for concept in _concepts(path, name):
        sides: list[list[str]] = [[], []]
        for language, term in concept:
            languages[language] = None
            for side, wanted in enumerate((source, target)):
                if language.lower().replace("_", "-").split("-")[0] == wanted.lower().split("-")[0]:
                    sides[side].append(term)
        for term in sides[0]:
            known = found.setdefault(term, [])
            known += [own for own in sides[1] if own not in known]
    listed = {term: tuple(own) for term, own in found.items() if own}
    if not listed:
        held = ", ".join(languages) or "none"
        raise InputError(f"{name}: there are no terms in {source} and {target} (languages: {held})")
    return listed


def _concepts(path: FilePath, name: str) -> Iterator[list[tuple[str, str]]]:
    """The terms of each concept with their languages: of termEntry and langSet, or conceptEntry and langSec."""
    from xml.etree import ElementTree

    stream = XmlStream(path, None, ("tbx", "martif"), "a glossary (TBX)")  # refuses entities and broken files
    read = b""
    with closing(stream):
        while (block := stream.read()).data or block.error:
            if block.error:
                raise block.error
            read += block.data
            if len(read) > _TBX_LIMIT << 20:
                raise InputError(f"{name}: is larger than {_TBX_LIMIT} MB, too large for a glossary")
    text = _DECLARATION.sub("", read.decode("utf-8").removeprefix("\ufeff"), count=1)
    for entry in ElementTree.fromstring(text).iter():
        if _local(entry.tag) not in ("termEntry", "conceptEntry"):
            continue
        yield [
            (language, " ".join("".join(term.itertext()).split()))
            for section in entry.iter()
            if _local(section.tag) in ("langSet", "langSec")
            for language in [section.get(_LANGUAGE) or section.get("lang") or ""]
            for term in section.iter()
            if _local(term.tag) == "term" and "".join(term.itertext()).strip()
        ]


def _local(tag: object) -> str:
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""
