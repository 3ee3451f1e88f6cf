"""What the combined probability is measured against: the length ratio alone, and TMop's filters as they are described.

TMop (Jalili Sabet, Negri, Turchi, de Souza and Federico 2016) lets some twenty filters vote, each of which rejects a
unit whose number is far from the mean of the memory, and removes what one, a fifth or most of them reject. The numbers
are here as far as the paper says what they are: form (lengths, tags, numbers, addresses, marks, repeated words,
language), and word alignment (share of words without a link, the longest run of them). Its filters by bilingual word
embeddings are not: they need vectors of both languages. Units are ranked by the number of votes, and of equals by
length.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

FAR = 2.0  # standard deviations
_SAME = (
    "placeholders",
    "numbers",
    "addresses",
    "repeated",
    "copied",
    "spaces",
    "ending",
)  # any difference rejects
_DIFFERENCES = ("words", "marks")  # of both sides, compared
_NUMBERS = (
    "length ratio",
    *(f"{side} {name}" for side in ("source", "target") for name in ("against", "run words", "home")),
)


class Baselines:
    """Means and spreads of a memory's numbers, and what is far from them."""

    def __init__(self, names: Sequence[str], rows: NDArray[np.float64]) -> None:
        self._names = tuple(names)
        numbers = self._numbers(rows)
        self._means, self._spreads = numbers.mean(axis=0), numbers.std(axis=0)

    def _column(self, rows: NDArray[np.float64], name: str) -> NDArray[np.float64]:
        return rows[:, self._names.index(name)] if name in self._names else np.zeros(len(rows))

    def _numbers(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        numbers = [self._column(rows, name) for name in _NUMBERS]
        numbers += [
            self._column(rows, f"source {own}") - self._column(rows, f"target {own}") for own in _DIFFERENCES
        ]
        return np.column_stack(numbers)

    def length_ratio(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far the ratio of characters is from its mean."""
        found: NDArray[np.float64] = np.abs(self._column(rows, "length ratio") - self._means[0])
        return found

    def votes(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """How many filters reject each unit; a fraction more for its length."""
        far = np.abs(self._numbers(rows) - self._means) > FAR * self._spreads
        found: NDArray[np.float64] = far.sum(axis=1).astype(float)
        for name in _SAME:
            found += self._column(rows, name) > 0
        distance = self.length_ratio(rows)
        found += distance / (distance + 1.0)
        return found
