"""Judgements as a plain table: tab-separated, column names in the first line.

Required: system, segment, score. Optional: annotator, kind (genuine, repeat, degraded, reference), document, start
(seconds since 1970), seconds, protocol (DA, ESA or MQM, one for the whole file). Other columns are ignored, and the
coverage says so.
"""

from __future__ import annotations

from typing import Any

from tertium.errors import InputError, did_you_mean
from tertium.io.coverage import OpenCoverage
from tertium.io.judgementtable import (
    KINDS,
    PROTOCOLS,
    Duplicates,
    JudgementReading,
    Protocol,
    RowsOfJudgements,
)
from tertium.io.records import HeadedTable
from tertium.io.streams import FilePath

_REQUIRED = ("system", "segment", "score")
_KNOWN = (*_REQUIRED, "annotator", "kind", "document", "start", "seconds", "protocol")
_NOTHING = ("", "none", "na", "nan")


def read_judgements(
    path: FilePath, *, duplicates: Duplicates = "refuse", undefined: str = "refuse"
) -> JudgementReading:
    """Read a plain table of judgements. A score that is not a number is refused with its line, or left out and
    counted (`undefined="leave out"`).

    >>> path = written("da.tsv", "system\\tsegment\\tscore\\tannotator\\nA\\t1\\t70\\tann\\nA\\t2\\t\\tann\\n")
    >>> found = read_judgements(path, undefined="leave out")
    >>> found.judgements.score.tolist(), found.coverage.left_out[0].first_line
    ([70.0], 3)
    """
    table = HeadedTable(path, _REQUIRED)
    book = OpenCoverage(table.name, "judgements")
    if unknown := [own for own in table.columns if own not in _KNOWN]:
        book.note(f"columns not used: {', '.join(unknown)}")
    found = RowsOfJudgements(table.name, duplicates)
    protocol: Protocol | None = None
    for row in table:
        if undefined == "leave out" and row.get("score").lower() in _NOTHING:
            book.leave_out("no score", row.number)
            continue
        system, segment = row.named("system", "segment")
        values: dict[str, Any] = {"system": system, "segment": segment, "score": row.real("score")}
        if "annotator" in row.fields:
            (values["annotator"],) = row.named("annotator")
        if "kind" in row.fields:
            values["kind"] = kind = row.get("kind") or "genuine"
            if kind not in KINDS:
                raise InputError(f"{row.where}: there is no item type {kind!r}{did_you_mean(kind, KINDS)}")
        if "document" in row.fields:
            values["document"] = row.get("document")
        for key in ("start", "seconds"):
            if key in row.fields:
                values[key] = row.real(key, key) if row.get(key) else float("nan")
        if "protocol" in row.fields:
            protocol = _protocol(row.get("protocol"), protocol, row.where)
        if not found.add(row.number, **values):
            book.leave_out("the same judgement again", row.number)
    if not len(found):
        raise InputError(f"{table.name}: there are no judgements in this file")
    return JudgementReading(found.table(), book.closed(len(found)), protocol=protocol or "DA")


def _protocol(text: str, before: Protocol | None, where: str) -> Protocol:
    own = next((known for known in PROTOCOLS if known == text.upper()), None)
    if own is None:
        raise InputError(f"{where}: the protocol {text!r} is unknown{did_you_mean(text, PROTOCOLS)}")
    if before not in (None, own):
        raise InputError(
            f"{where}: the protocol is {own}, but {before} on the lines before: a file can have only one protocol"
        )
    return own
