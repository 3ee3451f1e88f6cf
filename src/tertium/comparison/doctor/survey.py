"""What the checks ask about every line, found in one pass of the native core: kinds of characters, ends and lengths.

A check that can only fire where a line has some character looks at no other line.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntFlag, auto
from functools import cache, cached_property

import numpy as np
import numpy.typing as npt

from tertium._native import Lines, characters, count_classes, survey_lines

Integers = npt.NDArray[np.int64]
Counts = npt.NDArray[np.int32]
Flags = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.uint32]


def codes_of(lines: Lines) -> Codes:
    """Every character of the lines, once."""
    return np.asarray(characters(lines))


class Has(IntFlag):
    """Kinds of characters, and some short strings, that a line may have."""

    LETTER = auto()
    RUN = auto()  # six equal letters in a row
    UPPER = auto()
    NOT_UPPER = auto()  # lower or title case
    CAPITAL = auto()  # what lower() changes
    CASED = auto()  # what lower() and upper() tell apart
    COMBINING = auto()  # a text without these is composed (NFC)
    BYTE_ORDER_MARK = auto()
    LOST = auto()
    LATIN_LEAD = auto()  # the first byte of UTF-8, and those that follow, read as another encoding
    LATIN_TAIL = auto()
    CONTROL = auto()
    SURROGATE = auto()
    ESCAPE = auto()
    QUESTION_MARK = auto()
    AMPERSAND = auto()
    SUBWORD_MARK = auto()
    MARKER = auto()  # with which a mark of a vocabulary begins
    SEPARATOR = auto()
    FENCE = auto()
    INVISIBLE = auto()
    UNUSUAL_SPACE = auto()
    LATIN = auto()
    CYRILLIC_OR_GREEK = auto()
    FULL_WIDTH = auto()
    OPENING_BRACKET = auto()
    COLON = auto()
    SPACED = auto()  # what tokenisers put apart
    AI = auto()


def _one_of(expression: str) -> Callable[[str], object]:
    return re.compile(f"[{expression}]").match


def _combining(character: str) -> bool:
    """Whether a character is no NFC, or may be none after another: marks, and the letters of Hangul and Kirat Rai."""
    return (
        unicodedata.combining(character) > 0
        or unicodedata.category(character)[0] == "M"
        or "\u1100" <= character <= "\u11ff"
        or "\U00016d40" <= character <= "\U00016d7f"
        or not unicodedata.is_normalized("NFC", character)
    )


_TESTS: dict[Has, Callable[[str], object]] = {
    Has.LETTER: str.isalpha,
    Has.UPPER: str.isupper,
    Has.NOT_UPPER: lambda c: c.islower() or (c.istitle() and not c.isupper()),
    Has.CAPITAL: lambda c: c.lower() != c,
    Has.CASED: lambda c: c.lower() != c.upper(),
    Has.COMBINING: _combining,
    Has.BYTE_ORDER_MARK: _one_of("\ufeff"),
    Has.LOST: _one_of("\ufffd"),
    Has.LATIN_LEAD: _one_of("\u00c2-\u00f4"),
    Has.LATIN_TAIL: _one_of("\u0080-\u00bf\u0152-\u0178\u02c6\u02dc\u2013-\u2122"),
    Has.CONTROL: _one_of(r"\x00-\x08\x0b-\x1f\x7f-\x9f"),
    Has.SURROGATE: _one_of("\ud800-\udfff"),
    Has.ESCAPE: _one_of(r"\\<"),
    Has.QUESTION_MARK: _one_of("?"),
    Has.AMPERSAND: _one_of("&"),
    Has.SUBWORD_MARK: _one_of("@\u2581"),
    Has.MARKER: _one_of("<\\[_U\u2047"),
    Has.SEPARATOR: _one_of("\t|"),
    Has.FENCE: _one_of("`~"),
    Has.INVISIBLE: _one_of("\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069"),
    Has.UNUSUAL_SPACE: _one_of("\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f"),
    Has.LATIN: _one_of("a-zA-Z"),
    Has.CYRILLIC_OR_GREEK: _one_of("\u0370-\u03ff\u0400-\u04ff"),
    Has.FULL_WIDTH: _one_of("\uff01-\uff5e\u3000-\u3002"),
    Has.OPENING_BRACKET: _one_of(r"(\[{（【"),
    Has.COLON: _one_of(":："),
}
_STRINGS = {**dict.fromkeys((" .", " ,", " n't", " 's", "@-@"), Has.SPACED), " AI": Has.AI}


@dataclass(frozen=True, eq=False)
class Survey:
    """The lines of a text in numbers; what is missing is as long as what is empty."""

    kinds: npt.NDArray[np.uint64]
    first: npt.NDArray[np.uint32]  # character that is no space; 0 if there is none
    last: npt.NDArray[np.uint32]
    characters: Counts
    stripped: Counts  # characters without spaces at either end
    words: Counts
    missing: Flags

    @classmethod
    def of(cls, lines: Lines, codes: Codes) -> Survey:
        """The survey of lines in which these characters occur.

        >>> lines = Lines([" So: two\\n", None, ""])
        >>> found = Survey.of(lines, codes_of(lines))
        >>> found.having(Has.COLON).tolist(), found.stripped.tolist(), found.words.tolist()
        ([0], [7, 0, 0], [2, 0, 0])
        """
        kinds = np.array([_kinds(chr(code)) for code in codes.tolist()], np.uint64)
        strings = list(_STRINGS)
        found = survey_lines(
            *(lines, codes, kinds, strings, [int(_STRINGS[own]) for own in strings]), Has.LETTER, Has.RUN
        )
        all_kinds, first, last, sizes, stripped, words = map(np.asarray, found)
        return cls(all_kinds, first, last, np.maximum(sizes, 0), stripped, words, sizes < 0)

    @cached_property
    def filled(self) -> Flags:
        """Lines that have text."""
        return self.stripped > 0

    def having(self, *kinds: Has) -> Integers:
        """Lines (from 0) that have something of each of these kinds; a kind can be one of several (`A | B`)."""
        found = np.ones(len(self.kinds), np.bool_)
        for kind in kinds:
            found &= (self.kinds & np.uint64(kind)) > 0
        return np.flatnonzero(found)

    def lacking(self, kind: Has) -> Flags:
        """Lines that have nothing of this kind."""
        found: Flags = (self.kinds & np.uint64(kind)) == 0
        return found


@cache
def _kinds(character: str) -> int:
    return sum(kind for kind, has in _TESTS.items() if has(character))


def counts_by_class(lines: Lines, codes: Codes, class_of: Callable[[str], str | None]) -> dict[str, Counts]:
    """How many characters of each class each line has; those of the class None are not counted."""
    classes = [class_of(chr(code)) for code in codes.tolist()]
    names = {name: i + 1 for i, name in enumerate(dict.fromkeys(filter(None, classes)))}
    numbers = np.array([0 if name is None else names[name] for name in classes], np.uint16)
    return dict(zip(names, np.asarray(count_classes(lines, codes, numbers, len(names))), strict=True))
