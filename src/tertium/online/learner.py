"""Learning from corrections, one at a time: what is added to a base estimate, by recursive least squares that forget.

A correction is a translation's features x, what the base said of it, b, and what turned out to be true, y. Learnt is
the residual y - b as w z, where z has a one, the base estimate and the features, all in units of the training's spread:

    G <- f G + (1 - f) G0 + z z',    s <- f s + z (y - b),    w = G^-1 s

G0 is diagonal and never forgotten, so that G stays positive definite however long the stream is and whatever it lacks.
There are a slow and a fast learner (`FORGETTING`), each with and without the mean of what it missed of late; they and
the base itself are mixed by how well they did (exponential weights with a fixed share, Herbster and Warmuth 1998), so
that a learner that does worse than the base counts little.

Corrections that have nothing to do with the texts are noticed by two sums (CUSUM, Page 1954) of the logarithm of a
likelihood ratio: that base and learner are as unrelated to them as to noise, against a part of the agreement that has
been usual, or that the training had. If both pass `LIMIT` (or `ENOUGH`, while a third sum says that errors of the
learner, too, are larger than any the training knew), what was learnt since they were zero is taken back, and nothing is
learnt until corrections make sense again. Post-edits tell more than numbers: `strayed.py` sums what their words say.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tertium.estimation.parts import TrainingRecord
from tertium.estimation.words import Numbers
from tertium.online.strayed import NEAR, StrayedTexts

# Chosen on the stream of MLQE-PE's Estonian training part, which no table of ours shows.
FORGETTING = (0.9998, 0.998)  # of a slow and a fast learner, by correction
ONE, SLOPE, FEATURE = 4.0, 1.0, 0.005  # variances of weights before anything is learnt, by that of the noise
LATELY, LATELY_BEFORE = 0.95, 10.0  # forgetting of what was missed of late, and how many zeros come before
RATE, SHARE = 0.5, 0.01  # of the mixture
MOST_LOSS = 9.0  # of one correction, in variances of the noise
PART, USUAL = 0.6, 0.85  # of the training's correlation, and of that of the stream so far, which are expected
STEADY, STEADY_BEFORE = 0.999, 300.0  # of what is usual in the stream, which begins as in the training
CALM, LIMIT = 3.0, 8.0  # of the sums: from where on nothing is usual; from where on corrections look random
WIDER, WIDE, ENOUGH = (
    2.25,
    40.0,
    3.0,
)  # variances of noise that are too much; of their sum, and of the others with it
MEMORY, BEFORE = 0.99, 30.0  # of means and spreads for the sums
WINDOW = 200  # corrections that are recent
_EDGES = (0.5, 99.5)  # percentiles of features, beyond which they count as if they were there
_LEARNT = ("grams", "sums", "weights", "missed_number", "missed", "trust")


@dataclass(frozen=True, eq=False)
class LearningScales:
    """What learning needs to know of the training: units of features, estimates and values; and how good it was."""

    low: Numbers
    high: Numbers
    centre: Numbers
    spread: Numbers
    estimate: Numbers  # mean and deviation of estimates of segments left out
    value: Numbers  # mean, deviation, least and greatest of what was to be estimated
    errors: Numbers  # of those estimates: mean absolute, mean square
    correlation: float

    @classmethod
    def learnt(cls, training: TrainingRecord) -> LearningScales | None:
        low, high = np.percentile(training.rows, _EDGES, axis=0)
        inside = np.clip(training.rows, low, high)
        values, found = training.values, training.left_out
        if training.target != "da":
            found = np.clip(found, 0.0, 1.0)
        correlation = float(np.corrcoef(found, values)[0, 1]) if np.ptp(found) > 0 else 0.0
        return cls(
            *(low, high, inside.mean(axis=0), _above_zero(inside.std(axis=0))),
            np.array([found.mean(), _above_zero(found.std())]),
            np.array([values.mean(), values.std(), values.min(), values.max()]),
            np.array([np.abs(found - values).mean(), ((found - values) ** 2).mean()]),
            correlation,
        )

    def arrays(self) -> dict[str, np.ndarray]:
        return {name: np.atleast_1d(np.asarray(own, float)) for name, own in vars(self).items()}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> LearningScales:
        names = ("low", "high", "centre", "spread", "estimate", "value", "errors")
        own = [np.asarray(arrays[name], float) for name in names]
        if len({one.shape for one in own[:4]}) != 1 or [one.shape for one in own[4:]] != [(2,), (4,), (2,)]:
            raise ValueError("numbers of values differ")
        if not (own[3] > 0).all() or own[4][1] <= 0 or own[5][1] <= 0 or own[6][1] <= 0:
            raise ValueError("a spread is not above zero")
        correlation = float(np.asarray(arrays["correlation"])[0])
        return cls(**dict(zip(names, own, strict=True)), correlation=correlation)

    def inputs(self, rows: Numbers, base: Numbers) -> Numbers:
        """One, the base estimate and the features, in units of the training."""
        scaled = (np.clip(rows, self.low, self.high) - self.centre) / self.spread
        estimates = (base - self.estimate[0]) / self.estimate[1]
        return np.column_stack([np.ones(len(rows)), estimates, scaled])


def _above_zero(spread: Numbers) -> Numbers:
    return np.where(np.asarray(spread) > 1e-12, spread, 1.0)


class CorrectionLearner:
    """What was learnt from corrections so far."""

    def __init__(self, scales: LearningScales, target: str) -> None:
        self.scales = scales
        self.bounds = (-math.inf, math.inf) if target == "da" else (0.0, 1.0)
        number, learners = len(scales.low) + 2, len(FORGETTING)
        self.prior = 1 / np.array([ONE, SLOPE, *[FEATURE] * (number - 2)])
        self.grams = np.tile(np.diag(self.prior), (learners, 1, 1))
        self.sums = np.zeros((learners, number))
        self.weights: Numbers = np.zeros((learners, number))
        self.missed_number = np.full(learners + 1, LATELY_BEFORE)
        self.missed = np.zeros(learners + 1)
        self.trust = np.full(2 * (learners + 1), 1 / (2 * (learners + 1)))
        # Means and mean squares of corrections, of what the base said, and of what the mixture said.
        self.count = BEFORE
        means, spreads = scales.value[0], scales.estimate
        self.means = np.array([means, spreads[0], spreads[0]])
        self.squares = self.means**2 + np.array([scales.value[1], spreads[1], spreads[1]]) ** 2
        self.doubts, self.hopes = np.zeros(2), np.zeros(2)
        self.usual = np.full(
            2, scales.correlation
        )  # agreement of corrections with the base, and with the mixture
        self.usual_number = STEADY_BEFORE
        self.wide = 0.0
        self.held = False
        self.strays = StrayedTexts()
        self.noticed = 0  # the correction at which the last alarm came; 0: none
        self.number = 0
        self.held_back = 0
        self.errors = np.zeros(
            (2, 2)
        )  # sums of absolute errors and of squares, of the base and of the learner
        self.recent = np.zeros((WINDOW, 2))  # the same errors, with their signs, the last one at the end
        self.kept = self._learnt()

    def _learnt(self) -> dict[str, Numbers]:
        return {name: getattr(self, name).copy() for name in _LEARNT}

    @property
    def waits(self) -> bool:
        """Whether corrections are held back."""
        return self.held or self.strays.held

    @property
    def _calm(self) -> bool:
        """Whether nothing at all is doubtful, so that what was learnt so far may be kept."""
        return not self.doubts.max() > 0 and self.wide <= CALM and not self.strays.doubt > 0

    @property
    def rho(self) -> Numbers:
        """What agreement with the base and with the mixture is expected: below half of it corrections look like
        noise."""
        expected = np.maximum(USUAL * self.usual, PART * self.scales.correlation)
        return np.asarray(np.clip(expected, 0.03, 0.8))

    @property
    def notice_after(self) -> int:
        """How many corrections without sense are noticed, on average."""
        square = float(self.rho.min()) ** 2
        return math.ceil(LIMIT / (square / (1 - square) + math.log(1 - square) / 2))

    def said(self, rows: Numbers, base: Numbers) -> Numbers:
        """What the base and each learner say of translations, without and with what they missed of late."""
        added = self.scales.inputs(rows, base) @ self.weights.T
        alone = base[:, None] + np.column_stack([np.zeros(len(rows)), added])
        both = np.hstack([alone, alone + self.missed / self.missed_number])
        return np.asarray(np.clip(both, *self.bounds))

    def estimates(self, rows: Numbers, base: Numbers) -> Numbers:
        return np.asarray(self.said(rows, base) @ self.trust)

    def learn(
        self, row: Numbers, base: float, value: float, *, related: float | None = None, guarded: bool = True
    ) -> float:
        """Learn from a correction; what was said of it before. `related` is how far the words of a post-edit have more
        to do with its source than with others (`explaining.beside_others`)."""
        said = self.said(row[None], np.array([base]))[0]
        before = float(said @ self.trust)
        self._count(np.array([base - value, before - value]))
        if guarded:
            if related is not None and self.strays.look(related):
                self._take_back()
            if not self.strays.held:
                self._look(np.array([value, base, before]), edited=related == NEAR)
        if self.waits:
            self.held_back += 1
            return before
        self._update(self.scales.inputs(row[None], np.array([base]))[0], base, value, said)
        if not guarded or self._calm:
            self.kept = self._learnt()
        return before

    def calm(self) -> None:
        """Begin to look anew: what was seen so far is trusted."""
        self.doubts, self.hopes, self.wide, self.held = np.zeros(2), np.zeros(2), 0.0, False
        self.strays.calm()

    def _count(self, missed: Numbers) -> None:
        self.number += 1
        self.errors += np.array([np.abs(missed), missed**2])
        self.recent[:-1] = self.recent[1:]
        self.recent[-1] = missed

    def _update(self, inputs: Numbers, base: float, value: float, said: Numbers) -> None:
        loss = np.minimum((value - said) ** 2 / self.scales.errors[1], MOST_LOSS)
        trust = self.trust * np.exp(-RATE * (loss - loss.min()))
        self.trust = (1 - SHARE) * trust / trust.sum() + SHARE / len(trust)
        alone = said[: len(said) // 2]
        self.missed_number = LATELY * self.missed_number + (1 - LATELY) * LATELY_BEFORE + 1
        self.missed = LATELY * self.missed + value - alone
        places = np.arange(len(self.prior))
        for k, forgetting in enumerate(FORGETTING):
            self.grams[k] *= forgetting
            self.grams[k, places, places] += (1 - forgetting) * self.prior
            self.grams[k] += np.outer(inputs, inputs)
            self.sums[k] = forgetting * self.sums[k] + inputs * (value - base)
        self.weights = np.asarray(np.linalg.solve(self.grams, self.sums[:, :, None])[:, :, 0], float)

    def _look(self, seen: Numbers, *, edited: bool) -> None:
        """Whether corrections still have to do with the texts. One that edited the text has, whatever its number: it
        tells what is usual, and may only take doubt away."""
        least = np.array([self.scales.value[1] / 4, 1e-9, 1e-9])
        spread = np.maximum(np.sqrt(np.maximum(self.squares - self.means**2, 0.0)), least)
        value, *others = np.clip((seen - self.means) / spread, -3.0, 3.0).tolist()
        rho, own = self.rho, np.array(others)
        square = rho**2
        ratio = (value - rho * own) ** 2 / (2 * (1 - square)) - value**2 / 2 + np.log(1 - square) / 2
        if edited:
            ratio = np.minimum(ratio, 0.0)
        self.count = MEMORY * self.count + 1
        self.means += (seen - self.means) / self.count
        self.squares += (seen**2 - self.squares) / self.count
        self.doubts = np.maximum(0.0, self.doubts + ratio)
        if not self.held and self.doubts.min() <= CALM:
            self.usual_number = STEADY * self.usual_number + 1
            self.usual = self.usual + (value * own - self.usual) / self.usual_number
        self.hopes = np.maximum(0.0, self.hopes - ratio) if self.held else np.zeros(2)
        size = 0.0 if edited else min((seen[2] - seen[0]) ** 2 / self.scales.errors[1], MOST_LOSS)
        self.wide = float(np.clip(self.wide + (size * (1 - 1 / WIDER) - math.log(WIDER)) / 2, 0.0, WIDE))
        if not self.held and self.doubts.min() > (LIMIT if self.wide < WIDE else ENOUGH):
            self.held = True
            self.hopes = np.zeros(2)
            self._take_back()
        elif self.held and self.hopes.max() > LIMIT:
            self.calm()

    def _take_back(self) -> None:
        """What was learnt since doubts began."""
        self.noticed = self.number
        for name, learnt in self.kept.items():
            setattr(self, name, learnt.copy())
