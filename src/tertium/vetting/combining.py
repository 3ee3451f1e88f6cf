"""From the numbers of all checks to one probability that a unit is wrong: boosted trees, stored as plain JSON.

The trees are fitted by `tools/memory_model.py` (scikit-learn) to damaged copies of real units, and applied natively
(`native/trees.hpp`). Their sum is the logarithm of the odds at the share of errors that the model was made for; another
share moves it by a constant.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from math import log
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium import _native
from tertium.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

VERSION = 1
UNKNOWN = 3.0  # what a check that the model does not know adds to the logarithm of the odds, times its score
FIT = "fit odds"  # the number that says how likely the sides do not belong together, where half of all units are so
MISMATCHED = 0.003  # share of units whose sides do not belong together, unless somebody knows better
UNFITTED = {
    "inconsistency": 1.0,
    "conflicts": 0.5,
    "duplicates": 0.0,
    "misalignment": 8.0,
    "vectors": 3.0,
}  # the same for checks that remember units, look at those around them, or need an encoder:
# damaged copies cannot teach what they are worth, since their originals are remembered, too


@dataclass(frozen=True)
class Combination:
    """Trees over named numbers. Numbers that nobody gives are 0: the check saw nothing."""

    names: tuple[str, ...]
    share: float  # of errors that the odds are for
    bias: float
    features: NDArray[np.int32]  # trees x nodes
    thresholds: NDArray[np.float64]
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    values: NDArray[np.float64]
    sure: tuple[
        tuple[str, float, float], ...
    ] = ()  # a check, a score, and the odds of that score or more, alone

    @classmethod
    def parse(cls, data: dict[str, Any], name: str) -> Combination:
        """From what `tools/memory_model.py` writes."""
        if not isinstance(data, dict) or data.get("version") != VERSION:
            raise InputError(f"{name}: is no combination of checks of version {VERSION}")
        trees = data["trees"]  # each: lists of features (-1: a leaf), thresholds or values, left, right
        nodes = max(len(tree[0]) for tree in trees)

        def table(which: int, kind: Any, empty: int = 0) -> Any:
            return np.array(
                [tree[which] + [empty] * (nodes - len(tree[which])) for tree in trees], dtype=kind
            )

        features, values = table(0, np.int32, -1), table(1, np.float64)
        leaves = features < 0
        own = np.arange(nodes, dtype=np.int32)[None, :]
        return cls(
            tuple(data["names"]),
            float(data["share"]),
            float(data["bias"]),
            np.where(leaves, 0, features),
            np.where(leaves, 0.0, values),
            np.where(leaves, own, table(2, np.int32)),
            np.where(leaves, own, table(3, np.int32)),
            np.where(leaves, values, 0.0),
            tuple((str(check), float(score), float(odds)) for check, score, odds in data.get("sure", ())),
        )

    def odds(
        self, names: Sequence[str], rows: NDArray[np.float64], mismatched: float = MISMATCHED
    ) -> NDArray[np.float64]:
        """Logarithms of the odds that units with these numbers are wrong; such a share is taken to be `mismatched`."""
        places = {name: i for i, name in enumerate(names)}
        known = np.zeros((len(rows), len(self.names)))
        for i, name in enumerate(self.names):
            if name in places:
                known[:, i] = rows[:, places[name]]
        found: NDArray[np.float64] = self.bias + np.asarray(
            _native.tree_sums(known, self.features, self.thresholds, self.left, self.right, self.values)
        )
        for name, place in places.items():
            if name not in self.names and " " not in name:
                found += UNFITTED.get(name, UNKNOWN) * rows[:, place]
        for odds in self._surest(places, rows):  # what one check is sure of, the others cannot excuse
            found = np.where(odds > 0.0, np.logaddexp(found, np.log(np.maximum(odds, 1e-9))), found)
        if FIT in places:
            fit = rows[:, places[FIT]]
            moved = fit + log(mismatched / (1.0 - mismatched))
            found = np.where(fit == 0.0, found, np.logaddexp(found, moved))  # 0: nobody knows
        return found

    def _surest(self, places: dict[str, int], rows: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        """For each check that is sure of a unit, the odds by its score; 0 where it is not."""
        found: dict[str, NDArray[np.float64]] = {}
        for name, score, odds in self.sure:
            if name in places and (told := rows[:, places[name]] >= score - 1e-9).any():
                known = found.get(name, 0.0)
                found[name] = np.maximum(known, np.where(told, odds, 0.0))
        return list(found.values())

    def probabilities(
        self,
        names: Sequence[str],
        rows: NDArray[np.float64],
        share: float | None = None,
        mismatched: float = MISMATCHED,
    ) -> NDArray[np.float64]:
        """Probabilities that units are wrong, where such a share of all is."""
        moved = 0.0 if share is None else log(share / (1.0 - share)) - log(self.share / (1.0 - self.share))
        odds = np.clip(self.odds(names, rows, mismatched) + moved, -700.0, 700.0)
        found: NDArray[np.float64] = 1.0 / (1.0 + np.exp(-odds))
        return found


def fitted(
    names: Sequence[str],
    rows: NDArray[np.float64],
    wrong: NDArray[np.float64],
    weights: NDArray[np.float64],
    *,
    trees: int,
    leaves: int,
    rate: float,
    least: int,
) -> Combination:
    """Trees that tell wrong rows from right ones (native/boosting.hpp); a leaf holds at least so many rows.

    >>> rows = np.array([[float(n), 0.0] for n in range(100)])
    >>> wrong = (rows[:, 0] >= 50).astype(float)
    >>> made = fitted(("a b", "c d"), rows, wrong, np.ones(100), trees=20, leaves=2, rate=0.3, least=5)
    >>> [bool(odds > 0) for odds in made.odds(("a b", "c d"), rows[[10, 40, 60, 90]])]
    [False, False, True, True]
    """
    bias, features, thresholds, left, right, values = _native.boosted_trees(
        np.ascontiguousarray(rows), wrong, weights, trees=trees, leaves=leaves, rate=rate, least=least
    )
    share = float((weights * wrong).sum() / weights.sum())
    return Combination(
        tuple(names),
        share,
        bias,
        np.asarray(features),
        np.asarray(thresholds),
        np.asarray(left),
        np.asarray(right),
        np.asarray(values),
    )


@lru_cache(maxsize=1)
def shipped() -> Combination:
    """The model that comes with Tertium."""
    text = files("tertium").joinpath("data", "memory", "combination.json").read_text(encoding="utf-8")
    return Combination.parse(json.loads(text), "combination.json")
