"""Checks over HTTP: what is badly wrong with translations (detect), and which units deserve a look (check)."""

from __future__ import annotations

from dataclasses import replace

from fastapi import APIRouter, Response
from pydantic import Field

from tertium.io.records import json_line
from tertium.service.capabilities.base import (
    TROUBLE,
    DocumentText,
    Label,
    Languages,
    Reader,
    Segments,
    answered,
    filed,
    results,
)
from tertium.service.capabilities.memory import NewUnit
from tertium.service.equipment import Equipment, pair_of
from tertium.web.bodies import Strict

NAME = "units.jsonl"


class DetectRequest(Strict):
    """Translations to look through."""

    segments: Segments
    pair: Languages = ""
    detectors: list[Label] = Field([], max_length=50, description="only these")
    model: bool = Field(False, description="with the tables of the estimator, as --model")


class CheckRequest(Strict):
    """Units to look through: human translations, or parts of a memory. They learn from each other."""

    units: list[NewUnit] = Field(min_length=1, max_length=100_000)
    pair: Languages = ""
    checks: list[Label] = Field([], max_length=100, description="only these")
    clients: list[Label] = Field([], max_length=1000, description="only units of these")
    top: int | None = Field(None, ge=0, le=100_000, description="units listed (1000)")
    mismatched: float | None = Field(None, gt=0, lt=1, description="share of mismatched units (0.003)")


def routes(equipment: Equipment) -> APIRouter:
    router = APIRouter(responses=TROUBLE, tags=["checks"])
    own = equipment.settings.check

    @router.post("/detect", responses=results("detections"))
    def detect_errors(_key: Reader, body: DetectRequest) -> Response:
        """What is badly wrong with translations, with places and reasons (`tertium estimate detect`)."""
        from tertium.detection.detecting import detect
        from tertium.triage.blocking import said_by

        sources, outputs = [one.source for one in body.segments], [one.mt for one in body.segments]
        more = said_by(equipment.estimator(), sources, outputs, pair=body.pair) if body.model else None
        return answered(
            detect(
                sources,
                outputs,
                pair=body.pair,
                encoder=own.encoder or None,
                detectors=body.detectors,
                more=more,
            )
        )

    @router.post("/check", responses=results("checked memory"))
    def check_units(_key: Reader, body: CheckRequest) -> Response:
        """Units that deserve a look, the worst first, and why (`tertium memory check units.jsonl`)."""
        from tertium.memory.checking import check_memory

        units = DocumentText.model_construct(
            name=NAME, text="".join(json_line(one.plain()) for one in body.units)
        )
        with filed([units]) as (path,):
            found = check_memory(
                path,
                checks=body.checks,
                clients=body.clients,
                top=body.top,
                glossary=own.glossary,
                labels=own.labels,
                encoder=own.encoder or None,
                mismatched=body.mismatched,
                pair=pair_of(body.pair),
            )
        return answered(replace(found, memory=NAME))

    return router
