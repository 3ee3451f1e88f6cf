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
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError, SpecError, did_you_mean
from tertium.io.files import write_atomically
from tertium.io.namecolumn import NameColumn
from tertium.io.records import check_field, named, real_number, tab_rows, tsv_line, whole_number
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


@dataclass(frozen=True, eq=False, repr=False)
class ScoreFile:
    """The scores of a WMT file, a row each, in the order of the file."""

    shape: str  # a key of SHAPES
    level: Level
    columns: Mapping[str, NameColumn]  # all of the shape but the scores
    scores: tuple[float, ...]
    lines: tuple[int, ...]
    origin: str

    def __len__(self) -> int:
        return len(self.scores)

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
        items = [WHOLE] * len(rows) if self.level == "system" else list(self.columns[self.level].take(rows))
        known = None if self.level == "segment" else list(dict.fromkeys(items))
        if self.level == "segment" and segments is not None:
            known = [str(i) for i in range(1, segments + 1)]
            for row, item in zip(rows.tolist(), items, strict=True):
                if int(item) > segments:
                    raise InputError(
                        f"{self._where(row)}: segment {item} is beyond the test set, which has {segments}"
                    )
        cells: dict[tuple[str, str], float] = {}
        first: dict[tuple[str, str], int] = {}
        for row, system, item in zip(rows.tolist(), systems, items, strict=True):
            place = (system, item)
            if place in cells:
                what = "" if item == WHOLE else f", {self.level} {item}"
                raise InputError(
                    f"{self._where(row)} scores system {system!r}{what} again "
                    f"(first: {self._where(first[place])})"
                )
            cells[place], first[place] = self.scores[row], row
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
        return f"{self.origin}: line {self.lines[row]}"


def read_wmt_scores(path: FilePath, *, level: Level | None = None, shape: str | None = None) -> ScoreFile:
    """Read a WMT metrics-task file of any year: `METRIC.seg.score`, `.sys.score`, `.doc.score`, also compressed.

    The file's name gives the level, its columns the year; where two shapes fit, say which.

    >>> path = written("BLEU.sys.score", "BLEU\\tcs-en\\tnewstest2016\\tonline-A.0\\t25.5\\n")
    >>> read_wmt_scores(path).matrix().system("online-A.0")
    25.5
    """
    name = display_name(path)
    level = level or _level_of(name)
    columns: dict[str, list[str]] = {}
    order: tuple[str, ...] = ()
    scores: list[float] = []
    lines: list[int] = []
    for number, fields in tab_rows(path):
        where = f"{name}: line {number}"
        fields = [part.strip() for part in fields]
        if not order:
            shape, level = _shape_of(fields, level, shape, where)
            order = SHAPES[shape][level]
        if len(fields) != len(order):
            raise InputError(f"{where} has {len(fields)} fields, but {shape} has {' '.join(order)}")
        row = dict(zip(order, fields, strict=True))
        scores.append(real_number(row.pop("score"), "score", where))
        if level == "segment":
            row["segment"] = str(whole_number(row["segment"], "segment", where))
        for key, value in row.items():
            columns.setdefault(key, []).append(named(value, key, where))
        lines.append(number)
    if shape is None or level is None:
        raise InputError(f"{name}: has no scores: its lines are blank")
    found = {key: NameColumn.of(values) for key, values in columns.items()}
    return ScoreFile(shape, level, found, tuple(scores), tuple(lines), name)


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


def write_wmt_scores(
    path: FilePath,
    matrices: Iterable[ScoreMatrix],
    *,
    shape: str,
    pair: str,
    testset: str,
    reference: str = "ref",
    ensemble: str = "non-ensemble",
    documents: Sequence[str] | None = None,
    domains: Sequence[str] | None = None,
) -> None:
    """Write scores of metrics, all at one level, for the shared task of a year; numbers read back bit for bit.

    From 2022 on segments have their document and domain: give those of all segments (`documents`, `domains`).
    Missing scores have no line.

    >>> path, bleu = written("BLEU.sys.score", ""), ScoreMatrix.of_systems("BLEU", {"online-A.0": 25.5})
    >>> write_wmt_scores(path, [bleu], shape="wmt20", pair="cs-en", testset="newstest2020")
    >>> path.read_text()
    'BLEU\\tcs-en\\tnewstest2020\\tref\\tonline-A.0\\t25.5\\n'
    """
    if shape not in SHAPES:
        raise SpecError(f"there is no shape {shape!r}{did_you_mean(shape, SHAPES)}")
    every = list(matrices)
    if len({matrix.level for matrix in every}) != 1:
        raise InputError("a score file has metrics of one level, and at least one metric")
    level = every[0].level
    if level not in SHAPES[shape]:
        raise SpecError(f"{shape} has no files of {level} scores{did_you_mean(level, SHAPES[shape])}")
    order = SHAPES[shape][level]
    row = {"pair": pair, "testset": testset, "reference": reference, "domain": WHOLE}
    row |= {"ensemble": ensemble, "available": "yes"}
    with write_atomically(path) as file:
        for matrix in every:
            for (system, item), score in matrix.cells().items():
                row |= {"metric": matrix.name, "system": system, "score": repr(score)}
                row |= {"document": item, "segment": item}
                if level == "segment":
                    place = whole_number(item, "segment", matrix.label)
                    if "document" in order:
                        row["document"] = _of_segment(documents, place, "documents")
                        row["domain"] = WHOLE if domains is None else _of_segment(domains, place, "domains")
                for key in order:
                    check_field(row[key], key)
                file.write(tsv_line(row[key] for key in order))


def _of_segment(values: Sequence[str] | None, segment: int, what: str) -> str:
    if values is None or segment > len(values):
        raise InputError(
            f"segment {segment}: this shape has the {what} of segments: give them for all segments"
        )
    return values[segment - 1]
