"""pearmut's annotations: JSON Lines, a line for each document that an annotator saw, with all systems in it.

From 1.0 on (data/annotations/CAMPAIGN.jsonl) a line has lists, an entry for each segment of the document:

    {"user_id": ..., "item_i": ..., "item": [{"src": ..., "tgt": {SYSTEM: ...}, "item_id": ...}],
     "annotation": [{SYSTEM: {"score": ..., "error_spans": [...]}}], "actions": [{"time": seconds, ...}]}

A segment is called by its `item_id`. Of several answers to a document the last one counts, a reset cancels what was
before it; tutorials, attention checks, forms and skipped segments are left out. Before, a line was one segment, without
lists (`"annotation": {SYSTEM: ...}, "time": seconds`), and item 0 was segment 1.

Here the end of a span is inclusive; in our table it is exclusive. A span behind the text marks a special token such as
[missing], and has no place in our table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from tertium.errors import InputError
from tertium.io.appraise import span_of
from tertium.io.coverage import OpenCoverage
from tertium.io.judgementtable import Duplicates, JudgementReading, RowsOfJudgements, Span
from tertium.io.mqm import MQMWeights
from tertium.io.records import json_rows, named, text_lines
from tertium.io.streams import FilePath, display_name

RESET = "__RESET__"
CHECKS = ("welcome_", "random_", "goodbye_")  # how the places of what is no evaluation begin
LONGEST_PAUSE = 61  # seconds between two actions, beyond which pearmut counts no time


def read_pearmut(
    path: FilePath,
    *,
    weights: MQMWeights | Mapping[str, float] | None = None,
    duplicates: Duplicates = "refuse",
) -> JudgementReading:
    """Read pearmut's annotations, of either form. With `weights` a score that is null is minus the sum of the spans'
    weights (MQM); without, such a judgement is left out and counted. The time of an item is split evenly among its
    systems.

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
    lists, lines = _documents(path, name, book)
    for number, item in lines:
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
            spans = tuple(
                _span(one, item.get("tgt"), system, where) for one in given.get("error_spans") or ()
            )
            score = given.get("score")
            if score is None and isinstance(given.get("sliders"), dict):
                known = [value for value in given["sliders"].values() if isinstance(value, int | float)]
                score = sum(known) / len(known) if known else None
            if score is None and rules is not None:
                score = -sum(rules.weight(span.severity, span.category, where) for span in spans) + 0.0
            if score is None:
                book.leave_out("no score", number)
                continue
            if not isinstance(score, int | float) or isinstance(score, bool) or score - score != 0:
                raise InputError(f"{where}: the score {score!r} of {system!r} is not a finite number")
            added = rows.add(
                number,
                key=(user, place, item.get("segment"), system, repr(given)),  # whatever time it took
                annotator=user,
                system=named(system, "system", where),
                segment=item.get("segment") or str(place + 1),
                score=float(score),
                spans=spans,
                seconds=seconds,
            )
            if not added:
                book.leave_out("the same judgement again", number)
    if not len(rows):
        raise InputError(f"{name}: there are no judgements in this file")
    # Lists of spans are there in ESA and MQM; direct assessment has scores alone.
    marked = lists and rows.table().spans is not None and any(rows.table().spans or ())
    return JudgementReading(rows.table(), book.closed(len(rows)), protocol="ESA" if marked else "DA")


def _documents(
    path: FilePath, name: str, book: OpenCoverage
) -> tuple[bool, list[tuple[int, dict[str, Any]]]]:
    """Whether lines have lists, and an object for each segment as lines without lists have it."""
    _, top = next(text_lines(path), (1, ""))
    if top.strip() == "{":
        raise InputError(
            f"{name}: is a campaign or a table of results, not its annotations: pearmut writes them to "
            "data/annotations/CAMPAIGN.jsonl"
        )
    answers: dict[tuple[str, Any], tuple[int, dict[str, Any]]] = {}
    single: list[tuple[int, dict[str, Any]]] = []
    for number, item in json_rows(path):
        user, place, found = str(item.get("user_id") or ""), item.get("item_i"), item.get("annotation")
        if found == RESET:
            for key in [key for key in answers if key[0] == user]:
                book.leave_out("before a reset", answers.pop(key)[0])
        elif isinstance(place, str) and place.startswith(CHECKS):
            book.leave_out("tutorials and attention checks", number)
        elif isinstance(found, list):
            if (user, place) in answers:
                book.leave_out("answered again, the last answer counts", answers[user, place][0])
            answers[user, place] = number, item
        else:
            single.append((number, item))
    if answers and single:
        raise InputError(f"{name}: line {single[0][0]}: an annotation without lists, unlike the other lines")
    segments = list(single)
    for number, item in answers.values():
        segments += ((number, one) for one in _segments(item, f"{name}: line {number}", book, number))
    return bool(answers), segments


def _segments(item: dict[str, Any], where: str, book: OpenCoverage, number: int) -> Iterator[dict[str, Any]]:
    """The segments of a document that an annotator scored."""
    texts, found = item.get("item"), item["annotation"]
    if not isinstance(texts, list) or len(texts) != len(found):
        raise InputError(f"{where}: 'item' and 'annotation' are not lists of the same length")
    times = [one.get("time") for one in item.get("actions") or () if isinstance(one, dict)]
    known = [time for time in times if isinstance(time, int | float)]
    seconds = sum(min(b - a, LONGEST_PAUSE) for a, b in pairwise(known)) / len(found) if known else None
    for place, (text, one) in enumerate(zip(texts, found, strict=True)):
        if not isinstance(text, dict) or not isinstance(text.get("tgt"), dict):
            book.leave_out("answers to forms", number)
        elif not one:
            book.leave_out("skipped", number)
        else:
            # Without an id, the text says which segment it is: annotators have lists of their own.
            segment = text.get("item_id")
            name = (
                str(text.get("src") or f"{item.get('item_i')}:{place + 1}")
                if segment is None
                else str(segment)
            )
            yield {
                "user_id": item.get("user_id"),
                "item_i": item.get("item_i"),
                "annotation": one,
                "time": None if seconds is None else max(seconds, 0.0),
                "segment": named(name, "item_id", where),
                "tgt": text["tgt"],
            }


def _span(found: Any, texts: Any, system: str, where: str) -> Span:
    """A span; one behind the system's text is of a special token."""
    text = texts.get(system) if isinstance(texts, dict) else None
    start = found.get("start_i") if isinstance(found, dict) else None
    if isinstance(text, str) and isinstance(start, int) and start >= len(text):
        found = {**found, "start_i": "missing"}
    return span_of(found, where, end_inclusive=True)


def _seconds(value: Any, where: str) -> float:
    if value is None:
        return float("nan")
    if not isinstance(value, int | float) or isinstance(value, bool) or value < 0 or value - value != 0:
        raise InputError(f"{where}: the time {value!r} is not a number of seconds")
    return float(value)
