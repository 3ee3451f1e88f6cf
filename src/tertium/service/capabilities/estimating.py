"""Quality estimation over HTTP: marks and what to do with translations, as `tertium estimate score` says."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Response
from pydantic import Field

from tertium.service.capabilities.base import (
    TROUBLE,
    Label,
    Languages,
    Reader,
    Segments,
    answered,
    results,
)
from tertium.service.equipment import Equipment
from tertium.web.bodies import Strict
from tertium.web.refusals import Problem

Share = Annotated[float, Field(gt=0, lt=1)]
Mark = Annotated[float, Field(ge=0, le=100)]


class EstimateRequest(Strict):
    """Translations to estimate."""

    segments: Segments
    documents: list[Label] | None = Field(None, description="the document of each segment")
    pair: Languages = ""
    passes: Mark = Field(90.0, alias="pass", description="pass from this mark on")
    edit: Mark = Field(70.0, description="edit from this mark on; block below")
    promise: Share | None = Field(None, description="pass what lets at most this share be bad")
    below: Mark | None = Field(None, description="bad is what is worth less than this mark (80)")
    confidence: Share = 0.95
    detectors: bool = Field(True, description="block what detectors find")
    memory: bool = Field(False, description="show the memory's proposals where they save more")
    words: bool = Field(False, description="tag words instead: OK or BAD, with a probability")


def routes(equipment: Equipment) -> APIRouter:
    router = APIRouter(responses=TROUBLE, tags=["estimation"])

    @router.post("/estimate", responses=results("estimates", "choices", "word estimates"))
    def estimate_quality(_key: Reader, body: EstimateRequest) -> Response:
        """How good translations are, without references: a mark, and whether to pass, edit or block."""
        from tertium.io.translations import Translations
        from tertium.triage.choosing import choose
        from tertium.triage.promises import BAD_BELOW
        from tertium.triage.proposals import with_matches
        from tertium.triage.results import estimate
        from tertium.wordtags.results import tag_words

        estimator = equipment.estimator()
        own = equipment.settings.estimate
        pair = body.pair or (own.pair if own else "")
        memory = equipment.memory().path if body.memory else None
        sources, outputs = [one.source for one in body.segments], [one.mt for one in body.segments]
        if body.documents is not None and len(body.documents) != len(sources):
            raise Problem(422, "documents: one for each segment is expected", "/documents")
        if body.words:
            texts = Translations("translations", sources, outputs, documents=body.documents)
            if memory is not None:
                texts = with_matches(texts, memory, pair)
            return answered(tag_words(estimator, texts, pair=pair))
        found = estimate(
            estimator,
            sources,
            outputs,
            pair=pair,
            passes=body.passes,
            edits=body.edit,
            promise=body.promise,
            confidence=body.confidence,
            detectors=body.detectors,
            memory=memory,
            documents=body.documents,
            below=BAD_BELOW if body.below is None else body.below,
        )
        if memory is None or (estimator.needs_memory and found.scale != "edits"):
            return answered(found)
        chosen = choose(estimator, found, sources, outputs, memory, pair=pair)
        return answered(replace(chosen, memory=os.path.basename(chosen.memory)))

    return router
