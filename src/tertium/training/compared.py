"""Translations that people compared, two at a time: what a metric is trained on where nobody gave scores."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium.errors import InputError
from tertium.stats.taulike import WMT14, tau_like, verdict_counts, verdicts
from tertium.training.judged import SEGMENTS, JudgedTexts, as_bytes, enough

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.training.judged import Array, Mask
    from tertium.training.models import Learner


@dataclass(frozen=True)
class JudgedPairs(JudgedTexts):
    """Segments or documents, and comparisons of two of them: `sign` is 1 where the first is better, -1 where the second
    is, 0 for neither. Every vote is a comparison of its own; both translations are of one reference.

    Agreement is WMT's tau (2014): ties of people are left out, a tie of the metric is neither right nor wrong.
    """

    learns_from = "comparisons"
    usual = "logistic"
    measure = "tau"

    hypotheses: tuple[str, ...]
    references: tuple[str, ...]
    sources: tuple[str, ...] | None
    first: NDArray[np.int64]  # places of texts
    second: NDArray[np.int64]
    sign: NDArray[np.int8]
    sets: tuple[str, ...]
    units: str = SEGMENTS
    measured: tuple[str, ...] | None = None
    pseudo: tuple[str, ...] = ()
    others: tuple[tuple[str, ...], ...] = ()

    def __post_init__(self) -> None:
        self._check()
        if not len(self.first) == len(self.second) == len(self.sign):
            raise InputError("comparisons have a first and a second text and a sign each")
        apart = [
            i
            for i, (a, b) in enumerate(zip(self.first.tolist(), self.second.tolist(), strict=True))
            if self.references[a] != self.references[b]
        ]
        if apart:
            raise InputError(f"comparison {apart[0] + 1}: the two translations are of different references")
        enough(self.number(), "comparisons with a better translation")

    def number(self, inside: Mask | None = None) -> int:
        decided = self.sign != 0
        return int(decided.sum() if inside is None else (decided & self._within(inside)).sum())

    def _within(self, inside: Mask) -> Mask:
        found: Mask = inside[self.first] & inside[self.second]
        return found

    def _oriented(self) -> Array:
        """1 and -1 in turn: which of two texts comes first must not tell which is better."""
        return np.where(np.arange(len(self.sign)) % 2, -1.0, 1.0)

    def fit(self, how: Learner, rows: Array, inside: Mask, setting: float) -> dict[str, Any]:
        """A weighted sum of which the mean over these texts is 0."""
        own, turn = self._within(inside), self._oriented()
        differences = (rows[:, self.first[own]] - rows[:, self.second[own]]) * turn[own, None]
        signs = np.tile(self.sign[own] * turn[own], len(rows))
        found = how.fit(differences.reshape(-1, rows.shape[2]), signs, setting)
        found["intercept"] = -float(rows[:, inside].mean(axis=(0, 1)) @ np.asarray(found["weights"]))
        return found

    def agreement(self, scores: Array, inside: Mask) -> float:
        own = self._within(inside) & (self.sign != 0)
        metric = verdicts(scores[self.first[own]], scores[self.second[own]])
        return tau_like(verdict_counts(1 - self.sign[own], metric), WMT14).value or 0.0

    def accuracy(self, scores: Array) -> float | None:
        decided = self.sign != 0
        difference = scores[self.first[decided]] - scores[self.second[decided]]
        return float((np.sign(difference) == self.sign[decided]).mean())

    def calibration(self, scores: Array) -> tuple[Array, Array]:
        """The probability that one of two is better, and whether it was (a tie is half)."""
        turn = self._oriented()
        difference = (scores[self.first] - scores[self.second]) * turn
        return 1 / (1 + np.exp(-np.clip(difference, -50, 50))), (1 + self.sign * turn) / 2

    def order(self, draw: np.random.Generator) -> NDArray[np.int64]:
        """Translations of one reference stay together."""
        names = {text: i for i, text in enumerate(dict.fromkeys(self.references))}
        place = draw.permutation(len(names))
        return np.argsort([place[names[text]] for text in self.references], kind="stable")

    @property
    def fingerprint(self) -> str:
        votes = zip(self.first.tolist(), self.second.tolist(), self.sign.tolist(), strict=True)
        told = [*zip(self.hypotheses, *self.streams, strict=True)], [*votes]
        return hashlib.sha256(as_bytes(repr(told))).hexdigest()[:16]
