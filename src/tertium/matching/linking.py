"""Which words of stored translations belong together, by the lexical models of their memory."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tertium.matching.words import MemoryWords
    from tertium.text.keyed import KeyedWords, Numbers

LINKED = 0.02  # least probability (both ways) of a link
STRONG = 0.2  # of one that only one side prefers
SAME = 0.5  # probability that a word stays as it is
DIAGONAL = 2.0  # how much nearer places count more
_UNSEEN = 1e-4

WordLinks = frozenset[tuple[int, int]]  # places of words in a source and its target


def links_of(words: MemoryWords, sources: KeyedWords, targets: KeyedWords) -> Iterator[WordLinks]:
    """Links between the words of each source and its target: pairs that both sides, or one strongly, like best."""
    sides = [
        (sources.keys[a:b], targets.keys[c:d])
        for (a, b), (c, d) in zip(pairwise(sources.starts), pairwise(targets.starts), strict=True)
    ]
    if not sides:
        return
    ours = np.concatenate([np.repeat(one, len(other)) for one, other in sides])
    theirs = np.concatenate([np.tile(other, len(one)) for one, other in sides])
    forward = np.maximum(words.forward.of(ours, theirs), _UNSEEN)
    backward = np.maximum(words.backward.of(theirs, ours), _UNSEEN)
    chances = np.where(ours == theirs, np.maximum(SAME, forward), np.sqrt(forward * backward))
    at = 0
    for one, other in sides:
        size = len(one) * len(other)
        yield _links(chances[at : at + size].reshape(len(one), len(other)))
        at += size


def _links(chances: Numbers) -> WordLinks:
    """Rows by columns: pairs that are the best of both, and strong ones that are the best of their column."""
    rows, columns = chances.shape
    if not rows or not columns:
        return frozenset()
    away = np.abs(np.arange(rows)[:, None] / rows - np.arange(columns)[None, :] / columns)
    weighed = chances * np.exp(-DIAGONAL * away)
    of_row, of_column = weighed.argmax(axis=1), weighed.argmax(axis=0)
    found = set()
    for column, row in enumerate(of_column.tolist()):
        least = LINKED if of_row[row] == column else STRONG
        if chances[row, column] >= least:
            found.add((row, column))
    return frozenset(found)
