"""The service holds to its own description."""

from __future__ import annotations

from pathlib import Path

from starlette.testclient import TestClient

from tertium.monitor.database import ServiceDatabase
from tertium.monitor.keys import ServiceKeys
from tertium.service.application import application
from tertium.web.guards import Limiter
from tests.described import surprises


def test_no_surprise(tmp_path: Path) -> None:
    database = ServiceDatabase(tmp_path / "service.db")
    token = ServiceKeys(database).create("administrator", ["administer"])
    app, office = application(database)

    def anew() -> None:
        office.limiter = Limiter()

    headers = {"authorization": f"Bearer {token}"}
    described = TestClient(app).get("/v1/openapi.json").json()["paths"].values()
    codes = surprises(app, "/v1/openapi.json", headers, anew, operations=sum(map(len, described)))
    assert {200, 404, 422} <= codes, "some requests were good, some were bad: otherwise nothing was tried"
    database.close()
