"""Detectors that weigh a few numbers, by weights learnt of damage made on purpose (`tools/detector_model.py`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium.detection.pairs import SeenPairs

if TYPE_CHECKING:
    from numpy.typing import NDArray


class WeighedDetector:
    """Gives its `signs`, a column for each name; the score is a logistic function of their weighted sum."""

    name = ""
    sentence = ""

    def signs(self, pairs: SeenPairs) -> Mapping[str, NDArray[np.float64]]:
        raise NotImplementedError

    def odds(self, pairs: SeenPairs) -> NDArray[np.float64]:
        """Logarithms; 0 is where it begins to be told."""
        return weighed(self.name, self.signs(pairs), len(pairs))

    def scores(self, pairs: SeenPairs) -> NDArray[np.float64]:
        return chances(self.odds(pairs))


def weighed(name: str, signs: Mapping[str, NDArray[np.float64]], number: int) -> NDArray[np.float64]:
    """The weighted sum of signs, by the weights of this name."""
    weights = shipped()[name]
    found = np.full(number, float(weights["bias"]))
    for sign, values in signs.items():
        found += float(weights["weights"].get(sign, 0.0)) * values
    return found


def chances(odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities of logarithms of odds.

    >>> chances(np.array([0.0, 800.0])).tolist()
    [0.5, 1.0]
    """
    found: NDArray[np.float64] = 1.0 / (1.0 + np.exp(-np.clip(odds, -30.0, 30.0)))
    return np.where(found > 1.0 - 1e-12, 1.0, found)


def odds_of(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logarithms of the odds of probabilities."""
    return np.asarray(np.log(np.maximum(chances, 1e-13)) - np.log(np.maximum(1.0 - chances, 1e-13)))


@lru_cache(maxsize=1)
def shipped() -> dict[str, Any]:
    """The weights that come with Tertium."""
    text = files("tertium").joinpath("data", "detection.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)["detectors"]
    return found
