"""The page of licences knows every extra, and names what is not permissive."""

from __future__ import annotations

import re
import tomllib

from tests.conftest import ROOT
from tools.licences import BEGIN, COPYLEFT, END, PAGE, rows


def test_every_extra_is_on_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    table = page.partition(BEGIN)[2].partition(END)[0]
    listed = {
        tuple(cell.strip().strip("`") for cell in line.split("|")[1:3])
        for line in table.splitlines()
        if "|" in line
    }
    found = list(rows())
    missing = {(extra, package) for extra, package, _, _ in found} - listed
    assert not missing, f"python -m tools.licences makes the table of {PAGE.name} anew"


def test_copyleft_is_named() -> None:
    """What metadata calls LGPL stands in bold, in the sentence above, and beside its extra in pyproject.toml."""
    page = PAGE.read_text(encoding="utf-8")
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    extras = tomllib.loads(project)["project"]["optional-dependencies"]
    for extra, package, _, said in rows():
        if not COPYLEFT.search(said):
            continue
        assert extra in extras
        assert f"`{extra}` ({package})" in page.partition(BEGIN)[0]
        assert re.search(rf"^{extra} = .*# LGPL", project, re.MULTILINE)
        assert re.search(rf"\| {package} \|.*\*\*.*GPL", page)
