"""How well metrics agree with people on one language pair, at one level: a column of WMT's tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError, did_you_mean
from tertium.io.coverage import Coverage
from tertium.io.tables import Column, Table, Value, chance_column, number_column
from tertium.meta.agreement_statistics import STATISTICS
from tertium.results import Result
from tertium.stats.permutation import PermutationTests
from tertium.stats.wins import not_outperformed

LEVEL_NAMES = {
    "system": "System level",
    "segment": "Segment level",
    "document": "Document level",
    "pairs": "Better-worse pairs",
    "hybrids": "Hybrid systems",
}
POOLED = "pooled"  # in the place of a language pair: all of them together


@dataclass(frozen=True)
class CorrelationCell:
    """One metric on one language pair."""

    name: str
    value: float | None  # oriented: positive where the metric agrees with people
    p: float | None = None  # of the value itself, where there is a test
    reason: str | None = None  # why there is no value
    low: float | None = None
    high: float | None = None
    ensemble: bool = False
    n: int | None = None  # of how many scores, where metrics differ


@dataclass(frozen=True, eq=False)
class Correlations(Result):
    """All metrics on one language pair at one level."""

    kind = "correlations"
    pair: str
    level: str  # "system", "segment", "document", "pairs" (better and worse), "hybrids"
    statistic: str
    n: int
    cells: tuple[CorrelationCell, ...]
    wins: NDArray[np.bool_] | None = None  # wins[i, j]: metric i is significantly better than metric j
    significance: str = ""
    notes: tuple[str, ...] = ()
    coverages: tuple[Coverage, ...] = field(default=())
    p_values: NDArray[np.float64] | None = None  # p[i, j]: metric i is better than metric j, one-sided
    resampled: PermutationTests | None = field(default=None, repr=False)  # what `pooled` combines

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(cell.name for cell in self.cells)

    def __getitem__(self, name: int | str) -> CorrelationCell:
        """By number, or by the metric's name."""
        if isinstance(name, int):
            return self.cells[name]
        for cell in self.cells:
            if cell.name == name:
                return cell
        raise InputError(f"{self.pair}: metric {name!r} was not judged{did_you_mean(name, self.names)}")

    @property
    def symbol(self) -> str:
        return STATISTICS[self.statistic].symbol

    @property
    def leading(self) -> tuple[str, ...]:
        """Metrics that no other one outperforms significantly; nothing where that was not tested."""
        if self.wins is None:
            return ()
        best = not_outperformed(self.wins)
        return tuple(
            cell.name
            for cell, leads in zip(self.cells, best, strict=True)
            if leads and cell.value is not None
        )

    def shown(self, cell: CorrelationCell) -> float | None:
        """The value as tables print it: WMT takes |r| and |ρ|."""
        absolute = STATISTICS[self.statistic].absolute and cell.value is not None
        return abs(cell.value or 0.0) if absolute else cell.value

    def contents(self) -> Mapping[str, Any]:
        return {
            "pair": self.pair,
            "level": self.level,
            "statistic": self.statistic,
            "n": self.n,
            "significance": self.significance,
            "metrics": {
                cell.name: {k: v for k, v in vars(cell).items() if k != "name"} for cell in self.cells
            },
            "not_outperformed": self.leading,
            "wins": None
            if self.wins is None
            else [[self.names[i], self.names[j]] for i, j in zip(*np.nonzero(self.wins), strict=True)],
            "p_values": p_values_by_name(self.names, self.p_values),
            "notes": self.notes,
            "coverages": self.coverages,
        }

    def table(self) -> Table:
        """A row for each metric, best first."""
        values = [-np.inf if cell.value is None else cell.value for cell in self.cells]
        order = sorted(range(len(self.cells)), key=lambda i: -values[i])
        rows: list[tuple[Value, ...]] = []
        best = set()
        for r, i in enumerate(order):
            cell = self.cells[i]
            rows.append((cell.name, self.shown(cell), cell.p))
            if cell.name in self.leading:
                best.add((r, 1))
        columns = (Column("metric"), number_column(self.symbol, "value", 3), chance_column())
        undefined = [f"{c.name} is undefined, because {c.reason}" for c in self.cells if c.reason]
        title = f"{self.pair}, {self.level} level, n = {self.n}"
        star = f"not significantly outperformed by any other metric ({self.significance})"
        notes = (*self.notes, *undefined)
        return Table(title, columns, tuple(rows), notes, frozenset(best), star=star)


def everywhere(judged: Sequence[Correlations]) -> dict[str, dict[str, float]]:
    """By metric and pair, the values of metrics that have one on every language pair: a metric that left out the hard
    ones would look better than it is."""
    found: dict[str, dict[str, float]] = {}
    for name in judged[0].names:
        own = {}
        for one in judged:
            value = one.shown(one[name]) if name in one.names else None
            if value is not None:
                own[one.pair] = value
        if len(own) == len(judged):
            found[name] = own
    return found


def p_values_by_name(
    names: Sequence[str], p_values: NDArray[np.float64] | None
) -> dict[str, dict[str, float]] | None:
    """p-values of "the first metric is better than the second" by both names, where they were tested.

    >>> p_values_by_name(["BLEU", "chrF"], np.array([[np.nan, np.nan], [0.02, np.nan]]))
    {'chrF': {'BLEU': 0.02}}
    """
    if p_values is None:
        return None
    return {
        first: {second: float(p) for second, p in zip(names, row, strict=True) if not np.isnan(p)}
        for first, row in zip(names, p_values, strict=True)
        if not np.isnan(row).all()
    }
