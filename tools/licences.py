"""Writes the table of docs/licences.md, every extra with its packages, their licences and last releases.

    python -m tools.licences

The facts are those that PyPI has of each package's last release: its version, the day on which its files were uploaded,
and what its own metadata says of the licence. Where that says nothing, the licence files are looked into: of the
installed package, else of the archive that pip downloads (without installing it). Nothing is guessed.
"""

from __future__ import annotations

import datetime
import json
import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import urllib.request
import zipfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, NamedTuple

from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "licences.md"
BEGIN, END = "<!-- table: python -m tools.licences -->", "<!-- end of table -->"
INDEX = "https://pypi.org/pypi/{}/json"
OURS = ("docs", "test", "test-heavy", "bench", "bench-heavy")  # for those who work on Tertium
TEXTS = {  # how licence files begin, or what only they say
    "Apache License": "Apache-2.0",
    "MIT License": "MIT",
    "Mozilla Public License": "MPL-2.0",
    "GNU LESSER GENERAL PUBLIC LICENSE": "LGPL",
    "GNU GENERAL PUBLIC LICENSE": "GPL",
    "Redistribution and use in source and binary forms": "BSD",
    "Permission is hereby granted, free of charge": "MIT",
    "Nara Institute of Science and Technology": "NAIST (permissive, see the file)",
}
COPYLEFT = re.compile(r"\b(?:L|A)?GPL|MPL")
_FILE = re.compile(r"licen[cs]e|copying", re.IGNORECASE)


class Released(NamedTuple):
    """The last release of a package, as the index has it."""

    version: str
    day: str
    licence: str


def wanted() -> Iterator[tuple[str, Requirement]]:
    """Extras, and what pyproject.toml asks for in them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for extra, requirements in {
        "(always)": project["dependencies"],
        **project["optional-dependencies"],
    }.items():
        for requirement in requirements if extra not in OURS else ():
            yield extra, Requirement(requirement)


def stated(expression: str | None, written: str | None, classifiers: list[str]) -> str | None:
    """What metadata says of the licence, by the first of its fields that says something short.

    >>> stated(None, "MIT\\nPermission is...", ["License :: OSI Approved :: MIT License"])
    'MIT License'
    """
    if expression:
        return expression
    written = (written or "").strip()
    if written and "\n" not in written and len(written) < 60:
        return written
    classified = [line.split(" :: ")[-1] for line in classifiers if line.startswith("License ::")]
    return ", ".join(dict.fromkeys(classified)) or None


def of_texts(texts: Iterator[str]) -> str | None:
    for text in texts:
        for sign, name in TEXTS.items():
            if sign in text:
                return f"{name} (its licence file)"
    return None


def of_installed_files(package: str) -> str | None:
    try:
        files = distribution(package).files or ()
    except PackageNotFoundError:
        return None
    paths = (Path(str(file.locate())) for file in files if _FILE.search(file.name))
    return of_texts(path.read_text(encoding="utf-8", errors="replace") for path in paths if path.is_file())


def of_archive(path: Path) -> str | None:
    """What licence files in a wheel or a source archive say."""

    def texts() -> Iterator[str]:
        if path.suffix == ".whl":
            with zipfile.ZipFile(path) as wheel:
                for name in filter(_FILE.search, wheel.namelist()):
                    yield wheel.read(name).decode("utf-8", "replace")
        else:
            with tarfile.open(path) as source:
                for member in source:
                    if member.isfile() and _FILE.search(Path(member.name).name):
                        file = source.extractfile(member)
                        yield file.read().decode("utf-8", "replace") if file else ""

    return of_texts(texts())


def of_download(package: str, version: str) -> str | None:
    with tempfile.TemporaryDirectory() as folder:
        asked = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--no-deps",
            "-q",
            "-d",
            folder,
            f"{package}=={version}",
        ]
        subprocess.run(asked, check=False)
        return next((of_archive(path) for path in Path(folder).iterdir()), None)


def released(package: str, given: dict[str, Any]) -> Released:
    """The last release, of what the index answers."""
    said = given["info"]
    days = [file["upload_time_iso_8601"][:10] for file in given["urls"]]
    if not days:
        raise SystemExit(f"{package}: the index names no file of its last release, {said['version']}")
    licence = stated(said.get("license_expression"), said.get("license"), said.get("classifiers") or [])
    licence = licence or of_installed_files(package) or of_download(package, said["version"])
    return Released(said["version"], min(days), licence or "its metadata does not say")


def asked(package: str) -> Released:
    try:
        with urllib.request.urlopen(INDEX.format(package), timeout=60) as answer:
            given = json.load(answer)
    except (OSError, ValueError) as error:
        raise SystemExit(f"{package}: the index gives no answer ({error}); the page stays as it is") from None
    return released(package, given)


def table() -> str:
    """The table in Markdown; what is not permissive is in bold."""
    lines = ["| extra | package | last release | of | licence |", "|---|---|---|---|---|"]
    known: dict[str, Released] = {}
    for extra, requirement in wanted():
        package = requirement.name
        found = known[package] = known.get(package) or asked(package)
        shown = f"**{found.licence}**" if COPYLEFT.search(found.licence) else found.licence
        taken = "" if requirement.specifier.contains(found.version) else f" (we take {requirement.specifier})"
        lines.append(f"| `{extra}` | {package} | {found.version}{taken} | {found.day} | {shown} |")
    return "\n".join(lines)


def main() -> int:
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    made = f"As PyPI had it on {today}:\n\n{table()}"
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n\n{made}\n\n{END}{after}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
