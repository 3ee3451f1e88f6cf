"""What every route asks first: who is there, is the request their own, are they too fast."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from tertium.app.access import Access, Visitor
from tertium.app.database import Database
from tertium.app.guards import PAGES, PREFERRED, Limiter, RateLimit
from tertium.app.passwords import same
from tertium.app.rendering import page
from tertium.errors import TertiumError
from tertium.human.campaigns.language import Interface

ANNOTATOR_COOKIE, ADMIN_COOKIE = "tertium_work", "tertium_admin"


class House:
    """What the routes share: the database, who may come in, how fast, under which address."""

    def __init__(self, database: Database, *, public_url: str | None = None, https: bool = False) -> None:
        self.database = database
        self.access = Access(database)
        self.limiter = Limiter()
        self.public_url = public_url
        self.https = https

    def reading(self, handler: Callable[[Request], Response]) -> Callable[[Request], Response]:
        """A page that only reads, with all its queries over one connection."""

        @wraps(handler)
        def page(request: Request) -> Response:
            with self.database.reading():
                return handler(request)

        return page

    def visitor(self, request: Request, *, admin: bool) -> Visitor:
        """The visitor, or a page that says why not."""
        token = request.cookies.get(ADMIN_COOKIE if admin else ANNOTATOR_COOKIE)
        found = self.access.visitor(token)
        if found is None or found.is_admin != admin:
            raise HTTPException(401, "admin" if admin else "link")
        self.slow_down("pages", str(found.annotator), PAGES)
        return found

    def own_request(self, request: Request, visitor: Visitor, token: str | None) -> None:
        """Refuse what another site made the browser send."""
        site = request.headers.get("sec-fetch-site", "same-origin")
        if site not in ("same-origin", "none") or token is None or not same(token, visitor.csrf):
            raise HTTPException(403, "this request did not come from our own page; reload it and try again")

    def slow_down(self, what: str, who: str, rate: RateLimit) -> None:
        """Refuse visitors who are too fast."""
        if not self.limiter.allows(what, who, rate):
            raise HTTPException(429, "too many requests; wait a moment")

    def base_url(self, request: Request) -> str:
        """The address under which people reach us."""
        return (self.public_url or str(request.base_url)).rstrip("/")

    def start_session(self, response: Response, cookie: str, token: str, seconds: int) -> None:
        """Give the browser its cookie: no script sees it, no other site sends it."""
        response.set_cookie(
            cookie, token, max_age=seconds, httponly=True, samesite="lax", secure=self.https, path="/"
        )


@contextmanager
def refusing(status: int) -> Iterator[None]:
    """What is wrong with a request becomes a refusal with this status."""
    try:
        yield
    except TertiumError as error:
        raise HTTPException(status, str(error)) from None


def address(request: Request) -> str:
    """Where a request comes from."""
    return request.client.host if request.client else ""


def html(
    template: str, status: int = 200, /, *, language: Interface | None = None, **values: Any
) -> HTMLResponse:
    """A page; in the language that the browser prefers, unless the campaign has one."""
    return HTMLResponse(page(template, language or PREFERRED.get(), **values), status)
