"""The scores of an mt-metrics-eval folder: people's, and those of stored metrics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from tertium.io.mtme import ScoreName, mtme_scores, read_mtme_scores, stored_metric
from tertium.io.scorematrix import ScoreMatrix
from tertium.meta.metric_lists import LEVELS
from tertium.meta.scored_metrics import ScoredMetric, outside_metric
from tertium.meta.standard import FolderDefaults
from tertium.meta.task import Task


def read_folder_gold(
    folder: Path, pair: str, defaults: FolderDefaults
) -> tuple[dict[str, ScoreMatrix], ScoreMatrix | None]:
    """The human scores of a pair by level, and those of segments that have the name of the systems' gold.

    Systems without any score are left out: the files may list all that took part.
    """
    wanted = {(level, name) for level, name in defaults.gold.items()}
    of_systems = defaults.gold.get("system")
    files = mtme_scores(folder, pair)[0]
    chosen = [own for own in files if (own.level, own.name) in {*wanted, ("segment", of_systems)}]
    found: dict[tuple[str, str], ScoreMatrix] = {}
    for matrix in opened_scores(chosen):
        scored = [name for name, there in zip(matrix.systems, matrix.defined, strict=True) if there.any()]
        found[matrix.level, matrix.name] = matrix.selected(scored)
    human = {level: matrix for (level, name), matrix in found.items() if (level, name) in wanted}
    if "segment" in human and "system" not in human:
        human["system"] = human["segment"].system_means()
    return human, found.get(("segment", of_systems or ""), human.get("segment"))


def opened_scores(files: Iterable[ScoreName]) -> Iterator[ScoreMatrix]:
    """The scores of systems and segments in files of an mt-metrics-eval folder."""
    for own in files:
        if own.level in LEVELS:
            yield read_mtme_scores(own.path, level=own.level, name=own.name)


def scored_systems(human: Mapping[str, ScoreMatrix], defaults: FolderDefaults) -> list[str]:
    """The systems that people scored, but for references and outliers."""
    gone = {*defaults.references, *defaults.outliers}
    return [
        name for name in dict.fromkeys(n for one in human.values() for n in one.systems) if name not in gone
    ]


def read_stored_metrics(
    task: Task, defaults: FolderDefaults, systems: Sequence[str]
) -> tuple[tuple[ScoredMetric, ...], tuple[str, ...]]:
    """The metrics whose scores an mt-metrics-eval folder has, against the references used or none (src), and the
    names of those that lack scores of some system.

    As in mt-metrics-eval, the official metrics are judged where they are known, and a system that a metric has no
    score of counts as 0.
    """
    assert task.layout is not None
    found: dict[str, list[ScoreMatrix]] = {}
    padded: dict[str, None] = {}
    used = frozenset(defaults.references)
    for file in mtme_scores(task.layout, defaults.pair)[1]:
        base, references = stored_metric(file.name, defaults.references)
        if not references <= used or (defaults.metrics is not None and base not in defaults.metrics):
            continue
        for matrix in opened_scores([file]):
            if missing := [name for name in systems if name not in matrix.systems]:
                padded[file.name] = None
                zeros = np.zeros((len(missing), len(matrix.items)))
                matrix = replace(
                    matrix,
                    systems=(*matrix.systems, *missing),
                    values=np.concatenate([matrix.values, zeros]),
                )
            found.setdefault(matrix.name, []).append(matrix)
    return tuple(outside_metric(own, name, derive=True) for name, own in found.items()), tuple(padded)
