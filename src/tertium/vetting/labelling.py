"""A reviewer's labels: units that are known to be right or wrong, and what they teach about all others.

The logarithm of the odds that a judge gives, and the numbers of its checks, are weighed anew by a logistic regression
that stays near the judge's own opinion (weight 1, numbers 0) as long as there are few labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError
from tertium.io.memories.formats import open_units
from tertium.io.memories.pairs import Pair
from tertium.io.memories.unit import Unit
from tertium.vetting.suspicion import NumberedJudge, Suspicion, UnitJudge

if TYPE_CHECKING:
    from numpy.typing import NDArray

LABELS = {"wrong": True, "right": False}
_LEAST = 1e-6  # probabilities are kept away from 0 and 1 by so much
_PULL = 20.0  # of numbers towards 0, in labels
_TRUST = 1.0  # of the judge's own opinion towards the weight 1
_FREE = 0.1  # the same for the constant
_STEPS = 50
_FAR = 4.0  # spreads; numbers further off count as this far


def read_labels(path: str, pair: Pair | None = None) -> list[tuple[Unit, bool]]:
    """Units of a file (JSON Lines, or a table with names) whose `label` says right or wrong; wrong is True.

    >>> path = written("a.jsonl", '{"source": "One", "target": "Deux", "label": "wrong"}')
    >>> [(unit.target, wrong) for unit, wrong in read_labels(str(path), Pair("en", "fr"))]
    [('Deux', True)]
    """
    found = []
    for number, unit in enumerate(open_units(path, pair=pair), 1):
        label = unit.property("label").strip().lower()
        if label not in LABELS:
            said = f"the label is {label!r}" if label else "there is no label"
            raise InputError(f"{path}: unit {number}: {said}; it must be right or wrong")
        found.append((unit, LABELS[label]))
    return found


def _known_by(unit: Unit) -> int:
    return hash((unit.source, unit.target))


class LabelledJudge:
    """A judge that learns from labels, too. What was labelled is right or wrong for sure."""

    calibrated = True

    def __init__(self, judge: UnitJudge, labels: Sequence[tuple[Unit, bool]]) -> None:
        self._judge, self._labels = judge, list(labels)
        self._sure = {_known_by(unit): wrong for unit, wrong in labels}
        self.learns, self.checked = judge.learns, judge.checked
        self._weights: NDArray[np.float64] | None = None

    def learn(self, units: Sequence[Unit]) -> None:
        self._judge.learn(units)

    def judge(self, units: Sequence[Unit]) -> list[Suspicion]:
        weights = self._weights = self._fit() if self._weights is None else self._weights
        found, numbers = self._looked(units)
        chances = _chances(self._rows(found, numbers) @ weights).tolist()
        made = []
        for unit, own, chance in zip(units, found, chances, strict=True):
            sure = self._sure.get(_known_by(unit))
            made.append(Suspicion(chance if sure is None else float(sure), own.reasons))
        return made

    def _fit(self) -> NDArray[np.float64]:
        found, numbers = self._looked([unit for unit, _ in self._labels])
        self._middle = numbers.mean(axis=0) if len(numbers) else np.zeros(numbers.shape[1])
        spread = numbers.std(axis=0) if len(numbers) else np.zeros(numbers.shape[1])
        self._spread = np.where(spread > 0.0, spread, np.inf)  # what never differs says nothing
        wrong = np.array([wrong for _, wrong in self._labels], dtype=np.float64)
        return refined(self._rows(found, numbers), wrong)

    def _looked(self, units: Sequence[Unit]) -> tuple[list[Suspicion], NDArray[np.float64]]:
        """What the judge says, and its numbers, or, if it tells none, the scores of its checks."""
        if isinstance(self._judge, NumberedJudge):
            return self._judge.judged_numbers(units)
        found = self._judge.judge(units)
        places = {name: i for i, name in enumerate(self.checked)}
        numbers = np.zeros((len(found), len(places)))
        for row, own in zip(numbers, found, strict=True):
            for reason in own.reasons:
                if reason.check in places:
                    row[places[reason.check]] = reason.score
        return found, numbers

    def _rows(self, found: Sequence[Suspicion], numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        """A constant, the logarithm of the odds, and the numbers in spreads of the labelled units."""
        chances = np.clip([own.probability for own in found], _LEAST, 1.0 - _LEAST)
        spreads = np.clip((numbers - self._middle) / self._spread, -_FAR, _FAR)
        return np.column_stack([np.ones(len(found)), np.log(chances / (1.0 - chances)), spreads])


def refined(rows: NDArray[np.float64], wrong: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights of logistic regression, pulled towards 0 for all columns but the second, whose weight is near 1.

    >>> refined(np.empty((0, 3)), np.empty(0)).tolist()
    [0.0, 1.0, 0.0]
    """
    prior = np.zeros(rows.shape[1])
    prior[1] = 1.0
    pull = np.full(rows.shape[1], _PULL)
    pull[:2] = _FREE, _TRUST
    weights = prior.copy()
    for _ in range(_STEPS):
        chances = _chances(rows @ weights)
        slope = rows.T @ (chances - wrong) + pull * (weights - prior)
        curve = (rows * (chances * (1.0 - chances))[:, None]).T @ rows + np.diag(pull)
        step = np.linalg.solve(curve, slope)
        weights -= step / max(1.0, float(np.abs(step).max()))  # never too far at once
        if float(np.abs(step).max()) < 1e-9:
            break
    return weights


def _chances(odds: NDArray[np.float64]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = 1.0 / (1.0 + np.exp(-np.clip(odds, -700.0, 700.0)))
    return found
