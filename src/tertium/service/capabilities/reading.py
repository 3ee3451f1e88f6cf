"""Readability over HTTP: texts on the scale, and translations beside their sources."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Literal

from fastapi import APIRouter, Response
from pydantic import Field

from tertium.service.capabilities.base import (
    MOST,
    TROUBLE,
    DocumentText,
    Label,
    Languages,
    Reader,
    Text,
    answered,
    filed,
    results,
)
from tertium.service.equipment import Equipment, pair_of
from tertium.web.bodies import Strict
from tertium.web.refusals import Problem


class ReadabilityRequest(Strict):
    """Texts of one language."""

    texts: list[DocumentText] = Field(min_length=1, max_length=1000)
    lang: str = Field("en", pattern=r"^[a-z]{2,3}$")
    audience: Literal["A1", "A2", "B1", "B2", "C1", "C2"] | None = Field(
        None, description="say what to change for readers of this level"
    )


class ComparisonRequest(Strict):
    """Sources and their translations, one beside the other."""

    sources: list[Text] = Field(min_length=1, max_length=MOST)
    targets: list[Text] = Field(min_length=1, max_length=MOST)
    documents: list[Label] | None = None
    pair: Languages = "en-fr"
    least: float = Field(0.5, ge=0, le=5, description="harder or easier from this difference on")


def routes(equipment: Equipment) -> APIRouter:
    router = APIRouter(responses=TROUBLE, tags=["readability"])

    @router.post(
        "/readability", responses=results("readability", "readability advice", "readability formulas")
    )
    def levels(_key: Reader, body: ReadabilityRequest) -> Response:
        """Texts on the scale from A1 to C2, and what to change for an audience (`tertium readability`)."""
        from tertium.readability.audience import advise
        from tertium.readability.results import read_levels
        from tertium.readability.unscaled import read_formulas

        scale = equipment.scale()
        with filed(body.texts) as paths:
            if body.lang not in scale.languages and body.audience is None:
                plain = read_formulas(paths, body.lang, list(scale.languages))
                return answered(
                    replace(
                        plain, texts=[replace(one, name=os.path.basename(one.name)) for one in plain.texts]
                    )
                )
            found = read_levels(paths, body.lang, scale)
            found = replace(
                found, texts=[replace(one, name=os.path.basename(one.name)) for one in found.texts]
            )
            return answered(found if body.audience is None else advise(found, body.audience, scale))

    @router.post("/readability/compare", responses=results("readability comparison"))
    def compare(_key: Reader, body: ComparisonRequest) -> Response:
        """Where translations are harder to read than their sources (`tertium readability compare`)."""
        from tertium.readability.comparing import compare_paired
        from tertium.readability.pairing import USUAL, paired_lines

        if body.documents is not None and len(body.documents) != len(body.sources):
            raise Problem(422, "documents: one for each source is expected", "/documents")
        texts = paired_lines(body.sources, body.targets, pair_of(body.pair) or USUAL)
        texts = replace(texts, documents=body.documents)
        return answered(compare_paired(texts, equipment.scale(), least=body.least))

    return router
