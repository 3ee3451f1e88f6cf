"""How likely a unit is wrong, and why: what says so (`UnitJudge`), and the plainest of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from tertium.io.memories.unit import Unit
from tertium.memory.checks.base import CHECKS, Doubt, LearningCheck, UnitCheck, reasons

LOOK = 0.5  # from this probability on, a unit deserves a look
_TRUST = 0.9  # in a check that is as sure as can be


class Suspicion(NamedTuple):
    """How likely a unit is wrong, and why, what weighs most first."""

    probability: float
    reasons: tuple[Doubt, ...] = ()


class UnitJudge(Protocol):
    """Reads the whole memory first, if it `learns`; then judges its units, in any order, and always alike."""

    learns: bool
    calibrated: bool  # whether of units with probability 0.9 nine in ten are wrong

    def learn(self, units: Sequence[Unit]) -> None:
        """Some units of the memory; all of them come before any is judged."""

    def judge(self, units: Sequence[Unit]) -> list[Suspicion]:
        """A suspicion for each unit."""


class Witnesses:
    """Checks as independent witnesses: each may be wrong by itself. Not calibrated on anything.

    >>> witnesses = Witnesses([CHECKS[name]() for name in ("numbers", "ending")])
    >>> found = witnesses.judge([Unit("Wait 10 s.", "Attendez 10 s."), Unit("10 or 20?", "10 ou 2.")])
    >>> [(round(own.probability, 2), [reason.check for reason in own.reasons]) for own in found]
    [(0.0, []), (0.94, ['numbers', 'ending'])]
    """

    calibrated = False

    def __init__(self, checks: Iterable[UnitCheck]) -> None:
        self.checks = list(checks)
        self._learning: list[LearningCheck] = [own for own in self.checks if isinstance(own, LearningCheck)]
        self.learns = bool(self._learning)

    def learn(self, units: Sequence[Unit]) -> None:
        for check in self._learning:
            check.learn(units)

    def judge(self, units: Sequence[Unit]) -> list[Suspicion]:
        return [self._judged(reasons(unit, self.checks)) for unit in units]

    @staticmethod
    def _judged(found: list[Doubt]) -> Suspicion:
        if not found:
            return FINE
        right = 1.0
        for own in found:
            right *= 1.0 - _TRUST * own.score
        return Suspicion(1.0 - right, tuple(found))


FINE = Suspicion(0.0)


def checks_named(names: Iterable[str] = ()) -> list[UnitCheck]:
    """These checks, or all of them."""
    return [CHECKS[name]() for name in (tuple(names) or CHECKS)]
