"""Normalisation before tokenising: lower case, and letters without their diacritics."""

from __future__ import annotations

import unicodedata

from tertium._native import Lines


def strip_diacritics(text: str) -> str:
    """Letters without combining marks (seed 000, footnote 12: Romanian scored without diacritics).

    >>> strip_diacritics("Țară și ană")
    'Tara si ana'
    """
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFD", text)
    kept = "".join(c for c in decomposed if unicodedata.category(c) != "Mn")
    return unicodedata.normalize("NFC", kept)


def normalize(lines: Lines, *, lowercase: bool = False, diacritics: bool = True) -> Lines:
    """`lines` in lower case (as Python's str.lower) and without diacritics, where asked."""
    if lowercase:
        lines = lines.lower()
    if not diacritics:
        texts = (lines[i] for i in range(len(lines)))
        lines = Lines([None if text is None else strip_diacritics(text) for text in texts])
    return lines
