"""pearmut's annotations: JSON Lines, an object for each item that an annotator saw, with all systems in it.

    {"user_id": ..., "item_i": ..., "annotation": {SYSTEM: {"score": ..., "error_spans": [...]}}, "time": seconds}

Items are counted from 0, so item 0 is segment 1. Here the end of a span is inclusive; in our table it is exclusive.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tertium.errors import InputError
from tertium.io.appraise import span_of
from tertium.io.coverage import OpenCoverage
from tertium.io.judgementtable import Duplicates, JudgementReading, RowsOfJudgements
from tertium.io.mqm import MQMWeights
from tertium.io.records import json_rows, named
from tertium.io.streams import FilePath, display_name


def read_pearmut(
    path: FilePath,
    *,
    weights: MQMWeights | Mapping[str, float] | None = None,
    duplicates: Duplicates = "refuse",
) -> JudgementReading:
    """Read pearmut's annotations. With `weights` a score that is null is minus the sum of the spans' weights (MQM);
    without, such a judgement is left out and counted. The time of an item is split evenly among its systems.

    >>> import json
    >>> span = {"start_i": 11, "end_i": 16, "severity": "minor"}
    >>> item = {"user_id": "ann", "item_i": 0, "annotation": {"A": {"score": 85, "error_spans": [span]}}}
    >>> found = read_pearmut(written("pearmut.jsonl", json.dumps(item))).judgements
    >>> found.segment[0], found.score.tolist(), found.spans[0][0].end
    ('1', [85.0], 17)
    """
    name = display_name(path)
    rules = None if weights is None else MQMWeights.of(weights)
    book = OpenCoverage(name, "judgements")
    rows = RowsOfJudgements(name, duplicates)
    for number, item in json_rows(path):
        where = f"{name}: line {number}"
        user = named(str(item.get("user_id") or ""), "user_id", where)
        place = item.get("item_i")
        if not isinstance(place, int) or isinstance(place, bool) or place < 0:
            raise InputError(f"{where}: item_i {place!r} is not a whole number from 0 on")
        found = item.get("annotation")
        if not isinstance(found, dict) or not found:
            raise InputError(f"{where}: there is no annotation of a system")
        seconds = _seconds(item.get("time"), where) / len(found)
        for system, given in found.items():
            if not isinstance(given, dict):
                raise InputError(f"{where}: the annotation of {system!r} is not a JSON object")
            spans = tuple(span_of(one, where, end_inclusive=True) for one in given.get("error_spans") or ())
            score = given.get("score")
            if score is None and rules is not None:
                score = -sum(rules.weight(span.severity, span.category, where) for span in spans) + 0.0
            if score is None:
                book.leave_out("no score", number)
                continue
            if not isinstance(score, int | float) or isinstance(score, bool) or score - score != 0:
                raise InputError(f"{where}: the score {score!r} of {system!r} is not a finite number")
            added = rows.add(
                number,
                key=(user, place, system, repr(given)),  # whatever time it took
                annotator=user,
                system=named(system, "system", where),
                segment=str(place + 1),
                score=float(score),
                spans=spans,
                seconds=seconds,
            )
            if not added:
                book.leave_out("the same judgement again", number)
    return JudgementReading(rows.table(), book.closed(len(rows)))


def _seconds(value: Any, where: str) -> float:
    if value is None:
        return float("nan")
    if not isinstance(value, int | float) or isinstance(value, bool) or value < 0 or value - value != 0:
        raise InputError(f"{where}: the time {value!r} is not a number of seconds")
    return float(value)
