"""Documents as vectors: the mean of their words' vectors, rare words first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.assignment.history import History
    from tertium.text.vectors import Vectors

_TINY = 1e-12


class Meanings:
    """Vectors of a history's documents. Rarity of words is that of its day: none changes later."""

    def __init__(self, vectors: Vectors, history: History) -> None:
        self.vectors, self.vocabulary = vectors, history.vocabulary
        self._words = np.zeros((0, vectors.dimension), np.float32)
        self.jobs = np.zeros((len(history.jobs), vectors.dimension))
        frequency, counted = np.zeros(len(history.vocabulary)), 0
        for job, day in enumerate(history.day):
            past = history.before(int(day))
            while counted < past:
                frequency[history.terms_of(counted)[0]] += 1
                counted += 1
            ids, weights = history.terms_of(job)
            self.jobs[job] = self.of(ids, weights * np.log((1 + past) / (1 + frequency[ids])))

    def of(self, ids: NDArray[np.int32], weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """The vector of a document, of length 1; zeros where no word has one."""
        self._look_up()
        sums = weights @ self._words[ids].astype(float)
        return np.asarray(sums / (np.sqrt((sums**2).sum()) + _TINY))

    def cosines(self, asked: NDArray[np.float64], past: int) -> NDArray[np.float64]:
        """Of a document with the first ones, less what all of those have in common."""
        known = self.jobs[:past]
        common = known.mean(axis=0)
        own, others = asked - common, known - common
        norms = np.sqrt((others**2).sum(axis=1) * (own**2).sum())
        return np.asarray(np.where(norms > _TINY, (others @ own) / (norms + _TINY), 0.0))

    def found(self, ids: NDArray[np.int32]) -> float:
        """How many of some words have vectors."""
        self._look_up()
        return float(self._words[ids].any(axis=1).mean()) if len(ids) else 0.0

    def _look_up(self) -> None:
        """Vectors, of length 1, of words that are new in the vocabulary."""
        begin = len(self._words)
        if begin == len(self.vocabulary):
            return
        rows = np.zeros((len(self.vocabulary) - begin, self.vectors.dimension), np.float32)
        for row, word in enumerate(list(self.vocabulary)[begin:]):
            if word in self.vectors:
                own = self.vectors[word]
                rows[row] = own / (np.sqrt(float(own @ own)) + _TINY)
        self._words = np.concatenate([self._words, rows])
