"""The routes of version 1: evaluations in, scores out, and their history."""

from __future__ import annotations

import hashlib
import time
from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response
from pydantic import AwareDatetime, BaseModel, Field

from tertium.monitor.drift import changes
from tertium.monitor.evaluating import USUAL, chosen_metrics, evaluated
from tertium.monitor.history import Evaluations, listed, series
from tertium.monitor.keys import ServiceKey
from tertium.monitor.storing import SentDocument, checked, kept, repeated, store
from tertium.service.office import Office
from tertium.service.problems import MEDIA
from tertium.web.bodies import Strict

Text = Annotated[str, Field(max_length=100_000)]
Name = Annotated[str, Field(min_length=1, max_length=64)]
Moment = Annotated[AwareDatetime | None, Query()]
_SHAPE = {"description": "a problem document (RFC 9457)", "content": {MEDIA: {}}}
TROUBLE: dict[int | str, dict[str, Any]] = dict.fromkeys((400, 401, 403, 404, 413, 422, 429), _SHAPE)


class NewSegment(Strict):
    """A translation with its source and what people wrote: references, or a post-edit."""

    source: Text = ""
    mt: Text
    reference: Text | None = None
    references: list[Text] = Field(default_factory=list, max_length=20)
    post_edit: Text | None = None
    metadata: dict[str, str | int | float | bool | None] = Field(default_factory=dict)

    def plain(self) -> dict[str, Any]:
        """As it is kept; a post-edit is a reference, too."""
        given = [self.reference, *self.references, self.post_edit]
        own = {"source": self.source, "mt": self.mt, "references": [one for one in given if one is not None]}
        return own | ({"metadata": self.metadata} if self.metadata else {})


class NewEvaluation(Strict):
    """A document that a system translated."""

    system: Name
    domain: Name = "general"
    document: str = Field(min_length=1, max_length=200)
    time: AwareDatetime | None = Field(
        None, strict=False, description="when it was translated; now, if nothing is said"
    )
    segments: list[NewSegment] = Field(min_length=1, max_length=100_000)
    metrics: list[Annotated[str, Field(max_length=200)]] = Field(default_factory=list)
    metadata: dict[str, str | int | float | bool | None] = Field(default_factory=dict)


class MetricScore(BaseModel):
    """One metric's score of the document, and of each segment."""

    metric: str
    label: str
    higher_is_better: bool
    signature: str
    value: float | None
    segments: list[float | None]


class Listed(BaseModel):
    """An evaluation without its scores."""

    id: int
    system: str
    domain: str
    document: str
    time: float
    segments: int


class EvaluatedDocument(Listed):
    """What came of a document."""

    metadata: dict[str, Any]
    scores: list[MetricScore]


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
    metric: str
    signature: str
    higher_is_better: bool
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


def _writer(request: Request) -> ServiceKey:
    office: Office = request.app.state.office
    return office.key(request, "write")


def _reader(request: Request) -> ServiceKey:
    office: Office = request.app.state.office
    return office.key(request, "read")


Writer = Annotated[ServiceKey, Depends(_writer)]
Reader = Annotated[ServiceKey, Depends(_reader)]


def version_1(office: Office) -> APIRouter:
    """All routes."""
    router = APIRouter(prefix="/v1", responses=TROUBLE)

    @router.post(
        "/evaluations",
        status_code=201,
        tags=["evaluations"],
        responses={
            200: {"model": EvaluatedDocument, "description": "made before, by the same call"},
            409: _SHAPE,
        },
    )
    def evaluate(
        key: Writer,
        body: NewEvaluation,
        response: Response,
        idempotency_key: Annotated[str | None, Header(min_length=1, max_length=200)] = None,
    ) -> EvaluatedDocument:
        """Score a document, keep what came of it, and answer."""
        moment = time.time() if body.time is None else body.time.timestamp()
        given = SentDocument(
            body.system,
            body.domain,
            body.document,
            moment,
            [segment.plain() for segment in body.segments],
            body.metadata,
            hashlib.sha256(body.model_dump_json().encode("utf-8", "surrogatepass")).hexdigest(),
            idempotency_key,
        )
        specs = body.metrics or list(office.settings.metrics or USUAL)
        checked(given, key)
        number = repeated(office.database, given, key)
        if number is None:
            metrics = chosen_metrics(specs, office.settings.metrics)
            found = evaluated(given.segments, metrics, document=given.document)
            number = store(office.database, given, key, found)
        else:
            response.status_code = 200
        return EvaluatedDocument(**kept(office.database, number))

    @router.get("/evaluations", tags=["evaluations"])
    def find(
        _key: Reader,
        system: str = "",
        domain: str = "",
        since: Moment = None,
        until: Moment = None,
        after: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
        most: Annotated[int, Query(ge=1, le=1000)] = 100,
    ) -> list[Listed]:
        """Evaluations in the order in which they came; `after` is the last one that is known."""
        wanted = Evaluations(system, domain, _seconds(since), _seconds(until))
        return [Listed(**own) for own in listed(office.database, wanted, after=after, most=most)]

    @router.get("/evaluations/{number}", tags=["evaluations"])
    def read(_key: Reader, number: Annotated[int, Path(ge=1, le=2**31 - 1)]) -> EvaluatedDocument:
        """One evaluation with all its scores."""
        return EvaluatedDocument(**kept(office.database, number))

    @router.get("/series", tags=["history"])
    def history(
        _key: Reader,
        metric: Annotated[str, Query(max_length=200)] = "chrf",
        system: str = "",
        domain: str = "",
        by: Literal["batch", "day", "week", "month"] = "day",
        since: Moment = None,
        until: Moment = None,
    ) -> list[Series]:
        """Scores period by period, of all documents of a period together."""
        chosen_metrics([metric], office.settings.metrics)
        wanted = Evaluations(system, domain, _seconds(since), _seconds(until))
        return [Series(**own) for own in series(office.database, wanted, metric, by)]

    @router.get("/changes", tags=["history"])
    def changed(
        _key: Reader,
        metric: Annotated[str, Query(max_length=200)] = "chrf",
        system: str = "",
        domain: str = "",
        false_alarms: Annotated[float, Query(gt=0.01, le=100)] = 1.0,
    ) -> list[Change]:
        """Where systems became worse or better; `false_alarms` a year may be wrong, of all series together."""
        chosen_metrics([metric], office.settings.metrics)
        wanted = Evaluations(system, domain)
        found = changes(office.database, wanted, metric, false_alarms=false_alarms)
        return [Change(**own) for own in found]

    return router


def _seconds(moment: datetime | None) -> float | None:
    return None if moment is None else moment.timestamp()
