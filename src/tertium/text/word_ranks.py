"""How rare a word is: its place in a list of frequent words."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from tertium._native import WordRanks


@lru_cache(maxsize=4)
def word_ranks(lang: str = "en") -> WordRanks:
    """The list of a language, the most frequent word first (data/word_ranks).

    >>> len(word_ranks())
    20000
    """
    return WordRanks(_listed(lang))


def word_list(lang: str = "en") -> list[str]:
    """The same list as words; FileNotFoundError where there is none.

    >>> word_list()[0]
    'the'
    """
    return [word.decode() for word in _listed(lang)]


def _listed(lang: str) -> list[bytes]:
    return files("tertium").joinpath("data", "word_ranks", f"{lang}.txt").read_bytes().split()
