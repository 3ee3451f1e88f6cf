"""What must hold before a release: a clean tree, one version, a dated entry in the changelog, real addresses."""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PLACEHOLDER = "tertium.example"


def version(root: Path = ROOT) -> str:
    """The one place that says it."""
    text = (root / "src" / "tertium" / "__init__.py").read_text("utf-8")
    return re.findall(r'^__version__ = "([^"]+)"$', text, re.M)[0]


def entry(root: Path = ROOT) -> tuple[str, str]:
    """Version and date of the changelog's first entry."""
    text = (root / "CHANGELOG.md").read_text("utf-8")
    found = re.search(r"^## (\S+) \((.+)\)$", text, re.M)
    return (found[1], found[2]) if found else ("", "")


def in_the_way(root: Path = ROOT) -> Iterator[str]:
    """What keeps a release from being uploaded, a line each."""

    def git(*words: str) -> str:
        return subprocess.run(
            ["git", *words], cwd=root, capture_output=True, text=True, check=True
        ).stdout.strip()

    if git("status", "--porcelain"):
        yield "the working tree has changes: git status"
    number = version(root)
    logged, date = entry(root)
    if logged != number:
        yield f"CHANGELOG.md begins with {logged or 'no version'}, src/tertium/__init__.py says {number}"
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", date):
        yield f"CHANGELOG.md: {logged} is dated {date!r}, not with a day"
    if not re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", number):
        yield f"{number} is no version for a release"
    if git("tag", "--list", f"v{number}"):
        yield f"the tag v{number} exists already"
    urls = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
    if any(PLACEHOLDER in address for address in urls.values()):
        yield f"pyproject.toml: [project.urls] has {PLACEHOLDER}, which stands for an address still to come"
