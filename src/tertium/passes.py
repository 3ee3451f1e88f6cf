"""One pass over files or batches, for all metrics, systems and levels, in flat memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from tertium import registry
from tertium.errors import InputError
from tertium.families.base import Level, Metric, checked_level
from tertium.io.door import Batch, Files, Inputs
from tertium.scores import Score, Scores
from tertium.scoring import Doubts, Tally, add_to_all
from tertium.statistics import Statistics

Progress = Callable[[int], None]  # told after each batch how many segments are done


def score_files(
    references: Sequence[str],
    hypotheses: Sequence[str],
    metrics: Sequence[str | Metric] = ("bleu", "chrf"),
    *,
    level: str = "corpus",
    documents: str | None = None,
    source: str | None = None,
    encoding: str = "utf-8",
    threads: int = 1,
    force: bool = False,
) -> Scores:
    """Score files of any length: each is read once, batch by batch. `hypotheses` has a file for each system.

    >>> import importlib.resources
    >>> folder = str(importlib.resources.files("tertium") / "data" / "sample")
    >>> scores = score_files([f"{folder}/reference1.en"], [f"{folder}/system-strong.en"], ["bleu"])
    >>> round(scores["bleu"].value, 1)
    49.0
    """
    chosen = [registry.metric(spec) for spec in metrics]
    check_sources(chosen, source)
    files = Files(references, hypotheses, documents=documents, source=source, encoding=encoding)
    inputs = files.open(whole=any(metric.needs_whole_set for metric in chosen))
    return score_inputs(inputs, chosen, [checked_level(level)], threads=threads, force=force)[0]


def score_inputs(
    inputs: Inputs,
    metrics: Sequence[Metric],
    levels: Sequence[Level],
    *,
    threads: int = 1,
    force: bool = False,
    progress: Progress | None = None,
) -> list[Scores]:
    """The scores of all systems by all metrics, at one or more levels in the same pass."""
    tallies = [[Tally(metric, inputs.systems, level, threads) for metric in metrics] for level in levels]
    for batch in watched(inputs, metrics, force=force, progress=progress):
        everyone = [tally for group in tallies for tally in group]
        add_to_all(everyone, batch.hypotheses, batch.references, batch.sources, batch.documents)
    return [
        Scores(level, tuple(_by_system([tally.scores() for tally in group])))
        for level, group in zip(levels, tallies, strict=True)
    ]


def _by_system(of_metrics: Sequence[Sequence[Score]]) -> Iterator[Score]:
    for of_system in zip(*of_metrics, strict=True):
        yield from of_system


def segment_scores(
    batch: Batch, metrics: Sequence[Metric], systems: Sequence[str], threads: int = 1
) -> list[list[Score]]:
    """The scores of one batch's segments: for each metric, one Score a system."""
    tallies = [Tally(metric, systems, "segment", threads) for metric in metrics]
    add_to_all(tallies, batch.hypotheses, batch.references, batch.sources)
    return [tally.scores() for tally in tallies]


def check_sources(metrics: Sequence[Metric], sources: object) -> None:
    """Refuse early what a metric would refuse late."""
    for metric in metrics:
        if metric.needs_source and not sources:
            raise InputError(f"{metric.name} compares with the source text: name it with --source FILE")


def watched(
    inputs: Inputs, metrics: Sequence[Metric], *, force: bool = False, progress: Progress | None = None
) -> Iterator[Batch]:
    """The batches; tells `progress` on the way and warns at the end of what looks wrong."""
    doubts, segments = Doubts(inputs.systems), 0
    for batch in inputs.batches:
        yield batch
        segments += batch.n_segments
        doubts.add(batch.hypotheses)
        if progress is not None:
            progress(segments)
    doubts.warn(metrics, force=force)


class Gathered(NamedTuple):
    """The rows of all segments: what comparing systems starts from."""

    systems: list[str]
    statistics: list[dict[str, Statistics]]  # of each metric: a system's rows by its name
    n_references: int | None  # None: it varies
    documents: list[str] | None


def gather(
    inputs: Inputs,
    metrics: Sequence[Metric],
    *,
    threads: int = 1,
    force: bool = False,
    progress: Progress | None = None,
) -> Gathered:
    """Keep the statistics of every segment, for resampling and grouping; texts still pass by batch by batch."""
    parts: list[list[list[Statistics]]] = [[[] for _ in inputs.systems] for _ in metrics]
    numbers: set[int | None] = set()
    documents: list[str] = []
    for batch in watched(inputs, metrics, force=force, progress=progress):
        numbers.add(batch.references.number)
        documents += batch.documents or []
        for metric, of_systems in zip(metrics, parts, strict=True):
            prepared = metric.prepare(batch.references, threads=threads)
            for lines, kept in zip(batch.hypotheses, of_systems, strict=True):
                kept.append(metric.statistics(lines, prepared, sources=batch.sources, threads=threads))
    if not numbers:
        raise InputError("there is nothing to score: no segments")
    return Gathered(
        inputs.systems,
        [
            {name: _joined(kept) for name, kept in zip(inputs.systems, of_systems, strict=True)}
            for of_systems in parts
        ],
        numbers.pop() if len(numbers) == 1 else None,
        documents or None,
    )


def _joined(parts: list[Statistics]) -> Statistics:
    """All rows in one, joined two by two, so that none is copied more often than the logarithm of their number."""
    while len(parts) > 1:
        pairs = [one.concat(other) for one, other in zip(parts[::2], parts[1::2], strict=False)]
        parts = [*pairs, *parts[2 * len(pairs) :]]
    return parts[0]
