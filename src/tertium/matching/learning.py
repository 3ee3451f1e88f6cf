"""Weights of a policy: ridge regression on the edits that candidates would have saved in what was written later."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tertium.matching.evidence import PIECES
from tertium.matching.policy import BentLine, bent

if TYPE_CHECKING:
    import numpy.typing as npt

    from tertium.text.keyed import Numbers

BENDS = 5  # of a line, at most: at quantiles of what occurs
STRENGTH = 100.0  # of the pull towards 0, in rows
_SEVERAL = 4  # different values from which on a line may bend


class LearntLines(NamedTuple):
    mean: float
    lines: tuple[BentLine, ...]


class Basis(NamedTuple):
    """A number's column of values, its bends, and the places of its slopes among all."""

    name: str
    piece: str
    column: int
    bends: tuple[float, ...]
    first: int  # of its slopes


class Normal:
    """Sums over candidates from which any choice of pieces is solved."""

    def __init__(self, pieces: Sequence[str], values: Numbers) -> None:
        self.bases: list[Basis] = []
        names = [(piece, name) for piece in pieces for name in PIECES[piece].names]
        first = 0
        for column, (piece, name) in enumerate(names):
            known = values[:, column][~np.isnan(values[:, column])]
            different = np.unique(known)
            if len(different) < 2:
                continue  # nothing is known, or always the same
            bends: tuple[float, ...] = ()
            if len(different) > _SEVERAL:
                at = np.unique(np.quantile(known, np.linspace(0, 1, BENDS + 2)[1:-1]))
                bends = tuple(float(own) for own in at if different[0] < own < different[-1])
            self.bases.append(Basis(name, piece, column, bends, first))
            first += 1 + len(bends)
        self.size = first
        self.means = np.zeros(first)
        self.spreads = np.ones(first)
        if first:
            made = self._expanded(values)
            self.means = np.nanmean(made, axis=0)
            self.spreads = np.maximum(np.nanstd(made, axis=0), 1e-9)

    def _expanded(self, values: Numbers) -> Numbers:
        return np.concatenate([bent(values[:, own.column], own.bends) for own in self.bases], axis=1)

    def sums(self, values: Numbers, saved: Numbers) -> tuple[Numbers, Numbers, int, float]:
        """Products of columns with each other and with what was saved; how many rows, and their sum."""
        products, slopes = np.zeros((self.size + 1, self.size + 1)), np.zeros(self.size + 1)
        for begin in range(0, len(saved), 20_000):
            part = values[begin : begin + 20_000]
            rows = np.nan_to_num((self._expanded(part) - self.means) / self.spreads)
            rows = np.concatenate([rows, np.ones((len(rows), 1))], axis=1)
            products += rows.T @ rows
            slopes += rows.T @ saved[begin : begin + 20_000]
        return products, slopes, len(saved), float(saved.sum())

    def solved(self, products: Numbers, slopes: Numbers, pieces: Sequence[str]) -> LearntLines:
        """Weights of these pieces alone."""
        kept = [own for own in self.bases if own.piece in pieces]
        places = [own.first + n for own in kept for n in range(1 + len(own.bends))]
        chosen: npt.NDArray[np.int64] = np.array([*places, self.size])
        pull = np.full(len(chosen), STRENGTH)
        pull[-1] = 0.0
        weights = np.linalg.solve(products[np.ix_(chosen, chosen)] + np.diag(pull), slopes[chosen])
        lines, at = [], 0
        for own in kept:
            size = 1 + len(own.bends)
            spread, mean = (
                self.spreads[own.first : own.first + size],
                self.means[own.first : own.first + size],
            )
            steep = weights[at : at + size] / spread
            at += size
            lines.append(
                BentLine(own.name, own.piece, own.bends, tuple(map(float, steep)), float(steep @ mean))
            )
        return LearntLines(float(weights[-1]), tuple(lines))

    def scores(self, values: Numbers, learnt: LearntLines) -> Numbers:
        columns = {(own.piece, own.name): own.column for own in self.bases}
        found = np.full(len(values), learnt.mean)
        for line in learnt.lines:
            found += line(values[:, columns[line.piece, line.name]])
        return found
