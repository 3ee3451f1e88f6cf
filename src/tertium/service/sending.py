"""Evaluations in: one document in a call, at once or as a job."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Path, Request, Response
from fastapi.routing import APIRoute
from pydantic import AwareDatetime, BaseModel, Field, ValidationError
from starlette.concurrency import run_in_threadpool

from tertium import registry
from tertium.monitor import jobs
from tertium.monitor.context import MOST
from tertium.monitor.evaluating import Evaluated, check_segments, evaluated
from tertium.monitor.keys import ServiceKey
from tertium.monitor.phrases import Explaining
from tertium.monitor.storing import SentDocument, answer, check_system, checked, kept, repeated, store
from tertium.service.asking import CONFLICT, PRINTABLE, SHAPE, Anybody, Name, Text, Writer, seen
from tertium.service.office import Office
from tertium.service.problems import Problem, in_body
from tertium.web.bodies import Strict

LINES = "application/x-ndjson"
LONGEST_HEADER = 200  # characters of a header that we read
_AS_LINES = {
    "type": "string",
    "description": "a document a line, as JSON has it; the answer has a line for each: evaluation or problem",
}


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
    version: Annotated[str, Field(max_length=64)] = Field("", description="of the system")
    probe: Annotated[str, Field(max_length=64)] = Field(
        "", description="the fixed set of texts, translated again and again, that this is of"
    )
    document: str = Field(min_length=1, max_length=200, pattern=PRINTABLE)
    time: AwareDatetime | None = Field(
        None, strict=False, description="when it was translated; now, if nothing is said"
    )
    segments: list[NewSegment] = Field(min_length=1, max_length=100_000)
    metrics: list[Annotated[str, Field(max_length=200)]] = Field(default_factory=list)
    context: Annotated[int, Field(ge=0, le=MOST)] = Field(
        0, description="neighbours on either side that each segment is scored with, too"
    )
    metadata: dict[str, str | int | float | bool | None] = Field(default_factory=dict)


class MetricScore(BaseModel):
    """One metric's score of the document, and of each segment."""

    metric: str
    label: str
    higher_is_better: bool
    signature: str
    value: float | None
    segments: list[float | None]
    context: list[float | None] | None = Field(None, description="of segments with their neighbours")
    note: str = Field("", description="on the tokeniser, for languages without spaces between words")


class Listed(BaseModel):
    """An evaluation without its scores."""

    id: int
    system: str
    domain: str
    document: str
    time: float
    segments: int


class Phrase(BaseModel):
    """Words of a translation, from a character to another, and how much of them nothing explains (0 to 1)."""

    start: int
    end: int
    score: float


class Phrases(BaseModel):
    """Words that nothing in references explains, segment by segment, and how words were linked."""

    signature: str
    segments: list[list[Phrase]]


class EvaluatedDocument(Listed):
    """What came of a document."""

    probe: str = ""
    version: str = ""
    metadata: dict[str, Any]
    scores: list[MetricScore]
    phrases: Phrases | None = None


class EvaluationJob(BaseModel):
    """A large document on its way: `waiting`, `running`, `done` (then there is a result) or `failed` (a problem)."""

    id: str
    state: Literal["waiting", "running", "done", "failed"]
    created: float
    segments: int
    done: int
    evaluation: int | None
    problem: dict[str, Any] | None
    result: EvaluatedDocument | None = None


class Sending:
    """What is done with documents that come in."""

    def __init__(self, office: Office) -> None:
        self.office = office

    def given(self, body: NewEvaluation, repeat: str | None) -> SentDocument:
        """What a caller says, as it is kept."""
        moment = time.time() if body.time is None else body.time.timestamp()
        return SentDocument(
            body.system,
            body.domain,
            body.document,
            moment,
            [segment.plain() for segment in body.segments],
            body.metadata,
            hashlib.sha256(body.model_dump_json().encode("utf-8", "surrogatepass")).hexdigest(),
            repeat,
            body.probe,
            body.version,
            body.context,
        )

    def specs(self, body: NewEvaluation) -> list[str]:
        """The metrics of a call: those it names, or the usual ones; without references those that need none."""
        if body.metrics:
            return body.metrics
        usual = self.office.usual_metrics()
        if all(segment.plain()["references"] for segment in body.segments):
            return usual
        free = [*usual, *(["estimate"] if self.office.files().get("estimator") else [])]
        return [spec for spec in free if not registry.metric(spec).needs_references] or usual

    def evaluated(
        self, body: NewEvaluation, key: ServiceKey, repeat: str | None
    ) -> tuple[dict[str, Any], bool]:
        """An evaluation as it is answered, and whether it is new."""
        given, database = self.given(body, repeat), self.office.database
        checked(given, key)
        number = repeated(database, given, key)
        if number is not None:
            return kept(database, number), False
        found = self.measured(given, self.specs(body))
        number, new = store(database, given, key, found)
        return answer(number, given, found) if new else kept(database, number), new

    def measured(self, given: SentDocument, specs: Sequence[str]) -> Evaluated:
        """A document by metrics."""
        how = Explaining(self.office.choices().lang, self.office.choices().vectors)
        return evaluated(
            given.segments,
            self.office.metrics(specs),
            document=given.document,
            explaining=how,
            context=given.context,
        )

    def submitted(self, body: NewEvaluation, key: ServiceKey, repeat: str | None) -> str | int:
        """The number of a job; that of the evaluation, if this call has made one before."""
        given, database = self.given(body, repeat), self.office.database
        checked(given, key)
        before = repeated(database, given, key) or jobs.submitted(database, given, key)
        if before is not None:
            return before
        check_system(database, given, key)
        check_segments(given.segments, self.office.metrics(self.specs(body)))
        return jobs.submit(database, given, key, self.specs(body))

    def job(self, number: str, key: ServiceKey) -> dict[str, Any]:
        """How far a job is, with its result."""
        found = jobs.job(self.office.database, number, key)
        done = found["evaluation"]
        return found | {"result": None if done is None else kept(self.office.database, done)}


class _StraightRoute(APIRoute):
    """A route that is described by its function, as all are, but goes straight to it: key, body and answer in one
    thread and one pass, since most calls come here."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Read the body, and leave everything else to a thread."""

        async def handle(request: Request) -> Response:
            return await run_in_threadpool(self._answer, request, await request.body())

        return handle

    def _answer(self, request: Request, body: bytes) -> Response:
        office: Office = request.app.state.office
        key = office.key(request, "write")
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise Problem(415, f"a document is application/json, many are {LINES}")
        repeat, prefer = request.headers.get("idempotency-key"), request.headers.get("prefer", "")
        for name, value in (
            ("idempotency-key", "-" if repeat is None else repeat),
            ("prefer", prefer or "-"),
        ):
            if not 0 < len(value) <= LONGEST_HEADER:
                raise Problem(422, f"{name}: 1 to {LONGEST_HEADER} characters", f"/header/{name}")
        try:
            given = NewEvaluation.model_validate_json(body)
        except ValidationError as error:
            raise in_body(error, body) from None
        found: Response = self.endpoint(key, given, repeat, prefer)
        return found


def sending_routes(office: Office) -> APIRouter:
    """Documents in, and jobs."""
    router = APIRouter(tags=["evaluations"])
    sending = Sending(office)

    def evaluate(
        key: Writer,
        body: NewEvaluation,
        idempotency_key: Annotated[str | None, Header(min_length=1, max_length=LONGEST_HEADER)] = None,
        prefer: Annotated[str, Header(max_length=LONGEST_HEADER)] = "",
    ) -> Response:
        """Score a document, keep what came of it, and answer; large ones (or `Prefer: respond-async`) as a job."""
        if len(body.segments) > jobs.LARGE or "respond-async" in prefer:
            number = sending.submitted(body, key, idempotency_key)
            if isinstance(number, str):
                headers = {"location": f"/v1/jobs/{number}", "retry-after": "1"}
                return _written(sending.job(number, key), 202, headers)
            return _written(kept(office.database, number), 200)
        done, new = sending.evaluated(body, key, idempotency_key)
        return _written(done, 201 if new else 200)

    router.add_api_route(
        "/evaluations",
        evaluate,
        methods=["POST"],
        route_class_override=_StraightRoute,
        status_code=201,
        response_model=EvaluatedDocument,
        responses={
            200: {
                "model": EvaluatedDocument,
                "description": "made before, by the same call; or answers to lines",
                "content": {LINES: {"schema": {"type": "string"}}},
            },
            202: {"model": EvaluationJob, "description": "accepted: ask for the job"},
            415: SHAPE,
            **CONFLICT,
        },
        openapi_extra={"requestBody": {"content": {LINES: {"schema": _AS_LINES}}}},
    )

    @router.get("/jobs/{number}")
    def job(key: Anybody, number: Annotated[str, Path(min_length=1, max_length=64)]) -> EvaluationJob:
        """How far a job is, and what came of it."""
        found = sending.job(number, key)
        if found["result"] is not None:
            seen(key, found["result"]["system"])
        return EvaluationJob(**found)

    return router


def _written(answer: dict[str, Any], status: int, headers: dict[str, str] | None = None) -> Response:
    """An answer as it is: its shape is the description's, which tests hold it to, and need not be checked each time."""
    return Response(json.dumps(answer), status, headers, "application/json")
