"""Metrics compared over several language pairs: the mean of their statistics, and a paired test of it.

Accuracy counts pairs of systems, so its mean is weighted by their number: it is the accuracy over all pairs of systems
of all language pairs, as in WMT's task sets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium.io.tables import Column, Table, Value, number_column
from tertium.meta.correlations import Correlations, p_values_by_name
from tertium.results import Result
from tertium.stats.permutation import PermutationTests, least_p
from tertium.stats.resampling import SEED
from tertium.stats.wins import not_outperformed, significant_wins

Matrix = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PooledCorrelations(Result):
    """Metrics that have a value on every language pair of a level, by the mean of their values.

    `p_values[i, j]` is one-sided: metric i is better than metric j. `wins` is None if no p-value could be below alpha.
    """

    kind = "pooled correlations"
    level: str
    statistic: str
    symbol: str
    pairs: tuple[str, ...]
    names: tuple[str, ...]
    values: Matrix  # means over the pairs, oriented: positive where a metric agrees with people
    weights: Matrix  # of the pairs
    p_values: Matrix
    wins: NDArray[np.bool_] | None
    significance: str

    @property
    def leading(self) -> tuple[str, ...]:
        """Metrics that no other one outperforms significantly; nothing where that was not tested."""
        if self.wins is None:
            return ()
        return tuple(
            name for name, leads in zip(self.names, not_outperformed(self.wins), strict=True) if leads
        )

    def contents(self) -> Mapping[str, Any]:
        return {
            "level": self.level,
            "statistic": self.statistic,
            "pairs": self.pairs,
            "significance": self.significance,
            "metrics": dict(zip(self.names, self.values.tolist(), strict=True)),
            "not_outperformed": self.leading,
            "wins": None
            if self.wins is None
            else [[self.names[i], self.names[j]] for i, j in zip(*np.nonzero(self.wins), strict=True)],
            "p_values": p_values_by_name(self.names, self.p_values),
        }

    def table(self) -> Table:
        """A row for each metric, best first; those that none outperforms significantly are marked."""
        order = sorted(range(len(self.names)), key=lambda i: -self.values[i])
        rows: list[tuple[Value, ...]] = [(self.names[i], float(self.values[i])) for i in order]
        best = frozenset((row, 1) for row, i in enumerate(order) if self.names[i] in self.leading)
        columns = (Column("metric"), number_column(f"mean {self.symbol}", "mean", 3))
        title = f"{self.level} level, mean of {len(self.pairs)} language pairs"
        notes = (f"marked: not significantly outperformed by any other metric ({self.significance})",)
        return Table(title, columns, tuple(rows), notes if best else (), best)


def pooled(
    judged: Sequence[Correlations], *, alpha: float = 0.05, seed: int = SEED
) -> PooledCorrelations | None:
    """The metrics of several language pairs at one level, compared by the mean of their statistics.

    Units change sides within each pair, by coins of its own, and p is how often the difference of the means is then at
    least as large as it is. None with fewer than two pairs or metrics, or where a pair has no permutation test.
    """
    tests = [one.resampled for one in judged if one.resampled is not None]
    if len(judged) < 2 or len(tests) < len(judged):
        return None
    if len({one.statistic for one in judged}) > 1:
        return None
    names = tuple(
        name
        for name in judged[0].names
        if all(name in one.names and one[name].value is not None for one in judged)
    )
    if len(names) < 2:
        return None
    values = np.array([[one[name].value for name in names] for one in judged], dtype=np.float64)
    by_systems = judged[0].statistic == "accuracy"
    weights = np.array([one.n * (one.n - 1) if by_systems else 1 for one in judged], dtype=float)
    weights /= weights.sum()
    means = weights @ values
    places = [{name: i for i, name in enumerate(one.names)} for one in judged]
    # Standardising scores of few systems takes two degrees of freedom from their differences, so that permutations vary
    # too little. In a single pair that is mt-metrics-eval's test; over pairs it adds up, and the difference shrinks.
    shrunk = np.ones(len(judged))
    if judged[0].statistic == "pearson" and judged[0].level in ("system", "hybrids"):
        shrunk = np.sqrt([max(0, test.units - 2) / test.units for test in tests])
    p = np.full((len(names), len(names)), np.nan)
    resamples = max(test.resamples for test in tests)
    for i, first in enumerate(names):
        for j, second in enumerate(names):
            if i == j or means[i] < means[j] or (means[i] == means[j] and i > j):
                continue
            parts = [
                _differences(test, place[first], place[second])
                for test, place in zip(tests, places, strict=True)
            ]
            if all(part is not None for part in parts):
                p[i, j] = _p([part for part in parts if part is not None], tests, weights, shrunk, seed)
    units = sum(test.units for test in tests)
    least = least_p(units, resamples)
    random = f"{resamples:,} random permutations, seed {seed}"
    words = f"one-sided permutation test of the mean over {len(judged)} language pairs, {random}"
    return PooledCorrelations(
        judged[0].level,
        judged[0].statistic,
        judged[0].symbol,
        tuple(one.pair for one in judged),
        names,
        means,
        weights,
        p,
        significant_wins(p, alpha) if least < alpha else None,
        words,
    )


def _differences(test: PermutationTests, first: int, second: int) -> tuple[float, Matrix] | None:
    """The difference of two metrics as it is, and after each permutation; None where it was not tested."""
    for sign, key in ((1.0, (first, second)), (-1.0, (second, first))):
        if key in test.differences:
            return sign * test.observed[key], sign * test.differences[key]
    return None


def _p(
    parts: Sequence[tuple[float, Matrix]],
    tests: Sequence[PermutationTests],
    weights: Matrix,
    shrunk: Matrix,
    seed: int,
) -> float:
    """Pairs of languages with as many units had the same coins: the order in which resamples meet is drawn for each
    pair of languages anew. Where all permutations of a pair were made, it is drawn from them."""
    drawn = [len(moved) for (_, moved), test in zip(parts, tests, strict=True) if not test.exact]
    number = min(drawn, default=max(test.resamples for test in tests))
    total = np.zeros(number)
    for place, ((_, moved), test) in enumerate(zip(parts, tests, strict=True)):
        rng = np.random.default_rng([seed, place])
        chosen = rng.integers(0, len(moved), number) if test.exact else rng.permutation(len(moved))[:number]
        total += weights[place] * moved[chosen]
    observed = float(sum(w * difference for w, (difference, _) in zip(weights * shrunk, parts, strict=True)))
    larger = int((total >= observed - 1e-12).sum()) + int(np.isnan(total).sum())
    return (larger + 1) / (number + 1)
