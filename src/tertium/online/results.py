"""What is said of learning from corrections: how large errors were with it and without."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tertium.errors import many
from tertium.io.tables import Column, Table, number_column
from tertium.online.corrections import OnlineEstimator
from tertium.online.learner import WINDOW
from tertium.results import Result


@dataclass(frozen=True)
class OnlineErrors:
    """Prequential errors: of what was said of each correction before it was learnt."""

    mean: float | None  # absolute
    root: float | None  # of the mean of squares
    recent_mean: float | None
    recent_root: float | None


@dataclass(frozen=True)
class OnlineLearning(Result):
    """What was learnt from corrections, and what that is worth."""

    kind = "online learning"
    target: str
    corrections: int  # all that count
    new: int  # of this call
    known: int  # of this call, and learnt before
    taken_back: int  # by this call
    learnt: int  # those that were not held back
    base: OnlineErrors
    learner: OnlineErrors
    training_mean: float  # absolute error of the base on parts of its training that were left out
    base_share: float  # of the base alone in what is said now
    held: bool  # corrections look random: nothing is learnt at present
    noticed: int | None  # the correction at which that was last seen
    notice_after: int  # random corrections that it takes, about
    strayed: bool = False  # post-edits have nothing to do with their sources

    def table(self) -> Table:
        """Errors without learning and with it."""
        columns = (
            Column("estimates"),
            *(number_column(name, digits=4) for name in ("MAE", "RMSE", "recent MAE", "recent RMSE")),
        )
        rows = (("without learning", *vars(self.base).values()), ("learning", *vars(self.learner).values()))
        return Table("", columns, rows)

    def words(self) -> Iterator[str]:
        known = f", {self.known} known already" if self.known else ""
        back = f", {self.taken_back} taken back" if self.taken_back else ""
        all_of_them = many(self.corrections, "correction")
        yield f"{all_of_them} ({self.new} new{known}{back}), {self.learnt} of them learnt from."
        if self.base.mean is not None:
            yield (
                f"Errors of what was said before each was learnt: {self.learner.mean:.4f}, and {self.base.mean:.4f} "
                f"without learning ({self.training_mean:.4f} in the training); recent: the last {WINDOW}."
            )
        if self.strayed:
            yield (
                f"Post-edits have nothing to do with their sources, as if they belonged to other lines (noticed at "
                f"correction {self.noticed}). What they taught was taken back, and nothing is learnt until they do; "
                "--trust learns from them, --rollback removes them."
            )
        elif self.held:
            yield (
                f"Corrections look random: neither the estimator nor what it learnt agrees with them (noticed at "
                f"correction {self.noticed}). What they taught was taken back, and nothing is learnt until they make "
                "sense; --trust learns from them, --rollback removes them."
            )


def learning(
    estimator: OnlineEstimator, *, new: int = 0, known: int = 0, taken_back: int = 0
) -> OnlineLearning:
    """What an estimator learnt so far."""
    learner, number = estimator.learner, estimator.learner.number
    base, own = (
        OnlineErrors(*_errors(learner.errors[:, k], number), *_recent(learner.recent[:, k], number))
        for k in (0, 1)
    )
    return OnlineLearning(
        estimator.base.target,
        *(estimator.corrections, new, known, taken_back, number - learner.held_back),
        *(base, own),
        float(estimator.scales.errors[0]),
        float(learner.trust[0]),
        learner.waits,
        learner.noticed or None,
        learner.notice_after,
        learner.strays.held,
    )


def _errors(sums: np.ndarray, number: int) -> tuple[float | None, float | None]:
    return (float(sums[0] / number), math.sqrt(sums[1] / number)) if number else (None, None)


def _recent(missed: np.ndarray, number: int) -> tuple[float | None, float | None]:
    own = missed[-min(number, WINDOW) :] if number else missed[:0]
    return _errors(np.array([np.abs(own).sum(), (own**2).sum()]), len(own))
