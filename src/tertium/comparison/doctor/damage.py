"""Checks of one text by itself: empty lines, encoding damage, left-over markup and subword marks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from tertium.comparison.doctor.column import TextColumn, many, percent, share
from tertium.comparison.doctor.diagnosis import Finding, lines_found

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


def check_text(column: TextColumn) -> Iterator[Finding]:
    """Everything that can be seen in one text alone."""
    yield from _empty(column)
    yield from _encoding(column)
    yield from _markup(column)


def _empty(column: TextColumn) -> Iterator[Finding]:
    places = [i for i, line in enumerate(column.lines) if line is not None and not line.strip()]
    if not places:
        return
    if len(places) == len(column):
        yield Finding(
            "empty lines", "unusable", column.name, "all lines are empty", "check how the file was written"
        )
        return
    advice = {
        "system": "an empty output scores nothing: check whether decoding failed there",
        "reference": "every output word is an error against an empty reference: remove such segments",
        "source": "there is nothing to translate there: remove such segments",
    }[column.role]
    message = f"{len(places)} of {many(len(column), 'line')} {'is' if len(places) == 1 else 'are'} empty"
    yield Finding("empty lines", "serious", column.name, message, advice, **lines_found(places))


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


def _encoding(column: TextColumn) -> Iterator[Finding]:
    again = "regenerate the file from its source, in UTF-8 at every step"
    marks = column.where(lambda line: "\ufeff" in line)
    if marks:
        advice = "remove it (--strip-bom does), else it is scored as a letter"
        yield Finding(
            "encoding",
            "serious",
            column.name,
            "there is a byte-order mark in the text",
            advice,
            **lines_found(marks),
        )
    kinds = (
        (lambda line: "\ufffd" in line, "characters were lost (U+FFFD stands for them)", again),
        (mojibake, "UTF-8 was read as another encoding (such as Ã© for é)", again),
        (
            _CONTROL.search,
            "there are control characters in the text",
            "remove them, or find out where they come from",
        ),
        (_ESCAPE.search, r"characters are written as escapes (such as \u00e9)", "decode them before scoring"),
        (_surrogate, "there are halves of characters (lone surrogates)", again),
    )
    for has, message, advice in kinds:
        places = column.where(has)
        if places:
            yield Finding("encoding", "serious", column.name, message, advice, **lines_found(places))
    lost = column.where(_LOST_LETTER.search)
    if len(lost) >= 3 and share(len(lost), len(column)) >= 0.02:
        message = "question marks inside words, as if letters were lost"
        yield Finding("encoding", "look", column.name, message, again, **lines_found(lost))


def _surrogate(text: str) -> bool:
    return not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text)


def _markup(column: TextColumn) -> Iterator[Finding]:
    entities = column.where(_ENTITY.search)
    if entities:
        yield Finding(
            "markup",
            "look",
            column.name,
            "there are HTML entities (such as &quot;) in the text",
            "turn them into characters: tokenisers undo only some of them",
            **lines_found(entities),
        )
    subwords = column.where(_SUBWORDS.search)
    if subwords:
        yield Finding(
            "tokenised",
            "serious",
            column.name,
            f"subword marks (@@ or \u2581) are left in {percent(share(len(subwords), len(column)))} of the lines",
            "join subwords and detokenise before scoring",
            **lines_found(subwords),
        )


def not_composed(text: str) -> bool:
    """Whether letters and accents are separate characters that could be one (no NFC)."""
    return not text.isascii() and not unicodedata.is_normalized("NFC", text)
