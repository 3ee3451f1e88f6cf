"""Scores of people or of a metric as a plain table, tab-separated: columns system, score and possibly segment, named in
a header; or two columns without one, a system and a score, as mt-metrics-eval has them.

Where there are no numbers of segments and systems have several scores each, these are its segments in order.
"""

from __future__ import annotations

from pathlib import Path

from tertium.errors import InputError, did_you_mean
from tertium.human.judgement import segment_gold
from tertium.io.judgements import read_judgements
from tertium.io.judgementtable import NOBODY, Judgements
from tertium.io.mtme import NONE, read_mtme_scores
from tertium.io.records import HeadedTable, bare_rows, tab_rows, text_lines
from tertium.io.scorematrix import ScoreMatrix
from tertium.io.streams import display_name, unpacked_name

BARE = ("system", "score")  # the columns of a file of two columns without a header


def columns_of(path: Path) -> list[str]:
    """The names in the first line of a tab-separated file, in lower case; of a file without a header the two columns
    that it has.

    >>> columns_of(written("A.score", "online-A\\t0.5\\nonline-B\\tNone\\n"))
    ['system', 'score']
    """
    _, top = next(text_lines(path), (1, ""))
    names = [name.strip().lower() for name in top.split("\t")]
    return list(BARE) if _is_bare(names) else names


def _is_bare(fields: list[str]) -> bool:
    if len(fields) != len(BARE):
        return False
    try:
        float(fields[1])
    except ValueError:
        return fields[1] == NONE.lower()
    return True


def is_plain_table(path: Path) -> bool:
    """Whether a file is such a table."""
    return {"system", "score"} <= set(columns_of(path))


def has_segments(path: Path) -> bool:
    """Whether a plain table holds scores of segments: numbered, or several for a system."""
    columns = columns_of(path)
    if "segment" in columns or "task" in columns or "system" not in columns:
        return "segment" in columns
    at = columns.index("system")
    systems = [fields[at].strip() for _, fields in tab_rows(path) if len(fields) > at]
    return len(set(systems)) < len(systems)


def read_plain_scores(path: Path, name: str | None = None) -> ScoreMatrix:
    """Scores at segment level, or at system level where every system has one. Several annotators are averaged; what is
    scored twice is refused with both lines. A metric is named after its file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "mine.tsv")
    ...     _ = path.write_text("system\\tsegment\\tscore\\nA\\t1\\t0.5\\nA\\t2\\t0.7\\n")
    ...     read_plain_scores(path)
    <ScoreMatrix 'mine' at segment level: 1 systems, 2 segments, 2 scores>
    """
    file = unpacked_name(path.name)
    label = name or (Path(file).stem if not file.endswith(".score") else file.split(".")[0])
    if "segment" in _header(path):
        judged = read_judgements(path, undefined="leave out").judgements.of_kind("genuine")
        _once(judged)
        return segment_gold(judged, label).scores
    if not has_segments(path):
        (scores,) = _of_systems(path, label).values()
        return scores
    if not _header(path):
        return read_mtme_scores(path, level="segment", name=label)
    return _in_order(path, label)


def _header(path: Path) -> list[str]:
    """The columns that a header names; none where there is no header."""
    _, top = next(text_lines(path), (1, ""))
    names = [name.strip().lower() for name in top.split("\t")]
    return [] if _is_bare(names) else names


def _in_order(path: Path, label: str) -> ScoreMatrix:
    """Scores of segments without numbers: those of a system stand in the order of the test set."""
    scores: dict[str, list[float | None]] = {}
    table = HeadedTable(path, BARE)
    for row in table:
        (system,) = row.named("system")
        scores.setdefault(system, []).append(None if row.get("score") == NONE else row.real("score"))
    return ScoreMatrix.of_segments(label, scores, origin=table.name)


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
    origin = display_name(path)
    table = HeadedTable(path, BARE) if _header(path) else bare_rows(path, *BARE)
    scores: dict[str, dict[str, float]] = {}
    lines: dict[tuple[str, str], int] = {}
    for row in table:
        (system,), group = row.named("system"), row.get(by)
        first = lines.setdefault((group, system), row.number)
        if first != row.number:
            raise InputError(f"{row.where} scores system {system!r} again (first on line {first})")
        scores.setdefault(group, {})[system] = row.real("score")
    if not scores:
        raise InputError(f"{origin}: there are no scores in this file")
    return {group: ScoreMatrix.of_systems(label, own, origin=origin) for group, own in scores.items()}


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
