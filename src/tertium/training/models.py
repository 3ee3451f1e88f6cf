"""From features and judgements to a model: ridge regression by numpy, support vector regression by scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium.errors import MissingExtraError
from tertium.io.metricfiles import MetricModel
from tertium.registry import Registry

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

STRENGTHS = (1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0)
DIGITS = 7  # of what a file holds


@dataclass(frozen=True)
class Learner:
    """How a model is fitted: a sentence, the settings to choose from, and a function of features and judgements."""

    about: str
    settings: tuple[float, ...]
    fit: Callable[[Array, Array, float], dict[str, Any]]


def _ridge(rows: Array, human: Array, strength: float) -> dict[str, Any]:
    centre, spread = rows.mean(axis=0), rows.std(axis=0)
    spread = np.where(spread > 0, spread, 1)
    scaled = (rows - centre) / spread
    grams = scaled.T @ scaled + strength * len(rows) * np.eye(rows.shape[1])
    weights = np.linalg.solve(grams, scaled.T @ (human - human.mean())) / spread
    return {"kind": "linear", "weights": _short(weights), "intercept": float(human.mean() - centre @ weights)}


def _least_squares(rows: Array, human: Array, setting: float) -> dict[str, Any]:
    centre, spread = rows.mean(axis=0), rows.std(axis=0)
    scaled = (rows - centre) / np.where(spread > 0, spread, 1)
    solved = np.linalg.lstsq(scaled, human - human.mean(), rcond=None)[0]  # a constant feature has no weight
    weights = np.where(spread > 0, solved, 0) / np.where(spread > 0, spread, 1)
    return {"kind": "linear", "weights": _short(weights), "intercept": float(human.mean() - centre @ weights)}


def _svr(rows: Array, human: Array, cost: float) -> dict[str, Any]:
    try:
        from sklearn.svm import SVR
    except ImportError:
        raise MissingExtraError("support vector regression", "train") from None
    low, high = rows.min(axis=0), rows.max(axis=0)
    scaled = 2 * (rows - low) / np.where(high > low, high - low, 1) - 1
    gamma = 1 / rows.shape[1]
    fitted = SVR(C=cost, epsilon=0.1, gamma=gamma).fit(scaled, human)
    return {
        "kind": "svr",
        "weights": _short(fitted.dual_coef_[0]),
        "intercept": float(fitted.intercept_[0]),
        "low": tuple(low.tolist()),
        "high": tuple(high.tolist()),
        "support": tuple(map(_short, fitted.support_vectors_)),
        "gamma": gamma,
    }


def _short(values: Any) -> tuple[float, ...]:
    return tuple(float(f"{value:.{DIGITS}g}") for value in np.asarray(values).tolist())


RIDGE = Learner("a weighted sum; how strong the ridge is, is chosen by cross-validation", STRENGTHS, _ridge)
LINEAR = Learner("linear regression, as AutoDA's", (0.0,), _least_squares)
SVR_RBF = Learner("support vector regression, radial kernel, C = 1, epsilon = .1, as BLEND's", (1.0,), _svr)
LEARNERS: Registry[Learner] = Registry(
    "model",
    "tertium.learners",
    {
        "ridge": "tertium.training.models:RIDGE",
        "linear": "tertium.training.models:LINEAR",
        "svr": "tertium.training.models:SVR_RBF",
    },
)


def model_of(name: str, components: Any, features: tuple[str, ...], fitted: dict[str, Any]) -> MetricModel:
    """What was fitted, as it stands in a file."""
    specs, signatures = zip(*((one.spec, one.signature) for one in components), strict=True)
    return MetricModel(name, tuple(specs), features, signatures=tuple(signatures), **fitted)
