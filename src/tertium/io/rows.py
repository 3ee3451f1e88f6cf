"""Rows of tables in text files, each with the number of its line, and what stands in their fields."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from tertium.errors import InputError, did_you_mean
from tertium.io.files import open_lines
from tertium.io.streams import FilePath, display_name


def text_lines(path: FilePath, *, encoding: str = "utf-8") -> Iterator[tuple[int, str]]:
    """Lines of a file and their numbers, from 1; a byte-order mark is no text. Only the end of line is cut off."""
    with open_lines(path, encoding=encoding, strip_bom=True, strip=False) as reader:
        number = 0
        for batch in reader:
            for i in range(len(batch)):
                number += 1
                yield number, (batch[i] or "").removesuffix("\r")


def tab_rows(path: FilePath, *, encoding: str = "utf-8") -> Iterator[tuple[int, list[str]]]:
    """The fields of each line of a tab-separated file, never quoted. Empty lines are skipped at the end only."""
    name = display_name(path)
    blank = 0
    for number, line in text_lines(path, encoding=encoding):
        if not line.strip():
            blank = blank or number
            continue
        if blank:
            raise InputError(f"{name}: line {blank} is empty")
        yield number, line.split("\t")


def comma_rows(path: FilePath, *, encoding: str = "utf-8") -> Iterator[tuple[int, list[str]]]:
    """The fields of each record of a CSV file, quoted as usual; the number is that of the record's first line."""
    import csv

    name = display_name(path)
    numbered = iter(text_lines(path, encoding=encoding))
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
            raise InputError(f"{name}: line {first}: no valid CSV ({error})") from None
        if record is None:
            return
        if record:
            yield first, record


def json_rows(path: FilePath, *, encoding: str = "utf-8") -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a JSON Lines file. Empty lines are skipped."""
    import json

    name = display_name(path)
    for number, line in text_lines(path, encoding=encoding):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except ValueError as error:
            raise InputError(f"{name}: line {number}: no valid JSON ({error})") from None
        if not isinstance(found, dict):
            raise InputError(f"{name}: line {number}: a JSON object was expected")
        yield number, found


class Header:
    """The names of columns, and where they stand. Case does not matter.

    >>> header = Header(["System", "score"], "a.tsv: line 1", required=("system", "score"))
    >>> header.get(["online-A", "70"], "system"), header.get(["online-A", "70"], "annotator")
    ('online-A', None)
    """

    def __init__(self, names: Sequence[str], where: str, *, required: Sequence[str] = ()) -> None:
        self.names = [name.strip().lower() for name in names]
        for i, name in enumerate(self.names):
            if name in self.names[:i]:
                raise InputError(f"{where} names the column {name!r} twice")
        for name in required:
            if name not in self.names:
                raise InputError(f"{where} has no column {name!r}{did_you_mean(name, self.names)}")
        self._at = {name: i for i, name in enumerate(self.names)}

    def check(self, fields: Sequence[str], where: str) -> None:
        """Refuse a row with more or fewer fields than there are columns."""
        if len(fields) != len(self.names):
            raise InputError(
                f"{where} has {len(fields)} field{'s' * (len(fields) != 1)}, but there are "
                f"{len(self.names)} columns"
            )

    def __contains__(self, name: str) -> bool:
        return name in self._at

    def get(self, fields: Sequence[str], name: str) -> str | None:
        """What a row says in a column; None where there is no such column."""
        at = self._at.get(name)
        return None if at is None else fields[at].strip()


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
