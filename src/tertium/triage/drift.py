"""Whether what people say now is still what was said they would: drift, which no estimator knows of by itself."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tertium.errors import many
from tertium.estimation.estimator import Estimator
from tertium.estimation.words import Numbers
from tertium.online.corrections import LearntRegression
from tertium.triage.calibration import Calibration, upwards

SURE = 3.290527  # deviations that chance passes once in a thousand times
SMALL = 1.0  # points that nobody cares about
LEAST = 20  # segments


@dataclass(frozen=True)
class Drift:
    """Mean marks that were said of segments, and their mean true worth."""

    segments: int
    said: float
    true: float
    margin: float  # half of the 95% interval of the difference

    @classmethod
    def of(cls, said: Numbers, true: Numbers) -> Drift | None:
        """Of marks and truths from 0 to 100; None where there are too few."""
        if len(said) < LEAST:
            return None
        error = float(np.std(said - true, ddof=1)) / math.sqrt(len(said))
        return cls(len(said), float(said.mean()), float(true.mean()), 1.959964 * error)

    @property
    def changed(self) -> bool:
        """Whether the difference is too large for chance, and for being left alone."""
        return abs(self.said - self.true) > max(self.margin * SURE / 1.959964, SMALL)

    @property
    def sentence(self) -> str:
        return (
            f"marks said {self.said:.1f} on average of {many(self.segments, 'segment')} that are worth {self.true:.1f} "
            f"(\N{PLUS-MINUS SIGN} {self.margin:.1f}): texts, systems or people have changed"
        )


def drift_of_corrections(estimator: Estimator, calibration: Calibration) -> Drift | None:
    """What marks said of the last corrections, before each was learnt, and what those were worth. None where nothing
    was learnt, or where corrections have another scale than marks."""
    own = estimator.regression
    if not isinstance(own, LearntRegression) or calibration.scale != "edits" or estimator.target == "da":
        return None
    said, values = own.lately
    true = 100 * (1 - values) if estimator.target == "hter" else 100 * values
    return Drift.of(calibration.marks(upwards(said, estimator.target)), true)
