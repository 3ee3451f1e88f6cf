"""Where units of TMX begin and end in a text that has comments, CDATA sections or processing instructions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tertium.io.memories.xmlstream import escaped_text

_ASIDE = re.compile(r"<!--.*?-->|<\?.*?\?>|<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_BOUNDARY = re.compile(
    rb"<!--.*?-->|<\?.*?\?>|<!\[CDATA\[.*?\]\]>|(?P<open><!--|<\?|<!\[)|(?P<end></tu\s*>)|</body\s*>",
    re.DOTALL,
)
_SPACED_END = re.compile(rb"</tu\s")


def last_end(data: bytes) -> tuple[int, bool]:
    """Where the last whole unit ends, and whether all of them can be cut at `</tu>`."""
    if b"<!" not in data and b"<?" not in data and not _SPACED_END.search(data):
        return data.rfind(b"</tu>") + 5 if b"</tu>" in data else 0, True
    end = 0
    for found in _BOUNDARY.finditer(data):
        if found.group("open"):  # its end was not read yet
            break
        if found.group("end"):
            end = found.end()
    return end, False


_PARTS = re.compile(r"<!--.*?-->|<\?.*?\?>|<!\[CDATA\[.*?\]\]>|(</tu\s*>)", re.DOTALL)


def parts_of(text: str) -> Iterator[str]:
    """Units with what stands before them, of a text with comments and the like."""
    begin = 0
    for found in _PARTS.finditer(text):
        if found.group(1):
            yield _blanked(text[begin : found.end()])
            begin = found.end()


def _blanked(part: str) -> str:
    """Comments before a unit might hold units: they become spaces."""
    first = part.find("<tu")
    aside = part.find("<!"), part.find("<?")
    if not any(0 <= at < first for at in aside):
        return part
    end = 0
    for found in _ASIDE.finditer(part):
        if "<tu" in part[end : found.start()]:
            break
        end = found.end()
    return " " * end + part[end:]


def without_asides(raw: str) -> str:
    """A unit without comments, CDATA as text."""
    if "<!" not in raw and "<?" not in raw:
        return raw
    return _ASIDE.sub(lambda found: escaped_text(found.group(1) or ""), raw)
