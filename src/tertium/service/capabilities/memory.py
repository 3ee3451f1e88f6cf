"""The memory over HTTP: match, search, add. `tertium memory serve` has these routes, too, by themselves."""

from __future__ import annotations

import datetime
from typing import Any

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse
from pydantic import Field

from tertium.results import plain
from tertium.service.capabilities.base import MOST, TROUBLE, Label, Reader, Text, Writer, answered, results
from tertium.service.equipment import Equipment
from tertium.web.bodies import Strict


class MatchRequest(Strict):
    """Segments to find stored translations for."""

    segments: list[Text] = Field(max_length=MOST)
    targets: list[Text] = Field([], max_length=MOST, description="what is translated already, else empty")
    client: Label = ""
    translator: Label = ""
    domain: Label = ""
    most: int | None = Field(None, ge=1, le=1000, description="proposals for a segment (5)")
    parts: bool | None = Field(None, description="stored phrases of segments without a good proposal")
    terms: bool | None = Field(None, description="flag proposals with other terms than the document's")


class SearchRequest(Strict):
    """A text to look for."""

    text: Text
    target: bool = Field(False, description="look in the targets")
    most: int = Field(20, ge=1, le=1000)


class NewUnit(Strict):
    """A translation that somebody made; languages and date are the memory's and today's, where none are named."""

    source: Text
    target: Text
    source_language: Label = ""
    target_language: Label = ""
    client: Label = ""
    translator: Label = ""
    document: Label = ""
    date: datetime.date | None = Field(None, strict=False)

    def plain(self) -> dict[str, str]:
        """What is known of it."""
        given = self.model_dump(exclude_defaults=True)
        return {name: str(value) for name, value in given.items()}


class AddRequest(Strict):
    """Units for the memory."""

    units: list[NewUnit] = Field(min_length=1, max_length=10_000)


class AddedUnits(Strict):
    """How many were new, and how many units there are now."""

    added: int
    units: int


def routes(equipment: Equipment) -> APIRouter:
    router = APIRouter(responses=TROUBLE, tags=["memory"])
    proposals: dict[str, Any] = {
        "type": "object",
        "required": ["segments"],
        "properties": {"segments": {"type": "array", "items": {"type": "object"}}},
    }
    described: dict[int | str, dict[str, Any]] = {
        200: {"description": "proposals", "content": {"application/json": {"schema": proposals}}}
    }

    @router.post("/match", responses=described)
    def match(_key: Reader, body: MatchRequest) -> Response:
        """Stored translations for segments, best first, as `tertium memory match -o x.jsonl` writes them."""
        found = equipment.memory().match(**body.model_dump())
        return JSONResponse({"segments": [plain(own) for own in found]})

    @router.post("/search", responses=results("concordance"))
    def search(_key: Reader, body: SearchRequest) -> Response:
        """Units that contain a text, shortest first (`tertium memory search`)."""
        return answered(equipment.memory().search(body.text, target=body.target, most=body.most))

    @router.post("/add")
    def add(_key: Writer, body: AddRequest) -> AddedUnits:
        """Units into the memory: on disk when the answer comes, and found by the next question."""
        added, units = equipment.memory().add([own.plain() for own in body.units])
        return AddedUnits(added=added, units=units)

    return router
