"""Appraise's CSV exports of direct assessment and ESA: no header, a row for each judgement.

    user, system, item, type, source language, target language, score,
    [document#system, is-document,] [error spans as JSON,] start, end

Types: TGT a system's output, CHK the same again, BAD damaged on purpose, REF the reference. Spans have an exclusive
end; a start of "missing" is something that should be there and is not.
"""

from __future__ import annotations

import json
from typing import Any

from tertium.errors import InputError, did_you_mean
from tertium.io.coverage import OpenCoverage
from tertium.io.judgementtable import Duplicates, JudgementReading, Kind, RowsOfJudgements, Span
from tertium.io.rows import comma_rows, named, real_number
from tertium.io.streams import FilePath, display_name

TYPES: dict[str, Kind] = {"TGT": "genuine", "CHK": "repeat", "BAD": "degraded", "REF": "reference"}
_WIDTHS = {9: "plain", 11: "documents", 12: "spans"}
_TRUE, _FALSE = ("true", "1"), ("false", "0", "")


def read_appraise(
    path: FilePath,
    *,
    pair: tuple[str, str] | None = None,
    duplicates: Duplicates = "refuse",
    encoding: str = "utf-8",
) -> JudgementReading:
    """Read an Appraise export, of direct assessment (9 or 11 columns) or ESA (12 columns, with error spans).

    `pair`, such as `("eng", "deu")`, chooses languages where a file has several. Scores of whole documents come in a
    table of their own.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "da.csv")
    ...     _ = path.write_text("ann,A,17,TGT,eng,deu,70,doc1#A,False,100.0,112.5\\n")
    ...     found = read_appraise(path).judgements
    >>> found.score.tolist(), found.document[0], found.seconds.tolist()
    ([70.0], 'doc1', [12.5])
    """
    name = display_name(path)
    book = OpenCoverage(name, "judgements")
    segments = RowsOfJudgements(name, duplicates)
    documents = RowsOfJudgements(name, duplicates)
    width = 0
    languages: dict[tuple[str, str], int] = {}
    for number, fields in comma_rows(path, encoding=encoding):
        where = f"{name}: line {number}"
        fields = [part.strip() for part in fields]
        if len(fields) not in _WIDTHS or len(fields) != (width or len(fields)):
            expected = str(width) if width else "9 (plain), 11 (with documents) or 12 (with error spans)"
            raise InputError(f"{where} has {len(fields)} fields, but there must be {expected}")
        width = len(fields)
        user, system, item, kind, source, target, score = fields[:7]
        own = (source, target)
        if pair is not None and own != pair:
            book.leave_out(f"of languages {source}-{target}", number)
            continue
        languages.setdefault(own, number)
        if len(languages) > 1:
            raise InputError(f"{where} is {source}-{target}, the lines before are not: choose one with pair=")
        if kind not in TYPES:
            raise InputError(f"{where}: the type {kind!r} is unknown{did_you_mean(kind, TYPES)}")
        start, end = (real_number(text, "time", where) for text in fields[-2:])
        if end < start:
            raise InputError(f"{where}: it ends ({fields[-1]}) before it starts ({fields[-2]})")
        values: dict[str, Any] = {
            "annotator": named(user, "user", where),
            "system": named(system, "system", where),
            "segment": named(item, "item", where),
            "score": _percent(score, where),
            "kind": TYPES[kind],
        }
        whole = False
        if width > 9:
            values["document"] = fields[7].rpartition("#")[0] or fields[7]
            whole = _truth(fields[8], where)
        if width > 11:
            values["spans"] = _spans(fields[9], where)
        values |= {"start": start, "seconds": end - start}
        if not (documents if whole else segments).add(number, **values):
            book.leave_out("the same judgement again", number)
    if len(documents):
        book.note(f"{len(documents)} scores of whole documents are in a table of their own")
    used = len(segments) + len(documents)
    if not used:
        raise InputError(f"{name}: there are no judgements{'' if pair is None else ' of ' + '-'.join(pair)}")
    whole_documents = documents.table() if len(documents) else None
    return JudgementReading(segments.table(), book.closed(used), whole_documents)


def _percent(text: str, where: str) -> float:
    score = real_number(text, "score", where)
    if not 0 <= score <= 100:
        raise InputError(f"{where}: the score {text} is not between 0 and 100")
    return score


def _truth(text: str, where: str) -> bool:
    if text.lower() not in (*_TRUE, *_FALSE):
        raise InputError(f"{where}: is-document is True or False, not {text!r}")
    return text.lower() in _TRUE


def _spans(text: str, where: str) -> tuple[Span, ...]:
    try:
        found = json.loads(text or "[]")
        if not isinstance(found, list):
            raise ValueError("a list was expected")
    except ValueError as error:
        raise InputError(f"{where}: the spans are no valid JSON ({error})") from None
    return tuple(span_of(one, where, end_inclusive=False) for one in found)


def span_of(found: Any, where: str, *, end_inclusive: bool) -> Span:
    """A span with the names that Appraise and pearmut give: start_i, end_i, severity, error_type or category."""
    if not isinstance(found, dict):
        raise InputError(f"{where}: a span is not a JSON object")
    start, end = found.get("start_i"), found.get("end_i")
    severity = str(found.get("severity") or "")
    category = str(found.get("error_type") or found.get("category") or "")
    if start == "missing" or end == "missing":
        return Span(None, None, severity, category)
    if not isinstance(start, int) or not isinstance(end, int) or not 0 <= start <= end:
        raise InputError(f"{where}: a span goes from {start!r} to {end!r}")
    return Span(start, end + 1 if end_inclusive else end, severity, category)
