"""The page of licences knows every extra, and names what is not permissive."""

from __future__ import annotations

import io
import re
import tarfile
import zipfile
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tools.licences import BEGIN, COPYLEFT, END, PAGE, of_archive, released, stated, wanted


def listed() -> dict[tuple[str, str], tuple[str, str, str]]:
    """Last release, its day and the licence, by extra and package."""
    table = PAGE.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines() if "|" in line]
    return {(row[0].strip("`"), row[1]): (row[2], row[3], row[4]) for row in rows[2:]}


def test_every_extra_is_on_the_page() -> None:
    found = listed()
    assert set(found) == {(extra, requirement.name) for extra, requirement in wanted()}, (
        f"python -m tools.licences makes the table of {PAGE.name} anew"
    )
    for row, (version, day, licence) in found.items():
        assert re.match(r"\d+(\.\d+)+", version), row
        assert re.fullmatch(r"20\d\d-\d\d-\d\d", day), row
        assert "not" not in licence, row


def test_copyleft_is_named() -> None:
    """What is LGPL stands in bold, in the sentence above, and beside its extra in pyproject.toml; nothing else does."""
    above = PAGE.read_text(encoding="utf-8").partition(BEGIN)[0]
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    bold = {extra: package for (extra, package), row in listed().items() if row[2].startswith("**")}
    for (extra, package), (_, _, licence) in listed().items():
        assert bool(COPYLEFT.search(licence)) == (bold.get(extra) == package)
    sentence = re.search(r"\*\*LGPL extras\*\*, by name: (.*?)\. ", above)
    assert sentence is not None
    assert dict(re.findall(r"`([\w-]+)` \(([\w-]+)\)", sentence[1])) == bold
    assert set(re.findall(r"^([\w-]+) = .*# LGPL", project, re.MULTILINE)) == set(bold)


def test_what_is_installed_says_the_same() -> None:
    """As far as it is installed: no package is LGPL here and permissive on the page."""
    looked_at = 0
    for (_, package), (_, _, licence) in listed().items():
        try:
            said = distribution(package).metadata
        except PackageNotFoundError:
            continue
        own = stated(said.get("License-Expression"), said.get("License"), said.get_all("Classifier") or [])
        looked_at += own is not None
        assert own is None or bool(COPYLEFT.search(own)) == bool(COPYLEFT.search(licence)), package
    assert looked_at > 10


def answer(**info: Any) -> dict[str, Any]:
    """As PyPI answers, as far as it is read."""
    files = [{"upload_time_iso_8601": f"2026-03-0{day}T09:00:00.0Z"} for day in (5, 4)]
    return {"info": {"version": "1.2", **info}, "urls": files}


def test_last_release() -> None:
    assert released("x", answer(license_expression="MIT")) == ("1.2", "2026-03-04", "MIT")
    long = {"license": "A text\nof many lines", "classifiers": ["License :: OSI Approved :: BSD License"]}
    assert released("x", answer(**long)).licence == "BSD License"
    with pytest.raises(SystemExit, match="no file of its last release"):
        released("x", answer(license_expression="MIT") | {"urls": []})


@pytest.mark.parametrize("kind", ["wheel", "source"])
def test_licence_files_of_archives(tmp_path: Path, kind: str) -> None:
    text = b"GNU LESSER GENERAL PUBLIC LICENSE\nVersion 3\n"
    if kind == "wheel":
        path = tmp_path / "x-1.2-py3-none-any.whl"
        with zipfile.ZipFile(path, "w") as wheel:
            wheel.writestr("x/__init__.py", "Apache License")
            wheel.writestr("x-1.2.dist-info/licenses/COPYING", text)
    else:
        path = tmp_path / "x-1.2.tar.gz"
        with tarfile.open(path, "w:gz") as source:
            for name, data in (("x-1.2/x.py", b"Apache License"), ("x-1.2/LICENCE.txt", text)):
                member = tarfile.TarInfo(name)
                member.size = len(data)
                source.addfile(member, io.BytesIO(data))
    assert of_archive(path) == "LGPL (its licence file)"
