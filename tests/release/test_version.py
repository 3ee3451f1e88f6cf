"""The version stands in one place; a release needs a clean tree, a dated entry and real addresses."""

from __future__ import annotations

import re
import subprocess
import tomllib
from importlib.metadata import metadata
from pathlib import Path

import pytest
import yaml

import tertium
from tests.conftest import ROOT
from tools.release.stating import PLACEHOLDER, entry, in_the_way, version

SETTINGS = (
    "pyproject.toml",
    "CMakeLists.txt",
    "CITATION.cff",
    "Dockerfile",
    "compose.yaml",
    "Makefile",
    "mkdocs.yml",
)
ASSIGNED = re.compile(r"""^\s*["']?_*version_*["']?\s*[:=]\s*["']?\d""", re.M | re.IGNORECASE)


def project() -> dict[str, object]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def test_one_version_in_one_place() -> None:
    assert version() == tertium.__version__
    tables = project()
    assert tables["project"]["dynamic"] == ["version"]  # type: ignore[index]
    assert "version" not in tables["project"]  # type: ignore[operator]
    own = ROOT / "src" / "tertium"
    theirs = {own / "compat" / "sacrebleu" / "version.py"}  # of sacrebleu, whose signatures it writes
    sources = {
        path for path in own.rglob("*.py") if re.search(r"^__version__\s*=", path.read_text("utf-8"), re.M)
    }
    assert sources - theirs == {own / "__init__.py"}
    settings = [
        *(ROOT / name for name in SETTINGS),
        *(ROOT / ".github").rglob("*.yml"),
        ROOT / ".gitlab-ci.yml",
    ]
    for path in settings:
        text = path.read_text("utf-8")
        assert version() not in text, f"{path.name} says the version, too"
        if path.name != "pyproject.toml":
            assert not ASSIGNED.search(text.replace("cff-version", "")), path.name


def test_what_would_be_a_second_place_is_found() -> None:
    assert ASSIGNED.search('version = "0.1.0"')
    assert ASSIGNED.search("version: 1.2\n")
    assert not ASSIGNED.search("cmake.version = '>=3.26'")


def test_the_changelog_begins_with_this_version() -> None:
    logged, date = entry()
    assert logged == version()
    assert date == "unreleased" or re.fullmatch(r"\d{4}-\d\d-\d\d", date)


def test_addresses_are_all_of_one_place() -> None:
    """There is no public address yet: one name that leads nowhere stands for it, in pyproject.toml only."""
    urls = project()["project"]["urls"]  # type: ignore[index]
    assert set(urls) == {"Homepage", "Documentation", "Source", "Issues", "Changelog"}
    base = urls["Homepage"]
    assert all(address.startswith(base) for address in urls.values())
    tracked = subprocess.run(
        ["git", "grep", "-l", "--untracked", PLACEHOLDER], cwd=ROOT, capture_output=True, text=True
    ).stdout.split()
    assert set(tracked) <= {"pyproject.toml", "docs/release.md", "tools/release/stating.py"}


def test_citation() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    about = project()["project"]
    assert cited["license"] == about["license"]  # type: ignore[index]
    assert set(cited["keywords"]) == set(about["keywords"])  # type: ignore[index]
    assert [author["name"] for author in cited["authors"]] == [author["name"] for author in about["authors"]]  # type: ignore[index]
    assert "version" not in cited  # signatures say it; this file would be a second place


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A repository in which nothing is in the way."""
    (tmp_path / "src" / "tertium").mkdir(parents=True)
    (tmp_path / "src" / "tertium" / "__init__.py").write_text('__version__ = "1.2.0"\n')
    (tmp_path / "CHANGELOG.md").write_text(
        "# Changelog\n\n## 1.2.0 (2030-01-31)\n\n- More.\n\n## 1.1.0 (2029-01-31)\n"
    )
    (tmp_path / "pyproject.toml").write_text('[project.urls]\nHomepage = "https://example.org"\n')
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "all"]):
        who = ["-c", "user.name=n", "-c", "user.email=e"]
        subprocess.run(["git", *who, *words], cwd=tmp_path, check=True)
    return tmp_path


def test_nothing_is_in_the_way(tree: Path) -> None:
    assert list(in_the_way(tree)) == []


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("CHANGELOG.md", "1.2.0 (", "1.3.0 (", "begins with 1.3.0"),
        ("CHANGELOG.md", "2030-01-31", "unreleased", "not with a day"),
        ("src/tertium/__init__.py", "1.2.0", "1.2.0.dev1", "no version for a release"),
        ("pyproject.toml", "example.org", PLACEHOLDER, "still to come"),
    ],
)
def test_what_is_in_the_way_is_named(tree: Path, file: str, old: str, new: str, said: str) -> None:
    path = tree / file
    path.write_text(path.read_text().replace(old, new))
    found = list(in_the_way(tree))
    assert any(said in line for line in found)
    assert any("git status" in line for line in found)


def test_a_tag_is_given_once(tree: Path) -> None:
    subprocess.run(["git", "tag", "v1.2.0"], cwd=tree, check=True)
    assert list(in_the_way(tree)) == ["the tag v1.2.0 exists already"]


def test_what_is_installed_says_the_same() -> None:
    said = metadata("tertium")
    assert said["Version"] == version()
