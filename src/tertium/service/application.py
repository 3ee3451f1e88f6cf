"""The service, put together: `application(database)` is what a server runs."""

from __future__ import annotations

import atexit
import json
import os
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from sqlalchemy.exc import DataError
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

import tertium
from tertium.errors import InputError, TertiumWarning
from tertium.monitor.database import ServiceDatabase
from tertium.service.background import Background
from tertium.service.capabilities.base import CAPABILITIES
from tertium.service.dashboard.pages import dashboard_routes
from tertium.service.dashboard.rendering import FOLDER
from tertium.service.equipment import Equipment, EquipmentSettings
from tertium.service.office import Office, ServiceSettings
from tertium.service.problems import HANDLERS, answer
from tertium.service.prometheus import prometheus_routes
from tertium.service.routes import version_1
from tertium.web.database import Database
from tertium.web.guards import App, Bounds, Guards
from tertium.web.running import AWAY, complain, describe_tokens, few_threads

MEGABYTE = 1024 * 1024
BOUNDS = Bounds({"/v1/": 64 * MEGABYTE}, otherwise=MEGABYTE, scripts="/no/")


def application(
    database: Database, settings: ServiceSettings | None = None, *, https: bool = False
) -> tuple[App, Office]:
    """The service, guarded, and what it keeps."""
    office = Office(database, settings or ServiceSettings(), https=https)
    app = FastAPI(
        title="Tertium",
        version=tertium.__version__,
        description="One API for the whole office: evaluate, estimate, check, match, search, assign, analyse.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/v1/openapi.json",
        lifespan=_at_work,
    )
    app.state.office = office
    app.include_router(version_1(office))
    app.router.routes.extend([*dashboard_routes(office), *prometheus_routes(office)])
    for name in CAPABILITIES:
        app.include_router(CAPABILITIES[name](office.equipment), prefix="/v1")

    @app.get("/health", include_in_schema=False)
    def health() -> Response:
        with database.reading() as connection:
            connection.exec_driver_sql("SELECT 1")
        return PlainTextResponse("ok")

    for kind, handler in HANDLERS.items():
        app.add_exception_handler(kind, handler)
    for away in AWAY:
        app.add_exception_handler(away, _away)
    app.add_exception_handler(DataError, _unkept)
    describe_tokens(app)
    guarded: App = Guards(app, BOUNDS, lambda _key, _client: None, https=https)
    if office.settings.equipment.annotate is not None:
        from tertium.service.beside import with_campaigns

        guarded = with_campaigns(
            guarded, office.settings.equipment.annotate.place(), FOLDER / "static", https=https
        )
    return guarded, office


@asynccontextmanager
async def _at_work(app: FastAPI) -> AsyncIterator[None]:
    background = Background(app.state.office)
    async with few_threads(app):
        background.start()
        try:
            yield
        finally:
            background.stop()


def _unkept(_request: Request, _error: Exception) -> Response:
    """PostgreSQL takes no NUL, and no numbers beyond its own."""
    return answer(422, "something in this request cannot be kept: a NUL, or a number that is too large")


def ready(settings: EquipmentSettings, workers: int) -> None:
    """One complaint before anything starts, not one from every worker."""
    if settings.annotate is not None:
        from tertium.service.beside import prepare_campaigns

        prepare_campaigns(settings.annotate.place())
    if settings.adapt is not None:
        if workers > 1:
            raise InputError("a system that learns ([adapt]) is in one process: --workers 1")
        live = Equipment(settings).adaptive()
        live.close()
        atexit.unregister(live.close)


def _away(_request: Request, error: Exception) -> Response:
    complain(error)
    return answer(503, "the database does not answer", headers={"retry-after": "5"})


def from_environment() -> App:
    """The service that a worker process makes, from TERTIUM_SERVICE (JSON)."""
    warnings.simplefilter("ignore", TertiumWarning)  # they may quote texts, which belong in no log
    given = json.loads(os.environ["TERTIUM_SERVICE"])
    database = ServiceDatabase(given["database"], create=False, migrate=False)
    named = given.get("settings")
    equipment = EquipmentSettings.load(named) if named else EquipmentSettings()
    settings = ServiceSettings(metrics=tuple(given["metrics"]), equipment=equipment)
    return application(database, settings, https=given["https"])[0]
