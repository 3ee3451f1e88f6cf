"""Translation that learns, over HTTP: translate, correct, forget; `tertium adapt serve` has these routes alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from tertium.adaptation.base import SourceSegment
from tertium.adaptation.live import LiveSystem
from tertium.service.capabilities.base import TROUBLE, Label, Reader, Text, Writer
from tertium.service.equipment import Equipment
from tertium.web.bodies import Strict


class AskedSegment(Strict):
    """A segment, and what is known of it."""

    source: Text = Field(min_length=1)
    client: Label = ""
    document: Label = ""
    translator: Label = ""
    type: Label = Field("", description="of text: snowfall warning")

    def segment(self) -> SourceSegment:
        return SourceSegment(self.source, self.client, self.document, self.translator, self.type)


class TranslateRequest(AskedSegment):
    """A segment to translate."""

    candidates: int = Field(1, ge=1, le=20)


class MadeTranslation(BaseModel):
    """What the system proposes, and why; an empty text where it has nothing to propose."""

    translation: str
    score: float | None
    origin: str
    reasons: list[str]
    others: list[str]
    balance: float | None
    corrections: int = Field(description="that it has learnt from, or refused, so far")


class CorrectRequest(AskedSegment):
    """What somebody made of a segment."""

    correction: Text


class TakenCorrection(BaseModel):
    """Whether it was learnt, and why not; it is on disk in any case."""

    learnt: bool
    reasons: list[str]
    corrections: int
    balance: float | None


class LiveState(BaseModel):
    """The system at work."""

    system: str
    corrections: int
    balance: float | None
    snapshot: int = Field(description="corrections that the last snapshot has")
    trouble: str = Field(description="why the last snapshot failed, if it did")


def routes(equipment: Equipment) -> APIRouter:
    """The office's system."""
    return living_routes(equipment.adaptive)


def living_routes(system: Callable[[], LiveSystem]) -> APIRouter:
    """Routes of a system, which is opened when somebody asks."""
    router = APIRouter(responses=TROUBLE, tags=["adapt"])

    @router.post("/translate", summary="Translate a segment")
    def translate(given: TranslateRequest, _key: Reader) -> MadeTranslation:
        live = system()
        made = live.translate(given.segment(), given.candidates)
        return MadeTranslation(
            translation=made.text,
            score=made.score,
            origin=made.origin,
            reasons=list(made.reasons),
            others=list(made.others),
            balance=made.balance,
            corrections=live.corrections,
        )

    @router.post("/correct", summary="Teach what somebody made of a segment")
    def correct(given: CorrectRequest, _key: Writer) -> TakenCorrection:
        live = system()
        lesson, number = live.correct(given.segment(), given.correction)
        return TakenCorrection(
            learnt=lesson.learnt,
            reasons=list(lesson.reasons),
            corrections=number,
            balance=live.system.balance,
        )

    @router.post("/forget", summary="Back to what was known before the first correction")
    def forget(_key: Writer) -> LiveState:
        live = system()
        live.forget()
        return LiveState(**live.about())

    @router.get("/state", summary="The system at work")
    def state(_key: Reader) -> LiveState:
        about: dict[str, Any] = system().about()
        return LiveState(**about)

    return router
