"""Estimates on the scale that translators know, from 0 to 100: of segments said to be 70 the mean true value is 70.

What is true is 100 (1 - HTER) where there are post-edits, and people's marks from 0 to 100 otherwise. The curve from
estimates to this scale only rises. It is learnt from estimates of segments that were left out, or from fresh data.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from tertium.errors import InputError
from tertium.estimation.estimator import Estimator, targets_of
from tertium.estimation.parts import TrainingRecord
from tertium.estimation.words import Numbers
from tertium.io.translations import Translations
from tertium.stats.reliability import equal_bins, isotonic
from tertium.triage.adjusting import BIN, MOST_BINS, adjusted

SCALES = ("edits", "marks")  # what 100 means: nothing was edited, or the best mark
NEEDS = {"edits": "post-edits (pe, hter)", "marks": "marks from 0 to 100 (mean, da)"}
LEAST = 50  # segments
_STEPS = 200  # thresholds that a promise may choose among


def truth_of(texts: Translations, scale: str = "") -> tuple[Numbers, str] | None:
    """What translations are worth, from 0 to 100, and on which scale: this one, if there is a choice. None where nobody
    knows."""
    if (texts.hter is not None or texts.post_edits is not None) and not (
        scale == "marks" and texts.marks is not None
    ):
        return 100 * (1 - targets_of(texts, "hter")), "edits"
    if texts.marks is not None:
        return np.asarray(texts.marks, float), "marks"
    return None


@dataclass(frozen=True, eq=False)
class Calibration:
    """Estimates, the better the higher, and what was true of the same segments; the curve from one to the other.

    `grid` has thresholds, the strictest first, that were there before the segments were seen: promises choose among
    them.
    """

    estimates: Numbers
    truth: Numbers
    scale: str
    fresh: bool  # of segments that no part of the estimator has seen
    grid: Numbers
    earlier: tuple[Numbers, Numbers] | None = (
        None  # points of the curve before, which is moved to these segments
    )

    @classmethod
    def learnt(cls, training: TrainingRecord) -> Calibration | None:
        known = truth_of(training.texts)
        if known is None or len(training.texts) < LEAST:
            return None
        return cls.of(upwards(training.left_out, training.target), *known)

    @classmethod
    def of(
        cls,
        estimates: Numbers,
        truth: Numbers,
        scale: str,
        *,
        fresh: bool = False,
        before: Calibration | None = None,
    ) -> Calibration:
        """From estimates and truths; `before` is what was known without them."""
        if len(estimates) < LEAST:
            raise InputError(
                f"{len(estimates)} segments are too few to calibrate on: at least {LEAST} are needed"
            )
        small = np.asarray(estimates, np.float32).astype(float)  # as a file keeps them
        grid = np.quantile(small, 1 - np.arange(1, _STEPS + 1) / _STEPS) if before is None else before.grid
        moved = before is not None and before.scale == scale and not before.constant
        return cls(
            small,
            np.asarray(truth, np.float32).astype(float),
            scale,
            fresh,
            np.asarray(grid, np.float32).astype(float),
            _kept(before.curve) if moved and before is not None else None,
        )

    @cached_property
    def curve(self) -> tuple[Numbers, Numbers]:
        """Points: means of estimates, and what they are worth."""
        if self.earlier is not None:
            return adjusted(self.earlier, self.estimates, self.truth)
        bins = equal_bins(self.estimates, max(1, min(MOST_BINS, len(self.estimates) // BIN)))
        at = np.array([self.estimates[own].mean() for own in bins])
        worth = isotonic([self.truth[own].mean() for own in bins], [len(own) for own in bins])
        return at, np.clip(worth, 0.0, 100.0)

    @property
    def constant(self) -> bool:
        """Whether it says the same of everything."""
        return float(np.ptp(self.curve[1])) < 1e-9

    def marks(self, estimates: Numbers) -> Numbers:
        """From 0 to 100; what lies beyond all estimates that were seen is worth what the last of them are."""
        return np.asarray(np.interp(estimates, *self.curve))

    def arrays(self) -> dict[str, np.ndarray]:
        numbers = {key: np.asarray(getattr(self, key), np.float32) for key in ("estimates", "truth", "grid")}
        if self.earlier is not None:
            numbers["earlier"] = np.asarray(self.earlier, np.float32)
        return {**numbers, "about": np.array([SCALES.index(self.scale), self.fresh], np.uint8)}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> Calibration:
        estimates, truth, grid = (np.asarray(arrays[key], float) for key in ("estimates", "truth", "grid"))
        scale, fresh = (int(value) for value in arrays["about"])
        if estimates.ndim != 1 or estimates.shape != truth.shape or len(estimates) < LEAST or grid.ndim != 1:
            raise ValueError("numbers of values differ")
        if not (0 <= truth.min() <= truth.max() <= 100) or (np.diff(grid) > 0).any():
            raise ValueError("a value is outside")
        earlier = None
        if "earlier" in arrays:
            points = np.asarray(arrays["earlier"], float)
            if points.ndim != 2 or len(points) != 2 or not points.size or (np.diff(points) < 0).any():
                raise ValueError("a curve does not rise")
            earlier = points[0], points[1]
        return cls(estimates, truth, SCALES[scale], bool(fresh), grid, earlier)


def _kept(points: tuple[Numbers, Numbers]) -> tuple[Numbers, Numbers]:
    """Points of a curve, at most twice as many as a calibration makes, as a file keeps them."""
    at, worth = points
    if len(at) > 2 * MOST_BINS:
        at = np.quantile(at, np.linspace(0, 1, 2 * MOST_BINS))
        worth = np.interp(at, *points)
    return at.astype(np.float32).astype(float), worth.astype(np.float32).astype(float)


def upwards(estimates: Numbers, target: str) -> Numbers:
    """Estimates, so that higher is better."""
    return -estimates if target == "hter" else estimates


def calibration_of(estimator: Estimator, *, required: bool = False) -> Calibration | None:
    """The calibration of an estimator, if it has one."""
    found = estimator.parts.get("calibration")
    if required and not isinstance(found, Calibration):
        raise InputError(
            f"{estimator.called} is not calibrated, so nothing can be promised: tertium estimate calibrate --data ... "
            "does it, with post-edits or marks from 0 to 100"
        )
    return found if isinstance(found, Calibration) else None


def calibrated(
    estimator: Estimator, texts: Translations, *, pair: str = "", force: bool = False
) -> Estimator:
    """The same estimator with marks from 0 to 100 learnt from fresh data, to which the curve is moved that it had; what
    it was trained on is left out."""
    known = truth_of(texts)
    if known is None:
        raise InputError(f"{texts.name}: has no {' and no '.join(NEEDS.values())}")
    new = ~estimator.has_seen(texts)
    if (lost := int((~new).sum())) and new.sum() < LEAST:
        raise InputError(
            f"{texts.name}: {lost} of {len(texts)} segments were in the training data, {int(new.sum())} are left: at "
            f"least {LEAST} are needed to calibrate on"
        )
    found = estimator.estimates(texts, pair=pair, force=force)
    made = Calibration.of(
        upwards(found, estimator.target)[new],
        known[0][new],
        known[1],
        fresh=True,
        before=calibration_of(estimator),
    )
    return replace(estimator, parts={**estimator.parts, "calibration": made})
