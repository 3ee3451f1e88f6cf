"""Dates as memories write them, as ISO 8601."""

from __future__ import annotations

import re
from datetime import date, datetime
from functools import lru_cache

from tertium.errors import InputError

_DAY = re.compile(r"\d{4}-?\d\d-?\d\d")


@lru_cache(maxsize=1 << 14)
def iso_date(text: str) -> str | None:
    """A day, or a day and a time with its zone where it has one; None if the text is no date.

    >>> iso_date("20190121T101500Z"), iso_date("2019-01-21 10:15+0100"), iso_date("20190121")
    ('2019-01-21T10:15:00Z', '2019-01-21T10:15:00+01:00', '2019-01-21')
    >>> iso_date("20191341T000000Z"), iso_date("YEAR-MO-DA HO:MI+ZONE")
    (None, None)
    """
    text = text.strip()
    if not _DAY.match(text) or not text.isascii():
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    if _DAY.fullmatch(text):
        return found.date().isoformat()
    return found.isoformat().replace("+00:00", "Z")


def compact_date(iso: str) -> str:
    """As TMX writes it, in UTC.

    >>> compact_date("2019-01-21T10:15:00+01:00"), compact_date("2019-01-21")
    ('20190121T091500Z', '20190121T000000Z')
    """
    from datetime import UTC

    found = datetime.fromisoformat(iso)
    return (found.astimezone(UTC) if found.tzinfo else found).strftime("%Y%m%dT%H%M%SZ")


def parsed_date(text: str, where: str) -> date:
    """A day as ISO 8601 writes it."""
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        raise InputError(f"{where}: {text!r} is no date, such as 2026-11-20") from None
