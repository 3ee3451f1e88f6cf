"""Who may look: whoever has a key that reads. The key is asked for once; after that a cookie stands for it."""

from __future__ import annotations

import time
from dataclasses import dataclass

from sqlalchemy import bindparam, select

from tertium.monitor import schema
from tertium.monitor.keys import ServiceKeys
from tertium.web.access import Administration
from tertium.web.database import Database
from tertium.web.passwords import token_hash

COOKIE = "tertium_reader"
HOURS = 12
_sessions, _keys = schema.sessions.c, schema.keys.c
_SESSION = (
    select(_keys.id, _keys.name)
    .join(schema.sessions, _sessions.key == _keys.id)
    .where(_sessions.id == bindparam("id"), _sessions.expires >= bindparam("now"), _keys.revoked.is_(None))
)


@dataclass(frozen=True)
class Reader:
    """Somebody who has signed in."""

    key: int
    name: str
    csrf: str


class Readers(Administration):
    """Sessions by key: they end with the key."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, schema.secrets, schema.sessions)

    def enter(self, token: str) -> str | None:
        """A new session for whoever has this key, or None."""
        found = ServiceKeys(self.database).found(token.strip())
        if found is None or not found.may("read") or found.system is not None:
            return None
        return self.start(HOURS * 3600, key=found.id)

    def reader(self, cookie: str | None) -> Reader | None:
        """Whose session this is; None if it is nobody's, or has ended."""
        if not cookie or len(cookie) > 100:
            return None
        rows = self.database.rows(_SESSION, id=token_hash(cookie), now=time.time())
        return Reader(rows[0].id, rows[0].name, self.signed("csrf", cookie)) if rows else None
