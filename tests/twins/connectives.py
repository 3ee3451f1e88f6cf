"""Pairs of connectives with a class in common, one to one, as many as possible: all ways are tried."""

from __future__ import annotations

from collections.abc import Sequence


def most_pairs(ours: Sequence[tuple[str, ...]], theirs: Sequence[tuple[str, ...]]) -> int:
    if not ours:
        return 0
    first, rest = ours[0], ours[1:]
    best = most_pairs(rest, theirs)
    for j, other in enumerate(theirs):
        if set(first) & set(other):
            best = max(best, 1 + most_pairs(rest, [*theirs[:j], *theirs[j + 1 :]]))
    return best
