"""Evaluations on disk: all of one or nothing, and a call that is made again counts once."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy import Connection, bindparam, insert, select
from sqlalchemy.exc import IntegrityError

from tertium import registry
from tertium.monitor import schema
from tertium.monitor.evaluating import Evaluated, defined
from tertium.monitor.keys import ServiceKey, named, system_number
from tertium.monitor.releases import check_past, first_seen
from tertium.web.database import Database, inserted
from tertium.web.refusals import Problem

_done = schema.evaluations.c
_TEXTS, _SCORES, _PHRASES = insert(schema.texts), insert(schema.scores), insert(schema.phrases)
_EVALUATION = (  # asked by every call, so put together once
    select(schema.evaluations, schema.systems.c.name.label("named"))
    .join(schema.systems, schema.systems.c.id == _done.system)
    .where(_done.id == bindparam("number"))
)
_ITS_SCORES = select(schema.scores).where(schema.scores.c.evaluation == bindparam("number"))
_ITS_PHRASES = select(schema.phrases).where(schema.phrases.c.evaluation == bindparam("number"))


@dataclass(frozen=True)
class SentDocument:
    """What a caller says of a document."""

    system: str
    domain: str
    document: str
    time: float
    segments: Sequence[Mapping[str, Any]]
    metadata: Mapping[str, Any]
    digest: str  # of the body: a call that is made again has the same
    repeat: str | None = None
    probe: str = ""  # the fixed set of texts that it is of
    version: str = ""  # of the system
    context: int = 0  # neighbours on either side that segments are scored with, too


def checked(given: SentDocument, key: ServiceKey) -> None:
    """Refuse what cannot be true, before anything is computed."""
    if key.system is not None and key.system != given.system:
        raise Problem(403, f"this key is for {key.system}, not for {given.system}", "/system")
    check_past(given.time)
    named("domain", given.domain)
    for what in ("probe", "version"):
        if name := getattr(given, what):
            named(what, name)


def check_system(database: Database, given: SentDocument, key: ServiceKey) -> None:
    """Refuse systems that nobody made known, before anything is computed."""
    with database.reading() as connection:
        if "administer" not in key.scopes and system_number(connection, given.system) is None:
            raise _unknown(given.system)


def _unknown(system: str) -> Problem:
    return Problem(422, f"there is no system {system!r} (tertium monitor key --system makes one)", "/system")


def reused() -> Problem:
    """One idempotency key for two different calls."""
    return Problem(422, "this idempotency key was used before, with another body", "/header/idempotency-key")


def repeated(database: Database, given: SentDocument, key: ServiceKey) -> int | None:
    """The evaluation that this call has made already, if it was made before."""
    if given.repeat is None:
        return None
    query = select(_done.id, _done.digest).where(_done.key == key.id, _done.repeat == given.repeat)
    rows = database.rows(query)
    if not rows:
        return None
    if rows[0].digest != given.digest:
        raise reused()
    return int(rows[0].id)


def store(
    database: Database,
    given: SentDocument,
    key: ServiceKey,
    found: Evaluated,
    then: Callable[[Connection, int], None] = lambda _connection, _number: None,
) -> tuple[int, bool]:
    """Write an evaluation, and what `then` writes beside it: all is on disk when this returns. Gives its number, and
    whether it is new (the same call may have been made at the same moment)."""

    evaluation = {  # made before anybody has to wait for this transaction
        "key": key.id,
        "repeat": given.repeat,
        "digest": given.digest,
        "domain": given.domain,
        "document": given.document,
        "time": given.time,
        "size": len(given.segments),
        "words": sum(len(segment["mt"].split()) for segment in given.segments),
        "lengths": np.array([_length(segment) for segment in given.segments], dtype=np.int32).tobytes(),
        "metadata": json.dumps(given.metadata),
        "probe": given.probe,
        "version": given.version,
        "basis": basis(given.segments),
        "watched": 0,
    }
    texts = json.dumps(given.segments)
    scores = [
        {
            "metric": own.spec,
            "signature": own.signature,
            "value": own.value,
            "values": own.values.tobytes(),
            "rows": own.rows,
            "context": None if own.context is None else own.context.tobytes(),
            "note": own.note or None,
        }
        for own in found.measurements
    ]
    spans = None
    if found.spans is not None:
        spans = {"signature": found.linked, "spans": json.dumps(found.spans)}

    def write(connection: Connection) -> int:
        system = system_number(connection, given.system, create="administer" in key.scopes)
        if system is None:
            raise _unknown(given.system)
        number = inserted(connection, schema.evaluations, **evaluation, system=system, received=time.time())
        if given.version:
            first_seen(connection, system, given.version, given.time)
        connection.execute(_TEXTS, {"evaluation": number, "segments": texts})
        connection.execute(_SCORES, [{"evaluation": number, **own} for own in scores])
        if spans is not None:
            connection.execute(_PHRASES, {"evaluation": number, **spans})
        then(connection, number)
        return number

    try:
        return database.write(write), True
    except IntegrityError:
        again = repeated(database, given, key)
        if again is not None:
            return again, False
        raise Problem(
            409, f"{given.document!r} of this system, domain and time has been evaluated before", "/document"
        ) from None


def basis(segments: Sequence[Mapping[str, Any]]) -> str:
    """A hash of what translations are compared with: documents with the same one can be paired, text or no text."""
    sides = json.dumps([[own["source"], own["references"]] for own in segments])
    return hashlib.sha256(sides.encode()).hexdigest()


def _length(segment: Mapping[str, Any]) -> int:
    """How long a segment is whatever the system made of it: by its source, or else by what people wrote."""
    text = segment["source"] or (segment["references"] or [segment["mt"]])[0]
    return max(len(text.split()), len(text) // 8)  # the second: scripts without blanks


def answer(number: int, given: SentDocument, found: Evaluated) -> dict[str, Any]:
    """An evaluation as the service answers, of what has just been stored: as `kept` reads it, without reading it."""
    scores = sorted(found.measurements, key=lambda own: own.spec)
    return {
        "id": number,
        **{name: getattr(given, name) for name in ("system", "domain", "document", "time")},
        "segments": len(given.segments),
        "probe": given.probe,
        "version": given.version,
        "metadata": given.metadata,
        "scores": [
            _score(own.spec, own.signature, own.value, own.values, own.context, own.note) for own in scores
        ],
        "phrases": None if found.spans is None else _phrases(found.linked, found.spans),
    }


def system_of(database: Database, number: int) -> str:
    """Whose translation an evaluation is of."""
    rows = database.rows(_EVALUATION, number=number)
    if not rows:
        raise Problem(404, f"there is no evaluation {number}")
    return str(rows[0].named)


def kept(database: Database, number: int) -> dict[str, Any]:
    """An evaluation as the service answers."""
    with database.reading():
        rows = database.rows(_EVALUATION, number=number)
        if not rows:
            raise Problem(404, f"there is no evaluation {number}")
        [row] = rows
        scores = database.rows(_ITS_SCORES, number=number)
        phrases = database.rows(_ITS_PHRASES, number=number)
    return {
        "id": row.id,
        "system": row.named,
        "domain": row.domain,
        "document": row.document,
        "time": row.time,
        "segments": row.size,
        "probe": row.probe,
        "version": row.version,
        "metadata": json.loads(row.metadata),
        "scores": [
            _score(
                own.metric,
                own.signature,
                own.value,
                _numbers(own.values),
                _numbers(own.context),
                own.note,
            )
            for own in sorted(scores, key=lambda own: own.metric)
        ],
        "phrases": _phrases(phrases[0].signature, json.loads(phrases[0].spans)) if phrases else None,
    }


def _numbers(kept: bytes | None) -> Any:
    return None if kept is None else np.frombuffer(kept)


def _score(
    spec: str, signature: str, value: float | None, values: Any, context: Any, note: str | None
) -> dict[str, Any]:
    metric = registry.metric(spec)
    return {
        "metric": spec,
        "label": metric.label,
        "higher_is_better": metric.higher_is_better,
        "signature": signature,
        "value": value,
        "segments": defined(values),
        "context": None if context is None else defined(context),
        "note": note or "",
    }


def _phrases(signature: str, segments: Sequence[Sequence[Sequence[float]]]) -> dict[str, Any]:
    return {
        "signature": signature,
        "segments": [
            [{"start": start, "end": end, "score": score} for start, end, score in own] for own in segments
        ],
    }
