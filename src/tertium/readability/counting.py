"""Words, sentences and syllables of texts, counted: what formulas take.

Words are those of `text/cut.py`: letters and digits, parts joined by hyphens; *l'ami* has two, *don't* has one.
Sentences are by the same rule: they end with a line, or with a full stop before what is not in lower case.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from functools import lru_cache
from typing import cast

from tertium._native import CutTexts, Forms, Lines
from tertium.errors import InputError, SpecError
from tertium.io.streams import read_bytes
from tertium.readability.formulas import TextCounts
from tertium.readability.syllables import syllables
from tertium.text.word_ranks import word_list

EASY = 8000  # words that are easy where no list is given: the most frequent
MANY = 3  # syllables
LONG = 6  # letters; longer words are long
CLITICS = {
    "en": frozenset(["t", "s", "d", "m", "re", "ve", "ll"])
}  # behind an apostrophe: no word of their own
_ENDINGS = re.compile("(?:es|ed|ing)$")
APOSTROPHES = ("'", "\u2019")


@lru_cache(maxsize=4)
def easy_words(lang: str, file: str = "") -> frozenset[str]:
    """Easy words: those of a file, one a line, or else the most frequent ones of the language.

    >>> "house" in easy_words("en"), "phlegm" in easy_words("en")
    (True, False)
    """
    if file:
        found = frozenset(read_bytes(file).decode("utf-8", "replace").lower().split())
        if not found:
            raise InputError(f"{file}: there are no words in this file")
        return found
    try:
        return frozenset(word_list(lang)[:EASY])
    except FileNotFoundError:
        raise SpecError(
            f"there is no list of easy words for the language {lang!r}: give one as easy=FILE, a word a line"
        ) from None


class Counter:
    """Counts of texts in one language; what is known of a word is kept."""

    def __init__(self, lang: str, easy: frozenset[str] | None = None) -> None:
        self.lang, self._easy = lang, easy
        self._clitics = CLITICS.get(lang, frozenset())
        self._forms, self._known = Forms(), 0
        self._table = array("q")

    def of(self, texts: Sequence[str] | Lines) -> list[TextCounts]:
        """Counts of each text.

        >>> Counter("en").of(["They don't sing. It's a university."])[0][:4]
        (6, 2, 10, 26)
        """
        if not len(texts):
            return []
        rows = cast(list[list[int]], self.rows(texts).tolist())
        return [TextCounts(*row) for row in rows]

    def rows(self, texts: Sequence[str] | Lines) -> memoryview:
        """The same as a table of whole numbers, a row for each text."""
        cut = CutTexts(self._forms, texts if isinstance(texts, Lines) else Lines(texts))
        for number in range(self._known, len(self._forms)):
            self._learn(self._forms[number])
        self._known = len(self._forms)
        width = len(TextCounts._fields)
        table = self._table or array("q", bytes(8 * width))
        return cut.counts(memoryview(table).cast("B").cast("q", (len(table) // width, width)))

    def _learn(self, token: str) -> None:
        """Rows for a word inside a sentence, at its beginning, and behind an apostrophe."""
        inside = self._word(token)
        first = behind = inside
        if inside[4] and token[0].isupper():  # no name, where a sentence begins
            first = (*inside[:5], inside[5] + self._word(token.lower())[5], *inside[6:])
        if token in self._clitics:  # the end of a word
            behind = (0, 0, 0, inside[3], 0, 0, 0, 0)
        for row in (inside, first, behind):
            self._table.extend(row)

    def _word(self, token: str) -> tuple[int, ...]:
        """What a word adds to the counts; signs add nothing."""
        letters = sum(map(str.isalnum, token))
        if not letters:
            return (0,) * len(TextCounts._fields)
        own = syllables(token, self.lang)
        many = own >= MANY
        bare = token.lower().rstrip("'\u2019")
        stem = _ENDINGS.sub("", bare)
        hard_to_say = many and not token[0].isupper() and "-" not in token
        hard_to_say = hard_to_say and (stem == bare or syllables(stem, self.lang) >= MANY)
        easy = self._easy is None or bare in self._easy or not any(map(str.isalpha, bare))
        return 1, 0, own, letters, int(many), int(hard_to_say), int(letters > LONG), int(not easy)
