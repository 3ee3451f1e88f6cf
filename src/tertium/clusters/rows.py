"""Rows of a dataset's segments, made by a cluster, in a file at home."""

from __future__ import annotations

import json
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from typing import IO, TYPE_CHECKING, Any

from tertium.engines.frametasks import VARIES
from tertium.engines.spark import plain_errors
from tertium.errors import InputError
from tertium.rowfiles.files import check_metric
from tertium.rowfiles.writing import RowsBlock, WrittenRows, write_blocks

if TYPE_CHECKING:
    from tertium.clusters.scoring import PlannedFrame

_IN_MEMORY = 64 << 20  # bytes of rows before they go to a temporary file
_COLUMNS = ("segments", "refs", "documents")


def write_rows(planned: PlannedFrame, path: str, *, names: Sequence[str] = ()) -> WrittenRows:
    """A file of rows, in the order of the column `order`, or else of files and their rows. `names`: other names of the
    systems, in their order."""
    metrics = tuple(planned.of)
    for metric in metrics:
        check_metric(metric)
    with tempfile.SpooledTemporaryFile(_IN_MEMORY) as held:
        kinds, blocks = _brought(planned, held)
        places = {metric: planned.plan.analyses.index(own) for metric, own in planned.of.items()}
        systems = planned.plan.hypotheses
        return write_blocks(_read(held, blocks), metrics, places, kinds, systems, path, names=names)


def _brought(planned: PlannedFrame, held: IO[bytes]) -> tuple[list[dict[str, Any]], list[Any]]:
    """Rows as they come home; and the blocks in their order: where each lies, and what is known of it."""
    kinds: list[dict[str, Any]] = []
    blocks: list[Any] = []
    with plain_errors():
        for row in planned.packed().toLocalIterator(prefetchPartitions=True):
            kinds = kinds or json.loads(row["kinds"])
            place = (row["file"], row["part"], row["row"], row["partition"], row["number"])
            at = held.tell()
            sizes = [held.write(bytes(data)) for data in row["data"]]
            blocks.append((place, at, sizes, *(row[name] for name in _COLUMNS)))
    if not blocks:
        raise InputError("there is nothing to score: no segments")
    return kinds, sorted(blocks, key=lambda block: block[0])


def _read(held: IO[bytes], blocks: Sequence[Any]) -> Iterator[RowsBlock]:
    for _, at, sizes, segments, refs, documents in blocks:
        held.seek(at)
        data = [held.read(size) for size in sizes]
        listed = None if documents is None else json.loads(zlib.decompress(bytes(documents)))
        yield RowsBlock(segments, data, listed, None if refs == VARIES else refs)
