"""Twin of native/envelopes.hpp: the upper envelope of lines, by looking at every place where two of them meet."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise


def highest(offsets: Sequence[float], slopes: Sequence[float], x: Fraction) -> int:
    """The first of the highest lines at x."""
    values = [Fraction(a) + x * Fraction(b) for a, b in zip(offsets, slopes, strict=True)]
    return values.index(max(values))


def envelope(
    offsets: Sequence[float], slopes: Sequence[float]
) -> tuple[int, list[tuple[Fraction, int, int]]]:
    """The choice at -infinity, and where it changes: place, candidate before, candidate after."""
    n = len(offsets)
    meeting = sorted(
        {
            (Fraction(offsets[i]) - Fraction(offsets[j])) / (Fraction(slopes[j]) - Fraction(slopes[i]))
            for i in range(n)
            for j in range(n)
            if slopes[i] != slopes[j]
        }
    )
    if not meeting:
        return highest(offsets, slopes, Fraction(0)), []
    places = [meeting[0] - 1, *((a + b) / 2 for a, b in pairwise(meeting)), meeting[-1] + 1]
    chosen = [highest(offsets, slopes, x) for x in places]
    turns = [
        (where, before, after)
        for where, (before, after) in zip(meeting, pairwise(chosen), strict=True)
        if before != after
    ]
    return chosen[0], turns
