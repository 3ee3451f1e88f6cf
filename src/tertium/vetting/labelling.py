"""A reviewer's labels: units that are known to be right or wrong, and what they teach about all others.

The logarithm of the odds that a judge gives, and the scores of the checks, are weighed anew by a logistic regression
that stays near the judge's own opinion (weight 1, checks 0) as long as there are few labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError
from tertium.io.memories.formats import open_units
from tertium.io.memories.pairs import Pair
from tertium.io.memories.unit import Unit
from tertium.vetting.suspicion import Suspicion, UnitJudge

if TYPE_CHECKING:
    from numpy.typing import NDArray

LABELS = {"wrong": True, "right": False}
_LEAST = 1e-6  # probabilities are kept away from 0 and 1 by so much
_PULL = 1.0  # towards the judge's own opinion, in labels
_FREE = 0.1  # the same for the constant
_STEPS = 50


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
        if self._weights is None:
            rows = self._rows(self._judge.judge([unit for unit, _ in self._labels]))
            self._weights = refined(rows, np.array([wrong for _, wrong in self._labels], dtype=np.float64))
        found = self._judge.judge(units)
        chances = _chances(self._rows(found) @ self._weights).tolist()
        made = []
        for unit, own, chance in zip(units, found, chances, strict=True):
            sure = self._sure.get(_known_by(unit))
            made.append(Suspicion(chance if sure is None else float(sure), own.reasons))
        return made

    def _rows(self, found: Sequence[Suspicion]) -> NDArray[np.float64]:
        """A constant, the logarithm of the odds, and the scores of the checks, of each unit."""
        places = {name: i for i, name in enumerate(self.checked, 2)}
        rows = np.zeros((len(found), 2 + len(places)))
        rows[:, 0] = 1.0
        chances = np.clip([own.probability for own in found], _LEAST, 1.0 - _LEAST)
        rows[:, 1] = np.log(chances / (1.0 - chances))
        for row, own in zip(rows, found, strict=True):
            for reason in own.reasons:
                place = places.get(reason.check)
                if place is not None:
                    row[place] = reason.score
        return rows


def refined(rows: NDArray[np.float64], wrong: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights of logistic regression, pulled towards 0 for all columns but the second, whose weight is near 1.

    >>> refined(np.empty((0, 3)), np.empty(0)).tolist()
    [0.0, 1.0, 0.0]
    """
    prior = np.zeros(rows.shape[1])
    prior[1] = 1.0
    pull = np.full(rows.shape[1], _PULL)
    pull[0] = _FREE
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
