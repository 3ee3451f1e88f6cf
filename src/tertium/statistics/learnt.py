"""What metrics learn from the whole set before they look at a part of it: types with counts, by kind, which add.

Inverse document frequencies and NIST's information are functions of such counts. Parts of a set are counted anywhere;
their sum, in any order, is what the whole would have given, and so are all scores.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import blake2b
from struct import pack
from typing import Any

from tertium import _native

Parts = tuple[
    bytes, bytes, bytes
]  # keys one behind the other, where each begins, their counts: as Arrow has them


class WholeCounts:
    """Counts of types, by kind. A kind with a single number has the type b"".

    >>> one, other = WholeCounts(), WholeCounts()
    >>> one.count("words", {b"cat": 1, b"the": 2}); other.count("words", {b"the": 1})
    >>> one.add(other)
    >>> sorted(one.counts("words").items())
    [(b'cat', 1), (b'the', 3)]
    """

    def __init__(self, parts: Mapping[str, Parts] | None = None) -> None:
        self._tables: dict[str, _native.KeyCounts] = {}
        for kind, own in (parts or {}).items():
            self.count_parts(kind, own)

    def __getstate__(self) -> dict[str, Parts]:
        return dict(self.parts())

    def __setstate__(self, state: dict[str, Parts]) -> None:
        WholeCounts.__init__(self, state)

    def count(self, kind: str, counts: Mapping[bytes, int]) -> None:
        """More of a kind."""
        ends, at = [0], 0
        for key in counts:
            at += len(key)
            ends.append(at)
        times = list(counts.values())
        self.count_parts(
            kind, (b"".join(counts), pack(f"<{len(ends)}i", *ends), pack(f"<{len(times)}q", *times))
        )

    def count_parts(self, kind: str, parts: Parts) -> None:
        self.table(kind).add(*parts)

    def add(self, other: WholeCounts) -> None:
        """What was learnt from another part of the set."""
        for kind, own in other.parts():
            self.count_parts(kind, own)

    def table(self, kind: str) -> _native.KeyCounts:
        """As kernels take it."""
        if kind not in self._tables:
            self._tables[kind] = _native.KeyCounts()
        return self._tables[kind]

    def parts(self) -> Iterator[tuple[str, Parts]]:
        for kind, table in self._tables.items():
            yield kind, table.parts()

    def counts(self, kind: str) -> dict[bytes, int]:
        keys, starts, times = self.table(kind).parts()
        at = memoryview(starts).cast("i")
        return {keys[at[i] : at[i + 1]]: n for i, n in enumerate(memoryview(times).cast("q"))}

    def number(self, kind: str) -> int:
        """Of a kind that has one."""
        return self.counts(kind).get(b"", 0)

    def digest(self) -> str:
        """Equal where all counts are."""
        found = blake2b(digest_size=16)
        for kind in sorted(self._tables):
            for key, times in sorted(self.counts(kind).items()):
                found.update(pack("<qq", len(key), times) + key)
            found.update(kind.encode() + b"\xff")
        return found.hexdigest()

    def arrow(self) -> Any:
        """A row for each type: its kind, the type, its count."""
        import pyarrow as pa

        kinds, types, counts = [], [], []
        for kind, (keys, starts, times) in self.parts():
            n = len(times) // 8
            buffers = [None, pa.py_buffer(starts), pa.py_buffer(keys)]
            types.append(pa.Array.from_buffers(pa.binary(), n, buffers))
            counts.append(pa.Array.from_buffers(pa.int64(), n, [None, pa.py_buffer(times)]))
            kinds.append(pa.repeat(pa.scalar(kind), n))
        if not kinds:
            kinds, types, counts = (
                [pa.array([], pa.string())],
                [pa.array([], pa.binary())],
                [pa.array([], pa.int64())],
            )
        own = [pa.concat_arrays(column) for column in (kinds, types, counts)]
        return pa.RecordBatch.from_arrays(own, names=["kind", "type", "count"])

    @classmethod
    def of_arrow(cls, table: Any) -> WholeCounts:
        """Of such rows."""
        import pyarrow as pa
        import pyarrow.compute as pc

        made = cls()
        for kind in pc.unique(table["kind"]).to_pylist():
            own = pa.Table.from_batches([table]) if isinstance(table, pa.RecordBatch) else table
            own = own.filter(pc.equal(own["kind"], kind))
            for batch in own.select(["type", "count"]).to_batches():
                keys = pa.concat_arrays([batch.column(0)])  # begins where its buffers begin
                _, starts, data = keys.buffers()
                where = _octets(starts)[: 4 * (len(keys) + 1)] or bytes(4)
                made.count_parts(kind, (_octets(data), where, batch.column(1).to_numpy().tobytes()))
        return made


def _octets(buffer: Any) -> bytes:
    return b"" if buffer is None else buffer.to_pybytes()
