"""What pages without scripts are made of: figures and tables as HTML, each with its numbers to take away."""

from __future__ import annotations

import base64
from collections.abc import Callable
from urllib.parse import quote

from tertium.io.tables import Column, Table
from tertium.report.assembly import html_text
from tertium.report.figures import Figure


def figure_block(figure: Figure) -> str:
    """A figure with what it shows in words, and its numbers and picture to take away."""
    svg = f"data:image/svg+xml;base64,{base64.b64encode(figure.svg.encode()).decode('ascii')}"
    return (
        f'<figure id="{html_text(figure.name)}"><figcaption>{html_text(figure.title)}</figcaption>'
        f'<div class="scroll drawing" tabindex="0">{figure.svg}</div><p class="note">{html_text(figure.description)}. '
        f"{_link(figure.name + '.csv', _address('csv', figure.csv()), 'The numbers (CSV)')} "
        f"{_link(figure.name + '.svg', svg, 'The picture (SVG)')}</p></figure>\n"
    )


def _link(name: str, address: str, text: str) -> str:
    return f'<a class="data" download="{html_text(name)}" href="{address}">{html_text(text)}</a>'


def _address(kind: str, text: str) -> str:
    return f"data:text/{kind};charset=utf-8,{quote(text)}"


def table_block(table: Table, name: str, row_kind: Callable[[str], str] = lambda _: "") -> str:
    """A table without any style of its own; the first column names its row, marked cells say that they are."""
    head = "".join(
        f'<th scope="col"{_class(_kind(column))}>{html_text(column.label)}</th>' for column in table.columns
    )
    rows = []
    for r, row in enumerate(table.rows):
        first = html_text(table.columns[0].written(row[0]))
        cells = [f'<th scope="row">{first}</th>']
        for c, (column, value) in enumerate(zip(table.columns[1:], row[1:], strict=True), 1):
            text = html_text(table.signs.get((r, c), "") + column.written(value))
            if (r, c) in table.best:
                text = f'<strong>{text}</strong><span class="hidden"> marked</span>'
            marked = " best" if (r, c) in table.best else ""
            cells.append(f'<td class="{(_kind(column) + marked).strip()}">{text}</td>')
        rows.append(f"<tr{_class(row_kind(str(row[0])))}>{''.join(cells)}</tr>")
    title = f"<h3>{html_text(table.title)}</h3>" if table.title else ""
    notes = "".join(f'<li dir="auto">{html_text(note)}</li>' for note in table.notes)
    link = _link(f"{name}.tsv", _address("tab-separated-values", table.tsv()), "The numbers (TSV)")
    return (
        f'{title}<div class="scroll" tabindex="0"><table class="wmt"><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
        f'<ul class="notes">{notes}</ul><p class="note">{link}</p>\n'
    )


def _kind(column: Column) -> str:
    return "number" if column.align == "right" else ""


def _class(name: str) -> str:
    return f' class="{name}"' if name else ""
