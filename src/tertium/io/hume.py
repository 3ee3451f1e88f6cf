"""HUME's judgements of semantic units: tab-separated with the columns annotator, system, segment, unit, mark.

A leaf is green, orange or red (G, O, R), an inner unit good or bad (A for adequate, B).
"""

from __future__ import annotations

from dataclasses import dataclass

from tertium.errors import InputError, did_you_mean
from tertium.io.coverage import Coverage
from tertium.io.records import Header, named, tab_rows
from tertium.io.streams import FilePath, display_name

LEAF_MARKS = ("green", "orange", "red")
INNER_MARKS = ("good", "bad")
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
    mark: str  # one of LEAF_MARKS or INNER_MARKS
    line: int | None = None

    def __post_init__(self) -> None:
        if self.mark not in (*LEAF_MARKS, *INNER_MARKS):
            raise InputError(
                f"unit {self.unit}: there is no mark {self.mark!r}"
                f"{did_you_mean(self.mark, (*LEAF_MARKS, *INNER_MARKS))}"
            )


def read_hume(path: FilePath, *, encoding: str = "utf-8") -> tuple[tuple[UnitMark, ...], Coverage]:
    """Read marks of semantic units; a unit that one annotator marks twice is refused.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "hume.tsv")
    ...     _ = path.write_text("annotator\\tsystem\\tsegment\\tunit\\tmark\\nann\\tA\\t1\\t1.1\\tG\\n")
    ...     read_hume(path)[0][0].mark
    'green'
    """
    name = display_name(path)
    rows = tab_rows(path, encoding=encoding)
    line, names = next(rows)
    keys = ("annotator", "system", "segment", "unit")
    header = Header(names, f"{name}: line {line}", required=(*keys, "mark"))
    seen: dict[tuple[str, ...], int] = {}
    marks = []
    for number, fields in rows:
        where = f"{name}: line {number}"
        header.check(fields, where)
        place = tuple(named(header.get(fields, key), key, where) for key in keys)
        spelled = header.get(fields, "mark") or ""
        mark = _SPELLINGS.get(spelled.lower())
        if mark is None:
            raise InputError(f"{where}: there is no mark {spelled!r}{did_you_mean(spelled, _SPELLINGS)}")
        first = seen.setdefault(place, number)
        if first != number:
            raise InputError(f"{where} marks unit {place[3]!r} again (first on line {first})")
        marks.append(UnitMark(place[0], place[1], place[2], place[3], mark, number))
    if not marks:
        raise InputError(f"{name}: there are no marks in this file")
    return tuple(marks), Coverage(name, "marks", len(marks))
