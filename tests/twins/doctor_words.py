"""How the input doctor numbers words, in plain Python."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise

_DENSE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def words_of(line: str) -> list[str]:
    """Lower-cased words; punctuation marks, symbols and characters of scripts without spaces stand alone."""
    lower = line.lower()
    alone = {c for c in lower if _DENSE.match(c) or unicodedata.category(c)[0] in "PS"}
    return "".join(f" {c} " if c in alone else c for c in lower).split()


def is_dense(word: str) -> bool:
    return _DENSE.match(word) is not None


def types_of(line: str) -> set[str]:
    """Words that tell lines apart; characters go in pairs."""
    words = words_of(line)
    telling = {word for word in words if len(word) > (1 if is_dense(word) else 2) and word[0].isalnum()}
    pairs = {a + b for a, b in pairwise(words) if is_dense(a) and is_dense(b)}
    return telling | pairs


def is_repeated(words: Sequence[str], period: int, times: int) -> bool:
    """Whether so many words, one of them of letters, are said so often in a row; characters once more."""
    begin = 0
    while begin < len(words):
        run = 0
        while begin + run + period < len(words) and words[begin + run] == words[begin + run + period]:
            run += 1
        least = (times if is_dense(words[begin]) else times - 1) * period
        if run >= least and any(map(str.isalpha, words[begin : begin + period])):
            return True
        begin += run + 1
    return False
