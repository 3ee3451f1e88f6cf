"""The app holds to its own description."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tertium.app.access import Access
from tertium.app.campaigns import create
from tertium.app.server import application
from tertium.human.campaigns.segments import Segment
from tertium.human.campaigns.settings import Settings
from tertium.web.guards import Limiter
from tests.app.made import database_at
from tests.app.test_scripts import SEGMENTS
from tests.described import surprises


class World:
    """An app with one campaign, called without a network."""

    def __init__(self, folder: Any) -> None:
        self.database = database_at(folder)
        plan = {"name": "a", "design": "pairwise", "annotators": {"items": 4}}
        create(self.database, Settings.of(plan), [Segment.of(record, "s") for record in SEGMENTS])
        self.headers = {"authorization": f"Bearer {Access(self.database).new_script_token()}"}
        self.app, self.house = application(self.database)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    found = World(tmp_path_factory.mktemp("description"))
    yield found
    found.database.close()


def test_no_surprise(world: World) -> None:
    def anew() -> None:
        world.house.limiter = Limiter()

    codes = surprises(world.app, "/api/openapi.json", world.headers, anew, operations=8)
    assert {200, 404, 422} <= codes, "some requests were good, some were bad: otherwise nothing was tried"
