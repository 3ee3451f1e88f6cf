"""Components of every metric, systems side by side: precisions, recalls, length ratio, penalties, edits by kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tertium.families.base import Metric
from tertium.io.tables import Column, Table, Value, number_column
from tertium.measured import Measured
from tertium.results import Result, metric_labels


@dataclass(frozen=True)
class MetricComponents:
    """The score and the parts of one metric, a value for each system."""

    metric: Metric
    scores: tuple[float | None, ...]
    parts: Mapping[str, tuple[int | float | None, ...]]


@dataclass(frozen=True)
class Components(Result):
    """The parts of all scores."""

    kind = "components"
    systems: tuple[str, ...]
    metrics: tuple[MetricComponents, ...]

    def contents(self) -> Mapping[str, Any]:
        metrics = {
            own.metric: {
                "scores": dict(zip(self.systems, own.scores, strict=True)),
                "components": {
                    part: dict(zip(self.systems, values, strict=True)) for part, values in own.parts.items()
                },
            }
            for own in self.metrics
        }
        return {"systems": self.systems, "metrics": metrics}

    def table(self) -> Table:
        """A row for each component, a column for each system."""
        rows: list[tuple[Value, ...]] = []
        for own, label in zip(self.metrics, metric_labels(own.metric for own in self.metrics), strict=True):
            rows.append((label, "score", *own.scores))
            rows += [(label, part, *values) for part, values in own.parts.items()]
        columns = (
            Column("metric"),
            Column("component"),
            *(number_column(name, digits=3) for name in self.systems),
        )
        return Table("Components", columns, tuple(rows))


def compare_components(measured: Measured) -> Components:
    """What every metric's score is made of (as in table 8 of "BLEU deconstructed").

    >>> from tertium import TestSet, measure
    >>> found = compare_components(measure(TestSet.sample(), ["bleu", "ter"]))
    >>> found.metrics[1].parts["shifts"]
    (74, 22, 25)
    """
    found = []
    for metric in measured.metrics:
        totals = [measured.totals()[name, metric] for name in measured.systems]
        of_system = [dict(flat(metric.components(total))) for total in totals]
        names = dict.fromkeys(name for parts in of_system for name in parts)
        found.append(
            MetricComponents(
                metric,
                tuple(measured.corpus_score(name, metric) for name in measured.systems),
                {name: tuple(parts.get(name) for parts in of_system) for name in names},
            )
        )
    return Components(measured.systems, tuple(found))


def flat(parts: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, int | float | None]]:
    """Numbers by name; those of a list are counted from 1.

    >>> dict(flat({"brevity_penalty": 1.0, "precisions": [50.0, 25.0]}))
    {'brevity penalty': 1.0, 'precisions 1': 50.0, 'precisions 2': 25.0}
    """
    for key, value in parts.items():
        name = f"{before}{key}".replace("_", " ")
        if isinstance(value, Mapping):
            yield from flat(value, f"{name} ")
        elif isinstance(value, list | tuple):
            yield from flat({f"{name} {i}": item for i, item in enumerate(value, 1)})
        elif value is None or isinstance(value, int | float):
            yield name, None if isinstance(value, float) and value != value else value
