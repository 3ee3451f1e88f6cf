"""Files that hold several texts: WMT's test sets in SGML and XML, tables in JSON Lines and Parquet.

A table has a row for each segment. Its columns are found by their names: `hypothesis` (or `mt`), `reference` (or
`ref`), `references` (a list per segment, of any length), `source` (or `src`), `document` (or `doc`); a table without
any of these may hold a single text in `text`. `--columns hypothesis=mine,reference=ref_a,reference=ref_b` names columns
that are called something else; several hypotheses are several systems. All other columns of plain values are metadata.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Any, NamedTuple

from tertium._native import Lines
from tertium.errors import InputError, MissingExtraError, SpecError, did_you_mean
from tertium.io.files import LineReader

Texts = Lines | Sequence[str | None]
_NAMES: dict[str, tuple[str, ...]] = {
    "hypothesis": ("hypothesis", "mt"),
    "reference": ("references", "reference", "ref"),
    "source": ("source", "src"),
    "document": ("document", "doc"),
    "order": (),  # of the segments of documents, where rows have none of their own
}
_SEVERAL = ("hypothesis", "reference")
_TEXT = "text"


class Bundle(NamedTuple):
    """Texts that belong together, all equally long."""

    name: str
    references: Mapping[str, Texts]
    systems: Mapping[str, Texts]
    sources: Texts | None = None
    documents: Sequence[str] | None = None
    metadata: Mapping[str, tuple[str, ...]] = {}
    hint: str = ""  # where to look for a text that is not there
    one_text: bool = False  # all of them are the same: whatever the file is named for, and nothing else
    lines: Sequence[int] = ()  # where segments stand in a file of lines


def read_bundles(readers: Sequence[LineReader], columns: str | None) -> list[Bundle]:
    """The texts of each file. Test sets are read together: their segments are matched by document and id."""
    asked = parse_names(columns)
    found: dict[int, Bundle] = {}
    marked_up: dict[int, LineReader] = {}
    for i, reader in enumerate(readers):
        if reader.head().startswith(b"PAR1"):
            found[i] = _from_columns(_parquet(reader), reader.name, asked)
        elif ".jsonl" in reader.name.lower() or ".ndjson" in reader.name.lower():
            lines, read = _json_columns(reader)
            found[i] = _from_columns(read, reader.name, asked)._replace(lines=lines)
        elif ".parquet" in reader.name.lower():
            raise InputError(f"{reader.name}: is named like a Parquet file, but holds no Parquet data")
        else:
            marked_up[i] = reader
    found |= zip(marked_up, _test_sets(list(marked_up.values())), strict=True)
    return [found[i] for i in range(len(readers))]


def found_columns(
    name: str, columns: Sequence[str], asked: str | None, names: Mapping[str, Sequence[str]] = _NAMES
) -> dict[str, list[str]]:
    """The columns of a dataset by their role: those that `--columns` names, or else those that are named so.

    >>> found_columns("d", ["mt", "ref", "id"], None)
    {'hypothesis': ['mt'], 'reference': ['ref'], 'source': [], 'document': [], 'order': []}
    """
    wanted = parse_names(asked, names)
    for column in (column for own in wanted.values() for column in own):
        if column not in columns:
            raise InputError(f"{name}: there is no column {column!r}{did_you_mean(column, columns)}")
    return {
        role: wanted.get(role) or [own for own in columns if own in usual] for role, usual in names.items()
    }


def _test_sets(readers: Sequence[LineReader]) -> list[Bundle]:
    from tertium.io.parsedset import combine
    from tertium.io.sgml import parse_test_file

    if not readers:
        return []
    sets = [parse_test_file(reader.read_bytes(), reader.name, reader.encoding) for reader in readers]
    # One file's references must not be taken for another's: names are given once for all.
    both = combine(sets, [reader.name for reader in readers])
    keys = iter(both.texts)
    bundles = []
    for own in sets:
        mine = {key: own.kind(was) for was, key in zip(own.texts, keys, strict=False)}
        texts = {
            kind: {key: both.texts[key] for key, is_ in mine.items() if is_ == kind}
            for kind in ("ref", "hyp")
        }
        sources = next((both.texts[key] for key, kind in mine.items() if kind == "src"), None)
        bundles.append(
            Bundle(
                both.name or PurePath(readers[0].name).stem,
                texts["ref"],
                texts["hyp"],
                sources,
                both.documents,
                {key: tuple(values) for key, values in both.metadata.items()},
            )
        )
    return bundles


def parse_names(text: str | None, names: Mapping[str, Sequence[str]] = _NAMES) -> dict[str, list[str]]:
    """The columns that `--columns` names, by their role.

    >>> parse_names("hypothesis=a,hypothesis=b,reference=gold")
    {'hypothesis': ['a', 'b'], 'reference': ['gold']}
    """
    found: dict[str, list[str]] = {}
    for part in text.split(",") if text is not None else ():
        role, equals, column = part.partition("=")
        if role not in names:
            raise SpecError(f"--columns: there is no {role!r}{did_you_mean(role, names)}")
        if not equals or not column:
            raise SpecError(f"--columns {part}: write {role}=COLUMN")
        if column in found.get(role, ()) or (role not in _SEVERAL and role in found):
            raise SpecError(f"--columns names the {role} twice")
        found.setdefault(role, []).append(column)
    return found


def same_documents(one: Bundle, name: str, other: Bundle, other_name: str) -> None:
    """Refuses files that say themselves which documents they hold, where these are not the same or in another order."""
    theirs, ours = one.documents or (), other.documents or ()
    if list(theirs) == list(ours):
        return
    for having, has, lacking, lacks in ((one, name, other, other_name), (other, other_name, one, name)):
        known = set(lacking.documents or ())
        for i, document in enumerate(having.documents or ()):
            if document not in known:
                raise InputError(
                    f"{lacks}: lacks document {document!r}, which {has} has at {_where(having, i)}"
                )
    at = next(
        (i for i, (a, b) in enumerate(zip(theirs, ours, strict=False)) if a != b), min(len(theirs), len(ours))
    )
    if at == len(ours) or at == len(theirs):
        longer, has, shorter = (one, name, other_name) if at == len(ours) else (other, other_name, name)
        document = (longer.documents or ())[at]
        raise InputError(
            f"{shorter}: ends before {has}, {_where(longer, at)}, which is of document {document!r}"
        )
    raise InputError(
        f"{other_name}: {_where(other, at)} is of document {ours[at]!r}, but {name} has document {theirs[at]!r} there "
        f"({_where(one, at)}): documents must be in the same order"
    )


def _where(bundle: Bundle, segment: int) -> str:
    return f"line {bundle.lines[segment]}" if bundle.lines else f"row {segment + 1}"


def _json_columns(reader: LineReader) -> tuple[list[int], dict[str, list[Any]]]:
    """The lines that hold objects and the columns of a JSON Lines file; where an object lacks a key, the value is
    missing."""
    from tertium.io.records import json_record

    rows: list[dict[str, Any]] = []
    lines: list[int] = []
    number = 0
    for batch in reader:
        for i in range(len(batch)):
            number += 1
            if (line := batch[i] or "").strip():
                rows.append(json_record(line, f"{reader.name}: line {number}").values)
                lines.append(number)
    if not rows:
        raise InputError(f"{reader.name}: there are no objects in this file")
    keys = dict.fromkeys(key for row in rows for key in row)
    return lines, {key: [row.get(key) for row in rows] for key in keys}


def _parquet(reader: LineReader) -> dict[str, list[Any]]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("reading Parquet files", "frames") from None
    data = reader.read_bytes(lines=False)
    try:
        table = pyarrow.parquet.read_table(pyarrow.BufferReader(data))
    except (pyarrow.ArrowException, OSError) as error:
        raise InputError(
            f"{reader.name}: damaged Parquet data ({' '.join(str(error).split())[:200]})"
        ) from None
    names = table.column_names
    if len(set(names)) < len(names):
        raise InputError(f"{reader.name}: has a duplicate column ({', '.join(names)})")
    if not table.num_rows:
        raise InputError(f"{reader.name}: there are no rows in this file")
    return {name: table.column(name).to_pylist() for name in names}


def _from_columns(columns: Mapping[str, list[Any]], name: str, asked: Mapping[str, list[str]]) -> Bundle:
    lower = {key.lower(): key for key in columns}

    def named(role: str) -> list[str]:
        if role in asked:
            return [column for column in asked[role] if column in columns]
        found = [lower[alias] for alias in _NAMES[role] if alias in lower]
        if len(found) > 1:
            raise InputError(
                f"{name}: which column is the {role}, {' or '.join(found)}? Use --columns {role}=COLUMN"
            )
        return found

    chosen = {role: named(role) for role in _NAMES}
    if not any(chosen.values()) and _TEXT in lower:
        only = _strings(columns[lower[_TEXT]], f"{name}: column {lower[_TEXT]!r}")
        hint = f" apart from its column {lower[_TEXT]!r}"
        return Bundle("", {name: only}, {name: only}, only, only, hint=hint, one_text=True)
    references: dict[str, Texts] = {}
    for column in chosen["reference"]:
        references |= _references(columns[column], column, name)
    if references and (lacking := _unreferenced(list(references.values()))) is not None:
        raise InputError(f"{name}: segment {lacking + 1} has no reference")
    several = len(chosen["hypothesis"]) > 1

    def texts(role: str) -> dict[str, list[str]]:
        return {c: _strings(columns[c], f"{name}: column {c!r}") for c in chosen[role]}

    used = {column for own in chosen.values() for column in own}
    return Bundle(
        "",
        references,
        {column if several else name: own for column, own in texts("hypothesis").items()},
        next(iter(texts("source").values()), None),
        next(iter(texts("document").values()), None),
        {
            column: tuple("" if value is None else str(value) for value in values)
            for column, values in columns.items()
            if column not in used and not any(isinstance(value, list | dict) for value in values)
        },
        hint=f" (its columns: {', '.join(columns)}; --columns names them)",
    )


def _references(values: Sequence[Any], column: str, name: str) -> dict[str, Texts]:
    """The streams in a column of strings or lists; where a segment has fewer than others, None."""
    rows = [value if isinstance(value, list) else [value] for value in values]
    width = max(map(len, rows))
    names = [column] if width == 1 else [f"{column} {i + 1}" for i in range(width)]
    streams = [[row[i] if i < len(row) else None for row in rows] for i in range(width)]
    for stream in streams:
        _check_strings(stream, f"{name}: column {column!r}", missing=True)
    return dict(zip(names, streams, strict=True))


def _unreferenced(streams: Sequence[Texts]) -> int | None:
    return next((i for i in range(len(streams[0])) if all(stream[i] is None for stream in streams)), None)


def _strings(values: Sequence[Any], where: str) -> list[str]:
    _check_strings(values, where, missing=False)
    return list(values)


def _check_strings(values: Iterable[Any], where: str, *, missing: bool) -> None:
    for i, value in enumerate(values):
        if not isinstance(value, str) and not (missing and value is None):
            what = "is missing" if value is None else f"is {value!r:.40}, not a string"
            raise InputError(f"{where}: the text of segment {i + 1} {what}")
