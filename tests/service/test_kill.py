"""A service that is killed loses nothing that it acknowledged; fifty times on each database: `make kill-service`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.test_kill import postgres
from tests.service.killing import killed_under_load


def test_sqlite_keeps_what_it_acknowledged(tmp_path: Path) -> None:
    found = killed_under_load(str(tmp_path / "office"), kills=2, senders=4)
    assert found.acknowledged > 6
    assert found.again, "the service was never killed while somebody waited"


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_postgresql_keeps_what_it_acknowledged(tmp_path: Path) -> None:
    with postgres(tmp_path) as url:
        found = killed_under_load(url, kills=2, senders=4, workers=2)
    assert found.acknowledged > 6
    assert found.again
