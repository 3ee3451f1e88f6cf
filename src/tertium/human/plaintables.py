"""Scores of people or of a metric as a plain table: tab-separated, with columns system, score and possibly segment."""

from __future__ import annotations

from pathlib import Path

from tertium.errors import InputError, did_you_mean
from tertium.human.judgement import segment_gold
from tertium.io.judgements import read_judgements
from tertium.io.judgementtable import NOBODY, Judgements
from tertium.io.records import HeadedTable, text_lines
from tertium.io.scorematrix import ScoreMatrix
from tertium.io.streams import unpacked_name


def columns_of(path: Path) -> list[str]:
    """The names in the first line of a tab-separated file, in lower case."""
    _, top = next(text_lines(path), (1, ""))
    return [name.strip().lower() for name in top.split("\t")]


def is_plain_table(path: Path) -> bool:
    """Whether a file names the columns of such a table in its first line."""
    return {"system", "score"} <= set(columns_of(path))


def read_plain_scores(path: Path, name: str | None = None) -> ScoreMatrix:
    """Scores at segment level, or at system level where no column says segment. Several annotators are averaged; what
    is scored twice is refused with both lines. A metric is named after its file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "mine.tsv")
    ...     _ = path.write_text("system\\tsegment\\tscore\\nA\\t1\\t0.5\\nA\\t2\\t0.7\\n")
    ...     read_plain_scores(path)
    <ScoreMatrix 'mine' at segment level: 1 systems, 2 segments, 2 scores>
    """
    label = name or Path(unpacked_name(path.name)).stem
    if "segment" in columns_of(path):
        judged = read_judgements(path, undefined="leave out").judgements.of_kind("genuine")
        _once(judged)
        return segment_gold(judged, label).scores
    (scores,) = _of_systems(path, label).values()
    return scores


def read_task_scores(path: Path, task: str | None = None) -> dict[str, ScoreMatrix]:
    """Scores of systems by task: system, score, and a column task, or all of one task that is named here."""
    if task is None and "task" not in columns_of(path):
        raise InputError(f"{path}: there is no column task: name the task of these scores (--task)")
    found = _of_systems(path, Path(unpacked_name(path.name)).stem, "task")
    if task is None:
        return found
    if "" in found:
        return {task: found[""]}
    if task not in found:
        raise InputError(f"{path}: there are no scores of {task!r}{did_you_mean(task, list(found))}")
    return {task: found[task]}


def _of_systems(path: Path, label: str, by: str = "") -> dict[str, ScoreMatrix]:
    """Scores of systems, grouped by a column if there is one."""
    table = HeadedTable(path, ("system", "score"))
    scores: dict[str, dict[str, float]] = {}
    lines: dict[tuple[str, str], int] = {}
    for row in table:
        (system,), group = row.named("system"), row.get(by)
        first = lines.setdefault((group, system), row.number)
        if first != row.number:
            raise InputError(f"{row.where} scores system {system!r} again (first on line {first})")
        scores.setdefault(group, {})[system] = row.real("score")
    if not scores:
        raise InputError(f"{table.name}: there are no scores in this file")
    return {group: ScoreMatrix.of_systems(label, own, origin=table.name) for group, own in scores.items()}


def _once(judged: Judgements) -> None:
    """Each annotator scores a translation once; where no annotators are named, it is scored once."""
    first: dict[tuple[str, str, str], int] = {}
    for row, place in enumerate(zip(judged.annotator, judged.system, judged.segment, strict=True)):
        if first.setdefault(place, row) == row:
            continue
        before = judged.where(first[place]).rpartition(": ")[2]
        who = "" if judged.annotator[row] == NOBODY else f" of {judged.annotator[row]!r}"
        hint = "; scores of several people need a column annotator" if not who else ""
        raise InputError(
            f"{judged.where(row)} scores system {judged.system[row]!r}, segment {judged.segment[row]}{who} again "
            f"(first on {before}){hint}"
        )
