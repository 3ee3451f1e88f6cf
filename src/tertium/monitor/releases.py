"""Releases: when a system's version changed, so that people see what a change of scores may come from."""

from __future__ import annotations

import time
from typing import Any

from sqlalchemy import Connection, insert, select
from sqlalchemy.exc import IntegrityError

from tertium.monitor import schema
from tertium.monitor.keys import named, system_number
from tertium.web.database import Database, added
from tertium.web.refusals import Problem

_columns = schema.releases.c
FUTURE = 300.0  # clocks differ by so many seconds at most


def check_past(moment: float) -> None:
    """Refuse what has not happened yet."""
    if moment > time.time() + FUTURE:
        raise Problem(422, "this time is in the future", "/time")


def release(database: Database, system: str, version: str, moment: float | None, note: str) -> dict[str, Any]:
    """Keep that a system has a new version since a moment (now, if nothing is said)."""
    named("version", version)
    if moment is not None:
        check_past(moment)

    def write(connection: Connection) -> None:
        number = system_number(connection, system)
        if number is None:
            raise Problem(422, f"there is no system {system!r}", "/system")
        new = {"version": version, "time": time.time() if moment is None else moment, "note": note}
        connection.execute(insert(schema.releases).values(system=number, **new))

    try:
        database.write(write)
    except IntegrityError:
        raise Problem(409, f"{version!r} of {system!r} has been released before", "/version") from None
    return next(own for own in releases(database, system) if own["version"] == version)


def first_seen(connection: Connection, system: int, version: str, moment: float) -> None:
    """A version that an evaluation names is a release, if it is the first to name it."""
    own = (_columns.system == system) & (_columns.version == version)
    if connection.scalar(select(_columns.id).where(own)) is None:
        added(connection, schema.releases, system=system, version=version, time=moment, note="")


def releases(database: Database, system: str = "") -> list[dict[str, Any]]:
    """All releases, or those of a system, in the order of time."""
    query = (
        select(
            _columns.id,
            schema.systems.c.name.label("system"),
            _columns.version,
            _columns.time,
            _columns.note,
        )
        .join(schema.systems, schema.systems.c.id == _columns.system)
        .order_by(_columns.time, _columns.id)
    )
    if system:
        query = query.where(schema.systems.c.name == system)
    return [dict(row._mapping) for row in database.rows(query)]
