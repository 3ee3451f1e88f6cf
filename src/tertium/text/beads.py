"""Sentences of two documents in beads: so many of the one say what so many of the other say.

The work is native (native/beads.hpp says how a bead is scored). Here are the rounds: the first knows lengths and words
spelt alike; from its beads are learnt what lengths and kinds are usual and which words translate which; with that
the next looks again, nearby. Several documents teach each other: they go through each round together.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from tertium import _native
from tertium.progress import steps

if TYPE_CHECKING:
    import numpy as np

KINDS: tuple[tuple[int, int], ...] = _native.BEAD_KINDS
PRIOR = (0.88, 0.015, 0.015, 0.03, 0.03, 0.001, 0.006, 0.006, 0.002, 0.002, 0.0005, 0.0005)  # of KINDS
PRIOR_WEIGHT = 200.0  # beads that the prior is worth
ROUNDS = 3
WHOLE = 4_000_000  # cells: a smaller document is looked at as a whole at first
FIRST_HALF, LATER_HALF = 150, 30  # targets to each side of the path that are looked at
ITERATIONS = 5
LONGEST = 100  # words of a bead that is learnt from
LEARNT_FROM = 200_000  # beads
SURE = 2.0  # log odds of a bead that is learnt from
HALF_OF_SQUARES = 0.455  # the median of the square of a normal variable


@dataclass(frozen=True)
class Odds:
    """What beads are scored by; see native/beads.hpp."""

    ratio: float = 1.0
    variance: float = 6.8
    lengths: float = 1.0
    words: float = 1.0
    vectors: float = 0.0
    usual: float = 0.0
    unexplained: float = 0.2
    crossing: float = 3.0
    breaks: float = 1.0
    kinds: tuple[float, ...] = PRIOR


class Bead(NamedTuple):
    """Sentences of both sides, from and to, and the logarithm of the odds that they belong together."""

    source: tuple[int, int]
    target: tuple[int, int]
    score: float


@dataclass(frozen=True, eq=False)
class Document:
    """Sentences of both sides; where paragraphs begin, and vectors of sentences, if known."""

    sources: Sequence[str]
    targets: Sequence[str]
    source_breaks: Sequence[bool] | None = None
    target_breaks: Sequence[bool] | None = None
    vectors: tuple[np.ndarray, np.ndarray] | None = None

    @cached_property
    def lines(self) -> tuple[_native.Lines, _native.Lines]:
        return _native.Lines(self.sources), _native.Lines(self.targets)

    def finder(self, table: _native.WordPairs) -> _native.BeadFinder:
        finder = _native.BeadFinder(table, *self.lines)
        if self.source_breaks is not None and self.target_breaks is not None:
            finder.set_breaks(array("B", self.source_breaks), array("B", self.target_breaks))
        if self.vectors is not None:
            finder.set_vectors(*self.vectors)
        return finder


def align(
    documents: Sequence[Document],
    *,
    odds: Odds | None = None,
    rounds: int = ROUNDS,
    taught: tuple[Sequence[str], Sequence[str]] = ((), ()),
) -> list[list[Bead]]:
    """The beads of each document. `taught`: texts and their translations that teach words before the first round.

    >>> [beads] = align([Document(["One 1.", "Two 2, and 3.", "Four 4."], ["Un 1.", "Deux 2,", "et 3.", "Quatre 4."])])
    >>> [(bead.source, bead.target) for bead in beads]
    [((0, 1), (0, 1)), ((1, 2), (1, 3)), ((2, 3), (3, 4))]
    """
    odds = odds or Odds()
    table = _native.WordPairs()
    found: list[list[Bead]] = []
    if taught[0]:
        teach(table, *taught)
    for turn in range(rounds):
        if turn:
            odds = learn(documents, found, table, odds, taught)
        before: Sequence[Sequence[Bead] | None] = found or [None] * len(documents)
        turns = steps(list(zip(documents, before, strict=True)), f"aligning, round {turn + 1} of {rounds}")
        found = [beads_of(one, table, odds, own) for one, own in turns]
    return found


def teach(table: _native.WordPairs, sources: Sequence[str], targets: Sequence[str]) -> None:
    """The table learns from these and forgets what it knew."""
    lines = _native.Lines(sources), _native.Lines(targets)
    table.learn(*lines, iterations=ITERATIONS, longest=LONGEST, most=LEARNT_FROM)


def learn(
    documents: Sequence[Document],
    found: Sequence[Sequence[Bead]],
    table: _native.WordPairs,
    odds: Odds,
    taught: tuple[Sequence[str], Sequence[str]] = ((), ()),
) -> Odds:
    """The table learns words from beads; so do the odds what lengths and kinds are usual."""
    sources, targets = [], []
    counts = [share * PRIOR_WEIGHT for share in PRIOR]
    kinds = {kind: n for n, kind in enumerate(KINDS)}
    for document, beads in zip(documents, found, strict=True):
        for (i, past_i), (j, past_j), score in beads:
            counts[kinds[past_i - i, past_j - j]] += 1
            if i < past_i and j < past_j and score >= SURE:
                sources.append(" ".join(document.sources[i:past_i]))
                targets.append(" ".join(document.targets[j:past_j]))
    if sources:
        teach(table, [*taught[0], *sources], [*taught[1], *targets])
    whole = sum(counts)
    shares = [
        PRIOR[n] if min(KINDS[n]) > 1 else count / whole for n, count in enumerate(counts)
    ]  # two and two stay rare
    odds = replace(odds, kinds=tuple(shares))
    if len(sources) < 10:
        return odds
    ratio = sum(map(len, targets)) / max(1, sum(map(len, sources)))
    lengths = [(ratio * len(a), len(b)) for a, b in zip(sources, targets, strict=True)]
    away = sorted((b - a) ** 2 / (ratio * 0.5 * (a + b) + 1) for a, b in lengths)
    return replace(odds, ratio=ratio, variance=max(0.5, away[len(away) // 2] / HALF_OF_SQUARES))


def beads_of(
    document: Document, table: _native.WordPairs, odds: Odds, before: Sequence[Bead] | None = None
) -> list[Bead]:
    """The beads of a document as a table and odds have it; nearby, where beads are known before."""
    finder = document.finder(table)
    n, m = len(document.sources), len(document.targets)
    if before is not None:
        points, half = [(bead.source[0], bead.target[0]) for bead in before], LATER_HALF
    elif n * m <= WHOLE:
        points, half = [], max(1, m)
    else:
        points, half = finder.anchors(), FIRST_HALF
    kinds = array("d", map(math.log, odds.kinds))
    settings = {name: getattr(odds, name) for name in odds.__dataclass_fields__ if name != "kinds"}
    while True:
        rows, scores, touched = finder.find(points, half, kinds=kinds, **settings)
        if not touched or half >= m:
            break
        half *= 2
    found = []
    listed: Any = rows.tolist()
    for (i, j, kind), score in zip(listed, scores.tolist(), strict=True):
        a, b = KINDS[kind]
        found.append(Bead((i, i + a), (j, j + b), score))
    return found
