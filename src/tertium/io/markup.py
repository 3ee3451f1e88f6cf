"""What kind of mark-up a file holds, by its first bytes: a test set, or something whose tags must not be scored.

A segment may well begin with a tag, so one is not enough: there must be a declaration, or what only such files have.
"""

from __future__ import annotations

import re

from tertium.errors import InputError

_ASIDE = re.compile(rb"<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)|<!DOCTYPE[^>]*(?:>|\Z)", re.DOTALL | re.IGNORECASE)
_ROOT = re.compile(rb"\s*<([a-z][\w:.-]*)([^<>]*)", re.IGNORECASE)
_SGML = ("mteval", "srcset", "refset", "tstset")
_XML = ("dataset", "collection")
_OTHER = {  # root, what it is, and what else must be in sight where nothing is declared
    "tmx": ("a translation memory (TMX)", rb"<header|<body|version\s*="),
    "xliff": ("a localisation file (XLIFF)", rb"<file|version\s*="),
    "html": ("a web page (HTML)", b"<head|<body"),
    "rss": ("a news feed (RSS)", b"<channel"),
    "tei": ("a TEI document", b"<teiheader|<text"),
}
_MEMORIES = ("tmx", "xliff")
_CONVERTED = " (tertium memory convert {} out.en,out.fr does that)"


def root_of(head: bytes) -> str:
    """The name of the first element, in lower case; empty where a file does not begin with mark-up.

    >>> root_of(b'<?xml version="1.0"?><!-- made by hand --><tmx version="1.4">'), root_of(b"2 < 3")
    ('tmx', '')
    """
    found = _ROOT.match(_ASIDE.sub(b"", _plain(head)))
    return found.group(1).decode().lower() if found else ""


def is_test_set(head: bytes) -> bool:
    """Whether this is the beginning of a WMT test set in SGML or XML.

    >>> is_test_set(b'<refset setid="a" srclang="any">'), is_test_set(b"<b>Bold</b> text.")
    (True, False)
    """
    root, text = root_of(head), _plain(head).lower()
    if root in _SGML:
        return b"<doc" in text or re.search(rb"<\w+\s+\w+\s*=", text) is not None
    return root in _XML and b"<doc" in text


def refuse_markup(head: bytes, name: str) -> None:
    """Refuse what begins like a file of mark-up, where lines of text are wanted."""
    root, text = root_of(head), _plain(head).lower()
    declared = text.startswith((b"<?xml", b"<!doctype"))
    what, evidence = _OTHER.get(root, ("an XML file" + (f" (<{root}>)" if root else ""), b""))
    if is_test_set(head):
        raise InputError(f"{name}: is a WMT test set (SGML or XML); plain lines of text are expected here")
    if declared or (evidence and re.search(evidence, text)):
        how = _CONVERTED.format(name) if root in _MEMORIES else ""
        raise InputError(
            f"{name}: is {what}; mark-up must not be scored: write the texts of its segments to a file, one per line"
            + how
        )


def _plain(head: bytes) -> bytes:
    """Without byte-order mark and white space at the beginning; without NULs, UTF-16 reads as its ASCII."""
    return head.replace(b"\0", b"").lstrip(b" \t\r\n\xef\xbb\xbf\xff\xfe")
