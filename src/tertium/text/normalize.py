"""Normalisation: lower case and letters without diacritics before tokenising, plain typography before matching."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

from tertium._native import Lines

Lowercase = bool | Literal["ascii"]


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


_ASCII_LOWER = {ord(c): c.lower() for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}


def normalize(lines: Lines, *, lowercase: Lowercase = False, diacritics: bool = True) -> Lines:
    """`lines` in lower case (as Python's str.lower, or ASCII letters only) and without diacritics, where asked."""
    if lowercase == "ascii":
        texts = (lines[i] for i in range(len(lines)))
        lines = Lines([None if text is None else text.translate(_ASCII_LOWER) for text in texts])
    elif lowercase:
        lines = lines.lower()
    if not diacritics:
        texts = (lines[i] for i in range(len(lines)))
        lines = Lines([None if text is None else strip_diacritics(text) for text in texts])
    return lines


_PLAIN = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u02bc\u02b9\u2032\u00b4\u0060\uff07", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\uff02", '"'),
        **dict.fromkeys("\u2010\u2011", "-"),
        **dict.fromkeys("\u00ad\u200b\u2060\ufeff", ""),  # soft hyphen, characters without width
    }
)
_SIGN = r"\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"  # of scripts without spaces between words
_WORD = re.compile(rf"[{_SIGN}]|[^\W{_SIGN}]+(?:'(?=\w\w))?")
_SPACE = re.compile(r"\s")


def plain_characters(text: str) -> str:
    """NFC; apostrophes, quotes, hyphens and white space made plain; soft hyphens and zero-width characters removed.

    >>> plain_characters("d\u2019e\u0301te\u0301")
    "d'été"
    """
    plain = unicodedata.normalize("NFC", text).translate(_PLAIN)
    # again, since a character without width may have kept an accent apart from its letter
    return _SPACE.sub(" ", unicodedata.normalize("NFC", plain))


def plain_typography(text: str) -> str:
    """A text as it would be typed: `plain_characters`, with runs of white space as one space, and none at the ends.

    >>> print(plain_typography("  L\u2019e\u0301te\u0301\u00a0: \u00ab\u202foui\u202f\u00bb "))
    L'été : " oui "
    """
    return " ".join(plain_characters(text).split())


def plain_words(text: str) -> list[tuple[str, int]]:
    """Words without punctuation and where they begin, for a rough look where no tokeniser is asked for. An article
    with its apostrophe is a word, and so is each sign of a script without spaces.

    >>> [word for word, _ in plain_words("L'ami, c'est-à-dire toi.")]
    ["L'", 'ami', "c'", 'est', 'à', 'dire', 'toi']
    >>> plain_words("彼は6歳")
    [('彼', 0), ('は', 1), ('6', 2), ('歳', 3)]
    """
    return [(found.group(), found.start()) for found in _WORD.finditer(text)]
