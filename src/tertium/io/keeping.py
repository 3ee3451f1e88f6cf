"""Some of the segments of what is to be scored: those of a part of a test set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress
from typing import TYPE_CHECKING

from tertium._native import Lines

if TYPE_CHECKING:
    from tertium.io.door import Batch, Inputs


def some_segments(inputs: Inputs, keep: Sequence[bool]) -> Inputs:
    """The segments that are kept, of all texts; `keep` says it of each, or nothing: all are."""
    if not keep:
        return inputs
    metadata = {name: tuple(compress(values, keep)) for name, values in inputs.metadata.items()}
    return inputs._replace(batches=_kept(inputs.batches, keep), metadata=metadata)


def _kept(batches: Iterator[Batch], keep: Sequence[bool]) -> Iterator[Batch]:
    begin = 0
    for batch in batches:
        own = keep[begin : begin + batch.n_segments]
        begin += batch.n_segments
        if any(own):
            yield _part(batch, own)


def _part(batch: Batch, keep: Sequence[bool]) -> Batch:
    def part(lines: Lines) -> Lines:
        return Lines(list(compress(lines, keep)))

    return batch._replace(
        hypotheses=[part(lines) for lines in batch.hypotheses],
        references=batch.references.map(part),
        sources=None if batch.sources is None else part(batch.sources),
        documents=None if batch.documents is None else list(compress(batch.documents, keep)),
    )
