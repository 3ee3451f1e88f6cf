"""What every route asks first: who is there, in which language they read."""

from __future__ import annotations

from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse

from tertium.app.access import Access, Visitor
from tertium.app.preferring import PREFERRED
from tertium.app.rendering import page
from tertium.human.campaigns.language import Interface
from tertium.web.database import Database
from tertium.web.guards import RateLimit
from tertium.web.visiting import Premises

ANNOTATOR_COOKIE, ADMIN_COOKIE = "tertium_work", "tertium_admin"
ANSWERS = RateLimit(60, 15)
PAGES = RateLimit(120, 20)


class House(Premises):
    """What the routes share, and who may come in."""

    def __init__(self, database: Database, *, public_url: str | None = None, https: bool = False) -> None:
        super().__init__(database, public_url=public_url, https=https)
        self.access = Access(database)

    def visitor(self, request: Request, *, admin: bool) -> Visitor:
        """The visitor, or a page that says why not."""
        token = request.cookies.get(ADMIN_COOKIE if admin else ANNOTATOR_COOKIE)
        found = self.access.visitor(token)
        if found is None or found.is_admin != admin:
            raise HTTPException(401, "admin" if admin else "link")
        self.slow_down("pages", str(found.annotator), PAGES)
        return found


def html(
    template: str, status: int = 200, /, *, language: Interface | None = None, **values: Any
) -> HTMLResponse:
    """A page; in the language that the browser prefers, unless the campaign has one."""
    return HTMLResponse(page(template, language or PREFERRED.get(), **values), status)
