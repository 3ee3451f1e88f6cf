"""Snowball stemmers, with the stems of 2015 that METEOR 1.5 knows.

English is native (native/stem_english.hpp), Finnish is in finnish.py. Other languages use the package snowballstemmer
2.x; where it has changed a language since 2015, the change is undone here, so that stems are those of METEOR's jar.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Any

from tertium import _native
from tertium.errors import MissingExtraError, SpecError, did_you_mean
from tertium.text import finnish

LANGUAGES = (
    *("danish", "dutch", "english", "finnish", "french", "german", "hungarian", "italian"),
    *("norwegian", "portuguese", "romanian", "russian", "spanish", "swedish", "turkish"),
)
_HELD = "\u0138"  # stands for letters that a newer rule would touch; no word of these languages has it
_CONSONANTS = "bcdfghjklmnpqrstvwxz"
_VOWELS = "[aeiouyâàëéêèïîôûù]"
# -gu- in the region where endings are looked for: after two vowels and a letter, or after everything up to a vowel.
_FRENCH_GUE = re.compile(rf"(?:{_VOWELS}{_VOWELS}.|par|col|tap|.+?{_VOWELS}).*guës?$")
_TO_OLD_HUNGARIAN = str.maketrans("őűõû", f"{_HELD}\u0149őű")
_FROM_OLD_HUNGARIAN = str.maketrans(f"{_HELD}\u0149őű", "őűõû")
Stem = Callable[[str], str]


@cache
def stemmer(language: str) -> Stem:
    """A function that stems one word (in lower case) as Snowball did in 2015; it remembers the words it has seen.

    >>> [stemmer("english")(word) for word in ("generously", "skies", "running")]
    ['generous', 'sky', 'run']
    """
    if language not in LANGUAGES:
        raise SpecError(f"there is no stemmer for {language!r}{did_you_mean(language, LANGUAGES)}")
    if language == "english":
        return lambda word: _native.stem_english([word])[0]
    return lru_cache(maxsize=1 << 20)(finnish.stem if language == "finnish" else _of_2015(language))


def _of_2015(language: str) -> Stem:
    plain = _snowball(language)
    undo = _UNDO.get(language)
    return plain if undo is None else lambda word: undo(word, plain)


def _snowball(language: str) -> Stem:
    try:
        import snowballstemmer
    except ImportError:
        raise MissingExtraError(f"the stemmer for {language.title()}", "stem") from None
    from importlib.metadata import version

    if not version("snowballstemmer").startswith("2."):
        which = f"{language.title()} (snowballstemmer {version('snowballstemmer')} gives other stems)"
        raise MissingExtraError(f"the stemmer for {which}", "stem")
    made: Any = snowballstemmer.stemmer(language)
    found: Stem = made.stemWord
    return found


def _german(word: str, stem: Stem) -> str:
    """Without the newer rule that takes an s off -niss."""
    held = word.replace("ß", "ss").replace("niss", f"ni{_HELD}s")
    return stem(held).replace(_HELD, "s")


def _russian(word: str, stem: Stem) -> str:
    """Where ё is a letter of its own, not an е."""
    return stem(word.replace("ё", _HELD)).replace(_HELD, "ё")


def _portuguese(word: str, stem: Stem) -> str:
    """With the Spanish endings -ución and -uciones, which -ução and -uções have replaced."""
    for old, new in (("ución", "ução"), ("uciones", "uções")):
        without = new.replace("ç", _HELD)
        if word.endswith(new):
            return stem(word.removesuffix(new) + without).replace(_HELD, "ç")
        if word.endswith(old):
            base = word.removesuffix(old)
            cut = stem(base + new)
            removed = cut.endswith("u") and cut != stem(base + without).replace(_HELD, "ç")
            return cut if removed else stem(word)
    return stem(word)


def _french(word: str, stem: Stem) -> str:
    """With ë and ï as ordinary vowels that are never taken apart; after gu, ë goes."""
    spare = [vowel for vowel in "ôùûê" if vowel not in word]  # vowels that are part of no ending
    there = dict(zip((c for c in "ëï" if c in word), spare, strict=False))
    if not there:
        return stem(word)
    held = word.translate({ord(c): vowel for c, vowel in there.items()})
    found = stem(held).translate({ord(vowel): c for c, vowel in there.items()})
    return found[:-1] if _FRENCH_GUE.match(word) and found.endswith("guë") else found


def _hungarian(word: str, stem: Stem) -> str:
    """With õ and û for ő and ű, which the stemmer of 2015 takes for consonants."""
    return stem(word.translate(_TO_OLD_HUNGARIAN)).translate(_FROM_OLD_HUNGARIAN)


def _all_consonants(vowels: str) -> Callable[[str, Stem], str]:
    """For languages in which every character but the vowels was a consonant: digits, signs, foreign letters."""

    def undo(word: str, stem: Stem) -> str:
        places = [c for c in "qwxzcfbg" if c not in word]  # consonants that are part of no ending
        others = dict.fromkeys(c for c in word if c not in _CONSONANTS and c not in vowels)
        if not others or len(others) > len(places):
            return stem(word)
        there = dict(zip(others, places, strict=False))
        back = {place: c for c, place in there.items()}
        found = stem("".join(there.get(c, c) for c in word))
        return "".join(back.get(c, c) for c in found)

    return undo


_UNDO: dict[str, Callable[[str, Stem], str]] = {
    "french": _french,
    "german": _german,
    "hungarian": _hungarian,
    "russian": _russian,
    "portuguese": _portuguese,
    "danish": _all_consonants("aeiouyæåø"),
}


def table_stemmer(lines: Sequence[str]) -> Stem:
    """A stemmer from a table: a word, then counts and stems; the stem with the highest count, the first of equals.

    >>> table_stemmer(["books 2 book 1 booky"])("books")
    'book'
    """
    table: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        word, *fields = line.split()
        counts = fields[::2]
        if not fields or len(fields) % 2 or not all(count.isdigit() for count in counts):
            raise ValueError(f"line {number}: a word, then counts and stems were expected")
        best = max(range(len(counts)), key=lambda i: int(counts[i]))
        table[word] = fields[2 * best + 1]
    return lambda word: table.get(word, word)
