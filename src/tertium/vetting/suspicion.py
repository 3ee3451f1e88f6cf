"""How likely a unit is wrong, and why: what says so (`UnitJudge`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from tertium.errors import SpecError, did_you_mean
from tertium.io.memories.unit import Unit
from tertium.vetting.checks.base import Doubt

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LOOK = 0.5  # from this probability on, a unit deserves a look


class Suspicion(NamedTuple):
    """How likely a unit is wrong, and why, what weighs most first."""

    probability: float
    reasons: tuple[Doubt, ...] = ()


class UnitJudge(Protocol):
    """Reads the whole memory first, if it `learns`; then judges its units, in any order, and always alike."""

    learns: bool
    calibrated: bool  # whether of units with probability 0.9 nine in ten are wrong
    checked: tuple[str, ...]  # names of the checks

    def learn(self, units: Sequence[Unit]) -> None:
        """Some units of the memory; all of them come before any is judged."""

    def judge(self, units: Sequence[Unit]) -> list[Suspicion]:
        """A suspicion for each unit."""


@runtime_checkable
class NumberedJudge(UnitJudge, Protocol):
    """A judge that has numbers for each unit, from which others may learn."""

    def judged_numbers(self, units: Sequence[Unit]) -> tuple[list[Suspicion], NDArray[np.float64]]:
        """A suspicion and a row of numbers for each unit."""


class ListedDoubts:
    """A judge of whom only what some checks doubt counts; all else is right then.

    >>> class Sure:
    ...     learns, calibrated, checked = False, True, ("numbers", "names")
    ...     def judge(self, units):
    ...         return [Suspicion(0.9, (Doubt("numbers", "", 1.0), Doubt("names", "", 1.0))) for _ in units]
    >>> ListedDoubts(Sure(), ["names"]).judge([Unit("a", "b")])
    [Suspicion(probability=0.9, reasons=(Doubt(check='names', sentence='', score=1.0, source=(), target=()),))]
    """

    def __init__(self, judge: UnitJudge, checks: Sequence[str]) -> None:
        for name in checks:
            if name not in judge.checked:
                raise SpecError(f"there is no check {name!r}{did_you_mean(name, judge.checked)}")
        self._judge, self._only = judge, frozenset(checks)
        self.learns, self.calibrated = judge.learns, judge.calibrated
        self.checked = tuple(name for name in judge.checked if name in self._only)

    def learn(self, units: Sequence[Unit]) -> None:
        self._judge.learn(units)

    def judge(self, units: Sequence[Unit]) -> list[Suspicion]:
        made = []
        for own in self._judge.judge(units):
            reasons = tuple(reason for reason in own.reasons if reason.check in self._only)
            made.append(Suspicion(own.probability if reasons else 0.0, reasons))
        return made
