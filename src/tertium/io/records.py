"""Records in lines: JSON Lines and tab-separated tables with a header. Every complaint names file and line.

Fields of a table are never quoted. A backslash begins an escape: `\\\\t`, `\\\\n`, `\\\\r` and `\\\\\\\\`, so that any
text goes into a field and comes back as it was.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

from tertium.errors import InputError
from tertium.io.files import open_lines
from tertium.io.streams import FilePath, display_name

_ESCAPES = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
_ESCAPED = re.compile(r"\\(.?)", re.DOTALL)
_MEANT = {"\\": "\\", "t": "\t", "n": "\n", "r": "\r"}
_SURROGATES = re.compile("[\ud800-\udfff]")
_ESCAPE_TABLE = str.maketrans(_ESCAPES)


class Record(NamedTuple):
    """What stands on one line, and where that is: `set.jsonl: line 3`."""

    where: str
    values: dict[str, Any]


def read_json_lines(path: FilePath) -> Iterator[Record]:
    """The objects of a JSON Lines file, one a line; blank lines are passed over.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "a.jsonl")
    ...     _ = path.write_text('{"id": "S1"}\\n')
    ...     [record.values for record in read_json_lines(path)]
    [{'id': 'S1'}]
    """
    for where, line in numbered_lines(path):
        if line.strip():
            yield json_record(line, where)


def json_record(line: str, where: str) -> Record:
    """The object on one line of JSON."""
    value = parsed_json(line, where)
    if not isinstance(value, dict):
        raise InputError(f"{where}: holds {_kind(value)}, where an object {{...}} must stand")
    return Record(where, value)


def parsed_json(text: str, where: str) -> Any:
    """JSON, strictly: no key twice in an object, no NaN.

    >>> parsed_json('{"a": 1, "a": 2}', "x.jsonl: line 1")
    Traceback (most recent call last):
    tertium.errors.InputError: x.jsonl: line 1: the key 'a' stands twice in one object
    """

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:
                raise InputError(f"{where}: the key {key!r} stands twice in one object")
            found[key] = value
        return found

    def no_number(name: str) -> NoReturn:
        raise InputError(f"{where}: {name} is not JSON")

    try:
        return json.loads(text, object_pairs_hook=unique, parse_constant=no_number)
    except json.JSONDecodeError as error:
        line = f" (line {error.lineno} of the text)" if error.lineno > 1 else ""
        raise InputError(f"{where}: is not JSON: {error.msg} at character {error.colno}{line}") from None
    except RecursionError:
        raise InputError(f"{where}: is not JSON that we read: it is nested too deeply") from None


def read_tsv(
    path: FilePath, known: Sequence[str], required: Sequence[str], *, raw: Sequence[str] = ()
) -> Iterator[Record]:
    r"""The rows of a table by the names of its header; an empty field is left out.

    Columns not in `known` are refused by name, and so is a table without a `required` one. Fields of the columns
    `raw` come as they are, escapes and all.
    """
    lines = numbered_lines(path)
    where, first = next(lines)
    header = [name.strip() for name in first.split("\t")]
    check_header(header, known, required, where)
    for where, line in lines:
        if line.strip():
            yield tsv_record(line, where, header, raw=raw)


def tsv_record(line: str, where: str, header: Sequence[str], *, raw: Sequence[str] = ()) -> Record:
    """The fields of one line of a table by the names in its header; an empty field is left out."""
    fields = line.split("\t")
    if len(fields) != len(header):
        raise InputError(f"{where}: has {len(fields)} fields, but the header names {len(header)} columns")
    return Record(
        where,
        {
            name: field if name in raw else unescaped(field, f"{where}, column {name}")
            for name, field in zip(header, fields, strict=True)
            if field
        },
    )


def check_header(header: Sequence[str], known: Sequence[str], required: Sequence[str], where: str) -> None:
    """Refuse unknown, repeated and missing columns by name."""
    from tertium.errors import did_you_mean

    for place, name in enumerate(header):
        if name in header[:place]:
            raise InputError(f"{where}: the column {name!r} stands twice")
        if name not in known:
            raise InputError(f"{where}: unknown column {name!r}{did_you_mean(name, known)}")
    for name in required:
        if name not in header:
            raise InputError(f"{where}: the header has no column {name!r} (it has: {', '.join(header)})")


def numbered_lines(path: FilePath) -> Iterator[tuple[str, str]]:
    """The lines of a text file with their place, `set.tsv: line 3`; a byte-order mark and the "\\r" of CRLF go."""
    name = display_name(path)
    number = 0
    with open_lines(path, strip_bom=True, strip=False) as reader:
        for batch in reader:
            for i in range(len(batch)):
                number += 1
                yield f"{name}: line {number}", (batch[i] or "").removesuffix("\r")


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
                f"{where}: {found.group()!r} is no escape: write a backslash as \\\\, a tab as \\t"
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
