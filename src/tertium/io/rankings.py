"""Relative ranking: several translations of a source ranked side by side, 1 the best, ties allowed.

The plain form is tab-separated with a line for each ranked translation: ranking, annotator, segment, system, rank, and
optionally kind (genuine, or repeat where it was asked again). `wmtjudgements` reads WMT's own files.
"""

from __future__ import annotations

from dataclasses import dataclass

from tertium.errors import InputError
from tertium.io.comparisons import genuine_or_repeat
from tertium.io.coverage import Coverage, OpenCoverage
from tertium.io.records import HeadedTable
from tertium.io.streams import FilePath


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


def read_rankings(path: FilePath) -> tuple[tuple[Ranking, ...], Coverage]:
    """Read the plain form: a header with ranking, annotator, segment, system, rank, then a line per translation.

    Lines with the same ranking, annotator and segment belong together; without a column `ranking` an annotator ranks a
    segment once.
    """
    table = HeadedTable(path, ("annotator", "segment", "system", "rank"))
    book = OpenCoverage(table.name, "rankings")
    groups: dict[tuple[str, str, str, str], tuple[int, list[str], list[int]]] = {}
    for row in table:
        annotator, segment, system = row.named("annotator", "segment", "system")
        key = (row.get("ranking"), annotator, segment, genuine_or_repeat(row))
        _, systems, ranks = groups.setdefault(key, (row.number, [], []))
        if system in systems:
            raise InputError(f"{row.where}: {annotator!r} ranks system {system!r} again in segment {segment}")
        systems.append(system)
        ranks.append(row.whole("rank", "rank"))
    rankings = []
    for (_, annotator, segment, kind), (line, systems, ranks) in groups.items():
        if len(systems) < 2:
            book.leave_out("fewer than two systems were ranked", line)
            continue
        own = Ranking(annotator, segment, tuple(systems), tuple(ranks), line, kind == "repeat")
        rankings.append(own)
    if not rankings:
        raise InputError(f"{table.name}: no screen in this file ranks two systems")
    if repeats := sum(own.repeat for own in rankings):
        book.note(f"{repeats} of them are repeats, which are for control")
    return tuple(rankings), book.closed(len(rankings))
