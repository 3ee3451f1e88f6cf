"""The application, put together: `application(database)` is what a server runs."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tertium.errors import MissingExtraError

try:
    from anyio.to_thread import current_default_thread_limiter
    from fastapi import FastAPI
    from starlette.exceptions import HTTPException
    from starlette.requests import Request
    from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
    from starlette.staticfiles import StaticFiles
except ImportError:
    raise MissingExtraError("the annotation server", "app") from None

import tertium
from tertium.app.admin_pages import admin_routes
from tertium.app.api import script_routes
from tertium.app.database import Database
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
    _describe_tokens(app)

    def script_allowed(authorization: str, client: str) -> str | None:
        """None if a script may come in; otherwise the reason why not."""
        kind, _, token = authorization.partition(" ")
        if kind.lower() == "bearer" and house.access.script_token_fits(token.strip()):
            return None
        if not house.limiter.allows("scripts", client, STRANGER):
            return "too many wrong tokens; wait a minute"
        return "a script needs the header Authorization: Bearer TOKEN (tertium annotate token creates one)"

    return Guards(app, script_allowed, https=secure), house


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
    """The app that a worker process makes, from TERTIUM_ANNOTATE_DATABASE and TERTIUM_ANNOTATE_URL."""
    database = Database(os.environ["TERTIUM_ANNOTATE_DATABASE"], create=False)
    return application(database, public_url=os.environ.get("TERTIUM_ANNOTATE_URL"))[0]


def serve(where: str, *, host: str, port: int, workers: int, public_url: str | None, proxies: str) -> None:
    """Run the server until it is stopped."""
    try:
        import uvicorn
    except ImportError:
        raise MissingExtraError("the annotation server", "app") from None
    common: dict[str, Any] = {
        "host": host,
        "port": port,
        "log_level": "warning",
        "server_header": False,
        "date_header": True,
        "proxy_headers": bool(proxies),
        "forwarded_allow_ips": proxies or None,
        "timeout_keep_alive": 30,
        "h11_max_incomplete_event_size": 64 * 1024,
    }
    if workers == 1:
        app, _ = application(Database(where, create=False), public_url=public_url)
        uvicorn.run(app, **common)
        return
    os.environ["TERTIUM_ANNOTATE_DATABASE"] = where
    if public_url:
        os.environ["TERTIUM_ANNOTATE_URL"] = public_url
    uvicorn.run("tertium.app.server:from_environment", factory=True, workers=workers, **common)
