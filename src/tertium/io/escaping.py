"""Text escaped for TSV, Markdown, LaTeX, HTML and a terminal, whatever characters it has."""

from __future__ import annotations

import re
import unicodedata

UNDEFINED = "undefined"  # printed for a missing number
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_MARKDOWN = re.compile(r"[\\`*\[\]<>~&$]|(?<![^\W_])_|_(?![^\W_])")
_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "×": r"$\times$",
    "†": r"\dag{}",
    "τ": r"$\tau$",
    "ρ": r"$\rho$",
    "—": "---",
}
_LATEX_TABLE = str.maketrans(_LATEX)


def one_line(text: str) -> str:
    """Printable on one line: line breaks and tabs as spaces, other control characters written out.

    >>> one_line("a\\tb\\x1b[31m")
    'a b\\\\x1b[31m'
    """
    if text.isprintable():
        return text
    return _CONTROL.sub(
        lambda found: " " if found.group().isspace() else f"\\x{ord(found.group()):02x}", text
    )


def tsv(text: str) -> str:
    r"""A field of a tab-separated line.

    >>> print(tsv("a\tb\n"))
    a\tb\n
    """
    return text.replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")


def markdown(text: str) -> str:
    r"""Text of a Markdown page. An underscore inside a word needs no escape.

    >>> print(markdown("my_system *v2*"))
    my_system \*v2\*
    """
    return _MARKDOWN.sub(lambda found: "\\" + found.group(), one_line(text))


def markdown_cell(text: str) -> str:
    r"""A cell of a Markdown table.

    >>> print(markdown_cell("a|b"))
    a\|b
    """
    return markdown(text).replace("|", r"\|")


def latex(text: str) -> str:
    r"""Text of a LaTeX document.

    >>> print(latex("my_system & 50% ↑"))
    my\_system \& 50\% $\uparrow$
    """
    return one_line(text).translate(_LATEX_TABLE)


def html(text: str) -> str:
    """Text of an HTML page, or the value of an attribute.

    >>> html("<b>")
    '&lt;b&gt;'
    """
    from html import escape

    return escape(one_line(text))


def display_width(text: str) -> int:
    """Columns that a text takes on a terminal: two for wide characters, none for combining marks.

    >>> display_width("naïve"), display_width("中文")
    (5, 4)
    """
    if text.isascii():
        return len(text)
    return sum(
        0
        if unicodedata.combining(c) or unicodedata.category(c) in ("Mn", "Me", "Cf")
        else 2
        if unicodedata.east_asian_width(c) in "WF"
        else 1
        for c in text
    )
