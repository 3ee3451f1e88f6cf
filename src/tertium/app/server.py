"""The application, put together: `application(database)` is what a server runs."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.staticfiles import StaticFiles

import tertium
from tertium.app.admin_pages import admin_routes
from tertium.app.api import script_routes
from tertium.app.database import CampaignDatabase
from tertium.app.preferring import InTheirLanguage
from tertium.app.visiting import House, html
from tertium.app.work_pages import work_routes
from tertium.web.database import Database
from tertium.web.guards import App, Bounds, Guards
from tertium.web.running import AWAY, by_token, complain, describe_tokens, few_threads, run

MEGABYTE = 1024 * 1024
# a whole campaign, by a script or as files; segments in a form; an answer
BOUNDS = Bounds(
    {"/api/": 64 * MEGABYTE, "/admin/new": 64 * MEGABYTE, "/admin/": 8 * MEGABYTE}, otherwise=256 * 1024
)
_PLAIN = {
    401: "Please open your personal link.",
    403: "This is not allowed.",
    404: "There is nothing here.",
    405: "This page does not accept that kind of request.",
    409: "This cannot be done here.",
    413: "This is too large.",
    415: "This page does not accept that kind of request.",
    422: "The request could not be understood.",
    429: "Too fast.",
    503: "Please try again in a moment.",
}


def application(
    database: Database, *, public_url: str | None = None, https: bool | None = None
) -> tuple[App, House]:
    """The app, guarded, and what it keeps. Cookies are for HTTPS only where `https` (or the public URL) says so."""
    secure = (public_url or "").startswith("https:") if https is None else https
    house = House(database, public_url=public_url, https=secure)
    app = FastAPI(
        title="Tertium annotate",
        version=tertium.__version__,
        description="Create campaigns of human judgement, assign annotators, export judgements.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        routes=[*work_routes(house), *admin_routes(house)],
        lifespan=few_threads,
    )
    app.include_router(script_routes(house))
    app.mount("/static", StaticFiles(directory=Path(__file__).parent / "static"))

    @app.get("/", include_in_schema=False)
    def front() -> Response:
        return html("front.html", visitor=None)

    @app.get("/health", include_in_schema=False)
    def health() -> Response:
        with database.reading() as connection:
            connection.exec_driver_sql("SELECT 1")
        return PlainTextResponse("ok")

    app.add_exception_handler(HTTPException, _refused)  # type: ignore[arg-type]
    for kind in AWAY:
        app.add_exception_handler(kind, _database_away)
    describe_tokens(app)

    may = by_token(house.access, house, "tertium annotate token")
    return Guards(InTheirLanguage(app), BOUNDS, may, https=secure), house


def _refused(request: Request, error: HTTPException) -> Response:
    """A refusal: JSON for scripts and for our own script, a page for people."""
    path = request.url.path
    wants_json = path.startswith("/api/") or path.endswith(("/answer", "/undo", "/live"))
    if wants_json and error.detail in ("link", "admin"):
        error = HTTPException(401, "your session has ended: open your personal link again")
    if wants_json:
        return JSONResponse({"detail": error.detail}, error.status_code, headers=error.headers)
    if error.status_code == 401 and error.detail == "admin":
        return RedirectResponse("/admin/login", 303)
    title = _PLAIN.get(error.status_code, "Something went wrong.")
    detail = "" if error.detail in ("link", "Not Found", "Method Not Allowed") else str(error.detail)
    return html("refused.html", error.status_code, visitor=None, heading=title, detail=detail)


def _database_away(request: Request, error: Exception) -> Response:
    """A browser tries again by itself."""
    complain(error)
    return _refused(request, HTTPException(503, "the database does not answer", {"retry-after": "5"}))


def from_environment() -> App:
    """The app that a worker process makes, from TERTIUM_ANNOTATE_DATABASE and TERTIUM_ANNOTATE_URL.

    It does not ask the database: whoever started the workers has opened it, and a worker that comes in the place of
    another one must come even while the database is away.
    """
    database = CampaignDatabase(os.environ["TERTIUM_ANNOTATE_DATABASE"], create=False, migrate=False)
    return application(database, public_url=os.environ.get("TERTIUM_ANNOTATE_URL"))[0]


def serve(
    where: str, at: socket.socket, *, workers: int = 1, public_url: str | None = None, proxies: str = ""
) -> None:
    """Run the server until it is stopped; the database has been opened before."""
    environment = {"TERTIUM_ANNOTATE_DATABASE": where}
    if public_url:
        environment["TERTIUM_ANNOTATE_URL"] = public_url
    run("tertium.app.server:from_environment", at, environment, workers=workers, proxies=proxies)
