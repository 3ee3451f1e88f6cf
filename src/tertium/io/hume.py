"""HUME's judgements of semantic units: tab-separated with the columns annotator, system, segment, unit, mark; or, as
HimL published them, a line an annotation with counts of marks (sent_id, system_id, annot_id, mteval_A ... mteval_M).

A leaf is green, orange or red (G, O, R), an inner unit good or bad (A for adequate, B); M counts units without a mark.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tertium.errors import InputError, did_you_mean
from tertium.io.coverage import Coverage
from tertium.io.records import HeadedTable, whole_number
from tertium.io.streams import FilePath

LEAF_MARKS = ("green", "orange", "red")
INNER_MARKS = ("good", "bad")
UNMARKED = "unmarked"
MARKS = (*LEAF_MARKS, *INNER_MARKS, UNMARKED)
COUNTS = {"mteval_" + letter: mark for letter, mark in zip("gorabm", MARKS, strict=True)}
_SPELLINGS = {
    **{mark: mark for mark in (*LEAF_MARKS, *INNER_MARKS)},
    **{mark[0]: mark for mark in LEAF_MARKS},
    "a": "good",
    "adequate": "good",
    "b": "bad",
}


@dataclass(frozen=True)
class UnitMark:
    """What an annotator said of one semantic unit of the source, in one system's translation."""

    annotator: str
    system: str
    segment: str
    unit: str
    mark: str  # one of MARKS
    line: int | None = None

    def __post_init__(self) -> None:
        if self.mark not in MARKS:
            raise InputError(
                f"unit {self.unit}: there is no mark {self.mark!r}{did_you_mean(self.mark, MARKS)}"
            )


def read_hume(path: FilePath) -> tuple[tuple[UnitMark, ...], Coverage]:
    """Read marks of semantic units, or counts of them; a unit that one annotator marks twice is refused.

    >>> read_hume(written("hume.tsv", "annotator\\tsystem\\tsegment\\tunit\\tmark\\nann\\tA\\t1\\t1.1\\tG"))[0][0].mark
    'green'
    """
    keys = ("annotator", "system", "segment", "unit")
    table = HeadedTable(path, ())
    if "mteval_g" in table.columns:
        counted = tuple(_counted(table))
        return counted, Coverage(table.name, "marks", len(counted))
    table.require(*keys, "mark")
    seen: dict[tuple[str, ...], int] = {}
    marks = []
    for row in table:
        annotator, system, segment, unit = row.named(*keys)
        spelled = row.get("mark")
        mark = _SPELLINGS.get(spelled.lower())
        if mark is None:
            raise InputError(f"{row.where}: there is no mark {spelled!r}{did_you_mean(spelled, _SPELLINGS)}")
        first = seen.setdefault((annotator, system, segment, unit), row.number)
        if first != row.number:
            raise InputError(f"{row.where} marks unit {unit!r} again (first on line {first})")
        marks.append(UnitMark(annotator, system, segment, unit, mark, row.number))
    if not marks:
        raise InputError(f"{table.name}: there are no marks in this file")
    return tuple(marks), Coverage(table.name, "marks", len(marks))


def _counted(table: HeadedTable) -> Iterator[UnitMark]:
    """A mark for each that was counted. Sentences are numbered from 0 there, lines of a test set from 1."""
    table.require("sent_id", "system_id", "annot_id", *COUNTS)
    seen: dict[tuple[str, ...], int] = {}
    for row in table:
        sentence = whole_number(row.get("sent_id"), "sent_id", row.where, least=0)
        system, annotator = row.named("system_id", "annot_id")
        first = seen.setdefault((str(sentence), system, annotator), row.number)
        if first != row.number:
            raise InputError(
                f"{row.where}: {annotator} judges sentence {sentence} of {system} again (first on line {first})"
            )
        for column, mark in COUNTS.items():
            for unit in range(whole_number(row.get(column), column, row.where, least=0)):
                yield UnitMark(annotator, system, str(sentence + 1), f"{column} {unit + 1}", mark, row.number)
