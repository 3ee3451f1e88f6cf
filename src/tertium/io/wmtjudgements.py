"""The raw judgements of WMT's shared tasks from 2008 to 2012 as they were published, several tasks in one file.

WMT08 (commas) and WMT09 (tabs): TASK, TYPE, ITEM_ID, ANNOTATOR_ID, SYSTEM_0, SCORE_0_A, ... SYSTEM_4, SCORE_4_A; the
types are RANK (sentences), CONSTITUENT (their parts), CONSTITUENT_ACCEPT and EDIT_ACCEPT (acceptable: yes or no), EDIT.
WMT10 to WMT12, rankings of sentences: srclang, trglang, srcIndex or segmentId, judgeId, system1Id, system1rank, ...
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tertium.errors import InputError
from tertium.io.coverage import Coverage, OpenCoverage
from tertium.io.judgementtable import Judgements, RowsOfJudgements
from tertium.io.rankings import Ranking
from tertium.io.records import HeadedTable, Row, comma_rows, tab_rows, text_lines, whole_number
from tertium.io.streams import FilePath

REFERENCES = ("_ref", "ref", "reference")  # shown as if they were systems
_RANKED = ("RANK", "CONSTITUENT")
_ANSWERS = {"CONSTITUENT_ACCEPT": {"1": 1.0, "2": 0.0}, "EDIT_ACCEPT": {"1": 1.0, "0": 0.0}}
LANGUAGES = {
    "cs": "Czech", "de": "German", "en": "English", "es": "Spanish", "fr": "French", "ht": "Haitian Creole",
    "hu": "Hungarian", "it": "Italian",
}  # fmt: skip
_LATER = ("judgeid", "system1id", "system1rank")
_EARLY = ("task", "type", "item_id", "annotator_id", "system_0", "score_0_a")


@dataclass(frozen=True, eq=False)
class TaskJudgements:
    """What people said in one task: rankings of sentences or constituents, or yes and no (1 and 0)."""

    task: str
    type: str  # as the file has it: RANK, CONSTITUENT, CONSTITUENT_ACCEPT, EDIT_ACCEPT
    rankings: tuple[Ranking, ...] = ()
    answers: Judgements | None = None


@dataclass(frozen=True, eq=False)
class WMTJudgements:
    """All tasks of a file, and the coverage."""

    tasks: tuple[TaskJudgements, ...]
    coverage: Coverage

    @property
    def names(self) -> tuple[str, ...]:
        """The tasks, each once: language pair and domain, or the language pair."""
        return tuple(dict.fromkeys(one.task for one in self.tasks))


def is_wmt_judgements(top: str) -> bool:
    """Whether a first line names the columns of such a file."""
    return set(_EARLY) <= _names(top) or set(_LATER) <= _names(top)


def read_wmt_judgements(path: FilePath) -> WMTJudgements:
    """Read the raw judgements of a year. References that were ranked as systems, systems without a rank, and answers
    that are neither yes nor no are left out; edits are no judgements.

    >>> top = "TASK,TYPE,ITEM_ID,ANNOTATOR_ID,TIME,SYSTEM_0,SCORE_0_A,SCORE_0_B,SYSTEM_1,SCORE_1_A,SCORE_1_B\\n"
    >>> path = written("wmt08.csv", top + "WMT08 German-English News,RANK,7,0,60,uedin,1,,rbmt3,2,\\n")
    >>> found = read_wmt_judgements(path).tasks[0]
    >>> found.task, found.type, found.rankings[0].systems
    ('German-English News', 'RANK', ('uedin', 'rbmt3'))
    """
    _, top = next(text_lines(path), (1, ""))
    early = "task" in _names(top)
    rows = _padded(tab_rows(path) if "\t" in top else comma_rows(path))
    table = HeadedTable(path, _EARLY if early else _LATER, rows)
    name, book = table.name, OpenCoverage(table.name, "judgements")
    ranked: dict[tuple[str, str], list[Ranking]] = {}
    answers: dict[tuple[str, str], RowsOfJudgements] = {}
    used = 0
    for row in table:
        task, kind, annotator, item = (_early if early else _later)(row)
        given = list(_given(row))
        shown = [(system, score) for system, score in given if system.lower() not in REFERENCES]
        if len(shown) < len(given):
            book.leave_out("references ranked as systems", row.number, rows=len(given) - len(shown))
        if kind in _ANSWERS:
            own = answers.setdefault((task, kind), RowsOfJudgements(name, "keep"))
            for system, score in shown:
                if score not in _ANSWERS[kind]:
                    book.leave_out("neither yes nor no", row.number)
                    continue
                value = _ANSWERS[kind][score]
                own.add(row.number, annotator=annotator, system=system, segment=item, score=value)
                used += 1
        elif kind not in _RANKED:
            book.leave_out(f"{kind}, which is no judgement", row.number)
        elif len(shown) < 2:
            book.leave_out("fewer than two systems were ranked", row.number)
        elif len({system for system, _ in shown}) < len(shown):
            book.leave_out("a system is on the screen twice", row.number)
        else:
            systems = tuple(system for system, _ in shown)
            ranks = tuple(whole_number(score, "rank", row.where) for _, score in shown)
            ranked.setdefault((task, kind), []).append(Ranking(annotator, item, systems, ranks, row.number))
            used += 1
    tasks = [TaskJudgements(task, kind, tuple(own)) for (task, kind), own in ranked.items()]
    tasks += [TaskJudgements(*key, answers=own.table()) for key, own in answers.items() if len(own)]
    if not tasks:
        raise InputError(f"{name}: there are no judgements in this file")
    return WMTJudgements(tuple(tasks), book.closed(used))


def _names(top: str) -> set[str]:
    return {name.strip().lower() for name in re.split(r"[,\t]", top)}


def _padded(rows: Iterator[tuple[int, list[str]]]) -> Iterator[tuple[int, list[str]]]:
    """Rows as wide as the header: fields of systems that were not shown are not always written."""
    width = 0
    for number, fields in rows:
        width = width or len(fields)
        yield number, fields + [""] * (width - len(fields))


def _early(row: Row) -> list[str]:
    """Task, type, annotator and item of a row of WMT08 or WMT09; the task without the year."""
    task, *rest = row.named("task", "type", "annotator_id", "item_id")
    return [re.sub(r"^WMT\d+ ", "", task), *rest]


def _later(row: Row) -> list[str]:
    languages = "-".join(row.get(key) or "?" for key in ("srclang", "trglang"))
    place = "segmentid" if "srcindex" not in row.fields and "segmentid" in row.fields else "srcindex"
    return [languages, "RANK", *row.named("judgeid", place)]


def _given(row: Row) -> Iterator[tuple[str, str]]:
    """Systems with what was said of them; -1 and an empty field say nothing."""
    for own, system in row.fields.items():
        if found := re.fullmatch(r"system_(\d+)|system(\d+)id", own):
            score = row.get(f"score_{found[1]}_a" if found[1] else f"system{found[2]}rank")
            if system and score not in ("", "-1"):
                yield system, score
