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
    text = files("tertium").joinpath("data", "word_ranks", f"{lang}.txt").read_bytes()
    return WordRanks(text.split())
