"""The application, put together: `application(database)` is what a server runs."""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tertium.errors import InputError, MissingExtraError

try:
    from anyio.to_thread import current_default_thread_limiter
    from fastapi import FastAPI
    from sqlalchemy.exc import InterfaceError, OperationalError
    from sqlalchemy.exc import TimeoutError as NoConnection
    from starlette.exceptions import HTTPException
    from starlette.requests import Request
    from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
    from starlette.staticfiles import StaticFiles
except ImportError:
    raise MissingExtraError("the annotation server", "app") from None

import tertium
from tertium.app.admin_pages import admin_routes
from tertium.app.api import script_routes
from tertium.app.database import Database, reason_of
from tertium.app.guards import STRANGER, App, Guards
from tertium.app.visiting import House, html
from tertium.app.work_pages import work_routes

THREADS = 12  # requests at work at the same time, in each process
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
AWAY = (OperationalError, InterfaceError, NoConnection)  # what is raised while the database is away
_said = [float("-inf")]  # when we complained last


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
        lifespan=_few_threads,
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
    _describe_tokens(app)

    def refused_script(authorization: str, client: str) -> tuple[int, str] | None:
        """None if a script may come in; otherwise a status and the reason why not."""
        kind, _, token = authorization.partition(" ")
        try:
            if kind.lower() == "bearer" and house.access.script_token_fits(token.strip()):
                return None
        except AWAY as error:
            _complain(error)
            return 503, "the database does not answer"
        if not house.limiter.allows("scripts", client, STRANGER):
            return 429, "too many wrong tokens; wait a minute"
        return (
            401,
            "a script needs the header Authorization: Bearer TOKEN (tertium annotate token creates one)",
        )

    return Guards(app, refused_script, https=secure), house


@asynccontextmanager
async def _few_threads(_app: FastAPI) -> AsyncIterator[None]:
    """Python runs one thread at a time: more of them only take turns, and everybody waits for longer."""
    current_default_thread_limiter().total_tokens = THREADS
    yield


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
    _complain(error)
    return _refused(request, HTTPException(503, "the database does not answer", {"retry-after": "5"}))


def _complain(error: Exception) -> None:
    """One line a minute for whoever runs the server."""
    if time.monotonic() - _said[0] > 60:
        _said[0] = time.monotonic()
        print(f"tertium: the database does not answer: {reason_of(error)}", file=sys.stderr, flush=True)


def _describe_tokens(app: FastAPI) -> None:
    """Say in the OpenAPI description that scripts need a token."""
    make = app.openapi

    def described() -> dict[str, Any]:
        found = make()
        schemes = {"token": {"type": "http", "scheme": "bearer"}}
        found.setdefault("components", {})["securitySchemes"] = schemes
        found["security"] = [{"token": []}]
        return found

    app.openapi = described  # type: ignore[method-assign]


def from_environment() -> App:
    """The app that a worker process makes, from TERTIUM_ANNOTATE_DATABASE and TERTIUM_ANNOTATE_URL.

    It does not ask the database: whoever started the workers has opened it, and a worker that comes in the place of
    another one must come even while the database is away.
    """
    database = Database(os.environ["TERTIUM_ANNOTATE_DATABASE"], create=False, migrate=False)
    return application(database, public_url=os.environ.get("TERTIUM_ANNOTATE_URL"))[0]


def listening(host: str, port: int) -> socket.socket:
    """Where the server listens; port 0 is any that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        reason = (error.strerror or str(error)).partition(" (while")[0].lower()  # without what Python adds
        raise InputError(f"{host}, port {port}: the server cannot listen there: {reason}") from None


def serve(
    where: str, at: socket.socket, *, workers: int = 1, public_url: str | None = None, proxies: str = ""
) -> None:
    """Run the server until it is stopped; the database has been opened before."""
    try:
        import uvicorn
        from uvicorn.supervisors import Multiprocess
    except ImportError:
        raise MissingExtraError("the annotation server", "app") from None
    os.environ["TERTIUM_ANNOTATE_DATABASE"] = where
    if public_url:
        os.environ["TERTIUM_ANNOTATE_URL"] = public_url
    at.set_inheritable(True)
    config = uvicorn.Config(
        "tertium.app.server:from_environment",
        factory=True,
        workers=workers,
        log_level="warning",
        server_header=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies or None,
        timeout_keep_alive=30,
        h11_max_incomplete_event_size=64 * 1024,
    )
    if workers == 1:
        uvicorn.Server(config).run(sockets=[at])
    else:
        Multiprocess(config, sockets=[at]).run()
