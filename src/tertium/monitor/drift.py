"""Has a system become worse? Batches against those before them with texts as hard, and false alarms counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import select

from tertium import registry
from tertium.monitor import schema
from tertium.monitor.history import Evaluations, scored
from tertium.stats.sequential import Chart, threshold_for
from tertium.web.database import Database

Numbers = NDArray[np.float64]
EDGES = np.array([5.5, 10.5, 20.5, 40.5])  # lengths in words: classes of segments that are alike hard
PRIOR = 20.0  # segments that a class must have before its own mean counts for half
TOGETHER = 50.0  # from so many segments on what they have in common tells more than their number
FIRST = 30  # batches that say where a series stands; without it sizes of batches could not be compared
LEAST_A_YEAR = 3650.0  # batches: ten a day
YEAR = 365.25 * 86400
_done, _scores = schema.evaluations.c, schema.scores.c


class Expectation:
    """What segments of each length had so far, for texts of the same series."""

    def __init__(self) -> None:
        self._sums, self._counts = np.zeros(len(EDGES) + 1), np.zeros(len(EDGES) + 1)

    def adjusted(self, values: Numbers, lengths: Numbers) -> float:
        """The mean of a batch as if its segments were as long as usual; then their lengths are learnt.

        >>> expected = Expectation()
        >>> long, short = np.full(300, 30.0), np.full(300, 3.0)
        >>> _ = expected.adjusted(np.append(np.full(300, 40.0), np.full(300, 60.0)), np.append(long, short))
        >>> round(expected.adjusted(np.full(300, 40.0), long))  # long segments alone: no worse than before
        49
        """
        known = ~np.isnan(values)
        values, kinds = values[known], np.searchsorted(EDGES, lengths[known])
        if not len(values):
            return float("nan")
        total = self._counts.sum()
        level = self._sums.sum() / total if total else float(values.mean())
        usual = (self._sums + PRIOR * level) / (self._counts + PRIOR)
        harder = usual - level  # than others; how good they are altogether is for the chart to say
        mean = float((values - harder[kinds]).mean())
        self._sums += np.bincount(kinds, values, len(self._sums))
        self._counts += np.bincount(kinds, minlength=len(self._counts))
        return mean


@dataclass(frozen=True)
class WatchedBatch:
    """An evaluation as a series sees it."""

    evaluation: int
    time: float
    value: float | None
    values: Numbers
    lengths: Numbers


def shifts(batches: Iterable[WatchedBatch], threshold: float, *, up: bool) -> Iterator[tuple[int, str, int]]:
    """Changes of one series: the place of the batch that told, `worse` or `better`, and since how many batches."""
    expected, chart, first = Expectation(), Chart(), list[float]()
    for place, batch in enumerate(batches):
        level = expected.adjusted(batch.values, batch.lengths)
        if level != level:
            continue
        if len(first) < FIRST:
            first.append(level)
        surplus = (level - float(np.median(first))) / (1 / len(batch.values) + 1 / TOGETHER) ** 0.5
        found = chart.add(surplus if up else -surplus, threshold)
        if found is not None:
            yield place, "worse" if found.kind == "fell" else "better", found.batches
            expected, first = Expectation(), []


def changes(
    database: Database, wanted: Evaluations, spec: str, *, false_alarms: float = 1.0
) -> list[dict[str, Any]]:
    """Where series of a metric have changed, with `false_alarms` a year for all series of the service together."""
    metric = registry.metric(spec)
    query = scored(spec, _done.lengths, _scores.value, _scores["values"])
    found: dict[tuple[str, str, str], list[WatchedBatch]] = {}
    for row in database.rows(wanted.of(query)):
        values, lengths = np.frombuffer(row.values), np.frombuffer(row.lengths, dtype=np.int32)
        if len(lengths) != len(values):  # kept before there were lengths
            lengths = np.zeros(len(values), dtype=np.int32)
        batch = WatchedBatch(row.id, row.time, row.value, values, lengths.astype(np.float64))
        found.setdefault((row.system, row.domain, row.signature), []).append(batch)
    threshold = threshold_for(float(f"{batches_a_year(database) / false_alarms:.2g}"))
    return [
        {
            "system": system,
            "domain": domain,
            "metric": spec,
            "signature": signature,
            "change": kind,
            "evaluation": batches[place].evaluation,
            "time": batches[place].time,
            "since": batches[place + 1 - many].evaluation,
            "batches": many,
            "before": _mean(batches[: place + 1 - many]),
            "after": _mean(batches[place + 1 - many : place + 1]),
        }
        for (system, domain, signature), batches in found.items()
        for place, kind, many in shifts(batches, threshold, up=metric.higher_is_better)
    ]


def batches_a_year(database: Database) -> float:
    """How often series are looked at in a year, all together and at the present rate: ten times a day at least."""
    times: list[float] = [
        row.time
        for row in database.rows(
            select(_done.time).join(schema.scores, _scores.evaluation == _done.id).order_by(_done.time)
        )
    ]
    if len(times) < 2 or times[-1] - times[0] < 7 * 86400:
        return max(LEAST_A_YEAR, float(len(times)))
    return max(LEAST_A_YEAR, len(times) * YEAR / (times[-1] - times[0]))


def _mean(batches: list[WatchedBatch]) -> float | None:
    values = [batch.value for batch in batches if batch.value is not None]
    return float(np.mean(values)) if values else None
