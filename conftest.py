"""What examples in docstrings and pages may use without importing it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def written(request: pytest.FixtureRequest) -> Callable[[str, str], Path] | None:
    """`written("da.tsv", text)`: a file with this text, in a folder of its own."""
    if not hasattr(request.node, "dtest"):
        return None
    folder = request.getfixturevalue("tmp_path")

    def written(name: str, text: str) -> Path:
        (folder / name).write_text(text, encoding="utf-8")
        return folder / name

    request.getfixturevalue("doctest_namespace")["written"] = written
    return written
