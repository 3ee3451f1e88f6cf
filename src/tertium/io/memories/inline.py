"""Inline tags of segments: what a reader sees of them, and which tags there are.

Units keep segments with tags in TMX's vocabulary: `bpt` and `ept` begin and end something, `ph` stands for something,
`it` is half of a pair, `ut` unknown, and what stands inside these is code, not text (but for text within `sub`, which
is no part of the sentence either); `hi` marks text. Other formats are brought to it when they are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tertium.io.memories.xmlstream import text_of

CODES = frozenset(("bpt", "ept", "ph", "it", "ut"))
TAG = re.compile(r"""<(/?)([^\s/>"'<]+)((?:[^>"'/]|"[^"]*"|'[^']*'|/(?!>))*)(/?)>""")
ATTRIBUTE = re.compile(r"""([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")


def attributes_of(text: str) -> dict[str, str]:
    """The attributes of a tag, by their names without a prefix but for `xml:`.

    >>> attributes_of(' xml:lang="en" creationid="A&amp;B"')
    {'xml:lang': 'en', 'creationid': 'A&B'}
    """
    found = ((name, double or single) for name, double, single in ATTRIBUTE.findall(text))
    return {
        name if name.startswith("xml:") else name.rpartition(":")[2]: text_of(value) for name, value in found
    }


class InlineTag(NamedTuple):
    """A tag: its element, its attributes, the code it stands for; `begins` and `ends` tell `hi` and its end."""

    element: str
    attributes: dict[str, str]
    code: str = ""  # with what is inside, as XML
    ends: bool = False


def parts(markup: str) -> Iterator[str | InlineTag]:
    """Text and tags of a segment, one after the other.

    >>> list(parts('Press <bpt i="1">&lt;b&gt;</bpt>OK<ept i="1"/>.'))[:2]
    ['Press ', InlineTag(element='bpt', attributes={'i': '1'}, code='&lt;b&gt;', ends=False)]
    """
    at = 0
    begun: tuple[int, re.Match[str]] | None = None  # depth below the code that is open, and its tag
    for tag in TAG.finditer(markup):
        closing, element, attributes, empty = tag.groups()
        if begun is not None:
            depth, opened = begun
            if not empty:
                depth += -1 if closing else 1
            begun = (depth, opened) if depth else None
            if begun is None:
                code = markup[opened.end() : tag.start()]
                yield InlineTag(opened.group(2), attributes_of(opened.group(3)), code)
                at = tag.end()
            continue
        if tag.start() > at:
            yield text_of(markup[at : tag.start()])
        at = tag.end()
        if element in CODES and not empty:
            begun = 1, tag
        else:
            yield InlineTag(element, attributes_of(attributes), ends=bool(closing))
            if empty and element not in CODES:
                yield InlineTag(element, {}, ends=True)
    if begun is None and at < len(markup):
        yield text_of(markup[at:])


def visible(markup: str) -> str:
    """The text without its tags.

    >>> visible('Press <bpt i="1">&lt;b&gt;</bpt>OK<ept i="1"/> &amp; <hi>go</hi>')
    'Press OK & go'
    """
    return "".join(part for part in parts(markup) if isinstance(part, str))


def is_well_formed(markup: str) -> bool:
    """Whether text with tags can stand in a segment.

    >>> is_well_formed('a <ph x="1"/>'), is_well_formed("a <ph>")
    (True, False)
    """
    from xml.parsers import expat

    try:
        expat.ParserCreate("utf-8").Parse(f"<seg>{markup}</seg>".encode(), True)
    except (expat.ExpatError, UnicodeError):
        return False
    return True
