"""Document analysis over HTTP: a new document in; out a pre-translated XLIFF, the work and translators, or the page."""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable, Sequence
from typing import Literal

from fastapi import APIRouter, Query, Response
from pydantic import Field

from tertium.service.capabilities.base import (
    MOST,
    TROUBLE,
    DocumentText,
    Label,
    Reader,
    Text,
    answered,
    filed,
    results,
)
from tertium.service.equipment import Equipment
from tertium.web.bodies import Strict

XLIFF, HTML = "application/xliff+xml", "text/html"


class AnalyseRequest(Strict):
    """A new document: text, HTML, or a file of units (XLIFF, PO), by the ending of its name."""

    document: DocumentText
    mt: list[Text] | None = Field(None, max_length=MOST, description="a machine translation of each segment")
    client: Label = ""
    domain: Label = ""
    translator: Label = ""
    type: Label = ""
    due: datetime.date | None = Field(None, strict=False)
    on: datetime.date | None = Field(
        None, strict=False, description="rank translators as of this day (today)"
    )
    top: int = Field(5, ge=1, le=1000)
    xliff: Literal["1", "2"] = "1"


def _translator(equipment: Equipment, client: str) -> Callable[[Sequence[str]], list[str]] | None:
    """Who translates where the caller has no translations: the program that is named, or else the adaptive system."""
    from tertium.adaptation.base import SourceSegment
    from tertium.io.linefilters import filtered

    command = equipment.settings.analyse.translate
    if command:
        return lambda lines: filtered(command, lines)
    if equipment.settings.adapt is None:
        return None
    live = equipment.adaptive()
    return lambda lines: [live.translate(SourceSegment(line, client=client)).text for line in lines]


def routes(equipment: Equipment) -> APIRouter:
    router = APIRouter(responses=TROUBLE, tags=["analysis"])
    described = results("analysed document")
    described[200]["content"] |= {XLIFF: {}, HTML: {}}

    @router.post("/analyse", responses=described)
    def analyse(
        _key: Reader,
        body: AnalyseRequest,
        form: Literal["json", "xliff", "html"] = Query("json", description="what to answer with"),
    ) -> Response:
        """Pre-translate a document, say how much work it is, and who should do it (`tertium analyse document`)."""
        from tertium.analysis.pretranslated import pretranslated
        from tertium.report.analysis import render_analysis

        translate = _translator(equipment, body.client)
        with filed([body.document]) as (path,), equipment.analyst() as analyst:
            found = analyst.analyse(
                path,
                mt=body.mt,
                translate=translate,
                client=body.client,
                domain=body.domain,
                translator=body.translator,
                staffing=equipment.staffing(type=body.type, due=body.due, on=body.on, top=body.top),
            )
        if form == "xliff":
            name = os.path.splitext(body.document.name)[0]
            saved = {"content-disposition": f'attachment; filename="{name}.xlf"'}
            return Response(pretranslated(found, version=body.xliff), media_type=XLIFF, headers=saved)
        if form == "html":
            return Response(render_analysis(found), media_type=HTML)
        return answered(found)

    return router
