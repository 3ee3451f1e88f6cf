"""Series: what became of a system in a domain, day by day. Rows of documents are added up, so scores are exact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import sqrt
from typing import Any

import numpy as np
from sqlalchemy import Select, select

from tertium import registry
from tertium.families.base import Metric
from tertium.measuring import joined
from tertium.monitor import schema
from tertium.statistics import Statistics
from tertium.stats.distributions import student_quantile
from tertium.web.database import Database
from tertium.web.refusals import Problem

PERIODS = ("batch", "day", "week", "month")
_done, _scores, _systems = schema.evaluations.c, schema.scores.c, schema.systems.c
OTHER = "ended: later scores are by other settings or vectors (see their signature), and begin a series of their own"
_MANY = 10  # documents from which on they, not segments, tell how uncertain a score is


@dataclass(frozen=True)
class Evaluations:
    """Which evaluations: all that is empty is not asked for."""

    system: str = ""
    domain: str = ""
    since: float | None = None
    until: float | None = None

    def of(self, query: Select[Any]) -> Select[Any]:
        """A query over evaluations and systems, narrowed."""
        if self.system:
            query = query.where(_systems.name == self.system)
        if self.domain:
            query = query.where(_done.domain == self.domain)
        if self.since is not None:
            query = query.where(_done.time >= self.since)
        if self.until is not None:
            query = query.where(_done.time < self.until)
        return query


def listed(
    database: Database, wanted: Evaluations, *, after: int = 0, most: int = 100
) -> list[dict[str, Any]]:
    """Evaluations in the order of their numbers, without their scores."""
    query = (
        select(
            _done.id,
            _systems.name.label("system"),
            _done.domain,
            _done.document,
            _done.time,
            _done.size.label("segments"),
        )
        .join(schema.systems, _systems.id == _done.system)
        .where(_done.id > after)
        .order_by(_done.id)
        .limit(most)
    )
    return [dict(row._mapping) for row in database.rows(wanted.of(query))]


def scored(spec: str, *columns: Any) -> Select[Any]:
    """Evaluations with a metric's scores, in the order of time: which series they are of, and more columns."""
    return (
        select(
            _done.id,
            _systems.name.label("system"),
            _done.domain,
            _done.time,
            _scores.signature,
            *columns,
        )
        .join(schema.systems, _systems.id == _done.system)
        .join(schema.scores, _scores.evaluation == _done.id)
        .where(_scores.metric == spec)
        .order_by(_done.time, _done.id)
    )


def series(database: Database, wanted: Evaluations, spec: str, period: str) -> list[dict[str, Any]]:
    """The scores of a metric, period by period; another signature begins a series of its own, and a probe has one."""
    if period not in PERIODS:
        raise Problem(422, f"{period!r} is no period (known: {', '.join(PERIODS)})")
    metric = registry.metric(spec)
    query = scored(spec, _done.probe, _scores.rows)
    found: dict[tuple[str, str, str, str], dict[Any, list[Any]]] = {}
    for row in database.rows(wanted.of(query)):
        begin = row.id if period == "batch" else begin_of(row.time, period)
        place = (row.system, row.domain, row.probe, row.signature)
        found.setdefault(place, {}).setdefault(begin, []).append(row)
    newest = {key[:3]: key[3] for key in sorted(found, key=lambda key: found[key][max(found[key])][-1].time)}
    return [
        {
            "system": system,
            "domain": domain,
            "probe": probe,
            "note": "" if newest[system, domain, probe] == signature else OTHER,
            "metric": spec,
            "signature": signature,
            "higher_is_better": metric.higher_is_better,
            "points": [_point(metric, rows) | _when(rows, begin, period) for begin, rows in points.items()],
        }
        for (system, domain, probe, signature), points in found.items()
    ]


def _when(rows: Sequence[Any], begin: Any, period: str) -> dict[str, Any]:
    return {"evaluation": begin, "time": rows[0].time} if period == "batch" else {"begins": begin}


def _point(metric: Metric, rows: Sequence[Any]) -> dict[str, Any]:
    """The score of some documents together, with an interval by the jackknife."""
    parts = [Statistics.from_bytes(row.rows) for row in rows]
    value, low, high = score_with_interval(metric, parts)
    return {
        "value": value,
        "low": low,
        "high": high,
        "documents": len(parts),
        "segments": sum(map(len, parts)),
    }


def score_with_interval(
    metric: Metric, parts: Sequence[Statistics]
) -> tuple[float | None, float | None, float | None]:
    """The score of documents together and its 95% interval, by the jackknife over documents where there are many, else
    over segments, with Student's quantiles. No interval where these are fewer than `Metric.fewest_for_interval`."""
    by_document = len(parts) >= max(_MANY, metric.fewest_for_interval)
    rows = joined([part.total() for part in parts] if by_document else list(parts))
    value = float(metric._scores(rows.total(), "corpus")[0])
    if value != value:
        return None, None, None
    spread = _spread(metric, rows) if len(rows) >= metric.fewest_for_interval else None
    if spread is None:
        return value, None, None
    half = student_quantile(0.975, len(rows) - 1) * spread
    return value, value - half, value + half


def _spread(metric: Metric, rows: Statistics) -> float | None:
    n = len(rows)
    if n < 2:
        return None
    without = np.asarray(metric._scores(rows.without_each(), "corpus"), dtype=np.float64)
    if np.isnan(without).any():
        return None
    return sqrt((n - 1) / n * float(((without - without.mean()) ** 2).sum()))


def begin_of(moment: float, period: str) -> str:
    """The day on which a period begins (UTC).

    >>> [begin_of(1_600_000_000, period) for period in ("day", "week", "month")]
    ['2020-09-13', '2020-09-07', '2020-09-01']
    """
    day = datetime.fromtimestamp(moment, UTC).date()
    if period == "week":
        day -= timedelta(day.weekday())
    elif period == "month":
        day = day.replace(day=1)
    return day.isoformat()
