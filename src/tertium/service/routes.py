"""The routes of version 1: evaluations in, scores out, and their history."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel

from tertium.monitor.drift import changes
from tertium.monitor.history import Evaluations, listed, series
from tertium.monitor.storing import kept
from tertium.service.asking import TROUBLE, Moment, Reader, seconds, seen
from tertium.service.office import Office
from tertium.service.sending import EvaluatedDocument, Listed, sending_routes
from tertium.service.streaming import lines_routes
from tertium.service.watching import watching_routes


class SeriesPoint(BaseModel):
    """A score of some documents together, with its 95% interval."""

    begins: str | None = None
    evaluation: int | None = None
    time: float | None = None
    value: float | None
    low: float | None
    high: float | None
    documents: int
    segments: int


class Series(BaseModel):
    """A system in a domain by a metric, in the order of time."""

    system: str
    domain: str
    probe: str = ""
    metric: str
    signature: str
    higher_is_better: bool
    note: str = ""
    points: list[SeriesPoint]


class Change(BaseModel):
    """A system became worse or better since an evaluation, as another one told; scores before and after."""

    system: str
    domain: str
    metric: str
    signature: str
    change: Literal["worse", "better"]
    evaluation: int
    time: float
    since: int
    batches: int
    before: float | None
    after: float | None


def version_1(office: Office) -> APIRouter:
    """All routes."""
    router = APIRouter(prefix="/v1", responses=TROUBLE)
    router.include_router(lines_routes(office))
    router.include_router(sending_routes(office))
    router.include_router(watching_routes(office))

    @router.get("/evaluations", tags=["evaluations"])
    def find(
        key: Reader,
        system: str = "",
        domain: str = "",
        since: Moment = None,
        until: Moment = None,
        after: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
        most: Annotated[int, Query(ge=1, le=1000)] = 100,
    ) -> list[Listed]:
        """Evaluations in the order in which they came; `after` is the last one that is known."""
        wanted = Evaluations(seen(key, system), domain, seconds(since), seconds(until))
        return [Listed(**own) for own in listed(office.database, wanted, after=after, most=most)]

    @router.get("/evaluations/{number}", tags=["evaluations"])
    def read(key: Reader, number: Annotated[int, Path(ge=1, le=2**31 - 1)]) -> EvaluatedDocument:
        """One evaluation with all its scores."""
        found = kept(office.database, number)
        seen(key, found["system"])
        return EvaluatedDocument(**found)

    @router.get("/series", tags=["history"])
    def history(
        key: Reader,
        metric: Annotated[str, Query(max_length=200)] = "chrf",
        system: str = "",
        domain: str = "",
        by: Literal["batch", "day", "week", "month"] = "day",
        since: Moment = None,
        until: Moment = None,
    ) -> list[Series]:
        """Scores period by period, of all documents of a period together."""
        office.metrics([metric])
        wanted = Evaluations(seen(key, system), domain, seconds(since), seconds(until))
        return [Series(**own) for own in series(office.database, wanted, metric, by)]

    @router.get("/changes", tags=["history"])
    def changed(
        key: Reader,
        metric: Annotated[str, Query(max_length=200)] = "chrf",
        system: str = "",
        domain: str = "",
        false_alarms: Annotated[float, Query(gt=0.01, le=100)] = 1.0,
    ) -> list[Change]:
        """Where systems became worse or better; `false_alarms` a year may be wrong, of all series together."""
        office.metrics([metric])
        wanted = Evaluations(seen(key, system), domain)
        found = changes(office.database, wanted, metric, false_alarms=false_alarms)
        return [Change(**own) for own in found]

    return router
