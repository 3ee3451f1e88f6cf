"""Units as records: JSON Lines, tables, Parquet. A key is a field of units, or else a property of this name."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TextIO

from tertium.errors import InputError, MissingExtraError
from tertium.io.files import LineReader
from tertium.io.memories.facts import Facts, field_of
from tertium.io.memories.inline import is_well_formed
from tertium.io.memories.notes import Notes
from tertium.io.memories.pairs import Pair
from tertium.io.memories.unit import METADATA, Unit
from tertium.io.records import escaped, json_line, json_record, text_lines, tsv_line, unescaped
from tertium.io.streams import FilePath, check_readable, display_name

SIDES = {"source": ("source", "src"), "target": ("target", "trg", "tgt", "translation")}
_MARKUP = ("source_markup", "target_markup")
_LANGUAGES = ("source_language", "target_language")
COLUMNS = ("source", "target", *_LANGUAGES, *METADATA, "properties", *_MARKUP)
_KNOWN = frozenset((*COLUMNS, *(name for names in SIDES.values() for name in names)))
_ROWS = 4096  # of Parquet at a time
NO_LANGUAGES = "says no languages: which are they? (--pair en-fr)"


class RecordReader:
    """Units of the records that `records` gives, with their places."""

    def __init__(
        self,
        path: FilePath,
        pair: Pair | None,
        records: Callable[[RecordReader], Iterator[tuple[int, Mapping[str, Any]]]],
        encoding: str | None = None,
        line: str = "line",
        *,
        untranslated: bool = False,
    ) -> None:
        self.untranslated = untranslated  # whether there may be no target, and no word about languages
        self.path, self.name = path, display_name(path)
        self.encoding = encoding or "utf-8"
        check_readable(path, self.name)
        self._pair, self._records, self._line = pair, records, line
        self.notes, self.n_bytes = Notes(self.name), 0

    def __iter__(self) -> Iterator[Unit]:
        number = 0
        for number, record in self._records(self):
            yield self._unit(record, f"{self._line} {number}")
        if not number:
            raise InputError(f"{self.name}: there are no units in this memory")
        self.notes.warn()

    def _unit(self, record: Mapping[str, Any], where: str) -> Unit:
        source, target = (self._text(record, side, where) for side in SIDES)
        languages = Pair(*(_string(record.get(key)) for key in _LANGUAGES))
        if self._pair is not None:
            languages = Pair(languages[0] or self._pair[0], languages[1] or self._pair[1])
        elif not all(languages) and not self.untranslated:
            raise InputError(f"{self.name}: {where} {NO_LANGUAGES}")
        facts = Facts()
        for key, value in record.items():
            if key not in _KNOWN or key in METADATA:
                facts.add(field_of(key), key, _string(value))
        for key, value in _pairs(record.get("properties"), f"{self.name}: {where}"):
            facts.add("", key, value)
        if facts.wrong:
            facts.tell(self.notes, where)
        get = facts.fields.get
        return Unit(
            source,
            target,
            languages.source,
            languages.target,
            get("client", ""),
            get("translator", ""),
            get("document", ""),
            facts.number("position"),
            get("date", ""),
            facts.number("used"),
            tuple(facts.properties),
            self._markup(record, "source_markup", where),
            self._markup(record, "target_markup", where),
        )

    def _markup(self, record: Mapping[str, Any], key: str, where: str) -> str:
        markup = _string(record.get(key))
        if markup and not is_well_formed(markup):
            raise InputError(f"{self.name}: {where}: the {key} is not well-formed XML: {markup[:40]!r}")
        return markup

    def _text(self, record: Mapping[str, Any], side: str, where: str) -> str:
        found = [name for name in SIDES[side] if name in record]
        value = record[found[0]] if found else None
        if value is None and side == "target" and self.untranslated:
            return ""
        if not isinstance(value, str):
            what = f"has no {side}" if value is None else f"the {side} is {value!r:.40}, not a text"
            raise InputError(f"{self.name}: {where} {what}")
        return value


def _string(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False, default=str)


def _pairs(value: Any, where: str) -> Iterator[tuple[str, str]]:
    """Properties: an object, or a list of pairs where a name occurs more than once; also as JSON text."""
    if not value:
        return
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            raise InputError(f"{where}: the properties are not JSON") from None
    listed = list(value.items()) if isinstance(value, Mapping) else value
    if not isinstance(listed, list) or not all(
        isinstance(own, list | tuple) and len(own) == 2 for own in listed
    ):
        raise InputError(f"{where}: properties are an object, or a list of pairs of texts")
    for name, own in listed:
        yield _string(name), _string(own)


def record_of(unit: Unit) -> dict[str, Any]:
    """A unit as a record, without what is unknown.

    >>> record_of(Unit("One", "Un", "en", "fr", properties=(("x-domain", "tools"),)))["properties"]
    {'x-domain': 'tools'}
    """
    found = {key: value for key in COLUMNS if (value := getattr(unit, key)) not in ("", None, ())}
    found = {"source": unit.source, "target": unit.target, **found}
    if unit.properties:
        named = dict(unit.properties)
        found["properties"] = (
            named if len(named) == len(unit.properties) else [list(own) for own in unit.properties]
        )
    return found


def json_lines(
    path: FilePath, pair: Pair | None, encoding: str | None, *, untranslated: bool = False
) -> RecordReader:
    def records(reader: RecordReader) -> Iterator[tuple[int, Mapping[str, Any]]]:
        for number, line in text_lines(reader.path, encoding=reader.encoding):
            reader.n_bytes += len(line)
            if line.strip():
                yield number, json_record(line, f"{reader.name}: line {number}").values

    return RecordReader(path, pair, records, encoding, untranslated=untranslated)


def table(
    path: FilePath, pair: Pair | None, encoding: str | None, *, untranslated: bool = False
) -> RecordReader:
    """Tab-separated: with a header of names it is a table of ours, with escapes; without one, two plain columns."""

    def records(reader: RecordReader) -> Iterator[tuple[int, Mapping[str, Any]]]:
        names: list[str] | None = None
        for number, line in text_lines(reader.path, encoding=reader.encoding):
            reader.n_bytes += len(line)
            fields = line.split("\t")
            if number == 1 and ({"source"} if untranslated else {"source", "target"}) <= set(fields):
                names = fields
                if len(set(names)) < len(names):
                    raise InputError(f"{reader.name}: line 1: a column occurs twice")
                continue
            where = f"{reader.name}: line {number}"
            if names is None:
                if len(fields) != 2:
                    raise InputError(
                        f"{where}: has {len(fields)} fields, expected 2: source and target; or name the columns in a "
                        "first line (source, target, client...)"
                    )
                yield number, dict(zip(("source", "target"), fields, strict=True))
            elif len(fields) != len(names):
                raise InputError(
                    f"{where}: has {len(fields)} fields, but the header names {len(names)} columns"
                )
            else:
                yield (
                    number,
                    {
                        name: unescaped(field, f"{where}, column {name}") if "\\" in field else field
                        for name, field in zip(names, fields, strict=True)
                        if field or name in ("source", "target")
                    },
                )

    return RecordReader(path, pair, records, encoding, untranslated=untranslated)


def parquet(
    path: FilePath, pair: Pair | None, encoding: str | None, *, untranslated: bool = False
) -> RecordReader:
    def records(reader: RecordReader) -> Iterator[tuple[int, Mapping[str, Any]]]:
        parquet, arrow = _arrow()
        with LineReader(reader.path) as opened:
            if not opened.head().startswith(b"PAR1"):
                empty = "the file is empty" if not opened.head() else "holds no Parquet data"
                raise InputError(f"{reader.name}: {empty}")
        number = 0
        try:
            with parquet.ParquetFile(reader.path) as file:
                for batch in file.iter_batches(batch_size=_ROWS):
                    reader.n_bytes += batch.nbytes
                    for row in batch.to_pylist():
                        number += 1
                        yield number, row
        except (arrow.ArrowException, OSError) as error:
            problem = " ".join(str(error).split())[:200]
            raise InputError(f"{reader.name}: damaged Parquet data ({problem})") from None

    return RecordReader(path, pair, records, line="row", untranslated=untranslated)


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("Parquet", "frames") from None
    return pyarrow.parquet, pyarrow


class JsonLinesWriter:
    """An object a unit."""

    def __init__(self, file: TextIO, notes: Notes) -> None:
        self._file = file

    def write(self, unit: Unit) -> None:
        self._file.write(json_line(record_of(unit)))

    def finish(self) -> None:
        pass


class TableWriter:
    """A row a unit, below the names of the columns; tabs and line breaks are escaped."""

    def __init__(self, file: TextIO, notes: Notes) -> None:
        self._file = file
        file.write(tsv_line(COLUMNS))

    def write(self, unit: Unit) -> None:
        record = record_of(unit)
        if unit.properties:
            record["properties"] = json.dumps(record["properties"], ensure_ascii=False)
        self._file.write(tsv_line(escaped(str(record.get(key, ""))) for key in COLUMNS))

    def finish(self) -> None:
        pass


class ParquetWriter:
    """A row a unit, in groups, compressed."""

    def __init__(self, file: TextIO, notes: Notes) -> None:
        parquet, pyarrow = _arrow()
        self._arrow = pyarrow
        numbers = {"position", "used"}
        self._schema = pyarrow.schema(
            [(key, pyarrow.int64() if key in numbers else pyarrow.string()) for key in COLUMNS]
        )
        self._rows: list[dict[str, Any]] = []
        self._writer = parquet.ParquetWriter(file.buffer, self._schema, compression="zstd")

    def write(self, unit: Unit) -> None:
        record = record_of(unit)
        if unit.properties:
            record["properties"] = json.dumps(record["properties"], ensure_ascii=False)
        self._rows.append(record)
        if len(self._rows) >= 1 << 15:
            self._flush()

    def _flush(self) -> None:
        self._writer.write_table(self._arrow.Table.from_pylist(self._rows, schema=self._schema))
        self._rows = []

    def finish(self) -> None:
        if self._rows:
            self._flush()
        self._writer.close()
