"""From features to a number: ridge regression and boosted trees, trained by scikit-learn, applied with numpy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tertium.errors import MissingExtraError
from tertium.estimation.ngrams import Arrays
from tertium.estimation.words import Numbers

STRENGTH = 0.03  # of the ridge, by row
TREES, RATE, DEPTH, LEAF = 200, 0.05, 2, 100  # chosen on the development parts of MLQE-PE
_EDGES = (0.5, 99.5)  # percentiles: what is beyond them counts as if it were there
_BLOCK = 1 << 15  # rows at a time


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
    """Boosted regression trees, one behind the other: a leaf leads to itself."""

    feature: npt.NDArray[np.int32]
    threshold: npt.NDArray[np.float64]
    left: npt.NDArray[np.int32]
    right: npt.NDArray[np.int32]
    value: Numbers
    roots: npt.NDArray[np.int32]
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
        parts: dict[str, list[npt.NDArray[np.generic]]] = {}
        roots, size = [], 0
        for (one,) in fitted.estimators_:
            tree, here = one.tree_, np.arange(one.tree_.node_count)
            leaf = tree.children_left < 0
            parts.setdefault("feature", []).append(np.where(leaf, 0, tree.feature))
            parts.setdefault("threshold", []).append(np.where(leaf, 0.0, tree.threshold))
            for side in ("left", "right"):
                parts.setdefault(side, []).append(
                    np.where(leaf, here, getattr(tree, f"children_{side}")) + size
                )
            parts.setdefault("value", []).append(RATE * tree.value[:, 0, 0])
            roots.append(size)
            size += tree.node_count
        base = float(values.mean())
        return cls.from_arrays(
            {name: np.concatenate(own) for name, own in parts.items()}
            | {"roots": np.array(roots), "base": np.array([base])}
        )

    def of(self, rows: Numbers) -> Numbers:
        small = rows.astype(np.float32)  # as the library that grew them compares
        found = np.full(len(rows), self.base)
        for begin in range(0, len(rows), _BLOCK):
            part = small[begin : begin + _BLOCK]
            at = np.tile(self.roots, (len(part), 1))
            lines = np.arange(len(part))[:, None]
            for _ in range(DEPTH):
                at = np.where(
                    part[lines, self.feature[at]] <= self.threshold[at], self.left[at], self.right[at]
                )
            found[begin : begin + _BLOCK] += self.value[at].sum(axis=1)
        return found

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> Trees:
        whole = {key: np.asarray(arrays[key], np.int32) for key in ("feature", "left", "right", "roots")}
        return cls(
            threshold=np.asarray(arrays["threshold"], float),
            value=np.asarray(arrays["value"], float),
            base=float(np.asarray(arrays["base"])[0]),
            **whole,
        )


@dataclass(frozen=True, eq=False)
class Regression:
    """The mean of what a weighted sum and trees say."""

    weighted: Weighted
    trees: Trees

    @classmethod
    def learnt(cls, rows: Numbers, values: Numbers) -> Regression:
        return cls(Weighted.learnt(rows, values), Trees.learnt(rows, values))

    def of(self, rows: Numbers) -> Numbers:
        return (self.weighted.of(rows) + self.trees.of(rows)) / 2

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
        nodes = len(trees.value)
        sizes = {len(getattr(trees, key)) for key in ("feature", "threshold", "left", "right")}
        if sizes != {nodes} or {len(weighted.low), len(weighted.high), len(weighted.weights)} != {features}:
            raise ValueError("numbers of values differ")
        for places, most in (
            (trees.feature, features),
            (trees.left, nodes),
            (trees.right, nodes),
            (trees.roots, nodes),
        ):
            if len(places) and not (places.min() >= 0 and places.max() < most):
                raise ValueError("a place is outside")
        return cls(weighted, trees)
