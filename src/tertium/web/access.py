"""Who may come in: the administrator's password, the scripts' token, sessions. Of all these only hashes are kept."""

from __future__ import annotations

import time
from functools import cached_property
from typing import Any, ClassVar

from sqlalchemy import ColumnElement, Connection, Table, delete, insert, select, true, update

from tertium.errors import InputError
from tertium.web.database import Database
from tertium.web.passwords import (
    SHORTEST,
    hashed_password,
    new_token,
    password_fits,
    same,
    signature,
    token_hash,
)

ADMINISTRATORS_HOURS = 12


class Administration:
    """Secrets and sessions, in two tables: of name and value; of id, expires, and columns of the service's own."""

    administrator: ClassVar[dict[str, Any]] = {}  # the service's own columns of an administrator's session

    def __init__(self, database: Database, secrets: Table, sessions: Table) -> None:
        self.database, self._secrets, self._sessions = database, secrets, sessions

    def administrators(self) -> ColumnElement[bool]:
        """Which sessions are those of administrators."""
        return true()

    @cached_property
    def _secret(self) -> str:
        """What links and forms are signed with; made when it is needed for the first time."""
        with self.database.writing() as connection:
            found = self._found(connection, "links")
            if found is None:
                found = new_token()
                connection.execute(insert(self._secrets).values(name="links", value=found))
        return found

    def prepare(self) -> None:
        """Make what servers share, before several of them start."""
        assert self._secret

    def signed(self, *parts: object) -> str:
        """A text that only this service can make."""
        return signature(self._secret, *parts)

    def set_password(self, password: str) -> None:
        """Set the administrator's password; whoever logged in with the old one is logged out."""
        if len(password) < SHORTEST:
            raise InputError(f"the administrator's password must have at least {SHORTEST} characters")
        with self.database.writing() as connection:
            self._keep(connection, "password", hashed_password(password))
            connection.execute(delete(self._sessions).where(self.administrators()))

    @property
    def has_password(self) -> bool:
        return self._kept("password") is not None

    def login(self, password: str) -> str | None:
        """A new session of an administrator, or None."""
        kept = self._kept("password")
        if kept is None or not password_fits(password[:1000], kept):
            return None
        return self.start(ADMINISTRATORS_HOURS * 3600, **self.administrator)

    def new_script_token(self) -> str:
        """A token for scripts (`Authorization: Bearer ...`); the previous one is no longer valid."""
        token = new_token()
        with self.database.writing() as connection:
            self._keep(connection, "token", token_hash(token))
        return token

    def script_token_fits(self, token: str) -> bool:
        """Whether a script may come in."""
        kept = self._kept("token")
        return kept is not None and same(token_hash(token), kept)

    def start(self, seconds: float, **values: Any) -> str:
        """A new session with the values of the service's own columns; gives the token that goes into a cookie."""
        token = new_token()
        now = time.time()

        def begin(connection: Connection) -> None:
            connection.execute(delete(self._sessions).where(self._sessions.c.expires < now))
            new = {**values, "id": token_hash(token), "expires": now + seconds}
            connection.execute(insert(self._sessions).values(**new))

        self.database.write(begin)  # two hundred who come in together share a few flushes of the disk
        return token

    def leave(self, token: str) -> None:
        """End a session."""
        with self.database.writing() as connection:
            connection.execute(delete(self._sessions).where(self._sessions.c.id == token_hash(token)))

    def _kept(self, name: str) -> str | None:
        with self.database.reading() as connection:
            return self._found(connection, name)

    def _found(self, connection: Connection, name: str) -> str | None:
        return connection.scalar(select(self._secrets.c.value).where(self._secrets.c.name == name))

    def _keep(self, connection: Connection, name: str, value: str) -> None:
        own = self._secrets.c.name == name
        done = connection.execute(update(self._secrets).where(own).values(value=value))
        if not done.rowcount:
            connection.execute(insert(self._secrets).values(name=name, value=value))
