"""Rows and records of text files, each with its place: tables (tabs, commas) and JSON Lines. One set of rules:

- Every error message names file and line. A byte-order mark and the "\\r" of CRLF are not text.
- **Numbers are finite.** NaN and Infinity are refused, in JSON as in fields; a missing value is an empty field or an
  absent key.
- **No repeats.** A key twice in an object, or a column twice in a header, is refused.
- **Unknown columns** are refused by name where the format is ours (`known`), since they are typing errors; files of
  other programs may have more columns than we read. Column names ignore case.
- A row has as many fields as the header has names. Empty lines are skipped in our own tables and JSON Lines; inside
  other programs' tables they are refused, since rows may be counted there.
- Fields between tabs are never quoted. In our own tables a backslash begins an escape: `\\t`, `\\n`, `\\r` and `\\\\`,
  so that a field can hold any text.
"""

from __future__ import annotations

import json
import math
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, starmap
from typing import Any, NamedTuple, NoReturn

from tertium.errors import InputError, did_you_mean, many
from tertium.io.files import LineReader, write_atomically
from tertium.io.streams import FilePath, display_name, read_bytes

_ESCAPES = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
_ESCAPED = re.compile(r"\\(.?)", re.DOTALL)
_MEANT = {"\\": "\\", "t": "\t", "n": "\n", "r": "\r"}
_SURROGATES = re.compile("[\ud800-\udfff]")
_ESCAPE_TABLE = str.maketrans(_ESCAPES)


class Record(NamedTuple):
    """What stands on one line, and where that is: `set.jsonl: line 3`."""

    where: str
    values: dict[str, Any]


def text_lines(path: FilePath, **how: Any) -> Iterator[tuple[int, str]]:
    """Lines of a file and their numbers, from 1. Only the end of line is cut off; `how` goes to `LineReader`."""
    with LineReader(path, **{**how, "strip_bom": True, "strip": False}) as reader:
        number = 0
        for batch in reader:
            for i in range(len(batch)):
                number += 1
                yield number, (batch[i] or "").removesuffix("\r")


def numbered_lines(path: FilePath, **how: Any) -> Iterator[tuple[str, str]]:
    """The lines of a text file with their place, `set.tsv: line 3`; `how` goes to `LineReader`."""
    name = display_name(path)
    return ((f"{name}: line {number}", line) for number, line in text_lines(path, **how))


def blocks(path: FilePath) -> Iterator[list[tuple[str, str]]]:
    """The lines of a text file with their place, those between empty lines together."""
    for empty, lines in groupby(numbered_lines(path), lambda line: not line[1].strip()):
        if not empty:
            yield list(lines)


def tab_rows(path: FilePath, **how: Any) -> Iterator[tuple[int, list[str]]]:
    """The fields of each line of a tab-separated file, never quoted. Empty lines are skipped at the end only."""
    name = display_name(path)
    blank = 0
    for number, line in text_lines(path, **how):
        if not line.strip():
            blank = blank or number
            continue
        if blank:
            raise InputError(f"{name}: line {blank} is empty")
        yield number, line.split("\t")


_FORMULA = re.compile(
    r"'*[=+\-@\t\r]"
)  # what a spreadsheet takes for a formula, perhaps with our apostrophes


def formula_escaped(text: str) -> str:
    """A text as a cell of a CSV file that no spreadsheet takes for a formula; `comma_rows` takes the apostrophe off.

    >>> formula_escaped("=1+1"), formula_escaped("'=1+1"), formula_escaped("one")
    ("'=1+1", "''=1+1", 'one')
    """
    return f"'{text}" if _FORMULA.match(text) else text


def comma_rows(path: FilePath) -> Iterator[tuple[int, list[str]]]:
    """The fields of each record of a CSV file, quoted as usual; the number is that of the record's first line."""
    import csv

    name = display_name(path)
    numbered = iter(text_lines(path))
    seen = 0

    def feed() -> Iterator[str]:
        nonlocal seen
        for seen, line in numbered:  # noqa: B007 - remembered for the number of the record
            yield line + "\n"

    records = csv.reader(feed(), strict=True)
    while True:
        first = seen + 1
        try:
            record = next(records, None)
        except csv.Error as error:
            raise InputError(f"{name}: line {first}: not valid CSV ({error})") from None
        if record is None:
            return
        if record:
            yield first, [cell[1:] if cell[:1] == "'" and _FORMULA.match(cell) else cell for cell in record]


class Header:
    """The names of the columns of a table, in lower case."""

    def __init__(
        self,
        names: Sequence[str],
        where: str,
        *,
        required: Sequence[str] = (),
        known: Sequence[str] | None = None,
    ) -> None:
        self.names = [name.strip().lower() for name in names]
        for i, name in enumerate(self.names):
            if name in self.names[:i]:
                raise InputError(f"{where}: the column {name!r} occurs twice")
            if known is not None and name not in known:
                raise InputError(f"{where}: unknown column {name!r}{did_you_mean(name, known)}")
        for name in required:
            if name not in self.names:
                raise InputError(
                    f"{where}: the header has no column {name!r}{did_you_mean(name, self.names)}"
                )
        self._required = required

    def check(self, fields: Sequence[str], where: str) -> None:
        """Refuse a row with more or fewer fields than there are columns."""
        if len(fields) != len(self.names):
            found, expected = many(len(fields), "field"), many(len(self.names), "column")
            raise InputError(f"{where}: has {found}, but the header names {expected}")

    def record(self, line: str, where: str, raw: Sequence[str] = ()) -> Record:
        """The fields of a line by their columns, unescaped but for those `raw`; empty ones only of required columns."""
        fields = line.split("\t")
        self.check(fields, where)
        found = zip(self.names, fields, strict=True)
        return Record(
            where,
            {
                name: field if name in raw else unescaped(field, f"{where}, column {name}")
                for name, field in found
                if field or name in self._required
            },
        )


def read_tsv(path: FilePath, known: Sequence[str], required: Sequence[str]) -> Iterator[Record]:
    """The rows of a table of ours by the names of its header; see `Header.record`."""
    lines = numbered_lines(path)
    where, first = next(lines)
    header = Header(first.split("\t"), where, required=required, known=known)
    return starmap(lambda where, line: header.record(line, where), _filled(lines))


class Row(NamedTuple):
    """A row of a table by the names of its columns; fields have no white space around them."""

    number: int  # of its line, from 1
    where: str
    fields: Mapping[str, str]

    def get(self, column: str) -> str:
        """A field; empty where the table has no such column."""
        return self.fields.get(column, "")

    def named(self, *columns: str) -> list[str]:
        """Fields that must not be empty."""
        return [named(self.get(column), column, self.where) for column in columns]

    def real(self, column: str, what: str = "score") -> float:
        """A field that holds a finite number."""
        return real_number(self.get(column), what, self.where)

    def whole(self, column: str, what: str) -> int:
        """A field that holds a whole number from 1 on."""
        return whole_number(self.get(column), what, self.where)


class HeadedTable:
    """A table opened at its header: its columns, and its rows, which can be read once.

    `rows` are line numbers and fields, by default those of a tab-separated file.

    >>> table = HeadedTable(written("da.tsv", "System\\tscore\\nonline-A\\t70\\n"), ["system", "score"])
    >>> [(row.get("system"), row.real("score"), row.get("annotator")) for row in table]
    [('online-A', 70.0, '')]
    """

    def __init__(
        self, path: FilePath, required: Sequence[str], rows: Iterator[tuple[int, list[str]]] | None = None
    ) -> None:
        self.name = display_name(path)
        self._rows = tab_rows(path) if rows is None else rows
        line, names = next(self._rows, (1, []))
        self._header = Header(names, f"{self.name}: line {line}", required=required)
        self.columns = self._header.names
        self._line = line

    def require(self, *columns: str) -> None:
        """Refuse a table without these columns, where which ones it needs depends on what it has."""
        Header(self.columns, f"{self.name}: line {self._line}", required=columns)

    def __iter__(self) -> Iterator[Row]:
        for number, fields in self._rows:
            where = f"{self.name}: line {number}"
            self._header.check(fields, where)
            yield Row(number, where, dict(zip(self.columns, map(str.strip, fields), strict=True)))


def bare_rows(path: FilePath, *columns: str) -> Iterator[Row]:
    """The rows of a tab-separated file without a header, whose columns are known."""
    name, expected = display_name(path), f"{len(columns)}: {', '.join(columns)}"
    for number, fields in tab_rows(path):
        where = f"{name}: line {number}"
        if len(fields) != len(columns):
            raise InputError(f"{where} has {len(fields)} fields, expected {expected}")
        yield Row(number, where, dict(zip(columns, map(str.strip, fields), strict=True)))


def json_rows(path: FilePath) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a JSON Lines file, with the numbers of their lines."""
    name = display_name(path)
    for number, line in text_lines(path):
        if line.strip():
            yield number, json_record(line, f"{name}: line {number}").values


def read_json_lines(path: FilePath) -> Iterator[Record]:
    """The objects of a JSON Lines file, with their places.

    >>> [record.values for record in read_json_lines(written("a.jsonl", '{"id": "S1"}'))]
    [{'id': 'S1'}]
    """
    return starmap(lambda where, line: json_record(line, where), _filled(numbered_lines(path)))


def _filled(lines: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    return (place for place in lines if place[1].strip())


def read_records(path: FilePath, known: Sequence[str], required: Sequence[str]) -> Iterator[Record]:
    """The records of a file of ours: a table if its name ends in `.tsv`, otherwise JSON Lines."""
    return read_tsv(path, known, required) if _is_table(path) else read_json_lines(path)


def write_records(path: FilePath, keys: Sequence[str], records: Iterable[Mapping[str, str]]) -> None:
    """Write records of texts as JSON Lines, or as a table if the name of the file ends in `.tsv`."""
    table = _is_table(path)
    with write_atomically(path) as file:
        if table:
            file.write(tsv_line(keys))
        for record in records:
            file.write(tsv_line(escaped(record[key]) for key in keys) if table else json_line(record))


def _is_table(path: FilePath) -> bool:
    return os.fspath(path).lower().endswith(".tsv")


def read_json(path: FilePath) -> Any:
    """What a JSON file holds."""
    name = display_name(path)
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: is not valid UTF-8 (byte {error.start + 1})") from None
    return parsed_json(text, name)


def json_record(line: str, where: str) -> Record:
    """The object on one line of JSON."""
    value = parsed_json(line, where)
    if not isinstance(value, dict):
        raise InputError(f"{where}: holds {_kind(value)}, where an object {{...}} is expected")
    return Record(where, value)


def parsed_json(text: str, where: str) -> Any:
    """JSON, strictly: no key twice in an object, no NaN.

    >>> parsed_json('{"a": 1, "a": 2}', "x.jsonl: line 1")
    Traceback (most recent call last):
    tertium.errors.InputError: x.jsonl: line 1: the key 'a' occurs twice in one object
    """

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:
                raise InputError(f"{where}: the key {key!r} occurs twice in one object")
            found[key] = value
        return found

    def no_number(name: str) -> NoReturn:
        raise InputError(f"{where}: {name} is not JSON")

    try:
        return json.loads(text, object_pairs_hook=unique, parse_constant=no_number)
    except json.JSONDecodeError as error:
        line = f" (line {error.lineno} of the text)" if error.lineno > 1 else ""
        raise InputError(f"{where}: is not JSON: {error.msg} at character {error.colno}{line}") from None
    except InputError:
        raise
    except (RecursionError, ValueError) as error:
        long = f"a number has more than {sys.get_int_max_str_digits():,} digits"
        wrong = "the JSON is nested too deeply" if isinstance(error, RecursionError) else long
        raise InputError(f"{where}: {wrong}") from None


def real_number(text: str, what: str, where: str) -> float:
    """A finite number.

    >>> real_number("0.5", "score", "a.tsv: line 1")
    0.5
    """
    try:
        number = float(text)
    except ValueError:
        raise InputError(f"{where}: the {what} {text!r} is not a number") from None
    if not math.isfinite(number) or "_" in text:
        raise InputError(f"{where}: the {what} {text!r} is not a finite number")
    return number


def whole_number(text: str, what: str, where: str, *, least: int = 1) -> int:
    """A whole number, not below `least`.

    >>> whole_number("12", "segment", "a.tsv: line 1")
    12
    """
    if not (text.isascii() and text.isdigit() and len(text) < 12) or int(text) < least:
        raise InputError(f"{where}: the {what} {text!r} is not a whole number from {least} on")
    return int(text)


def named(text: str | None, what: str, where: str) -> str:
    """A name that is not empty."""
    if not text:
        raise InputError(f"{where}: the {what} is empty")
    return text


def json_line(record: Mapping[str, Any]) -> str:
    """An object as a line of JSON, readable, with its line break."""
    return json_text(record) + "\n"


def json_text(value: Any) -> str:
    """A value as JSON on one line; half of a surrogate pair is written as an escape."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return text if text.isprintable() or not _SURROGATES.search(text) else json.dumps(value, allow_nan=False)


def tsv_line(fields: Iterable[str]) -> str:
    """Fields, escaped already, as a line of a table."""
    return "\t".join(fields) + "\n"


def check_field(text: str, what: str) -> None:
    """Refuse what cannot be a field of a table without escapes."""
    if not text.strip() or set(text) & set("\t\n\r"):
        raise InputError(f"the {what} {text!r} cannot be written to a tab-separated file")


def escaped(text: str) -> str:
    r"""A text as a field of a table.

    >>> print(escaped("a\tb\\"))
    a\tb\\
    """
    return text.translate(_ESCAPE_TABLE)


def unescaped(field: str, where: str) -> str:
    r"""The text that a field stands for.

    >>> unescaped(r"a\tb\\", "x")
    'a\tb\\'
    """
    if "\\" not in field:
        return field

    def meant(found: re.Match[str]) -> str:
        try:
            return _MEANT[found.group(1)]
        except KeyError:
            raise InputError(
                f"{where}: {found.group()!r} is not an escape sequence: write a backslash as \\\\, a tab as \\t"
            ) from None

    return _ESCAPED.sub(meant, field)


def _kind(value: Any) -> str:
    kinds: tuple[tuple[type, str], ...] = (
        (list, "a list"),
        (str, "a string"),
        (bool, "true or false"),
        (int, "a number"),
        (float, "a number"),
    )
    return next((name for kind, name in kinds if isinstance(value, kind)), "null")
