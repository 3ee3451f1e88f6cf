"""Pages put together: template, style, scripts and data in one file that loads nothing from the network."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from typing import NamedTuple

from tertium.io import escaping
from tertium.io.files import write_atomically

NEEDS_SCRIPT = (
    '<noscript><p class="note">The tables, plots and segments below need JavaScript, which is disabled here.</p>'
    "</noscript>\n"
)
_SURROGATES = re.compile("[\ud800-\udfff]")


class Page(NamedTuple):
    """What is on a page besides its data. Texts are texts: they are escaped here."""

    title: str
    facts: tuple[str, ...]  # under the title
    summary: tuple[str, ...]  # sentences
    sections: tuple[tuple[str, str, str], ...]  # identity, title, a line on how to read it
    version: str
    scripts: tuple[str, ...]  # in the order in which they need each other; together they are one script
    styles: tuple[str, ...]
    bodies: Mapping[str, str] | None = None  # sections that are HTML already; None: scripts fill them


def page_parts(page: Page, blocks: Iterable[str]) -> Iterator[str]:
    """The page, piece by piece; `blocks` are its data, as `embedding` makes them."""
    style = "\n".join(map(_file, page.styles))
    bodies = page.bodies or {}
    script = "(() => {\n" + "\n".join(map(_file, page.scripts)) + "})();\n"
    values = {
        "policy": _policy(script, style),
        "title": html_text(page.title),
        "facts": "".join(f"<li>{html_text(fact)}</li>" for fact in page.facts),
        "style": style,
        "links": "".join(
            f'<li><a href="#{key}">{html_text(title)}</a></li>' for key, title, _ in page.sections
        ),
        "summary": "".join(f'<li dir="auto">{html_text(line)}</li>' for line in page.summary),
        "sections": "".join(
            f'<section id="{key}" aria-labelledby="{key}-title"><h2 id="{key}-title">{html_text(title)}</h2>'
            f'<p class="lead">{html_text(lead)}</p><div class="body">{bodies.get(key, "")}</div></section>\n'
            for key, title, lead in page.sections
        ),
        "noscript": NEEDS_SCRIPT if page.bodies is None else "",
        "version": html_text(f"Tertium {page.version}" if page.version else "Tertium"),
        "script": script,
    }
    template = _file("page.html")
    place = 0
    for found in re.finditer(r"\{\{(\w+)\}\}", template):
        yield template[place : found.start()]
        if found.group(1) == "data":
            yield from blocks
        else:
            yield values[found.group(1)]
        place = found.end()
    yield template[place:]


def write_page(path: str | os.PathLike[str], parts: Iterator[str]) -> None:
    """Write a page to a file, which appears when all of it is written."""
    with write_atomically(path) as file:
        file.writelines(parts)


def many(number: int, one: str, several: str = "") -> str:
    """A number of things, as a fact of a page.

    >>> many(1, "system"), many(1200, "category", "categories")
    ('1 system', '1,200 categories')
    """
    return f"{number:,} {one if number == 1 else several or one + 's'}"


def _policy(script: str, style: str) -> str:
    """Content-Security-Policy: nothing is loaded, and no script runs but ours, whatever the data holds."""
    return (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


def html_text(text: str) -> str:
    """Text of a page, whatever is in it."""
    return escaping.html(_SURROGATES.sub("\ufffd", text))


def _file(name: str) -> str:
    return files("tertium.report").joinpath(name).read_text(encoding="utf-8")
