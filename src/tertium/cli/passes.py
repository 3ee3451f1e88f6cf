"""One pass over the files for all metrics and systems, and what looks wrong on the way."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

from tertium.cli.inputs import Batch, Inputs
from tertium.errors import InputError, TertiumWarning
from tertium.metrics.base import Level, Metric
from tertium.scoring import Score, Scores, Tally

TOKENISED_LINES = 100  # so many lines that end in " ." look like tokenised text, says sacrebleu
_PATIENCE = 1.0  # seconds before progress is shown


def score_files(
    inputs: Inputs,
    metrics: Sequence[Metric],
    level: Level,
    *,
    threads: int = 1,
    force: bool = False,
    quiet: bool = False,
) -> Scores:
    """The scores of all systems by all metrics, each file read once and batch by batch."""
    return score_levels(inputs, metrics, [level], threads=threads, force=force, quiet=quiet)[0]


def score_levels(
    inputs: Inputs,
    metrics: Sequence[Metric],
    levels: Sequence[Level],
    *,
    threads: int = 1,
    force: bool = False,
    quiet: bool = False,
) -> list[Scores]:
    """As `score_files`, at several levels in the same pass."""
    tallies = [[Tally(metric, inputs.systems, level, threads) for metric in metrics] for level in levels]
    for batch in watched(inputs, metrics, force=force, quiet=quiet):
        for tally in (tally for group in tallies for tally in group):
            tally.add(batch.hypotheses, batch.references, batch.sources, batch.documents)
    return [
        Scores(level, tuple(_by_system([tally.scores() for tally in group])))
        for level, group in zip(levels, tallies, strict=True)
    ]


def _by_system(of_metrics: Sequence[Sequence[Score]]) -> Iterator[Score]:
    for of_system in zip(*of_metrics, strict=True):
        yield from of_system


def segment_scores(
    batch: Batch, metrics: Sequence[Metric], systems: Sequence[str], threads: int
) -> list[list[Score]]:
    """The scores of one batch's segments: for each metric, one Score a system."""
    found = []
    for metric in metrics:
        tally = Tally(metric, systems, "segment", threads)
        tally.add(batch.hypotheses, batch.references, batch.sources)
        found.append(tally.scores())
    return found


def check_sources(metrics: Sequence[Metric], source: str | None) -> None:
    """Refuse early what a metric would refuse late."""
    for metric in metrics:
        if metric.needs_source and source is None:
            raise InputError(f"{metric.name} compares with the source text: name it with --source FILE")


def watched(inputs: Inputs, metrics: Sequence[Metric], *, force: bool, quiet: bool) -> Iterator[Batch]:
    """The batches; shows progress on the way and warns at the end."""
    empty, tokenised, segments = [0] * len(inputs.systems), [0] * len(inputs.systems), 0
    progress = _Progress(quiet=quiet)
    try:
        for batch in inputs.batches:
            yield batch
            segments += batch.n_segments
            progress.show(segments)
            for i, lines in enumerate(batch.hypotheses):
                empty[i] += lines.count_empty()
                tokenised[i] += lines.count_ending(" .")
    finally:
        progress.stop()
    word_metrics = [metric for metric in metrics if getattr(metric, "tok", "none") != "none"]
    for name, count, periods in zip(inputs.systems, empty, tokenised, strict=True):
        if count == segments:
            _warn(f"{name}: all hypotheses are empty")
        if periods >= TOKENISED_LINES and word_metrics and not force:
            _warn(
                f"{name}: {periods} lines end in ' .': it looks tokenised, which may hurt the score "
                "(detokenise it, or say --force)"
            )


def _warn(text: str) -> None:
    warnings.warn(text, TertiumWarning, stacklevel=3)


class _Progress:
    """A count of segments on the terminal, if the work lasts."""

    def __init__(self, *, quiet: bool) -> None:
        self._wanted = not quiet and sys.stderr is not None and sys.stderr.isatty()
        self._since = time.monotonic()
        self._shown: Any = None

    def show(self, segments: int) -> None:
        if not self._wanted or (self._shown is None and time.monotonic() - self._since < _PATIENCE):
            return
        if self._shown is None:
            from rich.console import Console
            from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

            columns = (SpinnerColumn(), TextColumn("{task.completed:,.0f} segments"), TimeElapsedColumn())
            self._shown = Progress(*columns, console=Console(stderr=True), transient=True)
            self._shown.add_task("scoring", total=None)
            self._shown.start()
        self._shown.update(0, completed=segments)

    def stop(self) -> None:
        if self._shown is not None:
            self._shown.stop()
