"""A judge on loopback that wants no key, is not waited for, and whose answers are kept for one test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tertium.io.judges import endpoint
from tests.judgeserver import JudgeServer, judging


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[JudgeServer]:
    monkeypatch.setenv("TERTIUM_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setattr(endpoint, "WAIT", 0.0)
    with judging() as own:
        yield own
