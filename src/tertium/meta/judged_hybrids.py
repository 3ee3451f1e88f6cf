"""Metrics against people on hybrid systems of one language pair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium.errors import InputError
from tertium.measured import Measured
from tertium.meta.correlations import CorrelationCell, Correlations
from tertium.meta.materials import PairData
from tertium.meta.paired_tests import compare_hybrids
from tertium.meta.scored_metrics import ScoredMetric
from tertium.meta.task import Task

if TYPE_CHECKING:
    from tertium.stats.hybrids import Hybrids


def _drawn(task: Task, data: PairData, systems: Sequence[str], segments: int) -> Hybrids:
    """The hybrids of a pair: as their description says, where there is one; else drawn, and described."""
    from tertium.meta.hybrids import load_hybrids, save_hybrids
    from tertium.stats.hybrids import draw_hybrids
    from tertium.text.units import numbered

    path = None if task.hybrid_files is None else task.hybrid_files / f"{data.pair}.hybrids.tsv.gz"
    if path is not None and path.is_file():
        return load_hybrids(path, systems, segments)
    documents = None
    if task.hybrid_units == "documents":
        if data.testset is None or data.testset.documents is None:
            raise InputError(f"{task.origin}: {data.pair}: hybrid_units = 'documents' needs document ids")
        documents = numbered(data.testset.documents)
    drawn = draw_hybrids(len(systems), segments, task.hybrids, seed=task.seed, documents=documents)
    if path is None:
        return drawn
    path.parent.mkdir(parents=True, exist_ok=True)
    save_hybrids(path, systems, drawn)
    return drawn


def judge_hybrids(
    task: Task,
    data: PairData,
    metrics: Sequence[ScoredMetric],
    measured: Measured | None,
    notes: list[str],
    threads: int,
) -> Iterator[Correlations]:
    from tertium.meta.hybrids import score_hybrids
    from tertium.stats.hybrids import FEWEST_SYSTEMS

    level = "segment" if task.hybrid_human == "segments" else "system"
    human = data.human.get(level)
    if human is None:
        notes.append(f"{data.pair}: no hybrids, because there are no human scores of {level}s")
        return
    if measured is None:
        notes.append(f"{data.pair}: no hybrids, because they need texts")
        return
    if (scored := len(human.systems)) < FEWEST_SYSTEMS:
        notes.append(
            f"{data.pair}: no hybrids, because people scored {scored} systems: it takes {FEWEST_SYSTEMS}"
        )
        return
    value_of = human.row if level == "segment" else human.system
    people: dict[str, Any] = {name: value_of(name) for name in human.systems}
    drawn = _drawn(task, data, human.systems, len(measured))
    outside = {
        metric.name: {name: metric.segments.row(name) for name in human.systems}
        for metric in metrics
        if metric.metric is None and metric.segments is not None
    }
    chosen = [metric for metric in metrics if metric.metric is not None and metric.systems is not None]
    columns: list[Any] = []
    found = None
    for way in dict.fromkeys(metric.aggregation for metric in chosen):
        own = [metric for metric in chosen if metric.aggregation == way]
        part = replace(measured, metrics=tuple(dict.fromkeys(m.metric for m in own if m.metric is not None)))
        found = score_hybrids(part, people, aggregation=way, outside=outside, hybrids=drawn, threads=threads)
        by_metric = dict(zip([*part.metrics, *outside], found.metrics, strict=True))
        own += [metric for metric in metrics if metric.name in outside]
        columns += [(m, by_metric[m.name if m.metric is None else m.metric].scores) for m in own]
        outside = {}
    if found is None:
        return
    order = {metric.name: i for i, metric in enumerate(metrics)}
    columns.sort(key=lambda column: order[column[0].name])
    table = np.stack([metric.sign * scores for metric, scores in columns])
    used = np.isfinite(table).all(axis=0) & np.isfinite(found.human)
    tests = compare_hybrids(
        found.human,
        table,
        drawn,
        used,
        significance=task.significance or "permutation",
        alpha=task.alpha,
        resamples=task.resamples,
        seed=task.seed,
    )
    from tertium.stats.correlation import pearson

    cells = []
    for (metric, _), row in zip(columns, table, strict=True):
        r = pearson(found.human[used], row[used])
        cells.append(CorrelationCell(metric.name, r.value, r.p, r.reason, ensemble=metric.ensemble))
    yield Correlations(
        data.pair,
        "hybrids",
        "pearson",
        int(used.sum()),
        tuple(cells),
        tests.wins,
        tests.words,
        (*(note for note in found.notes() if "mean of segment" not in note), *tests.notes),
        p_values=tests.p_values,
        resampled=tests.resampled,
    )
