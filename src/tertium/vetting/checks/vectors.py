"""Sides whose vectors are no nearer to each other than to other texts, by an encoder that knows both languages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.vetting.checks.base import Doubt
from tertium.vetting.sentencevectors import SentenceVectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tertium.io.memories.unit import Unit


class NearVectors:
    """A unit whose sides mean something else, as far as an encoder knows."""

    name = "vectors"
    sentence = "Both sides mean the same to an encoder of both languages (--encoder)."
    learner = SentenceVectors

    def sieve(self, rows: NDArray[np.float64]) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = rows[:, 2] > 0.0
        return found

    def doubt(self, _learner: SentenceVectors, unit: Unit, row: Sequence[float]) -> Doubt | None:
        if row[2] <= 0.0:
            return None
        what = f"the sides mean different things to the encoder: cosine {row[0]:.2f}, {_compared(row[1])}"
        return Doubt(self.name, what, row[2], ((0, len(unit.source)),), ((0, len(unit.target)),))


def _compared(margin: float) -> str:
    """
    >>> _compared(-0.05), _compared(0.004)
    ('0.05 less than with the nearest others', 'no more than with the nearest others')
    """
    if round(abs(margin), 2) == 0.0:
        return "no more than with the nearest others"
    return f"{abs(margin):.2f} {'more' if margin > 0 else 'less'} than with the nearest others"
