"""Texts of judged segments alone: those that people judged for every system, or those inside a file of judgements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tertium._native import Lines
from tertium.errors import InputError
from tertium.io.coverage import Coverage
from tertium.io.hume import HumeTexts
from tertium.io.scorematrix import ScoreMatrix
from tertium.testset import TestSet

if TYPE_CHECKING:
    from tertium.meta.materials import PairData
    from tertium.meta.task import Task


def judged_only(task: Task, data: PairData) -> PairData:
    """The segments that people judged for every system, texts and scores alike; numbered anew."""
    scores = data.human.get("segment")
    apart = [one.name for one in data.outside if one.segments is None]
    if scores is None or data.testset is None or apart or data.better_worse is not None:
        raise InputError(
            f"{task.origin}: segments = 'judged' needs texts, and scores of segments by people and by all metrics"
        )
    judged = [item for item, own in zip(scores.items, scores.defined.T, strict=True) if own.all()]
    if strange := next((item for item in judged if not item.isdecimal()), None):
        raise InputError(f"{scores.label}: segment {strange} is not a line of the texts of {data.pair}")
    places = sorted(int(item) - 1 for item in judged)
    if not places:
        raise InputError(f"{task.origin}: {data.pair} has no segment that people judged for every system")
    if places[-1] >= len(data.testset):
        raise InputError(
            f"{scores.label}: people judged segment {places[-1] + 1}, but {data.pair} has {len(data.testset)} segments"
        )

    def taken(matrix: ScoreMatrix) -> ScoreMatrix:
        found = matrix.selected(items=[str(place + 1) for place in places])
        return replace(found, items=tuple(str(i) for i in range(1, len(places) + 1)))

    chosen = taken(scores)
    raw = data.raw
    if raw is not None:
        raw = raw.selected(items=[str(place + 1) for place in places])
        raw = replace(raw, scores=replace(raw.scores, items=chosen.items))
    of_segments = [(one, taken(one.segments)) for one in data.outside if one.segments is not None]
    coverage = Coverage(
        f"{task.origin}: {data.pair}",
        "segments",
        len(places),
        notes=(f"those that people judged for all of {len(chosen.systems)} systems",),
    )
    return replace(
        data,
        testset=data.testset.take(places),
        human={**data.human, "segment": chosen, "system": chosen.system_means()},
        human_segments=chosen,
        outside=tuple(replace(one, segments=own, systems=own.system_means()) for one, own in of_segments),
        raw=raw,
        coverages=(*data.coverages, coverage),
    )


def texts_of_hume(texts: HumeTexts, scores: ScoreMatrix, name: str) -> tuple[TestSet, ScoreMatrix]:
    """The texts inside a published file of HUME as a test set, and the scores of these sentences by their lines."""
    systems = {system: Lines([text or "" for text in own]) for system, own in texts.outputs.items()}
    testset = TestSet.of(Lines(texts.references), systems, sources=Lines(texts.sources), name=name)
    chosen = scores.selected(items=texts.segments)
    return testset, replace(chosen, items=tuple(str(i) for i in range(1, len(texts.segments) + 1)))


def lines_behind(documents: Mapping[str, str], lines: Sequence[str] | None) -> int:
    """How many lines the numbers of judged segments are behind those of the texts: 1 where all documents agree only
    if the first line (WMT24's canary) is not counted, else 0.

    >>> lines_behind({"1": "a", "2": "b"}, ["canary", "a", "b"])
    1
    """
    if lines is None or not documents or not all(segment.isdecimal() for segment in documents):
        return 0

    def agrees(shift: int) -> bool:
        places = ((int(segment) - 1 + shift, name) for segment, name in documents.items())
        return all(0 <= place < len(lines) and lines[place] == name for place, name in places)

    return int(not agrees(0) and agrees(1))


def moved(scores: ScoreMatrix, shift: int) -> ScoreMatrix:
    """Scores whose segments have higher numbers by so much."""
    return replace(scores, items=tuple(str(int(item) + shift) for item in scores.items))


def moved_coverage(origin: str, segments: int, shift: int) -> Coverage:
    note = (
        f"segment n is line n + {shift} of the texts, whose first line belongs to no document that was judged"
    )
    return Coverage(origin, "segments", segments, notes=(note,))
