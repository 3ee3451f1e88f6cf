"""What people say of translations: direct assessment, MQM and ESA, of segments or whole documents."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, select

from tertium.monitor import schema
from tertium.monitor.keys import ServiceKey, named
from tertium.web.database import Database, added
from tertium.web.refusals import Problem

WHOLE = -1  # the segment of a mark of the document
SEVERITIES = {"neutral": 0.0, "minor": 1.0, "major": 5.0, "critical": 25.0}  # MQM's points
_columns = schema.marks.c


@dataclass(frozen=True)
class MarkKind:
    """What a mark is: its range, and whether it can be counted from spans."""

    low: float
    high: float
    counted: bool = False


KINDS = {
    "da": MarkKind(0, 100),
    "esa": MarkKind(0, 100),
    "mqm": MarkKind(float("-inf"), 0, counted=True),
}


def mark(database: Database, key: ServiceKey, evaluation: int, marks: Sequence[Mapping[str, Any]]) -> int:
    """Keep marks of an evaluation, all or none; those that are there already count once. Gives how many are new."""
    done = schema.evaluations.c
    query = (
        select(done.size, schema.systems.c.name, schema.texts.c.segments)
        .join(schema.systems, schema.systems.c.id == done.system)
        .outerjoin(schema.texts, schema.texts.c.evaluation == done.id)
        .where(done.id == evaluation)
    )
    rows = database.rows(query)
    if not rows:
        raise Problem(404, f"there is no evaluation {evaluation}", "/evaluation")
    [row] = rows
    if key.system is not None and key.system != row.name:
        raise Problem(403, f"this key is for {key.system}, not for {row.name}", "/evaluation")
    texts = None if row.segments is None else json.loads(row.segments)
    new = [_checked(own, row.size, texts, f"/marks/{i}") for i, own in enumerate(marks)]

    def write(connection: Connection) -> int:
        many = 0
        for i, own in enumerate(new):
            more = {"key": key.id, "evaluation": evaluation, "received": time.time()}
            if added(connection, schema.marks, **own, **more):
                many += 1
                continue
            known = connection.execute(_same(evaluation, own)).one()
            if (known.value, known.spans) != (own["value"], own["spans"]):
                who = f"{own['annotator']} has given this segment another mark ({own['kind']}) before"
                raise Problem(409, who, f"/marks/{i}")
        return many

    return database.write(write)


def _same(evaluation: int, own: Mapping[str, Any]) -> Select[Any]:
    names = ("segment", "kind", "annotator")
    return select(_columns.value, _columns.spans).where(
        _columns.evaluation == evaluation, *(_columns[name] == own[name] for name in names)
    )


def _checked(own: Mapping[str, Any], size: int, texts: Any, where: str) -> dict[str, Any]:
    segment = WHOLE if own["segment"] is None else own["segment"]
    if segment >= size:
        raise Problem(422, f"there are {size} segments, counted from 0", f"{where}/segment")
    named("annotator", own["annotator"])
    kind, spans, value = KINDS[own["kind"]], own["spans"], own["value"]
    if value is None and not kind.counted:
        raise Problem(422, f"{own['kind']} needs a value", f"{where}/value")
    if value is not None and not kind.low <= value <= kind.high:
        raise Problem(
            422, f"{own['kind']} goes from {kind.low:g} to {kind.high:g}, not {value:g}", f"{where}/value"
        )
    for i, span in enumerate(spans):
        if segment == WHOLE:
            raise Problem(422, "spans belong to a segment", f"{where}/spans")
        longest = None if texts is None else len(texts[segment]["mt"])
        if span["end"] <= span["start"] or (longest is not None and span["end"] > longest):
            within = "" if longest is None else f" of {longest} characters"
            raise Problem(
                422,
                f"{span['start']} to {span['end']} is no part of the translation{within}",
                f"{where}/spans/{i}",
            )
    if value is None:
        value = -sum(SEVERITIES[span["severity"]] for span in spans)
    return {
        "segment": segment,
        "kind": own["kind"],
        "annotator": own["annotator"],
        "value": float(value),
        "spans": json.dumps(spans),
    }


def marks_of(database: Database, evaluation: int) -> list[dict[str, Any]]:
    """What people said of an evaluation."""
    query = select(schema.marks).where(_columns.evaluation == evaluation)
    return [
        {
            "id": row.id,
            "evaluation": row.evaluation,
            "segment": None if row.segment == WHOLE else row.segment,
            "kind": row.kind,
            "annotator": row.annotator,
            "value": row.value,
            "spans": json.loads(row.spans),
        }
        for row in database.rows(query.order_by(_columns.segment, _columns.id))
    ]
