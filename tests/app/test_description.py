"""schemathesis: requests made from the OpenAPI description, good and bad. No 500, no answer it does not describe."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.specs.openapi import checks as openapi_checks

from tertium.app.access import Access
from tertium.app.campaigns import create
from tertium.app.server import application
from tertium.human.campaigns.segments import Segment
from tertium.human.campaigns.settings import Settings
from tertium.web.guards import Limiter
from tests.app.made import database_at
from tests.app.test_scripts import SEGMENTS

CHECKS = [
    schemathesis.checks.not_a_server_error,
    openapi_checks.status_code_conformance,
    openapi_checks.content_type_conformance,
    openapi_checks.response_schema_conformance,
]


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


# By hand, not by schemathesis' own plugin, which reaches into pytest's insides.
def test_no_surprise(world: World) -> None:
    described = schemathesis.openapi.from_asgi("/api/openapi.json", world.app)
    operations = [found.ok() for found in described.get_all_operations()]
    assert len(operations) == 8
    codes: set[int] = set()
    for operation in operations:
        for mode in (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE):

            @given(case=operation.as_strategy(generation_mode=mode))
            @settings(
                max_examples=8,
                deadline=None,
                derandomize=True,
                database=None,
                phases=[Phase.explicit, Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            def try_out(case: Any) -> None:
                world.house.limiter = Limiter()
                found = case.call(headers=world.headers)
                codes.add(found.status_code)
                case.validate_response(found, checks=CHECKS)

            try:
                try_out()
            except Unsatisfiable:  # there is nothing wrong to send
                assert mode == schemathesis.GenerationMode.NEGATIVE
    assert {200, 404, 422} <= codes, "some requests were good, some were bad: otherwise nothing was tried"
