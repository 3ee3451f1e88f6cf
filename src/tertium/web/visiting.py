"""What routes ask first: is the request the visitor's own, are they too fast, where are we."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from tertium.errors import TertiumError
from tertium.web.database import Database
from tertium.web.guards import Limiter, RateLimit
from tertium.web.passwords import same


class Premises:
    """What the routes of a service share: the database, how fast visitors may be, under which address."""

    def __init__(self, database: Database, *, public_url: str | None = None, https: bool = False) -> None:
        self.database = database
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

    def own_request(self, request: Request, csrf: str, token: str | None) -> None:
        """Refuse what another site made the browser send."""
        site = request.headers.get("sec-fetch-site", "same-origin")
        if site not in ("same-origin", "none") or token is None or not same(token, csrf):
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
