"""Batches as they are read, and what looks wrong: outputs that are empty, tokenised, or their own reference."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence

from tertium.errors import InputError, TertiumWarning
from tertium.families.base import Metric
from tertium.io.door import Batch, Inputs
from tertium.progress import steps

TOKENISED_LINES = 100  # sacrebleu's threshold: this many lines that end in " ." look tokenised


class OwnOutputs:
    """Whether a pseudo-reference is the very output that it is compared with, batch by batch."""

    def __init__(self, systems: Sequence[str]) -> None:
        self._systems = systems
        self._same: set[tuple[int, int]] | None = None
        self._labels: tuple[str, ...] = ()

    def see(self, batch: Batch) -> None:
        if not batch.references.pseudo:
            return
        self._labels = batch.references.pseudo
        streams = batch.references.streams[-len(self._labels) :]
        if self._same is None:
            self._same = {(i, k) for i in range(len(batch.hypotheses)) for k in range(len(streams))}
        self._same = {
            (i, k)
            for i, k in self._same
            if all(a == b for a, b in zip(batch.hypotheses[i], streams[k], strict=True))
        }

    def refuse(self) -> None:
        for i, k in sorted(self._same or ()):
            raise InputError(
                f"{self._systems[i]}: is pseudo-reference {self._labels[k]!r} in every segment: no system is compared "
                "with its own output"
            )


def watched(inputs: Inputs, metrics: Sequence[Metric], *, force: bool = False) -> Iterator[Batch]:
    """The batches, with progress on the way; warns at the end of hypotheses that are scored but look wrong: all
    empty, or tokenised already. `force` says that the text is meant to look tokenised."""
    empty, tokenised = [0] * len(inputs.systems), [0] * len(inputs.systems)
    segments, own = 0, OwnOutputs(inputs.systems)
    for batch in steps(inputs.batches, "segments", size=lambda batch: batch.n_segments):
        own.see(batch)
        yield batch
        segments += batch.n_segments
        for i, lines in enumerate(batch.hypotheses):
            empty[i] += lines.count_empty()
            tokenised[i] += lines.count_ending(" .")
    own.refuse()
    tokenising = any(getattr(metric, "tok", "none") != "none" for metric in metrics)
    for name, without, periods in zip(inputs.systems, empty, tokenised, strict=True):
        if without == segments > 0:
            warnings.warn(f"{name}: all hypotheses are empty", TertiumWarning, stacklevel=3)
        if periods >= TOKENISED_LINES and tokenising and not force:
            warnings.warn(
                f"{name}: {periods} lines end in ' .': it looks tokenised, which may hurt the score "
                "(detokenise it, or use --force, in Python force=True)",
                TertiumWarning,
                stacklevel=3,
            )
