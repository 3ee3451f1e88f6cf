"""Metrics against what translations are worth in a task, over systems (Gowda et al. 2021, tables 4 and 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tertium.errors import InputError
from tertium.io.tables import Column, Table, Value, number_column
from tertium.results import Result
from tertium.stats.correlation import Correlation
from tertium.stats.kendall import tau_b
from tertium.stats.resampling import SEED
from tertium.stats.swapping import swap_test


@dataclass(frozen=True)
class DownstreamCorrelations(Result):
    """Kendall's tau-b of each metric with each measure over systems; in the shape of tables 4 and 5 of Gowda et al."""

    kind = "downstream correlations"
    measures: tuple[str, ...]
    metrics: tuple[str, ...]
    cells: Mapping[tuple[str, str], Correlation]  # by (measure, metric)
    alpha: float = 0.05
    best: frozenset[tuple[str, str]] = frozenset()  # significant, and significantly above every other metric

    def contents(self) -> Mapping[str, Any]:
        cells = {
            measure: {metric: self.cells[measure, metric].data() for metric in self.metrics}
            for measure in self.measures
        }
        best = {measure: [m for m in self.metrics if (measure, m) in self.best] for measure in self.measures}
        return {"alpha": self.alpha, "measures": cells, "best": best}

    def table(self) -> Table:
        """A row for each measure; a metric that is significantly better than all others is marked, what is not
        significant is in the notes."""
        rows: list[tuple[Value, ...]] = []
        notes, best = [], set()
        for r, measure in enumerate(self.measures):
            found = [self.cells[measure, metric] for metric in self.metrics]
            rows.append((measure, *(one.value for one in found)))
            for c, (metric, one) in enumerate(zip(self.metrics, found, strict=True), 1):
                if one.reason:
                    notes.append(f"{measure}, {metric}: undefined, because {one.reason}")
                elif one.by_construction:
                    notes.append(f"{measure}, {metric}: with two systems tau is 1 or -1 by construction")
                elif not one.significant(self.alpha):
                    notes.append(f"{measure}, {metric}: not significant (p = {one.p:.3f})")
                elif (measure, metric) in self.best:
                    best.add((r, c))
        if len(self.metrics) > 1:
            notes.append(
                f"marked: significantly better than every other metric (swapped scores of systems, p < {self.alpha:g})"
                if best
                else "no metric is significantly better than all others"
            )
        columns = (Column("measure"), *(number_column(metric, digits=3) for metric in self.metrics))
        return Table(
            "Kendall's tau between metrics and retrieval", columns, tuple(rows), tuple(notes), frozenset(best)
        )


def correlate_downstream(
    metrics: Mapping[str, Sequence[float]],
    measures: Mapping[str, Sequence[float]],
    *,
    errors: Sequence[str] = (),
    alpha: float = 0.05,
    seed: int = SEED,
) -> DownstreamCorrelations:
    """Kendall's tau-b of every metric with every measure of the task, over the same systems in the same order.

    Metrics in `errors` are lower for better systems and turned round. A metric is best for a measure if its tau is
    significant and significantly above that of every other metric (`swap_test`).

    >>> found = correlate_downstream({"BLEU": [10, 20, 30, 40, 50]}, {"MAP": [0.1, 0.2, 0.4, 0.3, 0.5]})
    >>> found.cells["MAP", "BLEU"].value
    0.8
    """
    cells = {}
    best = set()
    for measure, task in measures.items():
        oriented = {}
        for metric, scores in metrics.items():
            if len(scores) != len(task):
                raise InputError(f"{metric} has {len(scores)} scores, {measure} {len(task)}")
            oriented[metric] = [-s for s in scores] if metric in errors else list(scores)
            cells[measure, metric] = tau_b(task, oriented[metric])
        known = [metric for metric in oriented if cells[measure, metric].value is not None]
        if len(known) < 2:
            continue
        top = max(known, key=lambda metric: cells[measure, metric].value or 0.0)
        others = (oriented[metric] for metric in known if metric != top)
        if cells[measure, top].significant(alpha) and all(
            swap_test(task, oriented[top], other, seed=seed) < alpha for other in others
        ):
            best.add((measure, top))
    return DownstreamCorrelations(tuple(measures), tuple(metrics), cells, alpha, frozenset(best))
