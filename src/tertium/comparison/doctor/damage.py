"""Damage to one text by itself: empty lines, UTF-8 read as another encoding, accents apart from their letters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

import numpy as np

from tertium.comparison.doctor.column import TextColumn
from tertium.comparison.doctor.diagnosis import Finding, worded
from tertium.errors import many

_SUSPECT = re.compile(r"[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u0178\u02c6\u02dc\u2013-\u2122]+")
_FRENCH = "\u00a0»"  # é, this space and this quote would spell a Chinese character
# What people write: Latin, Greek, Cyrillic, punctuation, CJK. Other characters come out by chance (of ß and a quote).
_PLAUSIBLE = re.compile(
    r"[\u00a0-\u024f\u0384-\u045f\u2010-\u203a\u20ac\u2122\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3]"
)


def check_empty(column: TextColumn) -> Iterator[Finding]:
    """Lines without text."""
    places = np.flatnonzero(~column.survey.filled & ~column.survey.missing).tolist()
    if not places:
        return
    if len(places) == len(column):
        yield Finding("empty lines", "unusable", column.name, *worded("doctor.all-empty"))
        return
    name = {
        "system": "doctor.empty-output",
        "reference": "doctor.empty-reference",
        "source": "doctor.empty-source",
    }[column.role]
    verb = "is" if len(places) == 1 else "are"
    message, advice = worded(name, count=len(places), lines=many(len(column), "line"), verb=verb)
    yield Finding.at("empty lines", "serious", column.name, message, advice, places)


def mojibake(text: str) -> bool:
    """Whether UTF-8 was read as Windows-1252 or Latin-1: the bytes of some characters spell others.

    >>> mojibake("cafÃ© â€œbarâ€"), mojibake("café “bar”")
    (True, False)
    """
    return any(_spelled(found.group()) for found in _SUSPECT.finditer(text.replace(_FRENCH, "»")))


def without_mojibake(text: str) -> str:
    """The text as it was before its UTF-8 was read in a wrong encoding.

    >>> without_mojibake("cafÃ© â€“ Ã la carte"), without_mojibake("café “bar”")
    ('café – Ã la carte', 'café “bar”')
    """
    kept = text.replace(_FRENCH, "\ue000")
    return _SUSPECT.sub(lambda found: _spelled(found.group()) or found.group(), kept).replace(
        "\ue000", _FRENCH
    )


def _spelled(letters: str) -> str:
    """What these characters spell as bytes of UTF-8; empty if that is nothing that people write."""
    for encoding in ("cp1252", "latin-1"):
        try:
            spelled = letters.encode(encoding).decode("utf-8")
        except UnicodeError:
            continue
        if all(_PLAUSIBLE.match(character) for character in spelled):
            return spelled
    return ""


def not_composed(text: str) -> bool:
    """Whether letters and accents are separate characters that could be one (no NFC)."""
    return not text.isascii() and not unicodedata.is_normalized("NFC", text)
