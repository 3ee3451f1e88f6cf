"""Pages from templates: everything that people or systems wrote is escaped."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape


def templates_in(*folders: Path) -> Environment:
    """The templates of these folders (the first that has one), with what all of them may need."""
    made = Environment(
        loader=FileSystemLoader(folders),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,  # no look at each file's date for each page
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["markdown"] = markdown
    made.filters["marked"] = marked
    made.filters["data"] = data_block
    return made


def markdown(text: str) -> Markup:
    """Markdown as HTML. HTML inside it is shown as text, and links go nowhere dangerous.

    >>> print(markdown("**bold** <script>"))
    <p><strong>bold</strong> &lt;script&gt;</p>
    <BLANKLINE>
    """
    from markdown_it import MarkdownIt

    reader = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    return Markup(reader.render(text))


def marked(text: str, spans: Sequence[Sequence[int]]) -> Markup:
    """A text with some of its characters highlighted.

    >>> print(marked("a <b> c", [(2, 5)]))
    a <mark>&lt;b&gt;</mark> c
    """
    parts, last = [], 0
    for start, end in spans:
        parts += [escape(text[last:start]), Markup("<mark>{}</mark>").format(text[start:end])]
        last = end
    return Markup("").join([*parts, escape(text[last:])])


def data_block(value: Any) -> Markup:
    """JSON that can stand inside a page: nothing in it ends the block.

    >>> print(data_block({"a": "</script>"}))
    {"a": "\\u003c/script>"}
    """
    text = json.dumps(value, ensure_ascii=False)
    for sign in ("<", "\u2028", "\u2029"):
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)
