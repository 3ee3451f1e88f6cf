"""From features and judgements to a model: by numpy, except for support vector regression, which is scikit-learn's.

Learners of scores get features and judgements, those of comparisons differences of features and signs (0 for a tie).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium.errors import MissingExtraError, SpecError
from tertium.io.metricfiles import MetricModel
from tertium.registry import Registry

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.training.judged import JudgedTexts

    Array = NDArray[np.float64]

STRENGTHS = (1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0)
COSTS = (1e-4, 1e-3, 1e-2, 1e-1, 1.0)
_STEPS, _NEAR, _FAR = 100, 1e-9, 50.0  # of Newton's method: at most so many, the last smaller than this
DIGITS = 7  # of what a file holds


@dataclass(frozen=True)
class Learner:
    """How a model is fitted: a sentence, the settings to choose from, and a function of features and judgements."""

    about: str
    settings: tuple[float, ...]
    fit: Callable[[Array, Array, float], dict[str, Any]]
    learns_from: str = "scores"


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


def _logistic(differences: Array, signs: Array, cost: float) -> dict[str, Any]:
    """A tie is half a decision for each side: it says that the two are near each other. The least of
    sum log(1 + exp(-sign w x)) + w w / 2 cost over standardised differences.
    """
    target = (1 + signs) / 2

    def at(log_odds: Array) -> tuple[float, Array, Array]:
        chance = 1 / (1 + np.exp(-np.clip(log_odds, -_FAR, _FAR)))
        return (
            float(np.logaddexp(0, log_odds).sum() - target @ log_odds),
            target - chance,
            chance * (1 - chance),
        )

    return _by_newton(differences, at, cost)


def _ranking_svm(differences: Array, signs: Array, cost: float) -> dict[str, Any]:
    """Ties are left out. The least of sum max(0, 1 - sign w x)^2 + w w / 2 cost."""
    differences, signs = differences[signs != 0], signs[signs != 0]

    def at(margins: Array) -> tuple[float, Array, Array]:
        missing = np.maximum(0, 1 - signs * margins)
        return float((missing**2).sum()), 2 * signs * missing, np.where(missing > 0, 2.0, 0.0)

    return _by_newton(differences, at, cost)


def _by_newton(
    differences: Array, at: Callable[[Array], tuple[float, Array, Array]], cost: float
) -> dict[str, Any]:
    """The weights of standardised differences for which a convex loss and w w / 2 cost are least together; `at` has, of
    the values w x, the loss and for each its (negative) slope and its curvature.
    """
    spread = np.sqrt((differences**2).mean(axis=0))
    spread = np.where(spread > 0, spread, 1.0)
    rows, weights = differences / spread, np.zeros(differences.shape[1])
    loss, slopes, curves = at(rows @ weights)
    for _ in range(_STEPS):
        curved = rows * np.sqrt(curves)[:, None]
        slope = rows.T @ slopes - weights / cost
        step = np.linalg.solve(curved.T @ curved + np.eye(len(weights)) / cost, slope)
        before = loss + weights @ weights / (2 * cost)
        while True:
            new = weights + step
            loss, slopes, curves = at(rows @ new)
            if loss + new @ new / (2 * cost) <= before or np.abs(step).max() <= _NEAR:
                break
            step = step / 2
        weights = new
        if np.abs(step).max() <= _NEAR:
            break
    return {"kind": "linear", "weights": _short(weights / spread), "intercept": 0.0}


def _short(values: Any) -> tuple[float, ...]:
    return tuple(float(f"{value:.{DIGITS}g}") for value in np.asarray(values).tolist())


RIDGE = Learner("a weighted sum; how strong the ridge is, is chosen by cross-validation", STRENGTHS, _ridge)
LINEAR = Learner("linear regression, as AutoDA's", (0.0,), _least_squares)
SVR_RBF = Learner("support vector regression, radial kernel, C = 1, epsilon = .1, as BLEND's", (1.0,), _svr)
LOGISTIC = Learner(
    "logistic regression on which of two is better; a tie is half of each", COSTS, _logistic, "comparisons"
)
RANKING_SVM = Learner(
    "a linear support vector machine on which of two is better, without ties",
    COSTS,
    _ranking_svm,
    "comparisons",
)
LEARNERS: Registry[Learner] = Registry(
    "model",
    "tertium.learners",
    {
        "ridge": "tertium.training.models:RIDGE",
        "linear": "tertium.training.models:LINEAR",
        "svr": "tertium.training.models:SVR_RBF",
        "logistic": "tertium.training.models:LOGISTIC",
        "ranksvm": "tertium.training.models:RANKING_SVM",
    },
)


def learner_for(judged: JudgedTexts, name: str | None) -> tuple[str, Learner]:
    """The learner of this name, or the usual one; refused if it learns from something else."""
    chosen = name or judged.usual
    found = LEARNERS[chosen]
    if found.learns_from != judged.learns_from:
        fitting = ", ".join(own for own in LEARNERS if LEARNERS[own].learns_from == judged.learns_from)
        raise SpecError(
            f"{chosen} learns from {found.learns_from}, but people gave {judged.learns_from}: take one of {fitting}"
        )
    return chosen, found


def model_of(name: str, components: Any, features: tuple[str, ...], fitted: dict[str, Any]) -> MetricModel:
    """What was fitted, as it stands in a file."""
    specs, signatures = zip(*((one.kept, one.signature) for one in components), strict=True)
    return MetricModel(name, tuple(specs), features, signatures=tuple(signatures), **fitted)
