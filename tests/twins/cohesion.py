"""Lexical cohesion as equations 1 and 2 of Libovický, Brovelli and Cartoni (2018) are written."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def cohesion(words: Sequence[str], similarity: Callable[[str, str], float]) -> float:
    """1/(|C| - 1) sum over i = 2..|C| of max over j < i of sim(c_i, c_j); not a number for fewer than two words."""
    if len(words) < 2:
        return float("nan")
    total = 0.0
    for i in range(1, len(words)):
        total += max(similarity(words[i], words[j]) for j in range(i))
    return total / (len(words) - 1)


def repeated(one: str, other: str) -> float:
    return 1.0 if one == other else 0.0
