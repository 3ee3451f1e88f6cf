"""What a text says again, counted slowly (native/repeats.hpp)."""

from __future__ import annotations

import re
from collections import Counter

PERIOD = 24


def repeats(text: str) -> list[float]:
    """Words, how often the commonest n-gram of one to four words occurs, words of n-grams (of two or more) that stood
    before, words of the longest loop, the longest run of one character."""
    words = re.findall(r"\w+", text.lower())
    n = len(words)
    found: list[float] = [float(n)]
    again: set[int] = set()
    for order in range(1, 5):
        grams = [tuple(words[i : i + order]) for i in range(n - order + 1)]
        found.append(float(max(Counter(grams).values(), default=0)))
        for i, gram in enumerate(grams):
            if order > 1 and gram in grams[:i]:
                again |= set(range(i, i + order))
    loop = 0
    for period in range(1, min(PERIOD, n // 2) + 1):
        for i in range(period, n):
            run = 0
            while i + run < n and words[i + run] == words[i + run - period]:
                run += 1
            loop = max(loop, run if run >= period else 0)
    shown = text.replace(" ", "")
    runs = (len(own.group()) for own in re.finditer(r"(.)\1*", shown, re.DOTALL))
    return [*found, float(len(again)), float(loop), float(max(runs, default=0))]
