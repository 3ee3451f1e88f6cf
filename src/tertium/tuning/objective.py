"""What tuning works on: candidates with features, and how good a choice of candidates is by a metric.

A candidate's row of statistics is made once. A choice is a sum of rows; exchanging a candidate subtracts one row and
adds another, so the corpus score of thousands of choices is one call.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tertium.families.base import Metric
from tertium.statistics import Statistics

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class CandidatePart:
    """Candidates of some sentences, those of a sentence together, with their features.

    >>> part = CandidatePart(np.array([[1.0, 2.0, 5.0], [4.0, 0.0, 5.0]]), np.array([0, 2, 3]))
    >>> part.chosen(np.array([1.0, 0.0])).tolist(), part.chosen(np.array([1.0, 1.0])).tolist()
    ([1, 2], [0, 2])
    """

    features: Array  # features x candidates
    starts: Numbers  # where each sentence begins, and the end

    def __len__(self) -> int:
        return len(self.starts) - 1

    @cached_property
    def sentences(self) -> Numbers:
        """The sentence of each candidate."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    def sums(self, weights: Array) -> Array:
        """Weights times features, added in the order of the features, so that every machine has the same bits."""
        found = np.zeros(self.features.shape[1])
        for weight, column in zip(weights.tolist(), self.features, strict=True):
            if weight:
                found += weight * column
        return found

    def highest(self, sums: Array) -> Numbers:
        """The candidate of each sentence with the highest sum; the first of equal ones."""
        most = np.maximum.reduceat(sums, self.starts[:-1])
        candidates = np.flatnonzero(sums == most[self.sentences])
        return candidates[np.searchsorted(self.sentences[candidates], np.arange(len(self)))].astype(np.int64)

    def chosen(self, weights: Array) -> Numbers:
        """The candidate of each sentence that these weights choose."""
        return self.highest(self.sums(weights))

    @cached_property
    def spread(self) -> Array:
        """How far each feature varies within sentences: its standard deviation there; 0: weights do not matter."""
        sizes = np.diff(self.starts)
        means = np.add.reduceat(self.features, self.starts[:-1], axis=1) / sizes
        away = self.features - means[:, self.sentences]
        least = np.abs(self.features).max(axis=1) * 1e-12
        found = np.sqrt(np.square(away).mean(axis=1))
        return np.where(found > least, found, 0.0)

    def taken(self, sentences: Numbers) -> tuple[CandidatePart, Numbers]:
        """The part with these sentences, and the numbers of its candidates here."""
        sizes = np.diff(self.starts)[sentences]
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        moved = np.repeat(self.starts[sentences] - starts[:-1], sizes)
        index = np.arange(starts[-1]) + moved
        return CandidatePart(np.ascontiguousarray(self.features[:, index]), starts), index


@dataclass(frozen=True, eq=False)
class Objective:
    """How good choices from a part are, by a metric over the sum of their rows; error metrics are negated."""

    part: CandidatePart
    metric: Metric
    rows: Statistics  # of every candidate

    def of_choice(self, index: Numbers) -> float:
        """The score of one choice; undefined is the worst."""
        value = self.metric.score_total(self.rows.take(index))
        return float(_good(self.metric, np.array([np.nan if value is None else value]))[0])

    def of_weights(self, weights: Array) -> float:
        """The score of what these weights choose."""
        return self.of_choice(self.part.chosen(weights))

    def along(self, first: Numbers, before: Numbers, after: Numbers, ends: Numbers) -> Array:
        """The scores after the first `ends[i]` exchanges of a candidate `before` for one `after`, beginning with the
        choice `first`."""
        return _good(self.metric, self.metric.score_exchanged(self.rows, first, before, after, ends))

    @cached_property
    def gains(self) -> Array:
        """The segment score of every candidate; where it is undefined, the worst of all."""
        scores = self.metric.oriented(self.metric.score_rows(self.rows, "segment"))
        known = scores[np.isfinite(scores)]
        return np.where(np.isfinite(scores), scores, known.min() if len(known) else 0.0)

    def corpus_gains(self, choice: Numbers) -> Array:
        """For every candidate: how the corpus score changes if its sentence takes it instead of its present choice,
        times the number of sentences, which makes it as large as a segment score."""
        n, now = len(self.part.sentences), self.of_choice(choice)
        if not np.isfinite(now):
            return self.gains
        present = choice[self.part.sentences]
        there_and_back = np.stack([present, np.arange(n)], axis=1)
        back, there = there_and_back.reshape(-1), there_and_back[:, ::-1].reshape(-1)
        scores = self.along(choice, back, there, np.arange(1, 2 * n, 2))
        found = (scores - now) * len(self.part)
        return np.where(np.isfinite(found), found, -np.abs(found[np.isfinite(found)]).max(initial=0.0))


def _good(metric: Metric, scores: Array) -> Array:
    good = metric.oriented(scores)
    return np.where(np.isnan(good), -np.inf, good)
