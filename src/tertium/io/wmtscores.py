"""Metric scores as the WMT metrics tasks exchange them: tab-separated, a line a score, shapes by year.

to 2016   metric pair testset system [segment] score
2017-19   metric pair testset system [segment] score ensemble available
2020-21   metric pair testset reference system [document | segment] score
from 2022 metric pair testset domain reference system score
          metric pair testset domain document reference system segment score
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError, SpecError, did_you_mean
from tertium.io.coverage import Coverage, OpenCoverage
from tertium.io.files import write_atomically
from tertium.io.namecolumn import NameColumn
from tertium.io.records import check_field, named, real_number, tab_rows, whole_number
from tertium.io.scorematrix import LEVELS, SHORT, WHOLE, Level, ScoreMatrix
from tertium.io.streams import FilePath, display_name

_BEHIND_TESTSET = {
    "wmt08": {"system": "system score", "segment": "system segment score"},
    "wmt17": {
        "system": "system score ensemble available",
        "segment": "system segment score ensemble available",
    },
    "wmt20": {
        "system": "reference system score",
        "document": "reference system document score",
        "segment": "reference system segment score",
    },
    "wmt22": {
        "system": "domain reference system score",
        "segment": "domain document reference system segment score",
    },
}
# The columns of each shape, by the first year that has it, and by level.
SHAPES: dict[str, dict[str, tuple[str, ...]]] = {
    shape: {level: ("metric", "pair", "testset", *own.split()) for level, own in levels.items()}
    for shape, levels in _BEHIND_TESTSET.items()
}
_NUMBERS = ("segment", "score")


@dataclass(frozen=True, eq=False, repr=False)
class ScoreFile:
    """The scores of a WMT file, a row each, in the order of the file."""

    shape: str  # a key of SHAPES
    level: Level
    columns: Mapping[str, NameColumn]  # metric, pair, testset, system and what else the shape has
    score: NDArray[np.float64]
    segment: NDArray[np.int64] | None = None  # from 1
    lines: NDArray[np.int64] | None = None
    origin: str = "scores"
    coverage: Coverage = field(default_factory=lambda: Coverage("scores", "scores", 0))

    def __len__(self) -> int:
        return len(self.score)

    @property
    def metrics(self) -> tuple[str, ...]:
        return self.columns["metric"].names

    @property
    def pairs(self) -> tuple[str, ...]:
        return self.columns["pair"].names

    def __repr__(self) -> str:
        return (
            f"<ScoreFile {self.origin!r}: {len(self)} {self.level} scores, shape {self.shape}, "
            f"{', '.join(self.metrics[:5])}; {', '.join(self.pairs[:5])}>"
        )

    def matrix(
        self,
        *,
        metric: str | None = None,
        pair: str | None = None,
        testset: str | None = None,
        reference: str | None = None,
        domain: str | None = None,
        segments: int | None = None,
    ) -> ScoreMatrix:
        """The scores of one metric on one language pair (and test set, reference, domain).

        What a file has only one of need not be named. `segments` is the number of lines of the test set: a segment
        beyond it is refused, one without a score is NaN.
        """
        chosen = {
            "metric": metric,
            "pair": pair,
            "testset": testset,
            "reference": reference,
            "domain": domain,
        }
        keep = np.ones(len(self), dtype=bool)
        for name, value in chosen.items():
            keep &= self._mask(name, value, keep)
        rows = np.flatnonzero(keep)
        if not len(rows):
            asked = ", ".join(f"{name} {value}" for name, value in chosen.items() if value is not None)
            raise InputError(f"{self.origin}: no score matches all of these: {asked}")
        systems = self.columns["system"].take(rows)
        if self.level == "segment":
            assert self.segment is not None
            if segments is not None and self.segment[rows].max() > segments:
                beyond = int(rows[np.argmax(self.segment[rows] > segments)])
                raise InputError(
                    f"{self._where(beyond)}: segment {self.segment[beyond]} is beyond the test set, which has "
                    f"{segments}"
                )
            items = [str(number) for number in self.segment[rows]]
            known = None if segments is None else [str(i) for i in range(1, segments + 1)]
        elif self.level == "document":
            items = list(self.columns["document"].take(rows))
            known = list(dict.fromkeys(items))
        else:
            items, known = [WHOLE] * len(rows), [WHOLE]
        cells: dict[tuple[str, str], float] = {}
        first: dict[tuple[str, str], int] = {}
        for row, system, item in zip(rows.tolist(), systems, items, strict=True):
            place = (system, item)
            if place in cells:
                what = "" if self.level == "system" else f", {self.level} {item}"
                raise InputError(
                    f"{self._where(row)} scores system {system!r}{what} again "
                    f"(first: {self._where(first[place])})"
                )
            cells[place], first[place] = float(self.score[row]), row
        label = self.columns["metric"][int(rows[0])]
        return ScoreMatrix.of_cells(
            label, self.level, cells, systems=systems.names, items=known, origin=self.origin
        )

    def _mask(self, name: str, value: str | None, keep: NDArray[np.bool_]) -> NDArray[np.bool_]:
        column = self.columns.get(name)
        if column is None:
            if value is not None:
                raise InputError(f"{self.origin}: files of shape {self.shape} have no {name}")
            return keep
        if value is None:
            there = np.unique(column.codes[keep])
            if len(there) > 1 and not (name == "domain" and self.level == "segment"):
                names = ", ".join(column.names[code] for code in there[:8])
                raise InputError(f"{self.origin}: there are several {name}s ({names}): say which")
            return keep
        if column.code(value) < 0:
            raise InputError(
                f"{self.origin}: there is no {name} {value!r}{did_you_mean(value, column.names)}"
            )
        same: NDArray[np.bool_] = column.codes == column.code(value)
        return same

    def _where(self, row: int) -> str:
        return f"{self.origin}: line {row + 1 if self.lines is None else self.lines[row]}"


def read_wmt_scores(
    path: FilePath,
    *,
    level: Level | None = None,
    shape: str | None = None,
    undefined: Literal["refuse", "leave out"] = "refuse",
) -> ScoreFile:
    """Read a WMT metrics-task file of any year: `METRIC.seg.score`, `.sys.score`, `.doc.score`, also packed.

    The file's name gives the level, its columns the year; where two shapes fit, say which. A score that
    is not a number is refused with its line, or left out and counted (`undefined="leave out"`).

    >>> path = written("BLEU.sys.score", "BLEU\\tcs-en\\tnewstest2016\\tonline-A.0\\t25.5\\n")
    >>> read_wmt_scores(path).matrix().system("online-A.0")
    25.5
    """
    name = display_name(path)
    if undefined not in ("refuse", "leave out"):
        raise SpecError(f"undefined must be 'refuse' or 'leave out', not {undefined!r}")
    wanted_level = level or _level_of(name)
    book = OpenCoverage(name, "scores")
    columns: dict[str, list[str]] = {}
    found: tuple[str, Level] | None = None
    order: tuple[str, ...] = ()
    scores: list[float] = []
    segments: list[int] = []
    lines: list[int] = []
    for number, fields in tab_rows(path):
        where = f"{name}: line {number}"
        fields = [part.strip() for part in fields]
        if found is None:
            found = _shape_of(fields, wanted_level, shape, where)
            order = SHAPES[found[0]][found[1]]
        if len(fields) != len(order):
            raise InputError(f"{where} has {len(fields)} fields, but {found[0]} has {' '.join(order)}")
        row = dict(zip(order, fields, strict=True))
        if undefined == "leave out" and row["score"].lower() in ("nan", "none", "na", ""):
            book.leave_out("no score", number)
            continue
        scores.append(real_number(row["score"], "score", where))
        if found[1] == "segment":
            segments.append(whole_number(row["segment"], "segment", where))
        for key in order:
            if key not in _NUMBERS:
                columns.setdefault(key, []).append(named(row[key], key, where))
        lines.append(number)
    assert found is not None  # an empty file was refused
    if not scores:
        raise InputError(f"{name}: there are no scores in this file")
    return ScoreFile(
        shape=found[0],
        level=found[1],
        columns={key: NameColumn.of(values) for key, values in columns.items()},
        score=np.array(scores),
        segment=np.array(segments, dtype=np.int64) if found[1] == "segment" else None,
        lines=np.array(lines, dtype=np.int64),
        origin=name,
        coverage=book.closed(len(scores)),
    )


def _level_of(name: str) -> Level | None:
    for level in LEVELS:
        if re.search(rf"[.\-_]{SHORT[level]}[.\-_]", os.path.basename(name)):
            return level
    return None


def _shape_of(fields: Sequence[str], level: Level | None, shape: str | None, where: str) -> tuple[str, Level]:
    if shape is not None and shape not in SHAPES:
        raise SpecError(f"there is no shape {shape!r}{did_you_mean(shape, SHAPES)}")
    fitting = [
        (name, own)
        for name, levels in SHAPES.items()
        for own in LEVELS
        if own in levels
        and (shape is None or name == shape)
        and (level is None or own == level)
        and _fits(fields, levels[own])
    ]
    if len(fitting) == 1:
        return fitting[0]
    if not fitting:
        asked = f"{'' if shape is None else shape + ' '}{'WMT' if level is None else level}"
        raise InputError(
            f"{where}: {len(fields)} fields that do not form a line of a {asked} score file (tab-separated: metric, "
            "pair, test set, ... system, score)"
        )
    choices = " or ".join(f"shape={name!r}, level={own!r}" for name, own in fitting)
    raise InputError(f"{where} can be read in {len(fitting)} ways: say {choices}")


def _fits(fields: Sequence[str], order: Sequence[str]) -> bool:
    if len(fields) != len(order):
        return False
    row = dict(zip(order, fields, strict=True))
    if not re.fullmatch(r"[a-z]{2,3}(_\w+)?-[a-z]{2,3}(_\w+)?", row["pair"], re.IGNORECASE):
        return False
    if "segment" in row and not row["segment"].isdigit():
        return False
    try:
        float(row["score"])
    except ValueError:
        return row["score"].lower() in ("none", "na", "")
    return True


def score_file(
    matrices: Iterable[ScoreMatrix],
    *,
    shape: str,
    pair: str,
    testset: str,
    reference: str = "ref",
    domain: str = WHOLE,
    ensemble: str = "non-ensemble",
    available: str = "yes",
    documents: Sequence[str] | None = None,
    domains: Sequence[str] | None = None,
) -> ScoreFile:
    """Our scores of metrics (all at one level) as a file for the shared task of a year.

    From 2022 on segments carry their document and domain: give those of all segments (`documents`, `domains`).
    Scores that are not there have no line, and the coverage says how many.
    """
    every = list(matrices)
    if shape not in SHAPES:
        raise SpecError(f"there is no shape {shape!r}{did_you_mean(shape, SHAPES)}")
    levels = {matrix.level for matrix in every}
    if len(levels) != 1:
        raise InputError("a score file has metrics of one level, and at least one metric")
    level = levels.pop()
    if level not in SHAPES[shape]:
        raise SpecError(f"{shape} has no files of {level} scores{did_you_mean(level, SHAPES[shape])}")
    order = SHAPES[shape][level]
    constant = {
        "pair": pair,
        "testset": testset,
        "reference": reference,
        "domain": domain,
        "ensemble": ensemble,
        "available": available,
    }
    book = OpenCoverage(f"{', '.join(matrix.name for matrix in every)} on {pair}", "scores")
    columns: dict[str, list[str]] = {key: [] for key in order if key not in _NUMBERS}
    scores: list[float] = []
    segments: list[int] = []
    for matrix in every:
        missing = matrix.values.size - int(matrix.defined.sum())
        if missing:
            book.leave_out(f"no score of {matrix.name}", rows=missing)
        for i, j in np.argwhere(matrix.defined):
            item = matrix.items[j]
            row = {**constant, "metric": matrix.name, "system": matrix.systems[i], "document": item}
            if level == "segment":
                place = whole_number(item, "segment", matrix.label)
                segments.append(place)
                if "document" in order:
                    row["document"] = _of_segment(documents, place, "documents")
                    row["domain"] = domain if domains is None else _of_segment(domains, place, "domains")
            for key, values in columns.items():
                values.append(row[key])
            scores.append(float(matrix.values[i, j]))
    return ScoreFile(
        shape=shape,
        level=level,
        columns={key: NameColumn.of(values) for key, values in columns.items()},
        score=np.array(scores),
        segment=np.array(segments, dtype=np.int64) if level == "segment" else None,
        origin=book.origin,
        coverage=book.closed(len(scores)),
    )


def _of_segment(values: Sequence[str] | None, segment: int, what: str) -> str:
    if values is None or segment > len(values):
        raise InputError(
            f"segment {segment}: this shape has the {what} of segments: give them for all segments"
        )
    return values[segment - 1]


def write_wmt_scores(path: FilePath, scores: ScoreFile) -> None:
    """Write a WMT metrics-task file; the numbers read back bit for bit.

    >>> bleu = ScoreMatrix.of_systems("BLEU", {"online-A.0": 25.5})
    >>> path = written("BLEU.sys.score", "")
    >>> write_wmt_scores(path, score_file([bleu], shape="wmt20", pair="cs-en", testset="newstest2020"))
    >>> path.read_text()
    'BLEU\\tcs-en\\tnewstest2020\\tref\\tonline-A.0\\t25.5\\n'
    """
    order = SHAPES[scores.shape][scores.level]
    for key, column in scores.columns.items():
        for value in column.names:
            check_field(value, key)
    texts = {key: list(column) for key, column in scores.columns.items()}
    texts["score"] = [repr(float(score)) for score in scores.score]
    if scores.segment is not None:
        texts["segment"] = [str(number) for number in scores.segment]
    with write_atomically(path) as file:
        for row in zip(*(texts[key] for key in order), strict=True):
            file.write("\t".join(row) + "\n")
