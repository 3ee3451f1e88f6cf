"""Boosted trees: the kernel against a readable twin, and trees that are none."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest

from tertium import _native
from tertium.vetting.combining import FIT, Combination, shipped


def twin(model: Combination, row: np.ndarray) -> float:
    total = model.bias
    for tree in range(len(model.features)):
        at = 0
        while model.left[tree, at] != at:
            goes = row[model.features[tree, at]] <= model.thresholds[tree, at]
            at = (model.left if goes else model.right)[tree, at]
        total += model.values[tree, at]
    sure: dict[str, float] = {}  # the surest score of each check
    for name, score, odds in model.sure:
        if row[model.names.index(name)] >= score:
            sure[name] = max(sure.get(name, 0.0), odds)
    return log(exp(total) + sum(sure.values()))


def test_the_kernel_is_its_twin() -> None:
    model = shipped()
    rows = np.random.default_rng(3).normal(scale=4.0, size=(50, len(model.names)))
    rows[::5] = np.round(rows[::5], 1)  # numbers that are thresholds
    rows[:, model.names.index(FIT)] = 0.0  # which is told beside the trees, too, where it is known
    found = model.odds(model.names, rows)
    assert found == pytest.approx([twin(model, row) for row in rows], abs=1e-12)


def test_what_one_check_is_sure_of_the_others_cannot_excuse() -> None:
    """A number that became another near it, in a unit that is fine in all else."""
    model = shipped()
    rows = np.zeros((2, len(model.names)))
    rows[1, model.names.index("numbers")] = 1.0
    fine, changed = model.probabilities(model.names, rows, 0.01)
    assert fine < 0.5
    assert changed > 0.8


@pytest.mark.parametrize(
    ("left", "feature"),
    [([1, 0, 2], 0), ([0, 1, 2], 0), ([7, 1, 2], 0), ([-1, 1, 2], 0), ([1, 1, 2], 9), ([1, 1, 2], -2)],
)
def test_trees_that_are_none(left: list[int], feature: int) -> None:
    """They go round, out of themselves, or ask for what is not there."""
    right = np.array([[2, 1, 2]], dtype=np.int32)
    features = np.array([[feature, 0, 0]], dtype=np.int32)
    numbers = np.zeros((1, 3))
    with pytest.raises(ValueError, match="a tree"):
        _native.tree_sums(
            np.zeros((2, 1)), features, numbers, np.array([left], dtype=np.int32), right, numbers
        )
