"""What was measured, from files of rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tertium import registry
from tertium.errors import InputError
from tertium.families.base import Level
from tertium.measured import Measured
from tertium.measuring import joined
from tertium.rowfiles.files import RowsFile, check_alike
from tertium.statistics import Statistics

if TYPE_CHECKING:
    from tertium.statistics.base import Integers


def read_rows(paths: str | Sequence[str], level: Level = "segment") -> Measured:
    """What was measured: rows of segments, of documents or of everything. Several files: other systems on the same
    segments, side by side."""
    listed = [paths] if isinstance(paths, str) else list(paths)
    files = [RowsFile.open(path) for path in listed]
    for other in files[1:]:
        check_alike(files[0], other, ("tertium", "metrics", "rows", "units", "pseudo"))
        if len(other) != len(files[0]) or other.documents() != files[0].documents():
            raise InputError(f"{other.path}: has other segments or documents than {files[0].path}")
        if twice := sorted(set(files[0].systems) & set(other.systems)):
            raise InputError(
                f"{other.path}: has the system {twice[0]!r}, too; `tertium rows merge` joins shards"
            )
    first, *others = (_measured(file, level) for file in files)
    rows = dict(first.rows)
    for other_rows in others:
        rows.update(other_rows.rows)
    systems = tuple(name for file in files for name in file.systems)
    if len(set(systems)) < len(systems):
        raise InputError("two files have a system of the same name")
    return replace(first, systems=systems, rows=rows)


def _keep_total(kept: list[Statistics], rows: Statistics, _groups: Integers, _number: int) -> None:
    kept[:] = [kept[0].accumulate(rows) if kept else rows.total()]


def _keep_documents(kept: list[Statistics], rows: Statistics, groups: Integers, number: int) -> None:
    summed = rows.grouped(groups, number)
    kept[:] = [kept[0] + summed if kept else summed]


def _keep_segments(kept: list[Statistics], rows: Statistics, _groups: Integers, _number: int) -> None:
    kept.append(rows)


_KEEPERS: dict[Level, Callable[[list[Statistics], Statistics, Any, int], None]] = {
    "corpus": _keep_total,
    "document": _keep_documents,
    "segment": _keep_segments,
}


def _measured(file: RowsFile, level: Level) -> Measured:
    import numpy as np

    facts = file.facts
    metrics = tuple(registry.metric(own["spec"]) for own in facts["metrics"])
    documents = file.documents() if level == "document" else ()
    if documents is None:
        raise InputError(f"{file.path}: has no documents: give ids when rows are written (--documents FILE)")
    names: dict[str, int] = {}
    numbers = [names.setdefault(name, len(names)) for name, _ in documents]
    groups = np.repeat(np.array(numbers, np.int64), [n for _, n in documents])
    kept: list[list[Statistics]] = [[] for _ in range(len(file.systems) * len(facts["rows"]))]
    at = 0
    for n, found in file.blocks(summed=level == "corpus"):
        for own, rows in zip(kept, found, strict=True):
            _KEEPERS[level](own, rows, groups[at : at + n], len(names))
        at += n
    whole = [joined(own) for own in kept]
    places = {metric: own["rows"] for metric, own in zip(metrics, facts["metrics"], strict=True)}
    return Measured(
        systems=file.systems,
        metrics=metrics,
        rows={
            (name, metric): whole[number * len(facts["rows"]) + places[metric]]
            for number, name in enumerate(file.systems)
            for metric in metrics
        },
        level=level,
        n_segments=len(file),
        n_references=facts["references"],
        pseudo=tuple(facts["pseudo"]),
        documents=tuple(names) if level == "document" else (),
        units=facts["units"],
    )
