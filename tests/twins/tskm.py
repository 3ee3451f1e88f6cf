"""Kernels of sequences and trees as their definitions say them: parts are listed one by one."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple


class Node(NamedTuple):
    """A label and what hangs below."""

    label: str
    below: tuple[Node, ...] = ()

    def __iter__(self) -> Iterator[Node]:
        yield self
        for child in self.below:
            yield from child

    @property
    def rule(self) -> tuple[str, ...]:
        return (self.label, *(child.label for child in self.below))


def sequences(ours: Sequence[str], theirs: Sequence[str], order: int, decay: float) -> float:
    """All pairs of places with the same words."""
    total = 0.0
    for n in range(1, order + 1):
        for one in combinations(range(len(ours)), n):
            for other in combinations(range(len(theirs)), n):
                if [ours[i] for i in one] == [theirs[j] for j in other]:
                    total += decay ** (one[-1] - one[0] + 1 + other[-1] - other[0] + 1)
    return total


def subset(one: Node, other: Node, decay: float) -> float:
    """Delta of two nodes: parts with whole rules that begin there."""
    if not one.below or one.rule != other.rule:
        return 0.0
    return decay * math.prod(1 + subset(a, b, decay) for a, b in zip(one.below, other.below, strict=True))


def partial(one: Node, other: Node, decay: float, height: float) -> float:
    """Delta of two nodes: parts that begin there, children left out as one likes."""
    if one.label != other.label:
        return 0.0
    total = decay**2
    for n in range(1, min(len(one.below), len(other.below)) + 1):
        for a in combinations(range(len(one.below)), n):
            for b in combinations(range(len(other.below)), n):
                steps = a[-1] - a[0] + b[-1] - b[0]
                below = (
                    partial(one.below[i], other.below[j], decay, height) for i, j in zip(a, b, strict=True)
                )
                total += decay**steps * math.prod(below)
    return height * total


def trees(ours: Sequence[Node], theirs: Sequence[Node], kind: str, decay: float, height: float) -> float:
    """The sum over all pairs of nodes."""
    return sum(
        subset(a, b, decay) if kind == "sst" else partial(a, b, decay, height)
        for one in ours
        for other in theirs
        for a in one
        for b in other
    )
