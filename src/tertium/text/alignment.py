"""Word alignments: links between words of a sentence and of its translation, and how far these keep the order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tertium.errors import InputError

Links = tuple[tuple[int, int], ...]  # (source word, target word), both from 0, in order
_LINK = re.compile(r"([0-9]{1,6})-([0-9]{1,6})")


def parse_pharaoh(line: str, n_source: int, n_target: int, where: str) -> Links:
    """A line in Pharaoh's format, `0-0 1-2`: source and target words, counted from 0.

    >>> parse_pharaoh("1-2 0-0", 2, 3, "a.align: line 1")
    ((0, 0), (1, 2))
    """
    found = set()
    for text in line.split():
        match = _LINK.fullmatch(text)
        if match is None:
            raise InputError(f"{where}: {text!r} is not a link between words, such as 0-1")
        link = (int(match[1]), int(match[2]))
        for side, place, words in (("source", link[0], n_source), ("target", link[1], n_target)):
            if place >= words:
                raise InputError(f"{where}: the link {text} is out of range: the {side} has {words} words")
        found.add(link)
    return tuple(sorted(found))


def crossing_share(links: Iterable[tuple[int, int]]) -> float | None:
    """Of the pairs of links that differ on both sides, the share that cross: 0 if word order is kept, 1 if it is
    reversed (Kendall's distance over links); None where no two links can cross.

    >>> crossing_share([(0, 0), (1, 2), (2, 1)])
    0.3333333333333333
    """
    ordered = sorted(links)
    crossing = total = 0
    for n, (i, j) in enumerate(ordered):
        for k, m in ordered[n + 1 :]:
            if i != k and j != m:
                total += 1
                crossing += j > m
    return crossing / total if total else None


def moved_most(links: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    """The link that crosses the most others (the first, if several do); None if no links cross.

    >>> moved_most([(0, 3), (1, 0), (2, 1), (3, 2)])
    (0, 3)
    """
    counts = [sum((i - k) * (j - m) < 0 for k, m in links) for i, j in links]
    most = max(counts, default=0)
    return links[counts.index(most)] if most else None
