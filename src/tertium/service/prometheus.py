"""`/metrics` for Prometheus: counted in the database, so that all processes say the same and no restart loses any."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import func, select
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tertium.errors import MissingExtraError
from tertium.monitor import schema
from tertium.service.office import Office
from tertium.service.problems import Problem
from tertium.web.database import Database

_done, _systems, _scores = schema.evaluations.c, schema.systems.c, schema.scores.c
_watches = schema.watches.c


class OfficeCollector:
    """What Prometheus is told."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def collect(self) -> Iterator[Any]:
        """Evaluations, segments, last scores, alarms, jobs, calls that wait."""
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

        names = ["system", "domain"]
        many = CounterMetricFamily("tertium_evaluations", "Evaluations that were stored.", labels=names)
        segments = CounterMetricFamily("tertium_segments", "Segments that were evaluated.", labels=names)
        newest = GaugeMetricFamily("tertium_last_evaluation_seconds", "When the last one came.", labels=names)
        query = (
            select(_systems.name, _done.domain, func.count(), func.sum(_done.size), func.max(_done.received))
            .join(schema.systems, _systems.id == _done.system)
            .group_by(_systems.name, _done.domain)
        )
        for system, domain, count, size, received in self._database.rows(query):
            for family, value in ((many, count), (segments, size), (newest, received)):
                family.add_metric([system, domain], float(value))
        yield from (many, segments, newest)
        score = GaugeMetricFamily("tertium_score", "Score of the last document.", labels=[*names, "metric"])
        last = select(func.max(_done.id)).group_by(_done.system, _done.domain)
        query = (
            select(_systems.name, _done.domain, _scores.metric, _scores.value)
            .join(schema.systems, _systems.id == _done.system)
            .join(schema.scores, _scores.evaluation == _done.id)
            .where(_done.id.in_(last), _scores.value.is_not(None))
        )
        for system, domain, metric, value in self._database.rows(query):
            score.add_metric([system, domain, metric], value)
        yield score
        labels = [*names, "metric", "change"]
        told = CounterMetricFamily("tertium_alarms", "Alarms that were raised.", labels=labels)
        columns = (_systems.name, _watches.domain, _watches.metric, schema.alarms.c.change)
        query = (
            select(*columns, func.count())
            .join(schema.watches, _watches.id == schema.alarms.c.watch)
            .join(schema.systems, _systems.id == _watches.system)
            .group_by(*columns)
        )
        for *key, count in self._database.rows(query):
            told.add_metric(key, count)
        yield told
        jobs = GaugeMetricFamily("tertium_jobs", "Jobs by state.", labels=["state"])
        column = schema.jobs.c.state
        for state, count in self._database.rows(select(column, func.count()).group_by(column)):
            jobs.add_metric([state], count)
        yield jobs
        due = select(func.count()).where(schema.deliveries.c.due.is_not(None))
        waiting = GaugeMetricFamily(
            "tertium_webhook_calls_waiting", "Calls of webhooks that are still to be made."
        )
        waiting.add_metric([], self._database.rows(due)[0][0])
        yield waiting


def prometheus_routes(office: Office) -> list[Route]:
    """`/metrics`, for keys that may read."""

    def metrics(request: Request) -> Response:
        if (key := office.key(request, "read")).system is not None:
            raise Problem(403, f"this key is for {key.system}; /metrics tells of all systems")
        try:
            from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
        except ImportError:
            raise MissingExtraError("/metrics", "app") from None
        registry = CollectorRegistry(auto_describe=False)
        registry.register(OfficeCollector(office.database))
        return Response(generate_latest(registry), headers={"content-type": CONTENT_TYPE_LATEST})

    return [Route("/metrics", metrics)]
