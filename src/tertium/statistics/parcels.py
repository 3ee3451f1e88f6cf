"""Rows on their way: to bytes and back, to Arrow and back.

A parcel says what kind of rows it holds, which metric made them and how their columns are called; its parts are flat
arrays. As bytes it is

    "tertrows", version (1 byte), size of the header (4), header (JSON), parts one after the other, checksum (16)

with all numbers little-endian; the checksum is BLAKE2b of everything before it. Equal rows are equal bytes. Whatever is
damaged, cut off, of another version or of another metric is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tertium import _native
from tertium.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    import pyarrow

    from tertium.families.base import Metric

MAGIC, VERSION, CHECKSUM = b"tertrows", 1, 16
HEADER_AT = len(MAGIC) + 1 + 4
ARROW_KEY = b"tertium"  # where the schema of an Arrow table has our header
TYPE_PARTS = ("starts", "types", "counts", "ends", "names")


@dataclass(frozen=True)
class Parcel:
    """Rows taken apart."""

    kind: str
    made_by: str  # the signature of the metric that made the rows; empty: unknown
    columns: tuple[tuple[str, bool], ...]  # of dense rows: names, and whether they are real numbers
    parts: Mapping[str, Any]  # buffers of bytes

    def checked(self, metric: Metric | str | None) -> Parcel:
        """This, if the metric made it, or would have made the same rows; None asks nothing."""
        wanted = signed(metric)
        if wanted and not self.made_by:
            raise InputError("these rows do not say which metric made them: write them with to_bytes(metric)")
        if wanted and wanted != self.made_by:
            raise InputError(f"these rows were made by {self.made_by}, not by {wanted}")
        return self

    def header(self) -> bytes:
        import json

        sizes = {name: memoryview(part).nbytes for name, part in self.parts.items()}
        said = {"kind": self.kind, "metric": self.made_by, "columns": self.columns, "parts": sizes}
        return json.dumps(said, separators=(",", ":")).encode("ascii")


def signed(metric: Metric | str | None) -> str:
    """What decides the rows of a metric (`Metric.rows_signature`); a string is taken as it is."""
    return metric or "" if isinstance(metric, str | None) else metric.rows_signature


def as_octets(data: Any) -> memoryview:
    """A contiguous buffer, byte by byte."""
    view = memoryview(data)
    return view.cast("B") if view.nbytes else memoryview(b"")


def to_bytes(parcel: Parcel) -> bytes:
    header = parcel.header()
    front = MAGIC + bytes([VERSION]) + len(header).to_bytes(4, "little") + header
    body = b"".join([front, *parcel.parts.values()])
    return body + _checksum(body)


def from_bytes(data: Any) -> Parcel:
    try:
        view = as_octets(data)
    except TypeError:
        raise InputError(f"rows are read from bytes, not from {type(data).__name__}") from None
    if bytes(view[: len(MAGIC)]) != MAGIC:
        raise InputError("this is not a parcel of rows: it does not start as Statistics.to_bytes starts")
    if len(view) < HEADER_AT + CHECKSUM:
        raise InputError("these rows are cut off: write them again")
    if (version := view[len(MAGIC)]) != VERSION:
        raise InputError(f"these rows are of version {version}, not {VERSION}: write them again")
    body = view[:-CHECKSUM]
    if _checksum(body) != bytes(view[-CHECKSUM:]):
        raise InputError("these rows are damaged or cut off (their checksum is wrong): write them again")
    at = HEADER_AT + int.from_bytes(view[len(MAGIC) + 1 : HEADER_AT], "little")
    if at > len(body):
        raise InputError("these rows are damaged: the header is longer than the data")
    kind, made_by, columns, sizes = _header(bytes(view[HEADER_AT:at]))
    parts = {}
    for name, size in sizes.items():
        parts[name] = body[at : at + size]
        at += size
    if at != len(body):
        raise InputError("these rows are damaged: the data are not as long as the header says")
    return Parcel(kind, made_by, columns, parts)


def _checksum(data: Any) -> bytes:
    from hashlib import blake2b

    return blake2b(data, digest_size=CHECKSUM).digest()


def _header(text: bytes) -> tuple[str, str, tuple[tuple[str, bool], ...], dict[str, int]]:
    import json

    try:
        said = json.loads(text)
        kind, made_by, columns, sizes = (said[key] for key in ("kind", "metric", "columns", "parts"))
        named = tuple((name, real) for name, real in columns)
        texts = [kind, made_by, *(name for name, _ in named)]
        fits = all(type(text) is str for text in texts) and all(type(real) is bool for _, real in named)
        if not fits or not all(type(size) is int and size >= 0 for size in sizes.values()):
            raise ValueError
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InputError("these rows are damaged: the header cannot be read") from None
    return kind, made_by, named, sizes


def to_arrow(parcel: Parcel) -> pyarrow.RecordBatch:
    """Dense rows are viewed in place: one column of lists, each a row of integers as they lie in memory. Of type rows
    there are the types of each segment and their counts."""
    pa = _pyarrow()

    def flat(kind: Any, part: str) -> Any:
        buffer = pa.py_buffer(parcel.parts[part])
        return pa.Array.from_buffers(kind, buffer.size * 8 // kind.bit_width, [None, buffer])

    if "rows" in parcel.parts:
        arrays = {"row": pa.FixedSizeListArray.from_arrays(flat(pa.int64(), "rows"), _width(parcel.columns))}
    else:
        ends = flat(pa.int64(), "ends")
        offsets = pa.concat_arrays([pa.array([0], pa.int64()), ends]).buffers()[1]
        names = pa.py_buffer(parcel.parts["names"])
        # to Arrow, lone surrogates are not Unicode
        text = pa.large_string() if _is_unicode(names) else pa.large_binary()
        known = pa.Array.from_buffers(text, len(ends), [None, offsets, names])
        starts = flat(pa.int64(), "starts")
        numbers = flat(pa.uint32(), "types").cast(pa.int32())
        counts = pa.FixedSizeListArray.from_arrays(flat(pa.uint32(), "counts"), 3)
        arrays = {
            "types": pa.LargeListArray.from_arrays(starts, pa.DictionaryArray.from_arrays(numbers, known)),
            "counts": pa.LargeListArray.from_arrays(starts, counts),
        }
    made = pa.RecordBatch.from_arrays(list(arrays.values()), names=list(arrays))
    return made.replace_schema_metadata({ARROW_KEY: parcel.header()})


def from_arrow(table: Any) -> Parcel:
    pa = _pyarrow()
    if not isinstance(table, pa.RecordBatch | pa.Table):
        raise InputError(f"rows are read from an Arrow table or batch, not from {type(table).__name__}")
    said = (table.schema.metadata or {}).get(ARROW_KEY)
    if said is None:
        raise InputError("this Arrow table does not come from Statistics.to_arrow")
    kind, made_by, columns, _ = _header(said)
    whole = pa.table(table).combine_chunks()
    if any(_nulls(column.combine_chunks()) for column in whole.columns):
        raise InputError("this Arrow table has nulls where rows of statistics have numbers")
    try:
        if "row" in whole.column_names:
            wanted = pa.list_(pa.int64(), _width(columns))
            parts = {"rows": whole["row"].cast(wanted).combine_chunks().flatten()}
        else:
            counts = whole["counts"].cast(pa.large_list(pa.list_(pa.uint32(), 3))).combine_chunks()
            types = whole["types"].combine_chunks()
            lengths = pa.compute.list_value_length(types).cast(pa.int64())
            if not lengths.equals(pa.compute.list_value_length(counts).cast(pa.int64())):
                raise KeyError("a segment has more types than counts, or fewer")
            coded = types.flatten()
            coded = coded if pa.types.is_dictionary(coded.type) else coded.dictionary_encode()
            names = coded.dictionary.cast(pa.large_binary())
            nothing = pa.array([0], pa.int64())
            parts = {
                "starts": pa.concat_arrays([nothing, pa.compute.cumulative_sum(lengths)]),
                "types": coded.indices.cast(pa.uint32()),
                "counts": counts.flatten().flatten(),
                "ends": pa.compute.cumulative_sum(pa.compute.binary_length(names).cast(pa.int64())),
                "names": b"".join(names.to_pylist()),
            }
    except (pa.ArrowException, KeyError, AttributeError, TypeError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(
            f"this Arrow table does not hold rows as Statistics.to_arrow writes them: {reason}"
        ) from None
    return Parcel(kind, made_by, columns, {name: _bytes(part) for name, part in parts.items()})


def _width(columns: tuple[tuple[str, bool], ...]) -> int:
    """Integers in a dense row."""
    return sum(_native.DIGITS if real else 1 for _, real in columns)


def _nulls(array: Any) -> int:
    """How many there are, in lists too."""
    inner = array.flatten() if hasattr(array, "flatten") else None
    return int(array.null_count) + (0 if inner is None or inner is array else _nulls(inner))


def _bytes(part: Any) -> Any:
    """Where the numbers of an Arrow array lie."""
    if isinstance(part, bytes):
        return part
    size = part.type.bit_width // 8
    buffer = part.buffers()[1]
    return as_octets(b"" if buffer is None else buffer)[part.offset * size : (part.offset + len(part)) * size]


def _is_unicode(text: Any) -> bool:
    try:
        str(text, "utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _pyarrow() -> Any:
    try:
        import pyarrow.compute
    except ImportError:
        raise MissingExtraError("an Arrow table of rows", "frames") from None
    return pyarrow
