"""The page of a memory that was looked through: units to mark as right or wrong, and counts, in one HTML file."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from tertium.report.assembly import Page, many, page_parts, write_page
from tertium.report.embedding import json_block, packed_json

if TYPE_CHECKING:
    from tertium.memory.checked import CheckedMemory

SCRIPTS = (
    "packed.js",
    "numbers.js",
    "memory-data.js",
    "draw.js",
    "memory-units.js",
    "memory-counts.js",
    "shell.js",
)
STYLES = ("page.css", "memory.css")

SECTIONS = (
    (
        "units",
        "Units",
        "What is most likely wrong comes first. Keys: J and K go to the next and previous unit, W marks it as wrong, "
        "R as right, U takes the mark back. Marks stay in this browser; save them for --labels.",
    ),
    (
        "counts",
        "Counts",
        "How many units each check doubts, and how many deserve a look, by what they share.",
    ),
)


def render_memory(found: CheckedMemory) -> str:
    """The page as HTML.

    >>> from tertium.memory.checked import CheckedMemory
    >>> found = CheckedMemory("in.tmx", 0, 0, True, (), (), (), (), ())
    >>> render_memory(found).splitlines()[0]
    '<!doctype html>'
    """
    return "".join(_parts(found))


def write_memory_page(path: str | os.PathLike[str], found: CheckedMemory) -> None:
    """Write the page to a file, which appears when all of it is written."""
    write_page(path, _parts(found))


def _parts(found: CheckedMemory) -> Iterator[str]:
    data = found.data()
    units = data.pop("worst")
    name = data["memory"].rpartition("/")[2]
    seed = "\0".join(
        [data["memory"], str(data["units"]), *(f"{own['number']} {own['target']}" for own in units)]
    )
    data["identity"] = hashlib.sha256(seed.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    data["name"] = name
    page = Page(
        title=f"Memory {name}",
        facts=tuple(_facts(data, len(units))),
        summary=tuple(found.words()),
        sections=SECTIONS,
        version=data["tertium"],
        scripts=SCRIPTS,
        styles=STYLES,
    )
    return page_parts(page, (json_block("checked", data), packed_json("units-data", units)))


def _facts(data: Mapping[str, Any], listed: int) -> Iterator[str]:
    yield many(data["units"], "unit")
    yield f"{many(data['look'], 'unit')} to look at"
    yield f"{many(listed, 'unit')} on this page"
    if data["only"]:
        yield "clients: " + ", ".join(data["only"])
