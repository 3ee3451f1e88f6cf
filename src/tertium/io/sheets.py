"""Sheets that people fill in: CSV, and XLSX through openpyxl. Every cell can be named as spreadsheets do (C7)."""

from __future__ import annotations

import csv
import io
import os
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tertium.errors import InputError, MissingExtraError
from tertium.io.files import write_bytes
from tertium.io.records import formula_escaped
from tertium.io.streams import FilePath, display_name, read_bytes

_DELIMITERS = ",;\t"
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")  # not allowed in XML
_HEADER_ROWS = 10  # rows among which the header is looked for


class Highlighted(NamedTuple):
    """A text with parts that stand out: bold in XLSX, between stars in CSV."""

    text: str
    spans: tuple[tuple[int, int], ...]


class Formula(NamedTuple):
    """A cell that holds a formula where a value should be."""

    text: str


Cell = str | Highlighted


@dataclass(frozen=True)
class Layout:
    """How an XLSX sheet looks: widths of columns, answers to choose from, rows that belong together, advice."""

    widths: Mapping[str, int] = field(default_factory=dict)
    choices: Mapping[str, Sequence[str]] = field(default_factory=dict)
    groups: Sequence[int] = ()  # a number for each row; neighbours with the same one share a shade
    advice: Sequence[str] = ()


@dataclass(frozen=True)
class Sheet:
    """Rows of a sheet under the names in its header; `first` is the number of the row behind the header."""

    name: str
    header: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    first: int = 2

    def cell(self, row: int, column: str) -> str:
        """What people call a cell, given the number of the row in `rows`: `sheet.csv cell C7`."""
        return f"{self.name} cell {letters(self.header.index(column))}{self.first + row}"


def letters(column: int) -> str:
    """The letters of a column, counted from 0.

    >>> letters(0), letters(25), letters(26)
    ('A', 'Z', 'AA')
    """
    found = ""
    column += 1
    while column:
        column, place = divmod(column - 1, 26)
        found = chr(ord("A") + place) + found
    return found


def is_workbook(path: FilePath) -> bool:
    return os.fspath(path).lower().endswith((".xlsx", ".xlsm"))


def read_sheet(path: FilePath, required: Sequence[str]) -> Sheet:
    """The sheet in a CSV file (comma, semicolon or tab) or the first one of a workbook that has the columns `required`.

    Columns are known by their names, so they may be moved; names are compared without case and spaces.
    """
    name = display_name(path)
    tables = _workbook(path, name) if is_workbook(path) else [_csv(path, name)]
    for rows in tables:
        for number, row in enumerate(rows[:_HEADER_ROWS]):
            header = tuple("" if cell is None else str(cell).strip().casefold() for cell in row)
            if all(column in header for column in required):
                for column in required:
                    if header.count(column) > 1:
                        place = letters(len(header) - 1 - header[::-1].index(column))
                        raise InputError(f"{name} cell {place}{number + 1}: a second column {column!r}")
                body = (_padded(row, len(header)) for row in rows[number + 1 :])
                return Sheet(name, header, tuple(body), number + 2)
    first = [str(cell) for cell in tables[0][0] if cell is not None] if tables and tables[0] else []
    lacking = [column for column in required if column not in [cell.strip().casefold() for cell in first]]
    raise InputError(f"{name}: has no column {lacking[0]!r} (row 1 has: {', '.join(first) or 'nothing'})")


def _padded(row: Sequence[object], width: int) -> tuple[object, ...]:
    return (*row, *([None] * (width - len(row))))


def _csv(path: FilePath, name: str) -> list[list[object]]:
    raw = read_bytes(path)
    encoding = "utf-16" if raw.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise InputError(
            f"{name}: line {line}: is not valid UTF-8: save it as CSV UTF-8, or as XLSX"
        ) from None
    head = text.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=head.count)
    try:
        return [list(row) for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)]
    except csv.Error as error:
        raise InputError(f"{name}: cannot be read as CSV: {error}") from None


def spreadsheets() -> Any:
    """openpyxl, which reads and writes XLSX."""
    try:
        import openpyxl
    except ImportError:
        raise MissingExtraError("reading or writing XLSX sheets", "sheets") from None
    return openpyxl


def _workbook(path: FilePath, name: str) -> list[list[list[object]]]:
    openpyxl = spreadsheets()
    data = io.BytesIO(read_bytes(path))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about what openpyxl drops, such as themes
            book = openpyxl.load_workbook(data)
            return [
                [
                    [Formula(str(cell.value)) if cell.data_type == "f" else cell.value for cell in row]
                    for row in sheet.iter_rows()
                ]
                for sheet in book.worksheets
            ]
    except Exception as error:  # a damaged workbook can fail in any of its parts
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"{name}: cannot be read as an XLSX workbook: {reason}") from None


def write_sheet(
    path: FilePath, header: Sequence[str], rows: Sequence[Sequence[Cell]], layout: Layout | None = None
) -> None:
    """Write a sheet as XLSX or as CSV, by the file's extension.

    Nothing becomes a formula: in XLSX texts are texts, in CSV a text that begins like a formula gets an apostrophe
    before it. The CSV begins with a byte-order mark, which tells spreadsheets that it is UTF-8.
    """
    if is_workbook(path):
        _write_workbook(path, header, rows, layout or Layout())
    elif os.fspath(path).lower().endswith(".csv"):
        out = io.StringIO(newline="")
        writer = csv.writer(out, lineterminator="\r\n")
        writer.writerow(header)
        writer.writerows([_plain(cell) for cell in row] for row in rows)
        write_bytes(path, out.getvalue().encode("utf-8-sig"))
    else:
        raise InputError(f"{display_name(path)}: a sheet is a .csv or a .xlsx file")


def _plain(cell: Cell) -> str:
    if isinstance(cell, Highlighted):
        text = "".join(f"*{part}*" if bold else part for part, bold in _parts(cell))
    else:
        text = cell
    return formula_escaped(text)


def _parts(cell: Highlighted) -> list[tuple[str, bool]]:
    found, last = [], 0
    for start, end in cell.spans:
        found += [(cell.text[last:start], False), (cell.text[start:end], True)]
        last = end
    return [(part, bold) for part, bold in (*found, (cell.text[last:], False)) if part]


def _write_workbook(
    path: FilePath, header: Sequence[str], rows: Sequence[Sequence[Cell]], layout: Layout
) -> None:
    openpyxl = spreadsheets()
    from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
    from openpyxl.worksheet.datavalidation import DataValidation

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Judgements"
    top, shade = PatternFill("solid", fgColor="FF1F4E5F"), PatternFill("solid", fgColor="FFF1F5F7")
    wrapped = Alignment(wrap_text=True, vertical="top")
    above = Border(top=Side(style="thin", color="FF9AA7AD"))
    for column, label in enumerate(header, 1):
        cell = sheet.cell(1, column, label)
        cell.font, cell.fill = Font(bold=True, color="FFFFFFFF"), top
        cell.alignment = Alignment(vertical="center")
        sheet.column_dimensions[letters(column - 1)].width = layout.widths.get(label, 12)
    for r, row in enumerate(rows):
        group = layout.groups[r] if layout.groups else 0
        begins = bool(layout.groups) and (r == 0 or layout.groups[r - 1] != group)
        for c, value in enumerate(row, 1):
            cell = sheet.cell(r + 2, c)
            _fill(cell, value)
            cell.alignment = wrapped
            if group % 2:
                cell.fill = shade
            if begins:
                cell.border = above
    sheet.freeze_panes = "B2"
    for label, choices in layout.choices.items():
        place = letters(header.index(label))
        validation = DataValidation("list", formula1=f'"{",".join(choices)}"', allow_blank=True)
        validation.showErrorMessage = False  # other answers are understood, or refused with their cell
        sheet.add_data_validation(validation)
        validation.add(f"{place}2:{place}{max(2, len(rows) + 1)}")
    if layout.advice:
        page = book.create_sheet("How to judge")
        page.column_dimensions["A"].width = 100
        for r, line in enumerate(layout.advice, 1):
            page.cell(r, 1, line).alignment = wrapped
    out = io.BytesIO()
    book.save(out)
    write_bytes(path, out.getvalue())


def _fill(cell: Any, value: Cell) -> None:
    from openpyxl.cell.rich_text import CellRichText, TextBlock
    from openpyxl.cell.text import InlineFont

    if isinstance(value, Highlighted) and value.spans:
        bold = InlineFont(b=True, color="FFB03A2E")
        cell.value = CellRichText(
            *(TextBlock(bold, part) if highlighted else part for part, highlighted in _parts(value))
        )
        return
    text = value.text if isinstance(value, Highlighted) else value
    if text:
        cell.value = _UNWRITABLE.sub("\ufffd", text)
        cell.data_type = "s"  # a text that begins with = is no formula
