"""Assignment over HTTP: translators for documents, best first, with reasons."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import date

from fastapi import APIRouter, Response
from pydantic import Field

from tertium.service.capabilities.base import (
    TROUBLE,
    DocumentText,
    Label,
    Reader,
    answered,
    filed,
    results,
)
from tertium.service.equipment import Equipment
from tertium.web.bodies import Strict


class AssignRequest(Strict):
    """Documents to be translated: plain text or HTML."""

    documents: list[DocumentText] = Field(min_length=1, max_length=1000)
    client: Label = ""
    domain: Label = ""
    type: Label = ""
    due: date | None = Field(None, strict=False, description="when they are due")
    on: date | None = Field(None, strict=False, description="rank as of this day (today)")
    top: int = Field(10, ge=1, le=1000)


def routes(equipment: Equipment) -> APIRouter:
    router = APIRouter(responses=TROUBLE, tags=["assignment"])
    own = equipment.settings.assign

    @router.post("/assign", responses=results("translator ranking"))
    def assign(_key: Reader, body: AssignRequest) -> Response:
        """The translators best suited to documents (`tertium assign rank`); people are ids, not names."""
        from tertium.assignment.ranking import rank_translators

        memory, how = equipment.history()
        with filed(body.documents) as paths:
            found = rank_translators(
                paths,
                memory,
                client=body.client,
                domain=body.domain,
                type=body.type,
                due=None if body.due is None else str(body.due),
                on=body.on,
                top=body.top,
                people=own.people,
                marks=own.marks,
                types=own.types,
                vectors=own.vectors,
                key=own.key,
                **how,
            )
        return answered(replace(found, memory=os.path.basename(found.memory)))

    return router
