"""Writes THIRD_PARTY_NOTICES: what others made and a wheel or the source distribution has, with the licences.

    python -m tools.release.notices            # writes the file
    python -m tools.release.notices --check    # only says whether it is up to date

The texts of licences are those of the installed packages: nanobind, icu4py (Unicode's), snowballstemmer.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
TARGET = ROOT / "THIRD_PARTY_NOTICES"
HEAD = """\
Tertium is under the Apache License 2.0 (the file LICENSE). It has parts that others made or that rest on their work.
Each is named here with where it is, under which terms, and the text of the licence.

Packages that Tertium depends on, always or as extras, are not part of it: they are installed beside it and bring their
own licences (docs/licences.md). Wheels for Linux may have parts of GCC's runtime library linked in, under the GCC
Runtime Library Exception, which asks for no notice.
"""


@dataclass(frozen=True)
class Notice:
    """Something of others, where it is in our tree (or that it is linked in), and the terms."""

    name: str
    what: str
    where: tuple[str, ...]
    licence: str
    text: Callable[[], str]


def licence_file(package: str, name: str) -> str:
    """A file of licences that an installed package brings."""
    found = [file for file in distribution(package).files or () if file.name == name]
    return Path(str(found[0].locate())).read_text("utf-8").strip()


def robin_map() -> str:
    """The comment at the head of the header."""
    header = next(file for file in distribution("nanobind").files or () if file.name == "robin_map.h")
    text = Path(str(header.locate())).read_text("utf-8")
    lines = text[text.index("/**") + 3 : text.index("*/")].splitlines()
    return "\n".join(line.removeprefix(" *").removeprefix(" ").rstrip() for line in lines).strip()


def unicode() -> str:
    """The first of the licences that come with ICU."""
    text = licence_file("icu4py", "LICENSE-ICU")
    return text[: text.index("SPDX-License-Identifier")].strip()


NOTICES = (
    Notice(
        "nanobind",
        "binds the native core to Python; linked into tertium/_native",
        ("CMakeLists.txt",),
        "BSD-3-Clause",
        lambda: licence_file("nanobind", "LICENSE"),
    ),
    Notice(
        "tsl::robin_map",
        "hash tables of nanobind; linked into tertium/_native",
        ("CMakeLists.txt",),
        "MIT",
        robin_map,
    ),
    Notice(
        "Unicode Character Database",
        "general categories, letters and case; tables compiled into tertium/_native, made from the package regex",
        ("native/unicode_classes.hpp", "native/unicode_letters.hpp"),
        "Unicode-3.0",
        unicode,
    ),
    Notice(
        "Snowball",
        "the English and Finnish stemmers follow its algorithms; the code is our own",
        ("native/stem_english.hpp", "src/tertium/text/finnish.py", "src/tertium/text/stemmers.py"),
        "BSD-3-Clause",
        lambda: licence_file("snowballstemmer", "COPYING"),
    ),
    Notice(
        "sacrebleu",
        "names, messages and the facts of test sets (names, addresses, checksums) are those of sacrebleu 2.6.0",
        ("src/tertium/data/testsets.json", "src/tertium/compat/sacrebleu"),
        "Apache-2.0",
        lambda: (
            "Copyright 2017--2018 Amazon.com, Inc. or its affiliates. All Rights Reserved.\n\n"
            "The terms are those of the Apache License 2.0; the file LICENSE has its text."
        ),
    ),
    Notice(
        "GloVe 6B",
        "the order of its 20,000 most frequent English words (Pennington, Socher and Manning 2014)",
        ("src/tertium/data/word_ranks/en.txt",),
        "PDDL-1.0",
        lambda: (
            "Public Domain Dedication and License 1.0, https://opendatacommons.org/licenses/pddl/1-0/.\n"
            "The database is dedicated to the public domain; nothing is asked of who uses it."
        ),
    ),
    Notice(
        "iframe-worker",
        "lets the documentation site search from the disk; in the source distribution, not in wheels",
        ("docs/iframe-worker.js",),
        "MIT",
        lambda: (
            re.split(r"\*/", (ROOT / "docs" / "iframe-worker.js").read_text("utf-8"))[0]
            .split("\n", 2)[2]
            .strip()
        ),
    ),
)


def notices() -> str:
    parts = [HEAD]
    for notice in NOTICES:
        title = f"{notice.name} ({notice.licence})"
        where = ", ".join(notice.where)
        parts.append(f"{'=' * 78}\n{title}\n{notice.what}\n({where})\n{'=' * 78}\n\n{notice.text()}\n")
    return "\n".join(parts)


def main() -> int:
    made = notices()
    if "--check" in sys.argv[1:]:
        if TARGET.read_text("utf-8") == made:
            return 0
        print("THIRD_PARTY_NOTICES is not up to date: python -m tools.release.notices", file=sys.stderr)
        return 1
    TARGET.write_text(made, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
