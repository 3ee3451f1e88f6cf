"""Promises: "of what passes, at most 5% needs more than 20 edits in 100 words", kept in all but few cases by design.

Of the segments of the calibration those above a threshold are passed; how many of these are bad is binomial. From a
strict threshold on, which passes a tenth (or as many as can promise anything), ever more lenient ones are tried, as
long as Clopper and Pearson's upper bound of the share of bad ones is no greater than promised (fixed-sequence testing:
Angelopoulos et al. 2021, Learn then Test). The thresholds were there before the segments were seen. So the chance that
calibration gives a threshold which does not keep the promise is 1 - confidence at most, if new segments are like those
of the calibration.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tertium.errors import InputError
from tertium.estimation.words import Numbers
from tertium.stats.proportions import highest_share, rarely, wilson_interval
from tertium.triage.calibration import Calibration

FIRST = 0.1  # of all segments pass by the first threshold that is tried; chosen on MLQE-PE's training parts
BAD_BELOW = 80.0  # marks
SMALLEST = 1e-9  # share that can be promised: below that no memory of segments would do
_SAME = 1e-4  # marks that are the same but for rounding


@dataclass(frozen=True)
class Promise:
    """What is promised of the segments that pass, and what that takes."""

    share: float  # of bad ones, at most
    below: float  # a mark below this is bad
    confidence: float
    scale: str
    segments: int  # of the calibration
    fresh: bool  # whether no part of the estimator has seen them
    threshold: float | None  # of estimates, the better the higher: what is above it passes; None: nothing
    mark: float | None  # the same on the scale from 0 to 100
    passed: int  # segments of the calibration
    bad: int  # of these

    @property
    def coverage(self) -> float:
        """The share of the calibration's segments that passes."""
        return self.passed / self.segments

    def passes(self, estimates: Numbers) -> np.ndarray:
        """Which of these pass; estimates are the better the higher."""
        if self.threshold is None:
            return np.zeros(len(estimates), bool)
        return np.asarray(np.asarray(estimates, np.float32) > self.threshold)

    def words(self) -> Iterator[str]:
        what = f"at most {100 * self.share:.4g}% of what passes {bad_words(self.scale, self.below, plural=False)}"
        sure = f"{100 * self.confidence:.4g}% confidence"
        which = "fresh segments" if self.fresh else "segments left out in training"
        if self.threshold is None:
            yield (
                f"Nothing passes: no threshold can promise that {what} ({sure}, by {self.segments:,} {which}). "
                "Promise less, or calibrate on more."
            )
            return
        yield (
            f"Promised: {what} ({sure}). Of {self.segments:,} {which}, {self.passed:,} passed "
            f"({self.coverage:.1%}), {self.bad:,} of them wrongly ({self.bad / self.passed:.1%})."
        )


def bad_words(scale: str, below: float, *, plural: bool) -> str:
    """What a bad segment is."""
    if scale == "edits":
        return f"{'need' if plural else 'needs'} more than {100 - below:g} edits in 100 words"
    return f"{'are' if plural else 'is'} worth less than {below:g}"


def needed(share: float, confidence: float) -> int:
    """Segments without a bad one that can promise this: (1 - share)^n <= 1 - confidence.

    >>> needed(0.05, 0.95)
    59
    """
    return math.ceil(math.log(1 - confidence) / math.log1p(-share))


def promised(
    calibration: Calibration, share: float, *, below: float = BAD_BELOW, confidence: float = 0.95
) -> Promise:
    """The most lenient threshold that keeps the promise."""
    for what, value, low, most in (
        ("share", share, SMALLEST, 1), ("confidence", confidence, 0, 1), ("mark", below, 0, 100)
    ):  # fmt: skip
        if not low < value < most:
            raise InputError(f"a promise's {what} is between {low:g} and {most}, not {value:g}")
    number = len(calibration.estimates)
    least = needed(share, confidence)
    if number < least:
        raise InputError(
            f"{number} segments are too few to promise {100 * share:g}% with {100 * confidence:g}% confidence: at "
            f"least {least} are needed"
        )
    bad = calibration.truth < below - _SAME
    best = None
    for threshold in calibration.grid.tolist():
        above = calibration.estimates > threshold
        passed, wrong = int(above.sum()), int((bad & above).sum())
        if passed < max(least, FIRST * number):
            continue
        if rarely(wrong, passed, share) > 1 - confidence:
            break
        best = threshold, passed, wrong
    facts = (share, below, confidence, calibration.scale, number, calibration.fresh)
    if best is None:
        return Promise(*facts, None, None, 0, 0)
    threshold, passed, wrong = best
    mark = float(calibration.marks(np.array([threshold]))[0])
    return Promise(*facts, threshold, mark, passed, wrong)


@dataclass(frozen=True)
class PromiseKept:
    """A promise, and what became of it on segments that did not calibrate."""

    promise: Promise
    segments: int
    passed: int
    bad: int
    low: float | None  # of the share of bad ones, 95% interval
    high: float | None

    @property
    def kept(self) -> bool | None:
        """Whether what was seen does not speak against the promise; None where nothing passed."""
        return None if self.low is None else self.low <= self.promise.share

    @property
    def outcome(self) -> str:
        if self.bad <= self.promise.share * self.passed:
            return "kept"
        return "kept within the interval" if self.kept else "broken"

    def words(self) -> Iterator[str]:
        if self.passed == 0 or self.low is None or self.high is None:
            yield f"Here {self.passed} of {self.segments:,} segments pass."
            return
        yield (
            f"Here {self.passed:,} of {self.segments:,} pass ({self.passed / self.segments:.1%}); {self.bad:,} of them "
            f"({self.bad / self.passed:.1%}, 95% interval {self.low:.1%} to {self.high:.1%}) "
            f"{bad_words(self.promise.scale, self.promise.below, plural=True)}: the promise is {self.outcome}."
        )


def checked_promise(promise: Promise, estimates: Numbers, truth: Numbers) -> PromiseKept:
    """What became of a promise; estimates are the better the higher."""
    above = promise.passes(estimates)
    passed, bad = int(above.sum()), int((above & (truth < promise.below - _SAME)).sum())
    low, high = wilson_interval(bad, passed) or (None, None)
    return PromiseKept(promise, len(estimates), passed, bad, low, high)


def bound_of(
    calibration: Calibration, mark: float, *, below: float = BAD_BELOW, confidence: float = 0.95
) -> float | None:
    """The share of bad ones among segments with such a mark or a better one, at most; None where there are none."""
    above = calibration.marks(calibration.estimates) >= mark
    if not above.any():
        return None
    return highest_share(
        int((calibration.truth[above] < below - _SAME).sum()), int(above.sum()), confidence=confidence
    )
