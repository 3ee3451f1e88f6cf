"""What is forgotten: texts after some days, documents by name. Statistics of texts that are gone stay, and add."""

from __future__ import annotations

import time
from typing import Any

from sqlalchemy import Connection, delete, select

from tertium.monitor import schema
from tertium.monitor.keys import system_number
from tertium.web.database import Database
from tertium.web.refusals import Problem

DAY = 86400.0
AT_ONCE = 500
JOBS_DAYS = 30.0  # jobs that are done with are forgotten after so long
_done = schema.evaluations.c


def forget_texts(database: Database, days: float) -> int:
    """Drop the texts of evaluations that came in more than so many days ago. Gives how many had some."""
    if not days > 0:
        return 0
    old = (
        select(_done.id)
        .join(schema.texts, schema.texts.c.evaluation == _done.id)
        .where(_done.received < time.time() - days * DAY)
        .limit(AT_ONCE)
    )
    forgotten = 0
    while numbers := [row.id for row in database.rows(old)]:
        with database.writing() as connection:
            own = schema.texts.c.evaluation.in_(numbers)
            forgotten += connection.execute(delete(schema.texts).where(own)).rowcount
    if forgotten:
        database.scrub()
    return forgotten


def forget_jobs(database: Database) -> int:
    """Drop jobs that were done with long ago; those that failed keep nothing of texts anyway."""
    jobs = schema.jobs.c
    old = jobs.state.in_(("done", "failed")) & (jobs.created < time.time() - JOBS_DAYS * DAY)
    with database.writing() as connection:
        return connection.execute(delete(schema.jobs).where(old)).rowcount


def delete_document(database: Database, system: str, domain: str, document: str) -> int:
    """Remove all evaluations of a document: texts, scores, phrases and marks. Gives how many there were.

    Scores of periods are then those of what is left. Charts and alarms stay: they hold numbers only.
    """

    def write(connection: Connection) -> int:
        number = system_number(connection, system)
        query = select(_done.id).where(_done.document == document)
        if number is None:
            raise Problem(404, f"there is no system {system!r}")
        query = query.where(_done.system == number)
        if domain:
            query = query.where(_done.domain == domain)
        found = [row.id for row in connection.execute(query)]
        if not found:
            raise Problem(404, f"there is no document {document!r} of {system!r}")
        for table in (schema.texts, schema.scores, schema.phrases, schema.marks):
            connection.execute(delete(table).where(table.c.evaluation.in_(found)))
        connection.execute(delete(schema.evaluations).where(_done.id.in_(found)))
        return len(found)

    removed = database.write(write)
    database.scrub()
    return removed


def retained(database: Database) -> dict[str, Any]:
    """How many evaluations there are, and how many still have their texts."""
    from sqlalchemy import func

    [(all_of_them,)] = database.rows(select(func.count()).select_from(schema.evaluations))
    [(with_texts,)] = database.rows(select(func.count()).select_from(schema.texts))
    return {"evaluations": int(all_of_them), "with_texts": int(with_texts)}
