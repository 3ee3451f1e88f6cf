"""Keys: who may write evaluations, read them, administer the service; of a token only its hash is kept."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update

from tertium.errors import InputError
from tertium.monitor import schema
from tertium.web.database import Database, added
from tertium.web.passwords import new_token, token_hash

SCOPES = ("write", "read", "administer")
PER_MINUTE = 6000  # requests by one key
_columns = schema.keys.c
_KEY = select(schema.keys).where(_columns.hash == bindparam("hash"), _columns.revoked.is_(None))
_SYSTEM = select(schema.systems.c.id).where(schema.systems.c.name == bindparam("name"))


@dataclass(frozen=True)
class ServiceKey:
    """What somebody with a token may do."""

    id: int
    name: str
    scopes: tuple[str, ...]
    system: str | None
    per_minute: int

    def may(self, scope: str) -> bool:
        """Administrators may do everything; what needs no scope, everybody with a key."""
        return not scope or scope in self.scopes or "administer" in self.scopes


class ServiceKeys:
    """The keys of a service."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def create(
        self, name: str, scopes: Sequence[str], system: str | None = None, per_minute: int = PER_MINUTE
    ) -> str:
        """A new key; gives its token, which is shown once. A system that is new becomes known by it."""
        for scope in scopes:
            if scope not in SCOPES:
                raise InputError(f"{scope}: there is no such scope (known: {', '.join(SCOPES)})")
        if not scopes:
            raise InputError("a key needs a scope: write, read or administer")
        named("key", name)
        token = new_token()
        now = time.time()
        with self.database.writing() as connection:
            if connection.scalar(select(_columns.id).where(_columns.name == name)) is not None:
                raise InputError(f"{name}: there is a key with this name (revoke it, or take another name)")
            if system is not None:
                system_number(connection, system, create=True)
            new = {"name": name, "hash": token_hash(token), "scopes": " ".join(scopes), "system": system}
            connection.execute(insert(schema.keys).values(**new, per_minute=per_minute, created=now))
        return token

    def revoke(self, name: str) -> None:
        """From now on the key opens nothing."""
        with self.database.writing() as connection:
            own = (_columns.name == name) & _columns.revoked.is_(None)
            if not connection.execute(update(schema.keys).where(own).values(revoked=time.time())).rowcount:
                raise InputError(f"{name}: there is no such key")

    def found(self, token: str) -> ServiceKey | None:
        """The key of a token, or None."""
        if not token or len(token) > 100:
            return None
        return self._of(self.database.rows(_KEY, hash=token_hash(token)))

    def named(self, name: str) -> ServiceKey | None:
        """The key of this name, or None."""
        own = (_columns.name == name) & _columns.revoked.is_(None)
        return self._of(self.database.rows(select(schema.keys).where(own)))

    def _of(self, rows: Sequence[Any]) -> ServiceKey | None:
        if not rows:
            return None
        [row] = rows
        return ServiceKey(row.id, row.name, tuple(row.scopes.split()), row.system, row.per_minute)


def named(what: str, name: str) -> str:
    """A name that can stand in addresses and on pages.

    >>> named("system", "nmt-7 (beta)")
    'nmt-7 (beta)'
    """
    if not name.strip() or len(name) > 64 or not name.isprintable():
        raise InputError(f"{what}: a name has 1 to 64 printable characters")
    return name


def system_number(connection: Connection, name: str, *, create: bool = False) -> int | None:
    """The number of a system, or None."""
    found = connection.scalar(_SYSTEM, {"name": name})
    if found is None and create:  # somebody else may make it at the same moment
        added(connection, schema.systems, name=named("system", name), created=time.time())
        return connection.scalar(_SYSTEM, {"name": name})
    return found
