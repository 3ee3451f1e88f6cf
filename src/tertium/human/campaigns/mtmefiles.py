"""mt-metrics-eval's files of human judgements, in a ZIP: scores of segments and systems, ratings with error spans."""

from __future__ import annotations

import io
import json
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from tertium.errors import InputError
from tertium.human.campaigns.collected import Collected, Judged
from tertium.human.campaigns.conversions import score_of
from tertium.human.campaigns.designs import SPANS
from tertium.human.campaigns.items import GENUINE
from tertium.io.mqm import MQMWeights
from tertium.io.mtme import write_mtme_scores
from tertium.io.scorematrix import ScoreMatrix


def mtme_zip(collected: Collected, pair: str) -> bytes:
    """`human-scores/PAIR.NAME.{seg,sys}.score` with mean raw scores, and for error spans `PAIR.NAME.seg.rating`."""
    genuine = [one for one in collected if one.item.kind == GENUINE]
    strange = next((one.item.segment for one in genuine if not one.item.segment.isdecimal()), None)
    if strange is not None:
        raise InputError(f"mt-metrics-eval numbers segments from 1, but here one is called {strange!r}")
    size = max([collected.size, *(int(one.item.segment) for one in genuine)])
    values: dict[tuple[str, int], list[float]] = {}
    ratings: dict[tuple[str, int], Judged] = {}
    for one in genuine:
        for system in one.shown[0]:
            place = (system, int(one.item.segment))
            values.setdefault(place, []).append(score_of(one, collected.design))
            ratings.setdefault(place, one)
    if not values:
        raise InputError(f"{collected.settings.name}: there are no judgements yet")
    name = collected.settings.name.replace(".", "-")
    rows: dict[str, list[float | None]] = {
        system: [_mean(values.get((system, number))) for number in range(1, size + 1)]
        for system in collected.systems
    }
    segments = ScoreMatrix.of_segments(name, rows)
    systems = ScoreMatrix.of_systems(
        name, {system: _mean([v for v in row if v is not None]) for system, row in rows.items()}
    )
    out = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for matrix in (segments, systems):
            path = write_mtme_scores(folder, pair, matrix, human=True)
            packed.write(path, path.relative_to(Path(folder)).as_posix())
        if collected.design == SPANS:
            text = "".join(
                _rating_line(system, ratings.get((system, number)))
                for system in collected.systems
                for number in range(1, size + 1)
            )
            packed.writestr(f"human-scores/{pair}.{name}.seg.rating", text)
    return out.getvalue()


def _mean(values: list[float] | None) -> float | None:
    return sum(values) / len(values) if values else None


def _rating_line(system: str, one: Judged | None) -> str:
    """The first rating of a translation; what is missing in it has an empty span at the end of the text."""
    if one is None:
        return f"{system}\tNone\t\n"
    weights = MQMWeights.of({"critical": 25})
    length = len(one.item.outputs[0].text)
    errors: list[dict[str, Any]] = [
        {
            "start": length if span["start"] is None else span["start"],
            "end": length if span["end"] is None else span["end"],
            "category": span["category"] or ("omission" if span["start"] is None else ""),
            "severity": span["severity"],
            "score": weights.weight(span["severity"], span["category"], "MQM"),
            "is_source_error": False,
        }
        for span in one.answer["spans"]
    ]
    return f"{system}\t{json.dumps({'errors': errors}, ensure_ascii=False)}\t{one.annotator}\n"
