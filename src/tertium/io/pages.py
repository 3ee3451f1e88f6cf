"""Documents as people write them, plain text and HTML, as paragraphs."""

from __future__ import annotations

import codecs
import os
import re
from html.parser import HTMLParser

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
    if unpacked_name(path).lower().endswith(HTML_ENDINGS):
        return _blocks(_decoded(path, encoding))
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


class _Blocks(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._parts: list[str] = []
        self._unseen = 0

    def end_block(self) -> None:
        text = " ".join("".join(self._parts).split())
        self._parts.clear()
        if text:
            self.found.append(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._unseen += tag in _UNSEEN
        if tag in _BLOCKS:
            self.end_block()

    def handle_endtag(self, tag: str) -> None:
        self._unseen = max(0, self._unseen - (tag in _UNSEEN))
        if tag in _BLOCKS:
            self.end_block()

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self._parts.append(data)


def _blocks(text: str) -> list[str]:
    parser = _Blocks()
    parser.feed(text)
    parser.close()
    parser.end_block()
    return parser.found
