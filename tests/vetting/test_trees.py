"""Boosted trees: the kernel against a readable twin, and trees that are none."""

from __future__ import annotations

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
    return float(total)


def test_the_kernel_is_its_twin() -> None:
    model = shipped()
    rows = np.random.default_rng(3).normal(scale=4.0, size=(50, len(model.names)))
    rows[::5] = np.round(rows[::5], 1)  # numbers that are thresholds
    rows[:, model.names.index(FIT)] = 0.0  # which is told beside the trees, too, where it is known
    found = model.odds(model.names, rows)
    assert found == pytest.approx([twin(model, row) for row in rows], abs=1e-12)


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
