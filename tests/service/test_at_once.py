"""PostgreSQL has many writers: what two of them make known at the same moment is known once, and neither is refused."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select
from starlette.testclient import TestClient

from tertium.monitor import schema
from tertium.monitor.database import ServiceDatabase
from tertium.monitor.keys import ServiceKeys, system_number
from tertium.monitor.releases import first_seen
from tertium.service.application import application
from tertium.web.database import inserted
from tests.app.test_kill import postgres
from tests.service.site import segments

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")


class Shared:
    """An office that two write to."""

    def __init__(self, url: str) -> None:
        self.database = ServiceDatabase(url)
        self.key = ServiceKeys(self.database).create("administrator", ["administer"])
        self.client = TestClient(application(self.database)[0])

    def post(self, path: str, **body: Any) -> Any:
        return self.client.post(f"/v1/{path}", json=body, headers={"authorization": f"Bearer {self.key}"})

    def evaluate(self, **more: Any) -> Any:
        return self.post("evaluations", system="new", document="d", segments=segments(most=3), **more)

    def while_another(self, writes: Callable[[Any], object], call: Callable[[], Any]) -> Any:
        """A call that comes when another one has written the same and is about to end."""
        answers: list[Any] = []
        caller = threading.Thread(target=lambda: answers.append(call()))
        with self.database.writing() as connection:
            writes(connection)
            caller.start()
            until = time.monotonic() + 60
            waits = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
            with self.database.engine.connect() as looking:
                while not looking.exec_driver_sql(waits).scalar():
                    assert time.monotonic() < until, "the second does not wait for the first"
                    assert caller.is_alive(), answers
                    looking.rollback()
                    time.sleep(0.02)
        caller.join(60)
        return answers[0]

    def count(self, table: Any) -> int:
        return int(self.database.rows(select(func.count()).select_from(table))[0][0])


@pytest.fixture
def shared_office(tmp_path: Path) -> Iterator[Shared]:
    with postgres(tmp_path) as url:
        office = Shared(url)
        yield office
        office.database.close()


def test_a_system_and_a_version_that_two_name_first(shared_office: Shared) -> None:
    office = shared_office
    answer = office.while_another(
        lambda connection: system_number(connection, "new", create=True), office.evaluate
    )
    assert answer.status_code == 201, answer.text
    number = answer.json()["id"]
    known = office.database.write(lambda connection: system_number(connection, "new"))
    assert known is not None
    answer = office.while_another(
        lambda connection: first_seen(connection, known, "7.1", 1.0), lambda: office.evaluate(version="7.1")
    )
    assert answer.status_code == 201, answer.text
    assert (office.count(schema.systems), office.count(schema.releases)) == (1, 1)

    own = {"segment": 0, "kind": "da", "annotator": "ann", "value": 70.0}
    sent = {"evaluation": number, "marks": [own]}
    kept = {**own, "key": 1, "evaluation": number, "spans": "[]", "received": 1.0}
    answer = office.while_another(
        lambda connection: inserted(connection, schema.marks, **kept), lambda: office.post("marks", **sent)
    )
    assert (answer.status_code, answer.json()) == (201, {"new": 0})
    other = {"evaluation": number, "marks": [{**own, "value": 10.0}]}
    assert office.post("marks", **other).status_code == 409

    hook = {"url": "https://example.org/hook"}
    answer = office.while_another(
        lambda connection: inserted(connection, schema.webhooks, **hook, secret="s", created=1.0),
        lambda: office.post("webhooks", **hook),
    )
    assert answer.status_code == 422
    assert "such a webhook already" in answer.json()["detail"]
