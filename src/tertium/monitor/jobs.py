"""Large documents: accepted at once, evaluated when there is time. A job is on disk before it is promised."""

from __future__ import annotations

import json
import secrets
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, insert, select, update
from sqlalchemy.exc import IntegrityError

from tertium.errors import TertiumError
from tertium.monitor import schema
from tertium.monitor.evaluating import Evaluated
from tertium.monitor.keys import ServiceKey
from tertium.monitor.storing import SentDocument, reused, store
from tertium.progress import Stage, listening
from tertium.web.database import Database
from tertium.web.refusals import Problem

LARGE = 5000  # segments from which on a call is a job
BEAT = 2.0  # seconds after which whoever works says so again
STALE = 30.0  # seconds without a word: whoever worked is gone, and the job is taken up again
_jobs = schema.jobs.c


def submit(database: Database, given: SentDocument, key: ServiceKey, specs: Sequence[str]) -> str:
    """Put a document on the list; it is on disk when this returns. Gives the number of the job."""
    number = secrets.token_hex(16)
    body = json.dumps({"given": asdict(given), "metrics": list(specs)}).encode()

    def write(connection: Connection) -> str:
        connection.execute(
            insert(schema.jobs).values(
                id=number,
                key=key.id,
                repeat=given.repeat,
                digest=given.digest,
                created=time.time(),
                state="waiting",
                beat=0.0,
                total=len(given.segments),
                done=0,
                body=zlib.compress(body, 1),
            )
        )
        return number

    try:
        return database.write(write)
    except IntegrityError:
        again = submitted(database, given, key)  # two calls at the same moment
        if again is None:
            raise
        return again


def submitted(database: Database, given: SentDocument, key: ServiceKey) -> str | None:
    """The job that this call has made already, if it was made before."""
    if given.repeat is None:
        return None
    query = select(_jobs.id, _jobs.digest).where(_jobs.key == key.id, _jobs.repeat == given.repeat)
    rows = database.rows(query)
    if rows and rows[0].digest != given.digest:
        raise reused()
    return str(rows[0].id) if rows else None


def job(database: Database, number: str, key: ServiceKey) -> dict[str, Any]:
    """How far a job is; its maker may ask, and who may read."""
    columns = (_jobs.id, _jobs.key, _jobs.created, _jobs.state, _jobs.total, _jobs.done)
    rows = database.rows(select(*columns, _jobs.evaluation, _jobs.problem).where(_jobs.id == number))
    if not rows or not (rows[0].key == key.id or key.may("read")):
        raise Problem(404, f"there is no job {number}")
    [row] = rows
    return {
        "id": row.id,
        "state": row.state,
        "created": row.created,
        "segments": row.total,
        "done": row.done,
        "evaluation": row.evaluation,
        "problem": None if row.problem is None else json.loads(row.problem),
    }


Evaluate = Callable[[SentDocument, Sequence[str]], Evaluated]


def work(database: Database, evaluate: Evaluate, describe: Callable[[TertiumError], Any]) -> bool:
    """Do one job, if there is one to do. Its evaluation and its end are one transaction: it counts once."""
    claimed = _claim(database)
    if claimed is None:
        return False
    row, key = claimed
    body = json.loads(zlib.decompress(row.body))
    given = SentDocument(**body["given"])

    def finish(connection: Connection, evaluation: int) -> None:
        ended = {"state": "done", "done": row.total, "evaluation": evaluation, "body": None}
        mine = (_jobs.id == row.id) & (_jobs.state == "running")
        if not connection.execute(update(schema.jobs).where(mine).values(**ended)).rowcount:
            raise Problem(409, "somebody else has done this job")  # and nothing of ours is stored

    try:
        with _beating(database, row):
            number, _ = store(database, given, key, evaluate(given, body["metrics"]), finish)
        _set(database, row.id, state="done", done=row.total, evaluation=number, body=None)
    except TertiumError as error:
        _set(database, row.id, state="failed", problem=json.dumps(describe(error)), body=None)
    except Exception as error:
        problem = Problem(500, f"the evaluation failed ({type(error).__name__})")
        _set(database, row.id, state="failed", problem=json.dumps(describe(problem)), body=None)
        raise
    return True


@contextmanager
def _beating(database: Database, row: Any) -> Iterator[None]:
    """Say every few seconds that somebody works on a job, and how far it is."""
    over, done = threading.Event(), [0]

    def beat() -> None:
        while not over.wait(BEAT):
            _set(database, row.id, beat=time.time(), done=done[0])

    def told(stages: Sequence[Stage]) -> None:
        if stages and stages[0].total:
            done[0] = row.total * stages[0].done // stages[0].total

    thread = threading.Thread(target=beat, daemon=True)
    thread.start()
    try:
        with listening(told):
            yield
    finally:
        over.set()
        thread.join()


def _set(database: Database, number: str, **values: Any) -> None:
    database.write(
        lambda connection: (
            connection.execute(update(schema.jobs).where(_jobs.id == number).values(**values)).rowcount
        )
    )


def _claim(database: Database) -> tuple[Any, ServiceKey] | None:
    """The oldest job that nobody works on, and the key that it was sent with."""
    now = time.time()
    free = (_jobs.state == "waiting") | ((_jobs.state == "running") & (_jobs.beat < now - STALE))
    columns = (_jobs.id, _jobs.state, _jobs.beat, _jobs.total, _jobs.body)
    keys = schema.keys.c
    query = (
        select(*columns, keys.id.label("key"), keys.name, keys.scopes, keys.system, keys.per_minute)
        .join(schema.keys, keys.id == _jobs.key)
        .where(free)
        .order_by(_jobs.created)
        .limit(1)
    )
    for row in database.rows(query):
        own = (_jobs.id == row.id) & (_jobs.state == row.state) & (_jobs.beat == row.beat)
        taken = update(schema.jobs).where(own).values(state="running", beat=now)
        if database.write(lambda connection, taken=taken: connection.execute(taken).rowcount):  # type: ignore[misc]
            return row, ServiceKey(row.key, row.name, tuple(row.scopes.split()), row.system, row.per_minute)
    return None
