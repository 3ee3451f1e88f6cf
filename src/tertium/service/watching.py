"""What became of systems: comparisons, alarms and where they go, releases, what people say."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import AwareDatetime, BaseModel, Field

from tertium.monitor.alarms import alarms
from tertium.monitor.comparing import compare_periods, compare_systems
from tertium.monitor.history import Evaluations
from tertium.monitor.marks import mark, marks_of
from tertium.monitor.releases import release, releases
from tertium.monitor.retention import delete_document
from tertium.monitor.storing import system_of
from tertium.monitor.transfer import document_data
from tertium.monitor.webhooks import add_webhook, remove_webhook, webhooks
from tertium.service.asking import (
    CONFLICT,
    PRINTABLE,
    Administrator,
    After,
    Moment,
    Most,
    Name,
    Number,
    Reader,
    Spec,
    Writer,
    seconds,
    seen,
)
from tertium.service.office import Office
from tertium.service.problems import Problem
from tertium.web.bodies import Strict


class NewRelease(Strict):
    """A system has a new version."""

    system: Name
    version: Name
    time: AwareDatetime | None = Field(None, strict=False, description="since when; now, if nothing is said")
    note: Annotated[str, Field(max_length=500, pattern=PRINTABLE)] = ""


class SystemRelease(BaseModel):
    """Since when a system has had a version."""

    id: int
    system: str
    version: str
    time: float
    note: str


class MarkedSpan(Strict):
    """An error, from a character of the translation to another."""

    start: int = Field(ge=0, le=100_000)
    end: int = Field(ge=1, le=100_000)
    severity: Literal["neutral", "minor", "major", "critical"] = "minor"
    category: Annotated[str, Field(max_length=100)] = ""


class NewMark(Strict):
    """What somebody says of a segment (counted from 0), or of the whole document."""

    segment: Annotated[int, Field(ge=0, le=100_000)] | None = None
    kind: Literal["da", "mqm", "esa"]
    annotator: Name = "somebody"
    value: float | None = Field(
        None,
        allow_inf_nan=False,
        description="DA and ESA from 0 to 100; MQM 0 or less, counted from spans if it is not given",
    )
    spans: list[MarkedSpan] = Field(default_factory=list, max_length=1000)


class NewMarks(Strict):
    """Marks of one evaluation."""

    evaluation: Number
    marks: list[NewMark] = Field(min_length=1, max_length=10_000)


class KeptMark(BaseModel):
    """A mark that was kept."""

    id: int
    evaluation: int
    segment: int | None
    kind: str
    annotator: str
    value: float
    spans: list[MarkedSpan]


class NewlyKept(BaseModel):
    """How many of those sent are new."""

    new: int


class Alarm(BaseModel):
    """A series that changed, told once; `domain` is empty where all domains are watched together."""

    id: int
    system: str
    domain: str
    probe: str
    metric: str
    signature: str
    change: Literal["worse", "better"]
    evaluation: int
    since: int
    batches: int
    before: float | None
    after: float | None
    time: float
    begins: float
    raised: float
    sentence: str


class ComparedSystem(BaseModel):
    """A system on documents that both have translated."""

    system: str
    value: float | None
    low: float | None
    high: float | None


class ComparedDocument(BaseModel):
    """A document by both systems."""

    domain: str
    document: str
    first: float | None
    second: float | None
    first_evaluation: int
    second_evaluation: int


class SystemComparison(BaseModel):
    """Two systems on the same documents, by the tests of `tertium compare`; `difference` is second minus first."""

    metric: str
    signature: str
    higher_is_better: bool
    systems: list[ComparedSystem]
    difference: float | None
    better: str | None
    p: float | None
    smallest_detectable: float | None
    test: str
    sentence: str
    documents: int
    segments: int
    most_different: list[ComparedDocument]


class Period(BaseModel):
    """A system in a period."""

    value: float | None
    low: float | None
    high: float | None
    documents: int
    segments: int


class PeriodComparison(BaseModel):
    """Two periods; `adjusted`, with its 95% interval, is the difference for the same lengths and domains."""

    metric: str
    signature: str
    higher_is_better: bool
    before: Period
    after: Period
    difference: float | None
    adjusted: float | None
    low: float | None
    high: float | None
    p: float | None


class NewWebhook(Strict):
    """An address that is called on alarms."""

    url: Annotated[str, Field(min_length=8, max_length=500)]


class WebhookSecret(BaseModel):
    """What calls are signed with (https://www.standardwebhooks.com); shown only once."""

    url: str
    secret: str


class Webhook(BaseModel):
    """An address that is called on alarms, and how its calls went."""

    url: str
    created: float
    delivered: int
    waiting: int
    last: str


class Forgotten(BaseModel):
    """How many evaluations were removed."""

    evaluations: int


def watching_routes(office: Office) -> APIRouter:
    """All of these."""
    router = APIRouter()
    database = office.database

    @router.post("/releases", status_code=201, tags=["releases"], responses=CONFLICT)
    def released(key: Writer, body: NewRelease) -> SystemRelease:
        """Say that a system has a new version."""
        if key.system is not None and key.system != body.system:
            raise Problem(403, f"this key is for {key.system}, not for {body.system}", "/system")
        return SystemRelease(**release(database, body.system, body.version, seconds(body.time), body.note))

    @router.get("/releases", tags=["releases"])
    def all_releases(key: Reader, system: str = "") -> list[SystemRelease]:
        """Releases in the order of time."""
        return [SystemRelease(**own) for own in releases(database, seen(key, system))]

    @router.post("/marks", status_code=201, tags=["marks"], responses=CONFLICT)
    def marked(key: Writer, body: NewMarks) -> NewlyKept:
        """Send what people say of an evaluation; what was sent before counts once."""
        return NewlyKept(new=mark(database, key, body.evaluation, [own.model_dump() for own in body.marks]))

    @router.get("/marks", tags=["marks"])
    def all_marks(key: Reader, evaluation: Annotated[int, Query(ge=1, le=2**31 - 1)]) -> list[KeptMark]:
        """What people said of an evaluation."""
        seen(key, system_of(database, evaluation))
        return [KeptMark(**own) for own in marks_of(database, evaluation)]

    @router.get("/alarms", tags=["alarms"])
    def all_alarms(
        key: Reader,
        system: str = "",
        domain: str = "",
        metric: Spec = "",
        since: Moment = None,
        until: Moment = None,
        after: After = 0,
        most: Most = 100,
    ) -> list[Alarm]:
        """Alarms in the order in which they were raised; `after` is the last one that is known."""
        wanted = Evaluations(seen(key, system), domain, seconds(since), seconds(until))
        return [Alarm(**own) for own in alarms(database, wanted, metric, after=after, most=most)]

    @router.get("/comparisons", tags=["comparisons"])
    def compared(
        key: Reader,
        first: str,
        second: str,
        metric: Spec = "chrf",
        domain: str = "",
        since: Moment = None,
        until: Moment = None,
    ) -> SystemComparison:
        """Two systems on documents that both have translated, paired."""
        office.metrics([metric])
        for name in (first, second):
            seen(key, name)
        wanted = Evaluations("", domain, seconds(since), seconds(until))
        return SystemComparison(**compare_systems(database, wanted, metric, first, second))

    @router.get("/comparisons/periods", tags=["comparisons"])
    def periods(
        key: Reader,
        system: str,
        split: Annotated[
            AwareDatetime, Query(description="the first period ends and the second begins here")
        ],
        metric: Spec = "chrf",
        domain: str = "",
        since: Moment = None,
        until: Moment = None,
    ) -> PeriodComparison:
        """A system before a moment and after it."""
        office.metrics([metric])
        seen(key, system)
        before = Evaluations(system, domain, seconds(since), seconds(split))
        after = Evaluations(system, domain, seconds(split), seconds(until))
        return PeriodComparison(**compare_periods(database, before, after, metric))

    @router.post("/webhooks", status_code=201, tags=["alarms"])
    def new_webhook(_key: Administrator, body: NewWebhook) -> WebhookSecret:
        """Call an address on every alarm about something that became worse."""
        return WebhookSecret(url=body.url, secret=add_webhook(database, body.url))

    @router.get("/webhooks", tags=["alarms"])
    def all_webhooks(_key: Administrator) -> list[Webhook]:
        """Addresses that are called."""
        return [Webhook(**own) for own in webhooks(database)]

    @router.delete("/webhooks", status_code=204, tags=["alarms"])
    def old_webhook(_key: Administrator, url: Annotated[str, Query(max_length=500)]) -> None:
        """Call an address no more."""
        remove_webhook(database, url)

    @router.get("/documents", tags=["privacy"])
    def export(
        key: Administrator, system: str, document: Annotated[str, Query(max_length=200)], domain: str = ""
    ) -> list[dict[str, Any]]:
        """All that is known of a document, evaluation by evaluation: texts, scores, phrases, marks."""
        return document_data(database, seen(key, system), domain, document)

    @router.delete("/documents", tags=["privacy"])
    def forget(
        key: Administrator, system: str, document: Annotated[str, Query(max_length=200)], domain: str = ""
    ) -> Forgotten:
        """Remove all that is known of a document: texts, scores, phrases, marks."""
        return Forgotten(evaluations=delete_document(database, seen(key, system), domain, document))

    return router
