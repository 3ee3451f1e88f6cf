"""N-grams of one line, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def extract_all_word_ngrams(
    line: str, min_order: int, max_order: int
) -> tuple[Counter[tuple[str, ...]], int]:
    """Word n-grams of all orders from `min_order` to `max_order` as tuples, and the number of words."""
    words = line.split()
    orders = range(min_order, max_order + 1)
    grams = (tuple(words[end - n : end]) for n in orders for end in range(n, len(words) + 1))
    return Counter(grams), len(words)


def extract_word_ngrams(tokens: Sequence[str], n: int) -> Counter[str]:
    """Word n-grams of one order, their words joined by spaces.

    >>> extract_word_ngrams(["a", "b", "a", "b"], 2)
    Counter({'a b': 2, 'b a': 1})
    """
    return Counter(" ".join(tokens[end - n : end]) for end in range(n, len(tokens) + 1))


def extract_char_ngrams(line: str, n: int, include_whitespace: bool = False) -> Counter[str]:
    """Character n-grams of one order, without white space unless it is asked for.

    >>> extract_char_ngrams("a ba", 2)
    Counter({'ab': 1, 'ba': 1})
    """
    text = line if include_whitespace else "".join(line.split())
    return Counter(text[end - n : end] for end in range(n, len(text) + 1))


def extract_all_char_ngrams(
    line: str, max_order: int, include_whitespace: bool = False
) -> list[Counter[str]]:
    """Character n-grams of every order from 1 to `max_order`."""
    return [extract_char_ngrams(line, n, include_whitespace) for n in range(1, max_order + 1)]
