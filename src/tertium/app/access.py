"""Who may come in: sessions, personal links, the administrator's password, the scripts' token."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from tertium.app import schema
from tertium.app.database import Database
from tertium.app.passwords import (
    SHORTEST,
    hashed_password,
    new_token,
    password_fits,
    same,
    signature,
    token_hash,
)
from tertium.errors import InputError

ANNOTATORS_DAYS = 30
ADMINISTRATORS_HOURS = 12

_people, _sessions = schema.annotators.c, schema.sessions.c
_SESSION = (  # asked by every request, so put together once
    select(
        _sessions.annotator,
        _sessions.link_version,
        _people.name,
        _people.state,
        _people.campaign,
        _people.link_version.label("version"),
    )
    .select_from(schema.sessions.outerjoin(schema.annotators, _people.id == _sessions.annotator))
    .where(_sessions.id == bindparam("id"), _sessions.expires >= bindparam("now"))
)


@dataclass(frozen=True)
class Visitor:
    """Somebody with a valid session: an annotator of a campaign, or an administrator."""

    csrf: str
    annotator: int | None = None
    name: str = ""
    state: str = "active"
    campaign: int | None = None

    @property
    def is_admin(self) -> bool:
        return self.annotator is None


class Access:
    """Secrets and sessions in the database. Of cookies and tokens only hashes are kept."""

    def __init__(self, database: Database) -> None:
        self.database = database

    @cached_property
    def _secret(self) -> str:
        """What links are signed with; made when it is needed for the first time."""
        with self.database.writing() as connection:
            found = _secret(connection, "links")
            if found is None:
                found = new_token()
                connection.execute(insert(schema.secrets).values(name="links", value=found))
        return found

    def prepare(self) -> None:
        """Make what servers share, before several of them start."""
        assert self._secret

    def _kept(self, name: str) -> str | None:
        with self.database.reading() as connection:
            return _secret(connection, name)

    # -- the administrator -------------------------------------------------------------------------------------

    def set_password(self, password: str) -> None:
        """Set the administrator's password; whoever logged in with the old one is logged out."""
        if len(password) < SHORTEST:
            raise InputError(f"the administrator's password must have at least {SHORTEST} characters")
        with self.database.writing() as connection:
            _keep(connection, "password", hashed_password(password))
            connection.execute(delete(schema.sessions).where(schema.sessions.c.annotator.is_(None)))

    @property
    def has_password(self) -> bool:
        return self._kept("password") is not None

    def login(self, password: str) -> str | None:
        """A new session of an administrator, or None."""
        kept = self._kept("password")
        if kept is None or not password_fits(password[:1000], kept):
            return None
        return self._start(None, 0, ADMINISTRATORS_HOURS * 3600)

    def new_script_token(self) -> str:
        """A token for scripts (`Authorization: Bearer ...`); the previous one is no longer valid."""
        token = new_token()
        with self.database.writing() as connection:
            _keep(connection, "token", token_hash(token))
        return token

    def script_token_fits(self, token: str) -> bool:
        """Whether a script may come in."""
        kept = self._kept("token")
        return kept is not None and same(token_hash(token), kept)

    # -- annotators --------------------------------------------------------------------------------------------

    def link(self, annotator: int, version: int) -> str:
        """The secret part of an annotator's link; it can be made again, but not guessed."""
        return f"{annotator}.{signature(self._secret, 'link', annotator, version)}"

    def enter(self, link: str) -> str | None:
        """A new session for the annotator with this link, or None."""
        number, _, given = link.partition(".")
        if not number.isascii() or not number.isdecimal() or len(number) > 9:
            return None
        rows = self.database.rows(select(schema.annotators).where(schema.annotators.c.id == int(number)))
        found = rows[0] if rows else None
        expected = signature(self._secret, "link", int(number), found.link_version if found else -1)
        if not same(given, expected) or found is None or found.state == "removed":
            return None
        return self._start(int(number), found.link_version, ANNOTATORS_DAYS * 86400)

    def renew_link(self, annotator: int) -> None:
        """A new link for an annotator; the old one and all sessions opened by it end."""
        with self.database.writing() as connection:
            connection.execute(
                update(schema.annotators)
                .where(schema.annotators.c.id == annotator)
                .values(link_version=schema.annotators.c.link_version + 1)
            )

    # -- sessions ----------------------------------------------------------------------------------------------

    def _start(self, annotator: int | None, version: int, seconds: float) -> str:
        token = new_token()
        now = time.time()

        def begin(connection: Connection) -> None:
            connection.execute(delete(schema.sessions).where(_sessions.expires < now))
            new = {"id": token_hash(token), "annotator": annotator, "link_version": version}
            connection.execute(insert(schema.sessions).values(**new, expires=now + seconds))

        self.database.write(begin)  # two hundred who come in together share a few flushes of the disk
        return token

    def visitor(self, token: str | None) -> Visitor | None:
        """Whose session this is; None if it is nobody's, or has ended."""
        if not token or len(token) > 100:
            return None
        rows = self.database.rows(_SESSION, id=token_hash(token), now=time.time())
        if not rows:
            return None
        [found] = rows
        csrf = signature(self._secret, "csrf", token)
        if found.annotator is None:
            return Visitor(csrf)
        if found.version != found.link_version or found.state == "removed":
            return None
        return Visitor(csrf, found.annotator, found.name, found.state, found.campaign)

    def leave(self, token: str) -> None:
        """End a session."""
        with self.database.writing() as connection:
            connection.execute(delete(schema.sessions).where(schema.sessions.c.id == token_hash(token)))


def _secret(connection: Connection, name: str) -> str | None:
    return connection.scalar(select(schema.secrets.c.value).where(schema.secrets.c.name == name))


def _keep(connection: Connection, name: str, value: str) -> None:
    done = connection.execute(update(schema.secrets).where(schema.secrets.c.name == name).values(value=value))
    if not done.rowcount:
        connection.execute(insert(schema.secrets).values(name=name, value=value))
