"""Pages of the site: each says what can be done after it, and has its place; notebooks are stored without outputs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from tests.conftest import ROOT

PAGES = sorted((ROOT / "docs").rglob("*.md"))
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
AFTER = "**After this page you can** "


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_page_says_what_its_reader_can_do(page: Path) -> None:
    last = page.read_text("utf-8").rstrip().split("\n\n")[-1]
    assert last.startswith(AFTER)
    assert last.endswith(".")
    assert 25 < len(last) - len(AFTER) < 200


def test_every_page_has_its_place() -> None:
    """Pages of metrics find theirs by their group (tools/site/metrics.py)."""

    def listed(entry: object) -> list[str]:
        if isinstance(entry, str):
            return [entry]
        parts = entry.values() if isinstance(entry, dict) else entry
        return [page for part in parts for page in listed(part)]  # type: ignore[union-attr]

    navigation = listed(yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))["nav"])
    assert len(navigation) == len(set(navigation))
    pages = {str(page.relative_to(ROOT / "docs")) for page in PAGES}
    assert {page for page in pages if not page.startswith("metrics/")} <= set(navigation)


def test_notebooks_are_stored_without_outputs() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["compare", "estimate", "meta"]
    for path in NOTEBOOKS:
        cells = json.loads(path.read_text("utf-8"))["cells"]
        assert all(
            not cell["outputs"] and cell["execution_count"] is None
            for cell in cells
            if cell["cell_type"] == "code"
        )
        assert AFTER in "".join(cells[-1]["source"])


def test_pictures_are_made_by_scripts() -> None:
    """No screenshot by hand: the name of every picture is in a tool that writes it. (The mark is drawn.)"""
    pictures = {path.stem for ending in ("png", "svg") for path in (ROOT / "docs").glob(f"*.{ending}")}
    tools = "".join(path.read_text("utf-8") for path in (ROOT / "tools").rglob("*.py"))
    assert len(pictures) >= 9
    assert {name for name in pictures if name not in tools} == set()
