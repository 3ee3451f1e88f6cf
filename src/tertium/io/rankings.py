"""Relative ranking: several translations of a source ranked side by side, 1 the best, ties allowed.

WMT's CSV files have, for each ranking, srcIndex or segmentId, judgeId, system1Id, system2Id, ... and system1rank, ...
(-1: not ranked). The plain form is tab-separated with a line for each ranked translation: ranking, annotator, segment,
system, rank, maybe kind (genuine, or repeat where it was asked again). WMT08's yes/no task is a table of its own:
annotator, system, segment, answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tertium.errors import InputError, did_you_mean
from tertium.io.comparisons import genuine_or_repeat
from tertium.io.coverage import Coverage, OpenCoverage
from tertium.io.judgementtable import JudgementReading, RowsOfJudgements
from tertium.io.records import Header, comma_rows, named, tab_rows, whole_number
from tertium.io.streams import FilePath, display_name

_ANSWERS = {"yes": 1.0, "no": 0.0}


@dataclass(frozen=True)
class Ranking:
    """One screen: who ranked which systems' translations of a segment, and how (1 is best)."""

    annotator: str
    segment: str
    systems: tuple[str, ...]
    ranks: tuple[int, ...]
    line: int | None = None
    repeat: bool = False  # asked again, for control

    def __post_init__(self) -> None:
        if len(self.systems) != len(self.ranks):
            raise InputError(
                f"segment {self.segment}: {len(self.systems)} systems, but {len(self.ranks)} ranks"
            )
        if len(set(self.systems)) < len(self.systems):
            raise InputError(f"segment {self.segment}: a system is ranked twice on one screen")


@dataclass(frozen=True)
class RankingReading:
    """The rankings of a file, and the coverage."""

    rankings: tuple[Ranking, ...]
    coverage: Coverage
    origin: str = "rankings"


def read_rankings_csv(
    path: FilePath, *, languages: tuple[str, str] | None = None, encoding: str = "utf-8"
) -> RankingReading:
    """Read WMT's CSV of rankings (five at a time, two at a time, or any other number).

    `languages` chooses srclang and trglang as the file spells them. The segment is srcIndex where there is one, else
    segmentId. A system that was not ranked (-1) is left out of its ranking.

    >>> import tempfile, pathlib
    >>> text = "srcIndex,judgeId,system1Id,system2Id,system1rank,system2rank\\n7,ann,A,B,2,1\\n"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "rr.csv")
    ...     _ = path.write_text(text)
    ...     read_rankings_csv(path).rankings[0]
    Ranking(annotator='ann', segment='7', systems=('A', 'B'), ranks=(2, 1), line=2, repeat=False)
    """
    name = display_name(path)
    records = comma_rows(path, encoding=encoding)
    line, names = next(records)
    header = Header(names, f"{name}: line {line}", required=("judgeid", "system1id", "system1rank"))
    numbers = [found[1] for own in header.names if (found := re.fullmatch(r"system(\d+)id", own))]
    for number in numbers:
        if f"system{number}rank" not in header:
            raise InputError(f"{name}: line {line} has system{number}Id, but no system{number}rank")
    place = next((key for key in ("srcindex", "segmentid") if key in header), None)
    if place is None:
        raise InputError(f"{name}: line {line} has no column srcIndex or segmentId")
    book = OpenCoverage(name, "rankings")
    rankings = []
    for number, fields in records:
        where = f"{name}: line {number}"
        header.check(fields, where)
        spoken = (header.get(fields, "srclang"), header.get(fields, "trglang"))
        if languages is not None and spoken != languages:
            book.leave_out("of other languages", number)
            continue
        systems, ranks = [], []
        for own in numbers:
            system = header.get(fields, f"system{own}id") or ""
            rank = header.get(fields, f"system{own}rank") or ""
            if rank in ("-1", "") or not system:
                continue
            systems.append(system)
            ranks.append(whole_number(rank, "rank", where))
        if len(systems) < 2:
            book.leave_out("fewer than two systems were ranked", number)
            continue
        annotator = named(header.get(fields, "judgeid"), "judgeId", where)
        rankings.append(
            _ranking(annotator, named(header.get(fields, place), place, where), systems, ranks, number, where)
        )
    return _reading(name, rankings, book)


def read_rankings(path: FilePath, *, encoding: str = "utf-8") -> RankingReading:
    """Read the plain form: a header with ranking, annotator, segment, system, rank, then a line a translation.

    Lines with the same ranking, annotator and segment belong together; without a column `ranking` an annotator ranks a
    segment once.
    """
    name = display_name(path)
    rows = tab_rows(path, encoding=encoding)
    line, names = next(rows)
    header = Header(names, f"{name}: line {line}", required=("annotator", "segment", "system", "rank"))
    book = OpenCoverage(name, "rankings")
    groups: dict[tuple[str, str, str, str], tuple[int, list[str], list[int]]] = {}
    for number, fields in rows:
        where = f"{name}: line {number}"
        header.check(fields, where)
        annotator, segment, system = (
            named(header.get(fields, key), key, where) for key in ("annotator", "segment", "system")
        )
        rank = whole_number(header.get(fields, "rank") or "", "rank", where)
        kind = genuine_or_repeat(header.get(fields, "kind"), where)
        key = (header.get(fields, "ranking") or "", annotator, segment, kind)
        _, systems, ranks = groups.setdefault(key, (number, [], []))
        if system in systems:
            raise InputError(f"{where}: {annotator!r} ranks system {system!r} again in segment {segment}")
        systems.append(system)
        ranks.append(rank)
    rankings = []
    for (_, annotator, segment, kind), (number, systems, ranks) in groups.items():
        if len(systems) < 2:
            book.leave_out("fewer than two systems were ranked", number)
            continue
        own = _ranking(annotator, segment, systems, ranks, number, f"{name}: line {number}")
        rankings.append(replace(own, repeat=kind == "repeat"))
    if repeats := sum(own.repeat for own in rankings):
        book.note(f"{repeats} of them are repeats, which are for control")
    return _reading(name, rankings, book)


def read_yes_no(path: FilePath, *, encoding: str = "utf-8") -> JudgementReading:
    """Read WMT08's yes/no judgements: a header with annotator, system, segment, answer; yes is 1, no is 0."""
    name = display_name(path)
    rows = tab_rows(path, encoding=encoding)
    line, names = next(rows)
    header = Header(names, f"{name}: line {line}", required=("annotator", "system", "segment", "answer"))
    found = RowsOfJudgements(name, "keep")
    for number, fields in rows:
        where = f"{name}: line {number}"
        header.check(fields, where)
        answer = (header.get(fields, "answer") or "").lower()
        if answer not in _ANSWERS:
            raise InputError(
                f"{where}: the answer {answer!r} is not yes or no{did_you_mean(answer, _ANSWERS)}"
            )
        own = {key: named(header.get(fields, key), key, where) for key in ("annotator", "system", "segment")}
        found.add(number, **own, score=_ANSWERS[answer])
    return JudgementReading(found.table(), Coverage(name, "judgements", len(found)))


def _ranking(
    annotator: str, segment: str, systems: Sequence[str], ranks: Sequence[int], number: int, where: str
) -> Ranking:
    if len(set(systems)) < len(systems):
        twice = next(system for i, system in enumerate(systems) if system in systems[:i])
        raise InputError(f"{where}: system {twice!r} is ranked twice")
    return Ranking(annotator, segment, tuple(systems), tuple(ranks), number)


def _reading(name: str, rankings: list[Ranking], book: OpenCoverage) -> RankingReading:
    if not rankings:
        raise InputError(
            f"{name}: there are no rankings{' left' if book.closed(0).left_out else ''} in this file"
        )
    return RankingReading(tuple(rankings), book.closed(len(rankings)), name)
