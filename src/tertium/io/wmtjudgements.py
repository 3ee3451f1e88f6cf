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
from tertium.io.records import Header, comma_rows, named, tab_rows, text_lines, whole_number
from tertium.io.streams import FilePath, display_name

REFERENCES = ("_ref", "ref", "reference")  # shown as if they were systems
_RANKED = ("RANK", "CONSTITUENT")
_ANSWERS = {"CONSTITUENT_ACCEPT": {"1": 1.0, "2": 0.0}, "EDIT_ACCEPT": {"1": 1.0, "0": 0.0}}
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
    names = [name.strip().lower() for name in re.split(r"[,\t]", top)]
    return set(_EARLY) <= set(names) or set(_LATER) <= set(names)


def read_wmt_judgements(path: FilePath) -> WMTJudgements:
    """Read the raw judgements of a year. References that were ranked as systems, systems without a rank, and answers
    that are neither yes nor no are left out; edits are no judgements.

    >>> import tempfile, pathlib
    >>> top = "TASK,TYPE,ITEM_ID,ANNOTATOR_ID,TIME,SYSTEM_0,SCORE_0_A,SCORE_0_B,SYSTEM_1,SCORE_1_A,SCORE_1_B\\n"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "wmt08.csv")
    ...     _ = path.write_text(top + "WMT08 German-English News,RANK,7,0,60,uedin,1,,rbmt3,2,\\n")
    ...     found = read_wmt_judgements(path).tasks[0]
    >>> found.task, found.type, found.rankings[0].systems
    ('German-English News', 'RANK', ('uedin', 'rbmt3'))
    """
    name = display_name(path)
    _, top = next(text_lines(path), (1, ""))
    rows = tab_rows(path) if "\t" in top else comma_rows(path)
    line, names = next(rows, (1, []))
    early = "task" in [own.strip().lower() for own in names]
    header = Header(names, f"{name}: line {line}", required=_EARLY if early else _LATER)
    book = OpenCoverage(name, "judgements")
    ranked: dict[tuple[str, str], list[Ranking]] = {}
    answers: dict[tuple[str, str], RowsOfJudgements] = {}
    used = 0
    for number, fields in rows:
        where = f"{name}: line {number}"
        fields += [""] * (
            len(header.names) - len(fields)
        )  # systems that are not there are not always written
        header.check(fields, where)
        task, kind, annotator, item = (_early if early else _later)(header, fields, where)
        given = list(_given(header, fields))
        shown = [(system, score) for system, score in given if system.lower() not in REFERENCES]
        if len(shown) < len(given):
            book.leave_out("references ranked as systems", number, rows=len(given) - len(shown))
        if kind in _ANSWERS:
            own = answers.setdefault((task, kind), RowsOfJudgements(name, "keep"))
            for system, score in shown:
                if score not in _ANSWERS[kind]:
                    book.leave_out("neither yes nor no", number)
                    continue
                own.add(number, annotator=annotator, system=system, segment=item, score=_ANSWERS[kind][score])
                used += 1
        elif kind not in _RANKED:
            book.leave_out(f"{kind}, which is no judgement", number)
        elif len(shown) < 2:
            book.leave_out("fewer than two systems were ranked", number)
        else:
            systems = tuple(system for system, _ in shown)
            if len(set(systems)) < len(systems):
                book.leave_out("a system is twice on the screen", number)
                continue
            ranks = tuple(whole_number(score, "rank", where) for _, score in shown)
            ranked.setdefault((task, kind), []).append(Ranking(annotator, item, systems, ranks, number))
            used += 1
    tasks = [TaskJudgements(task, kind, tuple(own)) for (task, kind), own in ranked.items()]
    tasks += [TaskJudgements(*key, answers=own.table()) for key, own in answers.items() if len(own)]
    if not tasks:
        raise InputError(f"{name}: there are no judgements in this file")
    return WMTJudgements(tuple(tasks), book.closed(used))


def _early(header: Header, fields: list[str], where: str) -> tuple[str, str, str, str]:
    """Task, type, annotator and item of a row of WMT08 or WMT09; the task without the year."""
    task, kind, annotator, item = (
        named(header.get(fields, key), key, where) for key in ("task", "type", "annotator_id", "item_id")
    )
    return re.sub(r"^WMT\d+ ", "", task), kind, annotator, item


def _later(header: Header, fields: list[str], where: str) -> tuple[str, str, str, str]:
    languages = "-".join(header.get(fields, key) or "?" for key in ("srclang", "trglang"))
    place = next((key for key in ("srcindex", "segmentid") if key in header), "srcindex")
    annotator = named(header.get(fields, "judgeid"), "judgeId", where)
    return languages, "RANK", annotator, named(header.get(fields, place), place, where)


def _given(header: Header, fields: list[str]) -> Iterator[tuple[str, str]]:
    """Systems with what was said of them; -1 and nothing say nothing."""
    for own in header.names:
        found = re.fullmatch(r"system_(\d+)|system(\d+)id", own)
        if found is not None:
            score = f"score_{found[1]}_a" if found[1] else f"system{found[2]}rank"
            system, said = header.get(fields, own) or "", header.get(fields, score) or ""
            if system and said not in ("", "-1"):
                yield system, said
