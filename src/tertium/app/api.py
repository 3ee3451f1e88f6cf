"""The interface for scripts: create campaigns, assign annotators, add items, export. `Authorization: Bearer TOKEN`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel, Field

from tertium.app import campaigns, overview
from tertium.app.loading import segments_of_records
from tertium.app.visiting import House
from tertium.errors import InputError
from tertium.human.campaigns.exports import exported
from tertium.human.campaigns.segments import Segment
from tertium.human.campaigns.settings import TEXT_KEYS, Settings
from tertium.io.records import Record
from tertium.web.bodies import Strict
from tertium.web.visiting import refusing

Shape = Literal["jsonl", "csv", "wmt", "appraise", "mqm", "mtme", "judgements", "practice"]
Name = Annotated[str, Path(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
Number = Annotated[int, Path(ge=1, le=2**31 - 1)]
_TROUBLE: dict[int | str, dict[str, Any]] = {
    400: {"description": "the body is not JSON in UTF-8"},
    401: {"description": "no valid token"},
    404: {"description": "there is no such campaign or annotator"},
    409: {"description": "the campaign does not allow this request: `detail` says why"},
    413: {"description": "the body is too large"},
    429: {"description": "too many requests"},
}


class NewCampaign(Strict):
    """Settings as in a campaign file (without the keys that name files), and the segments."""

    settings: dict[str, Any] = Field(examples=[{"name": "harbour", "design": "pairwise"}])
    segments: list[dict[str, Any]] = Field(
        min_length=1, examples=[[{"id": "1", "source": "Hallo", "outputs": {"A": "Hello", "B": "Hi"}}]]
    )


class NewSegments(Strict):
    """More segments for a running campaign."""

    segments: list[dict[str, Any]] = Field(min_length=1)
    assign: bool = True


class NewAnnotator(Strict):
    """One more annotator."""

    name: str = Field(min_length=1, max_length=80)


class NewState(Strict):
    """The new state of an annotator."""

    state: Literal["active", "paused", "removed"]
    reason: str = Field("", max_length=500, description="why an annotator is set aside (removed)")


class AnnotatorState(BaseModel):
    """An annotator: progress, speed, and the personal link, which is a secret."""

    id: int
    name: str
    state: str
    done: int
    total: int
    median_seconds: float | None
    link: str


class CampaignState(BaseModel):
    """A campaign and its annotators."""

    name: str
    design: str
    title: str
    annotators: list[AnnotatorState]


class Added(BaseModel):
    """How many items the segments became."""

    items: int


def script_routes(house: House) -> APIRouter:
    """The routes for scripts."""
    router = APIRouter(prefix="/api", responses=_TROUBLE, tags=["campaigns"])

    def number_of(name: str) -> int:
        with refusing(404):
            return campaigns.campaign_named(house.database, name)

    def state_of(request: Request, name: str) -> CampaignState:
        number = number_of(name)
        settings = campaigns.settings_of(house.database, number)
        base = house.base_url(request)
        return CampaignState(
            name=settings.name,
            design=settings.design.name,
            title=settings.title,
            annotators=[
                AnnotatorState(
                    id=line.id,
                    name=line.name,
                    state=line.state,
                    done=line.done,
                    total=line.total,
                    median_seconds=line.seconds,
                    link=f"{base}/a/{house.access.link(line.id, line.link_version)}",
                )
                for line in overview.annotator_lines(house.database, number)
            ],
        )

    @router.get("/campaigns")
    def list_campaigns() -> list[str]:
        """The names of all campaigns."""
        return [row.name for row in overview.campaigns(house.database)]

    @router.post("/campaigns", status_code=201)
    def create_campaign(request: Request, given: NewCampaign) -> CampaignState:
        """Create a campaign with its annotators and their tasks."""
        with refusing(409):
            if files := [key for key in TEXT_KEYS if key in given.settings]:
                raise InputError(f"{files[0]}: send the texts as segments, not by file")
            settings = Settings.of(given.settings)
            campaigns.create(house.database, settings, _segments(given.segments))
        return state_of(request, settings.name)

    @router.get("/campaigns/{name}")
    def read_campaign(request: Request, name: Name) -> CampaignState:
        """Progress of a campaign, with the links of its annotators."""
        return state_of(request, name)

    @router.post("/campaigns/{name}/annotators", status_code=201)
    def assign_annotator(request: Request, name: Name, given: NewAnnotator) -> CampaignState:
        """Add an annotator and give them tasks."""
        with refusing(409):
            campaigns.add_annotator(house.database, number_of(name), given.name)
        return state_of(request, name)

    @router.patch("/campaigns/{name}/annotators/{number}")
    def change_annotator(request: Request, name: Name, number: Number, given: NewState) -> CampaignState:
        """Pause or remove an annotator, or let them go on."""
        campaign = number_of(name)
        with refusing(404):
            campaigns.set_state(house.database, campaign, number, given.state, given.reason)
        return state_of(request, name)

    @router.post("/campaigns/{name}/items", status_code=201)
    def add_items(name: Name, given: NewSegments) -> Added:
        """Add segments to a running campaign, at the end of everybody's work unless `assign` is false."""
        campaign = number_of(name)
        with refusing(409):
            segments = _segments(given.segments)
            added = campaigns.add_items(house.database, campaign, segments, assign=given.assign)
        return Added(items=added)

    @router.get(
        "/campaigns/{name}/export",
        responses={200: {"content": {"application/octet-stream": {}}, "description": "the judgements"}},
        response_class=Response,
    )
    def export(name: Name, shape: Annotated[Shape, Query()] = "jsonl") -> Response:
        """All judgements that are done, in one of the usual formats."""
        campaign = number_of(name)
        with refusing(409):
            made = exported(overview.collected(house.database, campaign), shape)
        return Response(made.data, media_type=made.media)

    @router.get("/campaigns/{name}/analysis")
    def analysis(name: Name) -> dict[str, Any]:
        """The analysed result, as `tertium annotate analyse` prints it as JSON."""
        from tertium.human.campaigns.analysis import analyse

        campaign = number_of(name)
        with refusing(409):
            return analyse(overview.collected(house.database, campaign)).data()

    return router


def _segments(given: list[dict[str, Any]]) -> list[Segment]:
    return segments_of_records(Record(f"segments[{i}]", record) for i, record in enumerate(given))
