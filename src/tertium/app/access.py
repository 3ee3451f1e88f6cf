"""Who may come in: annotators by their personal links, administrators by password, scripts by token."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, ClassVar

from sqlalchemy import ColumnElement, bindparam, select, update

from tertium.app import schema
from tertium.web.access import Administration
from tertium.web.database import Database
from tertium.web.passwords import same, token_hash

ANNOTATORS_DAYS = 30

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


class Access(Administration):
    """Annotators beside administrators; a session without an annotator is an administrator's."""

    administrator: ClassVar[dict[str, Any]] = {"annotator": None, "link_version": 0}

    def __init__(self, database: Database) -> None:
        super().__init__(database, schema.secrets, schema.sessions)

    def administrators(self) -> ColumnElement[bool]:
        return _sessions.annotator.is_(None)

    def link(self, annotator: int, version: int) -> str:
        """The secret part of an annotator's link; it can be made again, but not guessed."""
        return f"{annotator}.{self.signed('link', annotator, version)}"

    def enter(self, link: str) -> str | None:
        """A new session for the annotator with this link, or None."""
        number, _, given = link.partition(".")
        if not number.isascii() or not number.isdecimal() or len(number) > 9:
            return None
        rows = self.database.rows(select(schema.annotators).where(_people.id == int(number)))
        found = rows[0] if rows else None
        expected = self.signed("link", int(number), found.link_version if found else -1)
        if not same(given, expected) or found is None or found.state == "removed":
            return None
        days = ANNOTATORS_DAYS * 86400
        return self.start(days, annotator=int(number), link_version=found.link_version)

    def renew_link(self, annotator: int) -> None:
        """A new link for an annotator; the old one and all sessions opened by it end."""
        with self.database.writing() as connection:
            connection.execute(
                update(schema.annotators)
                .where(_people.id == annotator)
                .values(link_version=_people.link_version + 1)
            )

    def visitor(self, token: str | None) -> Visitor | None:
        """Whose session this is; None if it is nobody's, or has ended."""
        if not token or len(token) > 100:
            return None
        rows = self.database.rows(_SESSION, id=token_hash(token), now=time.time())
        if not rows:
            return None
        [found] = rows
        csrf = self.signed("csrf", token)
        if found.annotator is None:
            return Visitor(csrf)
        if found.version != found.link_version or found.state == "removed":
            return None
        return Visitor(csrf, found.annotator, found.name, found.state, found.campaign)
