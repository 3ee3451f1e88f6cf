"""Writes the table of docs/licences.md, every extra with its packages and their licences: `python -m tools.licences`.

The facts are those of the installed packages' own metadata; where it says nothing, the licence files are looked into. A
package that is not installed here is listed as such: nothing is guessed.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "licences.md"
BEGIN, END = "<!-- table: python -m tools.licences -->", "<!-- end of table -->"
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


def licence(found: Distribution) -> str:
    """What a package says of its licence."""
    said = found.metadata
    expression = said.get("License-Expression")
    if expression:
        return str(expression)
    classified = [
        line.split(" :: ")[-1] for line in said.get_all("Classifier") or [] if line.startswith("License ::")
    ]
    written = str(said.get("License") or "").strip()
    if written and "\n" not in written and len(written) < 60:
        return written
    if classified:
        return ", ".join(dict.fromkeys(classified))
    for file in found.files or ():
        if re.search(r"licen[cs]e|copying", file.name, re.IGNORECASE):
            path = Path(str(file.locate()))
            text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
            for sign, name in TEXTS.items():
                if sign in text:
                    return f"{name} (its licence file)"
    return "its metadata does not say"


def rows() -> Iterator[tuple[str, str, str, str]]:
    """Extra, package, version, licence."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {"(always)": project["dependencies"], **project["optional-dependencies"]}
    for extra, requirements in wanted.items():
        for requirement in requirements if extra not in OURS else ():
            package = re.split(r"[<>=!~\[; ]", requirement)[0]
            try:
                found = distribution(package)
            except PackageNotFoundError:
                yield extra, package, "not installed here", "not looked at"
                continue
            yield extra, package, found.version, licence(found)


def table() -> str:
    """The table in Markdown; what is not permissive is in bold."""
    lines = ["| extra | package | release | licence |", "|---|---|---|---|"]
    for extra, package, version, said in rows():
        shown = f"**{said}**" if COPYLEFT.search(said) else said
        lines.append(f"| `{extra}` | {package} | {version} | {shown} |")
    return "\n".join(lines)


def main() -> int:
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n\n{table()}\n\n{END}{after}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
