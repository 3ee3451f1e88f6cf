"""How often things happen to words, system by system, with tests: shares of counts that add over segments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from tertium.comparison.significance import ResamplingPlan, pair_tests_by_metric
from tertium.families.base import Level, Metric
from tertium.io.tables import Column, Table, Value, number_column
from tertium.results import Result
from tertium.statistics import DenseStatistics
from tertium.stats.multiple import holm

if TYPE_CHECKING:
    from tertium._native import Lines
    from tertium.text.segments import References


@dataclass(frozen=True)
class ShareOfColumn(Metric):
    """A column of rows per 100 of another: what resampling needs to know of it."""

    name: ClassVar[str] = "rate"
    part: str = ""
    whole: str = ""

    def _prepare(self, references: References, threads: int) -> Any:
        raise NotImplementedError

    def _rows(self, hypotheses: Lines, prepared: Any, sources: Lines | None, threads: int) -> DenseStatistics:
        raise NotImplementedError

    def _scores(self, statistics: Any, level: Level) -> Any:
        import numpy as np

        whole = statistics[self.whole].astype(np.float64)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(whole > 0, 100 * statistics[self.part] / whole, np.nan)


@dataclass(frozen=True)
class SystemRate:
    """One rate of one system, per 100; None where there is nothing to divide by."""

    count: int
    rate: float | None
    low: float | None  # of the 95% interval
    high: float | None
    p: (
        float | None
    )  # of the difference from the centre, after Holm over systems and rates; None: it is the centre


@dataclass(frozen=True)
class ClassRates(Result):
    """Rates of every system, each tested against one of them, the centre."""

    kind = "class rates"
    title: str
    centre: str
    systems: tuple[str, ...]
    rates: Mapping[str, Mapping[str, SystemRate]]  # by what is counted, then by system
    notes: tuple[str, ...]
    alpha: float = 0.05

    def table(self) -> Table:
        """A row for each system; † where a rate differs significantly from the centre's."""
        columns = (Column("system"), *(number_column(name) for name in self.rates))
        rows: list[tuple[Value, ...]] = []
        signs: dict[tuple[int, int], str] = {}
        for r, system in enumerate(self.systems):
            found = [own[system] for own in self.rates.values()]
            rows.append((system, *(own.rate for own in found)))
            signs |= {
                (r, c): "†" for c, own in enumerate(found, 1) if own.p is not None and own.p < self.alpha
            }
        how = f"(p {'<' if signs else '≥'} {self.alpha:g}, Holm over systems and rates)"
        tested = f"† differs from {self.centre} {how}" if signs else f"none differs from {self.centre} {how}"
        return Table(self.title, columns, tuple(rows), (tested, *self.notes), signs=signs)

    def records(self) -> list[dict[str, Any]]:
        """A row for each rate and system."""
        return [
            {"what": what, "system": system, **vars(own)}
            for what, systems in self.rates.items()
            for system, own in systems.items()
        ]


def rates_by_system(
    title: str,
    rows: Mapping[str, DenseStatistics],
    shares: Mapping[str, tuple[str, str]],
    plan: ResamplingPlan,
    notes: tuple[str, ...] = (),
) -> ClassRates:
    """`shares` name a column and what it is a share of; `plan.baseline` is the system that others are tested against.

    >>> from tertium.statistics import columns
    >>> counted = {n: DenseStatistics.build(columns("hit", "all"), [[i, 4], [1, 6]]) for n, i in (("A", 1), ("B", 2))}
    >>> found = rates_by_system("Hits", counted, {"hits": ("hit", "all")}, ResamplingPlan("A", resamples=50))
    >>> [(own.count, own.rate) for own in found.rates["hits"].values()]
    [(2, 20.0), (3, 30.0)]
    """
    metrics = {name: ShareOfColumn(part, whole) for name, (part, whole) in shares.items()}
    tests = pair_tests_by_metric([(list(metrics.values()), dict(rows))], replace(plan, like=None))
    centre = plan.baseline or next(iter(rows))
    compared = [(name, system) for name in metrics for system in rows if system != centre]
    raw = [tests[metrics[name]].pair(centre, system).p for name, system in compared]
    corrected = dict(zip(compared, holm(raw), strict=True))
    rates = {}
    for name, metric in metrics.items():
        found = tests[metric]
        rates[name] = {
            own.name: SystemRate(
                int(rows[own.name].total().only(metric.part)),
                own.value,
                own.low,
                own.high,
                corrected.get((name, own.name)),
            )
            for own in found.systems
        }
    settings = next(iter(tests.values())).settings().split(": ", 1)[1]
    return ClassRates(title, centre, tuple(rows), rates, (*notes, settings))
