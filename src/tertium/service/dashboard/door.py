"""The door of the dashboard: signing in with a key, and out."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from tertium.service.dashboard.entering import COOKIE, HOURS, Readers
from tertium.service.dashboard.rendering import html
from tertium.service.office import Office
from tertium.web.guards import LOGIN
from tertium.web.visiting import address


def door_routes(office: Office, readers: Readers) -> list[Route]:
    """In and out."""
    door = _Door(office, readers)
    return [
        Route("/login", door.login_page),
        Route("/login", door.login, methods=["POST"]),
        Route("/logout", door.logout, methods=["POST"]),
    ]


class _Door:
    def __init__(self, office: Office, readers: Readers) -> None:
        self.office, self.readers = office, readers

    def login_page(self, request: Request) -> Response:
        return html("login.html", reader=None, wrong="", back=_back(request.query_params.get("back", "")))

    async def login(self, request: Request) -> Response:
        if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return html("refused.html", 403, reader=None, detail="sign in from our own page")
        async with request.form(max_files=0, max_fields=4) as form:
            given, back = str(form.get("key", "")), _back(str(form.get("back", "")))
        if not self.office.limiter.allows("login", address(request), LOGIN):
            wrong = "Too many wrong keys; wait a minute."
            return html("login.html", 429, reader=None, wrong=wrong, back=back)
        token = await run_in_threadpool(self.readers.enter, given)
        if token is None:
            wrong = "This key does not open the dashboard: it must be one that reads, of all systems."
            return html("login.html", 401, reader=None, wrong=wrong, back=back)
        answer = RedirectResponse(back, 303)
        self.office.start_session(answer, COOKIE, token, HOURS * 3600)
        return answer

    async def logout(self, request: Request) -> Response:
        cookie = request.cookies.get(COOKIE)
        reader = await run_in_threadpool(self.readers.reader, cookie)
        if reader is not None and cookie is not None:
            async with request.form(max_files=0, max_fields=2) as form:
                given = str(form.get("csrf", ""))
            try:
                self.office.own_request(request, reader.csrf, given)
            except HTTPException as error:
                return html("refused.html", error.status_code, reader=None, detail=error.detail)
            await run_in_threadpool(self.readers.leave, cookie)
        answer = RedirectResponse("/login", 303)
        answer.delete_cookie(COOKIE, path="/")
        return answer


def _back(given: str) -> str:
    """Where to go after the sign-in: a page of ours, nowhere else.

    >>> _back("/series?system=a"), _back("//elsewhere.example"), _back("https://elsewhere.example")
    ('/series?system=a', '/', '/')
    """
    fine = given.startswith("/") and not given.startswith(("//", "/\\")) and given.isprintable()
    return given if fine and len(given) < 2000 else "/"
