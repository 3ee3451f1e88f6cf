"""Ways to find weights, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium.registry import Registry
from tertium.tuning.objective import Objective

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


@dataclass(frozen=True)
class TuningOptions:
    """What tuners may be told; each looks at its own."""

    steps: int | None = None  # passes, rounds or epochs; None: as many as usual
    directions: int | None = None  # MERT: random directions in each pass; None: as many as features
    interpolate: float = 0.1  # PRO: the share of new weights in each round
    samples: int = 5000  # PRO: pairs drawn for a sentence
    kept: int = 50  # PRO: of these, the pairs with the greatest differences
    aggressiveness: float = 0.01  # MIRA: the largest step, C


Steps = Callable[[Objective, "Array", np.random.Generator, TuningOptions], Iterator["Array"]]


@dataclass(frozen=True)
class Tuner:
    """A way to find weights: from some weights on it gives better ones, step by step."""

    title: str
    sentence: str
    step: str  # what a step is called
    restarts: int  # how many random beginnings are usual, beside the weights it is given
    steps: Steps


TUNERS: Registry[Tuner] = Registry(
    "way to tune",
    "tertium.tuners",
    {
        "mert": "tertium.tuning.mert:MERT",
        "pro": "tertium.tuning.pro:PRO",
        "mira": "tertium.tuning.mira:MIRA",
    },
)


def normalised(weights: Array) -> Array:
    """Weights whose sizes add up to 1: what they choose does not change."""
    size = float(np.abs(weights).sum())
    return weights / size if size else weights
