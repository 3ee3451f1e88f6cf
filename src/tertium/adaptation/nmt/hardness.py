"""Which examples are hard: pairs that diverge, as challenge sets are mined from parallel text.

A divergence counts by how few pairs of the memory diverge as much (`challenge.mining`): a share p gives -log2 p points.
Examples with points are drawn more often, in proportion to them; the others make room, so that an epoch is as long as
it was, and a training of as many steps sees as many examples.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tertium.adaptation.nmt.examples import TaggedPair
from tertium.errors import InputError


def with_points(rows: Sequence[TaggedPair]) -> list[TaggedPair]:
    """The examples with the points of those that diverge; copies of a source have the same."""
    from tertium.challenge.mining import mine

    mined = mine([own.source for own in rows], [own.target for own in rows], limit=None)
    if not mined.candidates:
        raise InputError("no unit of the memory diverges: there is nothing hard to learn from")
    points = {own.line - 1: own.points for own in mined.candidates}
    return [replace(own, points=points.get(place, 0.0)) for place, own in enumerate(rows)]


def drawn_harder(
    order: NDArray[np.int64], points: NDArray[np.float64], share: float, draw: np.random.Generator
) -> NDArray[np.int64]:
    """The order of an epoch in which such a share of the examples was drawn by their points.

    >>> drawn_harder(np.arange(4), np.array([0.0, 0.0, 0.0, 2.5]), 0.5, np.random.default_rng(1)).tolist().count(3) >= 2
    True
    """
    number = round(share * len(order))
    if not number or not points.any():
        return order
    hard = draw.choice(len(points), number, p=points / points.sum())
    return draw.permutation(np.concatenate([order[: len(order) - number], hard]))
