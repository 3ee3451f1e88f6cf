"""All data of a service as JSON Lines, out and in: from SQLite to PostgreSQL, to another machine, by document."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, Table, func, insert, select, text

from tertium.errors import InputError
from tertium.monitor import schema
from tertium.monitor.settings import keep
from tertium.web.database import Database, inserted
from tertium.web.refusals import Problem

KIND, VERSION = "tertium monitor", 1
OWN = ("keys", "webhooks")  # who may come in, and secrets: only where they are asked for
TABLES: tuple[Table, ...] = (  # in the order in which they stand on each other
    schema.keys,
    schema.systems,
    schema.evaluations,
    schema.texts,
    schema.scores,
    schema.phrases,
    schema.marks,
    schema.releases,
    schema.watches,
    schema.alarms,
    schema.webhooks,
    schema.settings,
    schema.vectors,
)
_SHORT = {table.name.removeprefix("service_"): table for table in TABLES}
_BY_DOCUMENT = (schema.texts, schema.scores, schema.phrases, schema.marks)
_done = schema.evaluations.c


def exported(database: Database, *, keys: bool = False) -> Iterator[str]:
    """Everything, a line a row; with the hashes of keys and the secrets of webhooks, if they are asked for."""
    yield json.dumps({"kind": KIND, "version": VERSION, "made": time.time()})
    for name, table in _SHORT.items():
        if keys or name not in OWN:
            order = list(table.primary_key.columns)
            last = 0
            while rows := database.rows(select(table).order_by(*order).offset(last).limit(500)):
                last += len(rows)
                yield from (_line(name, row) for row in rows)


def document_data(database: Database, system: str, domain: str, document: str) -> list[dict[str, Any]]:
    """All that is known of a document, evaluation by evaluation."""
    query = (
        select(schema.evaluations, schema.systems.c.name.label("named"))
        .join(schema.systems, schema.systems.c.id == _done.system)
        .where(schema.systems.c.name == system, _done.document == document)
        .order_by(_done.id)
    )
    rows = database.rows(query.where(_done.domain == domain) if domain else query)
    if not rows:
        raise Problem(404, f"there is no document {document!r} of {system!r}")
    found = []
    for row in rows:
        own: dict[str, Any] = {"evaluation": _plain(row)}
        for table in _BY_DOCUMENT:
            kept = database.rows(select(table).where(table.c.evaluation == row.id))
            own[table.name.removeprefix("service_")] = [_plain(one) for one in kept]
        found.append(own)
    return found


def _line(name: str, row: Any) -> str:
    return json.dumps({"table": name, "row": _plain(row)}, ensure_ascii=False)


def _plain(row: Any) -> dict[str, Any]:
    return {
        name: {"base64": base64.b64encode(value).decode()} if isinstance(value, bytes) else value
        for name, value in row._mapping.items()
    }


def imported(database: Database, lines: Iterable[str], name: str) -> int:
    """Put an export into a service that has no evaluations yet: all of it or nothing. Gives how many rows."""
    [(there,)] = database.rows(select(func.count()).select_from(schema.evaluations))
    if there:
        raise InputError(f"there are {there:,} evaluations already: import into a new place")
    with database.writing() as connection:
        moving = _Moving(connection)
        count = 0
        for place, line in enumerate(lines, 1):
            where = f"{name}: line {place}"
            try:
                row = json.loads(line)
            except ValueError:
                raise InputError(f"{where}: this is no JSON") from None
            if place == 1:
                _check_head(row, where)
                continue
            try:
                moving.put(_SHORT[row["table"]], row["row"])
            except (KeyError, TypeError, ValueError) as error:
                raise InputError(
                    f"{where}: this is no row of ours ({type(error).__name__}: {error})"
                ) from None
            except Exception as error:
                from tertium.web.database import reason_of

                raise InputError(f"{where}: {reason_of(error)}") from None
            count += 1
        moving.finish(postgres=not database.is_sqlite)
    return count


def is_export(first: str) -> bool:
    """Whether a file begins as ours do.

    >>> is_export('{"kind": "tertium monitor", "version": 1}'), is_export('{"system": "nmt"}')
    (True, False)
    """
    try:
        head = json.loads(first)
    except ValueError:
        return False
    return isinstance(head, dict) and head.get("kind") == KIND


def _check_head(head: Any, where: str) -> None:
    if not isinstance(head, dict) or head.get("kind") != KIND:
        raise InputError(f"{where}: this is no export of `tertium monitor export`")
    if head.get("version") != VERSION:
        raise InputError(f"{where}: version {head.get('version')} is not known (known: {VERSION})")


class _Moving:
    """Rows on their way: keys and systems that are there already are found by name, all else keeps its number."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._keys: dict[int, int] = {}
        self._systems: dict[int, int] = {}

    def put(self, table: Table, given: Mapping[str, Any]) -> None:
        """One row."""
        row = {name: _bytes(value) for name, value in given.items()}
        unknown = set(row) - {column.name for column in table.columns}
        if unknown:
            raise ValueError(f"unknown column {min(unknown)}")
        if table is schema.keys:
            self._keys[row["id"]] = self._named(table, row)
        elif table is schema.systems:
            self._systems[row["id"]] = self._named(table, row)
        elif table is schema.settings:
            keep(self._connection, row["name"], json.loads(row["value"]))
        else:
            if "key" in row:
                row["key"] = self._key(row["key"])
            if "system" in row:
                row["system"] = self._systems[row["system"]]
            self._connection.execute(insert(table).values(**row))

    def _named(self, table: Table, row: dict[str, Any]) -> int:
        columns = table.c
        found = self._connection.scalar(select(columns.id).where(columns.name == row["name"]))
        if found is not None:
            return int(found)
        return inserted(self._connection, table, **{name: row[name] for name in row if name != "id"})

    def _key(self, number: int) -> int:
        """The key that something was sent with; one that opens nothing stands for those that did not come along."""
        if number not in self._keys:
            now = time.time()
            row = {
                "id": 0,
                "name": f"imported-{number}",
                "hash": f"none-{number}-{now}"[:64],
                "scopes": "write",
            }
            more = {"system": None, "per_minute": 1, "created": now, "revoked": now}
            self._keys[number] = self._named(schema.keys, row | more)
        return self._keys[number]

    def finish(self, *, postgres: bool) -> None:
        """Numbers go on behind those that came."""
        if postgres:
            for table in TABLES:
                if "id" in table.c:
                    last = select(func.coalesce(func.max(table.c.id), 0)).scalar_subquery()
                    sequence = func.pg_get_serial_sequence(text(f"'{table.name}'"), text("'id'"))
                    self._connection.execute(select(func.setval(sequence, last + 1, False)))


def _bytes(value: Any) -> Any:
    return base64.b64decode(value["base64"], validate=True) if isinstance(value, dict) else value
