"""Checks of one text by itself: empty lines, encoding damage, left-over markup and subword marks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import NamedTuple

from tertium.comparison.doctor.column import TextColumn, percent, share
from tertium.comparison.doctor.diagnosis import Finding, Severity
from tertium.errors import many

_SUSPECT = re.compile(r"[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u0178\u02c6\u02dc\u2013-\u2122]+")
# What people write: Latin, Greek, Cyrillic, punctuation, CJK. Other characters come out by chance (of ß and a quote).
_PLAUSIBLE = re.compile(
    r"[\u00a0-\u024f\u0384-\u045f\u2010-\u203a\u20ac\u2122\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3]"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_ESCAPE = re.compile(r"\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|<0x[0-9A-F]{2}>")
_ENTITY = re.compile(r"&(?:amp|quot|apos|lt|gt|nbsp|#\d{2,5}|#x[0-9a-fA-F]{2,4}|#91|#93);")
_SUBWORDS = re.compile(r"@@(?: |$)|\u2581")
_LOST_LETTER = re.compile(r"[^\W\d_]\?[^\W\d_]")
_AGAIN = "regenerate the file from its source, in UTF-8 at every step"
_MARK = "remove it (--strip-bom does), or it is scored as a letter"
_UNDO = "turn them into characters: tokenisers undo only some of them"
_JOIN = "join subwords and detokenise before scoring"


def check_text(column: TextColumn) -> Iterator[Finding]:
    """Everything that can be seen in one text alone."""
    yield from _empty(column)
    for sign in _SIGNS:
        if places := column.where(sign.has):
            message = sign.message.format(share=percent(share(len(places), len(column))))
            yield Finding.at(sign.check, sign.severity, column.name, message, sign.advice, places)
    lost = column.where(_LOST_LETTER.search)
    if len(lost) >= 3 and share(len(lost), len(column)) >= 0.02:
        message = "question marks inside words, as if letters were lost"
        yield Finding.at("encoding", "look", column.name, message, _AGAIN, lost)


def _empty(column: TextColumn) -> Iterator[Finding]:
    places = [i for i, line in enumerate(column.lines) if line is not None and not line.strip()]
    if not places:
        return
    if len(places) == len(column):
        advice = "check how the file was written"
        yield Finding("empty lines", "unusable", column.name, "all lines are empty", advice)
        return
    advice = {
        "system": "an empty output scores nothing: check whether decoding failed there",
        "reference": "every output word is an error against an empty reference: remove such segments",
        "source": "there is nothing to translate there: remove such segments",
    }[column.role]
    message = f"{len(places)} of {many(len(column), 'line')} {'is' if len(places) == 1 else 'are'} empty"
    yield Finding.at("empty lines", "serious", column.name, message, advice, places)


def mojibake(text: str) -> bool:
    """Whether UTF-8 was read as Windows-1252 or Latin-1: the bytes of some characters spell others.

    >>> mojibake("cafÃ© â€œbarâ€"), mojibake("café “bar”")
    (True, False)
    """
    for found in _SUSPECT.finditer(text):
        for encoding in ("cp1252", "latin-1"):
            try:
                spelled = found.group().encode(encoding).decode("utf-8")
            except UnicodeError:
                continue
            if all(_PLAUSIBLE.match(character) for character in spelled):
                return True
    return False


def _surrogate(text: str) -> bool:
    return not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text)


class _Sign(NamedTuple):
    """Something that no line should have, what it means, and what to do."""

    has: Callable[[str], object]
    message: str
    advice: str
    check: str = "encoding"
    severity: Severity = "serious"


_SIGNS = (
    _Sign(lambda line: "\ufeff" in line, "there is a byte-order mark in the text", _MARK),
    _Sign(lambda line: "\ufffd" in line, "characters were lost (U+FFFD stands for them)", _AGAIN),
    _Sign(mojibake, "UTF-8 was read as another encoding (such as Ã© for é)", _AGAIN),
    _Sign(
        _CONTROL.search,
        "there are control characters in the text",
        "remove them, or find out where they come from",
    ),
    _Sign(
        _ESCAPE.search, r"characters are written as escapes (such as \u00e9)", "decode them before scoring"
    ),
    _Sign(_surrogate, "there are halves of characters (lone surrogates)", _AGAIN),
    _Sign(_ENTITY.search, "there are HTML entities (such as &quot;) in the text", _UNDO, "markup", "look"),
    _Sign(
        _SUBWORDS.search, "subword marks (@@ or \u2581) are left in {share} of the lines", _JOIN, "tokenised"
    ),
)


def not_composed(text: str) -> bool:
    """Whether letters and accents are separate characters that could be one (no NFC)."""
    return not text.isascii() and not unicodedata.is_normalized("NFC", text)
