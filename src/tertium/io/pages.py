"""Documents as people write them, plain text and HTML, as paragraphs."""

from __future__ import annotations

import codecs
import os
import re
from html.parser import HTMLParser
from typing import NamedTuple

from tertium.errors import InputError
from tertium.io.files import read_lines
from tertium.io.streams import checked_encoding, display_name, read_bytes, unpacked_name

HTML_ENDINGS = (".html", ".htm", ".xhtml")
TEXT_ENDINGS = (".txt", ".text", ".md")
_CHARSET = re.compile(
    rb"""<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w-]+)|<\?xml[^>]{0,200}encoding=["']([\w-]+)""",
    re.IGNORECASE,
)
_BLOCKS = {
    *(
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "br",
        "caption",
        "center",
        "dd",
        "details",
        "dialog",
        "div",
    ),
    *(
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "head",
    ),
    *(
        "header",
        "hr",
        "html",
        "legend",
        "li",
        "main",
        "nav",
        "ol",
        "option",
        "p",
        "pre",
        "section",
        "summary",
        "table",
    ),
    *("tbody", "td", "tfoot", "th", "thead", "title", "tr", "ul"),
}
_UNSEEN = {"script", "style", "template", "noscript", "svg", "math"}


def paragraphs(path: str, *, encoding: str | None = None) -> list[str]:
    """The paragraphs of a document, white space in them made plain.

    In plain text blank lines end paragraphs; where there are none, every line is one.

    >>> paragraphs(str(written("a.txt", "One line\\nand another.\\n\\nNext.\\n")))
    ['One line and another.', 'Next.']
    >>> paragraphs(str(written("b.html", "<h1>Title</h1><p>A <b>bold</b> word.<p>Next &amp; last.")))
    ['Title', 'A bold word.', 'Next & last.']
    """
    if is_page(path):
        return [own.text for own in _parsed(_decoded(path, encoding)).found]
    lines = [(line or "").strip() for line in read_lines(path, encoding=encoding or "utf-8", strip_bom=True)]
    if "" not in lines[: len(lines) - 1]:
        return [" ".join(line.split()) for line in lines if line]
    found: list[list[str]] = [[]]
    for line in lines:
        if line:
            found[-1].extend(line.split())
        elif found[-1]:
            found.append([])
    return [" ".join(words) for words in found if words]


def pages_of(path: str) -> dict[str, str]:
    """The documents of a folder, by name without ending, whatever folders they are in; a file is one without a name."""
    if not os.path.isdir(path):
        return {"": path}
    found = {}
    for folder, folders, files in os.walk(path):
        folders.sort()
        for file in sorted(files):
            whole = os.path.join(folder, file)
            if unpacked_name(file).lower().endswith(HTML_ENDINGS + TEXT_ENDINGS):
                found[os.path.splitext(os.path.relpath(whole, path))[0].replace(os.sep, "/")] = whole
    return found


def _decoded(path: str, encoding: str | None) -> str:
    data, name = read_bytes(path), display_name(path)
    if encoding is None:
        declared = _CHARSET.search(data[:4096])
        encoding = (declared[1] or declared[2]).decode() if declared else "utf-8"
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            encoding = "utf-16"
        elif data.startswith(codecs.BOM_UTF8):
            encoding = "utf-8-sig"
    encoding = checked_encoding(encoding)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{name}: line {line}: not in the encoding {encoding} (byte {error.start})"
        ) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise InputError(f"{name}: line {line}: holds a NUL character: is it a page?")
    return text


class PageBlock(NamedTuple):
    """A run of text that the page sets apart: what it is, and which element it is in, by number."""

    kind: str  # text, heading, item, cell, code, navigation, title
    text: str
    element: int = 0
    heading: int = 0  # 1 to 6
    longest: int = 0  # characters of the longest line of code


class HtmlPage(NamedTuple):
    """What is on a page, and what says how it looks."""

    blocks: tuple[PageBlock, ...]
    lists: int
    tables: int
    styles: tuple[str, ...]  # style sheets inside the page, and beside it where they are files there
    attributes: tuple[tuple[str, str], ...]  # tags and their own styles
    elsewhere: int  # style sheets that are not beside the page


def is_page(path: str) -> bool:
    """Whether a file is HTML, by its name."""
    return unpacked_name(path).lower().endswith(HTML_ENDINGS)


def read_page(path: str, *, encoding: str | None = None) -> HtmlPage:
    """A page with its headings, lists, tables and styles.

    >>> page = read_page(str(written("c.html", "<h2>Cats</h2><p>They<br>sleep.<ul><li>Tom</ul>")))
    >>> [(own.kind, own.text) for own in page.blocks], page.lists
    ([('heading', 'Cats'), ('text', 'They'), ('text', 'sleep.'), ('item', 'Tom')], 1)
    """
    parser = _parsed(_decoded(path, encoding))
    beside = [os.path.join(os.path.dirname(path), own) for own in parser.sheets]
    found = [
        own
        for own, name in zip(beside, parser.sheets, strict=True)
        if not os.path.isabs(name) and os.path.isfile(own)
    ]
    sheets = [read_bytes(own).decode("utf-8", "replace") for own in found]
    return HtmlPage(
        tuple(parser.found),
        parser.counts["list"],
        parser.counts["table"],
        (*sheets, *parser.styles),
        tuple(parser.attributes),
        len(beside) - len(found),
    )


_HEADINGS = {f"h{n}": n for n in range(1, 7)}
_LISTS = {"ul", "ol", "dl"}
_COUNTED = {**dict.fromkeys(_LISTS, "list"), "table": "table"}
_INSIDE = {"br"}  # ends a line, and no paragraph
_SHOWN_BY_TAG = {"pre": "code", "nav": "navigation", "title": "title", "table": "cell"}


class _Blocks(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[PageBlock] = []
        self.styles: list[str] = []
        self.sheets: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.counts = {"list": 0, "table": 0}
        self._parts: list[str] = []
        self._unseen = self._element = self._heading = self._lists = 0
        self._open = dict.fromkeys((*_SHOWN_BY_TAG, "style"), 0)

    def end_block(self) -> None:
        whole = "".join(self._parts)
        self._parts.clear()
        text = " ".join(whole.split())
        if text:
            kind = self._kind()
            longest = max(map(len, whole.splitlines())) if kind == "code" else 0
            self.found.append(PageBlock(kind, text, self._element, self._heading, longest))

    def _kind(self) -> str:
        if self._heading:
            return "heading"
        by_tag = (kind for tag, kind in _SHOWN_BY_TAG.items() if self._open[tag])
        return next(by_tag, "item" if self._lists else "text")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._unseen += tag in _UNSEEN
        given = {name: value or "" for name, value in attrs}
        if tag == "link" and "stylesheet" in given.get("rel", "").lower() and given.get("href"):
            self.sheets.append(given["href"].partition("?")[0])
        if given.get("style"):
            self.attributes.append((tag, given["style"]))
        if tag in _BLOCKS:
            self.end_block()
            if tag not in _INSIDE:
                self._element += 1
                self._heading = _HEADINGS.get(tag, 0)
        self._lists += tag in _LISTS
        if tag in _COUNTED:
            self.counts[_COUNTED[tag]] += 1
        if tag in self._open:
            self._open[tag] += 1

    def handle_endtag(self, tag: str) -> None:
        self._unseen = max(0, self._unseen - (tag in _UNSEEN))
        if tag in _BLOCKS:
            self.end_block()
            self._element += 1
            self._heading = 0
        self._lists = max(0, self._lists - (tag in _LISTS))
        if tag in self._open:
            self._open[tag] = max(0, self._open[tag] - 1)

    def handle_data(self, data: str) -> None:
        if self._open["style"]:
            self.styles.append(data)
        if not self._unseen:
            self._parts.append(data)


def _parsed(text: str) -> _Blocks:
    parser = _Blocks()
    parser.feed(text)
    parser.close()
    parser.end_block()
    return parser
