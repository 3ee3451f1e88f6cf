"""From features to a number: ridge regression and boosted trees, trained by scikit-learn, applied without it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tertium import _native
from tertium.errors import MissingExtraError
from tertium.estimation.words import Arrays, Numbers

STRENGTH = 0.03  # of the ridge, by row
TREES, RATE, DEPTH, LEAF = 200, 0.05, 2, 100  # chosen on the development parts of MLQE-PE
_EDGES = (0.5, 99.5)  # percentiles: what is beyond them counts as if it were there


@dataclass(frozen=True, eq=False)
class Weighted:
    """A weighted sum of features, none of which counts more than those that were learnt from."""

    low: Numbers
    high: Numbers
    weights: Numbers
    base: float

    @classmethod
    def learnt(cls, rows: Numbers, values: Numbers) -> Weighted:
        low, high = np.percentile(rows, _EDGES, axis=0)
        inside = np.clip(rows, low, high)
        centre, spread = inside.mean(axis=0), inside.std(axis=0)
        spread = np.where(spread > 1e-12, spread, 1.0)
        scaled = (inside - centre) / spread
        grams = scaled.T @ scaled + STRENGTH * len(rows) * np.eye(rows.shape[1])
        weights = np.linalg.solve(grams, scaled.T @ (values - values.mean())) / spread
        return cls(low, high, weights, float(values.mean() - centre @ weights))

    def of(self, rows: Numbers) -> Numbers:
        return np.asarray(np.clip(rows, self.low, self.high) @ self.weights + self.base)


@dataclass(frozen=True, eq=False)
class Trees:
    """Boosted regression trees, a row of nodes each, as `_native.tree_sums` takes them: a leaf leads to itself."""

    feature: npt.NDArray[np.int32]
    threshold: Numbers
    left: npt.NDArray[np.int32]
    right: npt.NDArray[np.int32]
    value: Numbers
    base: float

    @classmethod
    def learnt(cls, rows: Numbers, values: Numbers) -> Trees:
        try:
            from sklearn.ensemble import GradientBoostingRegressor
        except ImportError:
            raise MissingExtraError("training an estimator", "estimate") from None
        fitted = GradientBoostingRegressor(
            n_estimators=TREES,
            learning_rate=RATE,
            max_depth=DEPTH,
            min_samples_leaf=min(LEAF, max(1, len(rows) // 20)),
            subsample=0.5,
            max_features=0.5,
            random_state=12345,
        ).fit(rows, values)
        trees = [one.tree_ for (one,) in fitted.estimators_]
        shape = (len(trees), max(tree.node_count for tree in trees))
        left, right = (np.tile(np.arange(shape[1], dtype=np.int32), (shape[0], 1)) for _ in range(2))
        feature, threshold, value = np.zeros(shape, np.int32), np.zeros(shape), np.zeros(shape)
        for i, tree in enumerate(trees):
            inner = np.flatnonzero(tree.children_left >= 0)
            leaves = np.flatnonzero(tree.children_left < 0)
            feature[i, inner], threshold[i, inner] = tree.feature[inner], tree.threshold[inner]
            left[i, inner], right[i, inner] = tree.children_left[inner], tree.children_right[inner]
            value[i, leaves] = RATE * tree.value[leaves, 0, 0]
        return cls(feature, threshold, left, right, value, float(values.mean()))

    def of(self, rows: Numbers) -> Numbers:
        small = rows.astype(np.float32).astype(float)  # as the library that grew them compares
        parts = (self.feature, self.threshold, self.left, self.right, self.value)
        return self.base + np.asarray(_native.tree_sums(small, *parts))

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> Trees:
        feature, left, right = (np.asarray(arrays[key], np.int32) for key in ("feature", "left", "right"))
        threshold, value = (np.asarray(arrays[key], float) for key in ("threshold", "value"))
        return cls(feature, threshold, left, right, value, float(np.asarray(arrays["base"])[0]))


@dataclass(frozen=True, eq=False)
class Regression:
    """The mean of what a weighted sum and trees say."""

    corrections: ClassVar[int] = 0  # that were learnt from since
    weighted: Weighted
    trees: Trees

    @classmethod
    def learnt(cls, rows: Numbers, values: Numbers) -> Regression:
        return cls(Weighted.learnt(rows, values), Trees.learnt(rows, values))

    def of(self, rows: Numbers) -> Numbers:
        return (self.weighted.of(rows) + self.trees.of(rows)) / 2

    def scaled(self, slope: float, base: float) -> Regression:
        """The same on another scale: what it says times `slope`, and `base` more."""
        weighted, trees = self.weighted, self.trees
        return Regression(
            replace(weighted, weights=slope * weighted.weights, base=slope * weighted.base + base),
            replace(trees, value=slope * trees.value, base=slope * trees.base + base),
        )

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        found: dict[str, npt.NDArray[np.generic]] = {}
        for name, own in (("weighted", self.weighted), ("trees", self.trees)):
            found |= {f"{name}.{key}": np.atleast_1d(np.asarray(value)) for key, value in vars(own).items()}
        return found

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[np.generic]], features: int) -> Regression:
        """Refuses arrays that do not fit each other: ValueError."""
        own = {key.removeprefix("weighted."): arrays[key] for key in arrays if key.startswith("weighted.")}
        low, high, weights = (np.asarray(own[key], float) for key in ("low", "high", "weights"))
        weighted = Weighted(low, high, weights, float(np.asarray(own["base"])[0]))
        trees = Trees.from_arrays(
            {key.removeprefix("trees."): arrays[key] for key in arrays if key.startswith("trees.")}
        )
        shapes = {getattr(trees, key).shape for key in ("feature", "threshold", "left", "right", "value")}
        if len(shapes) > 1 or {len(weighted.low), len(weighted.high), len(weighted.weights)} != {features}:
            raise ValueError("numbers of values differ")
        if trees.feature.size and not 0 <= trees.feature.min() <= trees.feature.max() < features:
            raise ValueError("a place is outside")
        trees.of(np.zeros((0, features)))  # which says, too, whether they are trees
        return cls(weighted, trees)
