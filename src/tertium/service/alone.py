"""`tertium memory serve` and `tertium adapt serve`: the routes of a memory, or of a system that learns, by themselves,
without keys and without a prefix, on this machine."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

import tertium
from tertium.errors import InputError, TertiumError, TertiumWarning
from tertium.io.settings import read
from tertium.service.capabilities.memory import routes
from tertium.service.equipment import Equipment, EquipmentSettings, MemorySettings
from tertium.service.problems import pointer
from tertium.web.guards import App, Bounds, Guards, Receive, Scope, Send
from tertium.web.refusals import Problem
from tertium.web.running import few_threads

NOT_JSON = "question: is not JSON in UTF-8"
LARGEST = 1 << 24  # bytes of a question
BOUNDS = Bounds({}, otherwise=LARGEST, scripts="/no/")


class OpenDoor:
    """Whoever reaches this machine may ask; a page of another site in somebody's browser may not."""

    def key(self, request: Request, _scope: str) -> None:
        if request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            raise Problem(403, "a page of another site may not ask")


class AnyContent:
    """Bodies are JSON, whatever the client says of them (`curl -d` says that they are forms)."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            others = [own for own in scope["headers"] if own[0] != b"content-type"]
            scope = {**scope, "headers": [*others, (b"content-type", b"application/json")]}
        await self.app(scope, receive, send)


def memory_application(settings: MemorySettings) -> App:
    """The memory, opened, and its routes."""
    equipment = Equipment(EquipmentSettings(memory=settings))
    equipment.memory()
    return standing_alone("Tertium memory", routes(equipment), ("match", "add", "search"))


def standing_alone(title: str, router: APIRouter, names: Sequence[str]) -> App:
    """Routes as an application of their own."""
    app = FastAPI(
        title=title,
        version=tertium.__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
        lifespan=few_threads,
    )
    app.state.office = OpenDoor()
    app.include_router(router)
    known = ", ".join(f"/{name}" for name in names)

    def refused(_request: Request, error: Exception) -> Response:
        return _said(error.status if isinstance(error, Problem) else 400, str(error))

    def invalid(_request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        first: dict[str, Any] = dict(next(iter(error.errors())))
        if first["type"] == "json_invalid":
            return _said(400, NOT_JSON)
        return _said(400, f"{pointer(first['loc']).lstrip('/') or 'question'}: {first['msg']}")

    def unknown(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if error.status_code == 404:
            return _said(404, f"there is no {request.url.path!r}; known: {known}")
        if error.status_code == 400:
            return _said(400, NOT_JSON)
        return _said(error.status_code, str(error.detail))

    for kind in (InputError, TertiumError, Problem):
        app.add_exception_handler(kind, refused)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, unknown)
    return Guards(AnyContent(app), BOUNDS, lambda _key, _client: None, https=False)


def _said(status: int, problem: str) -> Response:
    return JSONResponse({"error": problem}, status)


def from_environment() -> App:
    """The memory that a server serves, from TERTIUM_MEMORY (JSON)."""
    warnings.simplefilter("ignore", TertiumWarning)  # they may quote texts, which belong in no log
    return memory_application(read(MemorySettings, json.loads(os.environ["TERTIUM_MEMORY"]), "memory"))
