"""Tables in all output forms: terminal, plain text, Markdown, LaTeX, TSV, JSON and HTML."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Literal

from tertium.io import escaping
from tertium.io.escaping import UNDEFINED

Value = str | int | float | None
_USUAL_WIDTH = 80
_DRAWN_ROWS = 400  # a longer table is for a program or a pager, and fitting boxes takes time


@dataclass(frozen=True)
class Column:
    """A column: what people read above it, its name in records, and how its values are written."""

    label: str
    key: str = ""  # empty: the label
    align: Literal["left", "right"] = "left"
    digits: int | None = None  # decimals of real numbers; None: as many as they have
    whole: bool = False  # its words hold numbers: never cut or broken, however narrow the terminal
    chance: bool = False  # p-values: one that is too small to be written is not 0

    @property
    def name(self) -> str:
        return self.key or self.label

    def written(self, value: Value) -> str:
        """A value as people read it."""
        if value is None or (isinstance(value, float) and math.isnan(value)):
            return UNDEFINED
        if isinstance(value, float) and self.digits is not None:
            if self.chance:
                return _p_value(value, self.digits)
            return f"{value:.{self.digits}f}"
        return str(value)

    def exact(self, value: Value) -> str:
        """A value with all its digits."""
        return repr(value) if isinstance(value, float) and value == value else self.written(value)


def number_column(label: str, key: str = "", digits: int | None = 2) -> Column:
    """A column of numbers, in line at their last digit."""
    return Column(label, key, "right", digits)


def chance_column(label: str = "p", key: str = "") -> Column:
    """A column of p-values, with four decimals, rounded up.

    >>> chance_column().written(0.0123), chance_column().written(1e-9)
    ('0.0123', '<0.0001')
    """
    return Column(label, key, "right", 4, chance=True)


def p_text(p: float | None, *, alpha: float = 0.05) -> str:
    """A p-value for a sentence, without the zero that it always begins with.

    >>> p_text(0.0366), p_text(0.00299), p_text(0.04999), p_text(1.0), p_text(1e-6)
    ('.037', '.0030', '.04999', '1', '< .0001')
    """
    if p is None or p != p:
        return "undefined"
    written = _p_value(p, 3 if p >= 0.01 else 4, alpha)
    return "1" if p >= 1 else written.replace("<0", "< ").removeprefix("0")


def _p_value(p: float, digits: int, alpha: float = 0.05) -> str:
    """Rounded up, with more decimals where rounding would hide that it is below alpha."""
    least = 10.0**-digits
    if p < least / 2:
        return f"<{least:.{digits}f}"
    rounded = _rounded_up(p, digits)
    while p < alpha <= rounded and digits < 12:
        digits += 1
        rounded = _rounded_up(p, digits)
    return f"{rounded:.{digits}f}"


def _rounded_up(p: float, digits: int) -> float:
    return math.ceil(round(p * 10.0**digits, 6)) / 10.0**digits


@dataclass(frozen=True)
class Table:
    """Rows of values under columns, with a title above, notes below, and some cells marked as best.

    >>> columns = (Column("system"), number_column("BLEU ↑", "BLEU"))
    >>> table = Table("Scores", columns, (("A", 30.123), ("B", None)))
    >>> print(table.tsv(), end="")  # doctest: +NORMALIZE_WHITESPACE
    system  BLEU
    A       30.123
    B       undefined
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]
    notes: tuple[str, ...] = ()
    best: frozenset[tuple[int, int]] = frozenset()  # (row, column)
    signs: Mapping[tuple[int, int], str] = field(default_factory=dict)  # printed before the value, for people
    star: str = "best"  # what a star beside a marked cell means in plain text; empty: no star

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"a row has {len(row)} values for {len(self.columns)} columns: {row}")

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return self.html()

    def text(self, *, terminal: bool | None = None, width: int | None = None) -> str:
        """For reading: in boxes that fit into the width; a pipe gets what a terminal shows, without its colours.

        `terminal=None` asks standard output for colours; True has them anyhow (but for NO_COLOR). `terminal=False`
        gives plain columns, never cut, where names lose what they all share if most screens would be too narrow.
        """
        if terminal is False or len(self.rows) > _DRAWN_ROWS:
            plain = self._plain()
            if len(self.rows) > _DRAWN_ROWS or all(len(line) <= _USUAL_WIDTH for line in plain.splitlines()):
                return plain
            from tertium.io.terminal import without_shared

            return without_shared(self)._plain()
        from tertium.io.terminal import drawn

        return drawn(self, width or room(), colour=_colours(terminal))

    def _plain(self) -> str:
        cells = self.starred_cells(escaping.one_line)
        sizes = list(map(escaping.display_width, chain.from_iterable(cells)))
        n = len(self.columns)
        widths = [max(sizes[c::n]) for c in range(n)]
        lines = []
        for r, row in enumerate(cells):
            spaces = [
                " " * (width - size) for width, size in zip(widths, sizes[r * n : r * n + n], strict=True)
            ]
            padded = [
                space + cell if column.align == "right" else cell + space
                for cell, space, column in zip(row, spaces, self.columns, strict=True)
            ]
            lines.append("  ".join(padded).rstrip())
        lines.insert(1, "  ".join("-" * width for width in widths))
        title = [escaping.one_line(self.title), ""] if self.title else []
        notes = [escaping.one_line(note) for note in self.all_notes()]
        return "\n".join([*title, *lines, *([""] if notes else []), *notes])

    def all_notes(self) -> list[str]:
        """The notes, and before them what a star means."""
        return [*([f"* {self.star}"] if self.best and self.star else []), *self.notes]

    def starred_cells(self, escape: Callable[[str], str]) -> list[list[str]]:
        """Everything as text, with stars beside the best cells; numbers stay in line beside a star."""
        cells = self.cells(escape, lambda text: text + "*" if self.star else text)
        for c, column in enumerate(self.columns):
            if self.star and column.align == "right" and any(place == c for _, place in self.best):
                for r, row in enumerate(cells, -1):
                    row[c] += "" if (r, c) in self.best else " "
        return cells

    def markdown(self) -> str:
        """A table for GitHub and other Markdown."""
        cells = self.cells(escaping.markdown_cell, lambda text: f"**{text}**")
        lines = [f"| {' | '.join(row)} |" for row in cells]
        lines.insert(1, f"| {' | '.join('---:' if c.align == 'right' else ':---' for c in self.columns)} |")
        title = [f"**{escaping.markdown(self.title)}**", ""] if self.title else []
        notes = [f"- {escaping.markdown(note)}" for note in self.notes]
        return "\n".join([*title, *lines, *([""] if notes else []), *notes]) + "\n"

    def latex(self) -> str:
        r"""A `tabular` in the style of the package booktabs; title and notes are comments."""
        cells = self.cells(escaping.latex, lambda text: rf"\textbf{{{text}}}")
        rows = [" & ".join(row) + r" \\" for row in cells]
        lines = [
            *(
                f"% {escaping.one_line(line)}"
                for line in (self.title, "needs \\usepackage{booktabs}")
                if line
            ),
            rf"\begin{{tabular}}{{{''.join(column.align[0] for column in self.columns)}}}",
            r"\toprule",
            rows[0],
            r"\midrule",
            *rows[1:],
            r"\bottomrule",
            r"\end{tabular}",
            *(f"% {escaping.one_line(note)}" for note in self.notes),
        ]
        return "\n".join(lines) + "\n"

    def tsv(self) -> str:
        """Tab-separated, with a header and all digits; tabs and line breaks inside a value as `\\t` and `\\n`."""
        lines = ["\t".join(escaping.tsv(column.name) for column in self.columns)]
        for row in self.rows:
            fields = (column.exact(value) for column, value in zip(self.columns, row, strict=True))
            lines.append("\t".join(map(escaping.tsv, fields)))
        return "\n".join(lines) + "\n"

    def records(self) -> list[dict[str, Value]]:
        """A dictionary for each row, numbers with all digits; undefined is None."""
        return [
            {
                column.name: None if value != value else value
                for column, value in zip(self.columns, row, strict=True)
            }
            for row in self.rows
        ]

    def json(self) -> str:
        """The records as JSON; undefined is null."""
        import json

        return json.dumps(self.records(), ensure_ascii=False, indent=1, allow_nan=False) + "\n"

    def lines(self) -> str:
        """Plain columns without boxes, never cut."""
        return self.text(terminal=False)

    def html(self, *, limit: int | None = 200) -> str:
        """A small table for notebooks, in the colours around it; of more than `limit` rows the first ones."""
        cells = self.cells(escaping.html, lambda text: f"<b>{text}</b>")
        shown = cells[1:] if limit is None else cells[1 : limit + 1]
        notes = [escaping.html(note) for note in self.notes]
        if len(shown) < len(self.rows):
            notes.insert(0, f"{len(self.rows) - len(shown)} more rows are not shown")
        parts = ['<table style="border-collapse:collapse;font-variant-numeric:tabular-nums">']
        if self.title:
            parts.append(
                f'<caption style="text-align:left;font-weight:bold">{escaping.html(self.title)}</caption>'
            )
        parts.append(
            f"<thead>{self._html_row(cells[0], 'th', 'border-bottom:1px solid currentColor;')}</thead>"
        )
        parts.append(f"<tbody>{''.join(self._html_row(row, 'td') for row in shown)}</tbody>")
        if notes:
            style = "text-align:left;opacity:.7;font-size:85%;overflow-wrap:anywhere"
            below = f'<td colspan="{len(self.columns)}" style="{style}">{"<br>".join(notes)}</td>'
            parts.append(f"<tfoot><tr>{below}</tr></tfoot>")
        return "".join(parts) + "</table>"

    def _html_row(self, row: Sequence[str], tag: str, style: str = "") -> str:
        return "<tr>{}</tr>".format(
            "".join(
                f'<{tag} style="{style}text-align:{column.align};padding:.2em .7em">{cell}</{tag}>'
                for column, cell in zip(self.columns, row, strict=True)
            )
        )

    def cells(self, escape: Callable[[str], str], emphasize: Callable[[str], str] = str) -> list[list[str]]:
        """Everything as text: the labels, then the rows, the best cells emphasised."""
        written = [column.label for column in self.columns]
        for r, values in enumerate(self.rows):
            written += [
                self.signs.get((r, c), "") + column.written(value)
                for c, (column, value) in enumerate(zip(self.columns, values, strict=True))
            ]
        cells, n = list(map(escape, written)), len(self.columns)
        for r, c in self.best:
            cells[(r + 1) * n + c] = emphasize(cells[(r + 1) * n + c])
        return [cells[begin : begin + n] for begin in range(0, len(cells), n)]


def sentences(words: Iterable[str], *, terminal: bool | None = None, width: int | None = None) -> str:
    """A line for each; a long one is broken between words, but with `terminal=False` never.

    >>> print(sentences(["A is best.", "B is surely behind it."], width=16))
    A is best.
    B is surely
    behind it.
    """
    if terminal is False:
        return "\n".join(words)
    from textwrap import fill

    columns = width or room()
    return "\n".join(fill(one, columns, break_long_words=False, break_on_hyphens=False) for one in words)


def room() -> int:
    """How many columns there are to write in: COLUMNS if it is set, else those of the terminal, else 80."""
    given = os.environ.get("COLUMNS", "")
    if given.isdecimal() and int(given):
        return int(given)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or _USUAL_WIDTH
    except (AttributeError, ValueError, OSError):  # no terminal, or nothing at all
        return _USUAL_WIDTH


def _colours(terminal: bool | None) -> bool:
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return not plain and bool(terminal or (sys.stdout is not None and sys.stdout.isatty()))
