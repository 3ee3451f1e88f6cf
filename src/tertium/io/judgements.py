"""Judgements as a plain table: tab-separated, names of columns in the first line.

Needed: system, segment, score. Known besides: annotator, kind (genuine, repeat, degraded, reference), document, start
(seconds since 1970), seconds, protocol (DA, ESA or MQM, one for the whole file). Other columns are left alone, and the
coverage says so.
"""

from __future__ import annotations

import re
from typing import Any

from tertium.errors import InputError, did_you_mean
from tertium.io.coverage import OpenCoverage
from tertium.io.files import write_atomically
from tertium.io.judgementtable import (
    KINDS,
    NOBODY,
    PROTOCOLS,
    Duplicates,
    JudgementReading,
    Judgements,
    Protocol,
    RowsOfJudgements,
)
from tertium.io.records import Header, named, real_number, tab_rows
from tertium.io.streams import FilePath, display_name

_REQUIRED = ("system", "segment", "score")
_KNOWN = (*_REQUIRED, "annotator", "kind", "document", "start", "seconds", "protocol")
_NOTHING = ("", "none", "na", "nan")


def read_judgements(
    path: FilePath,
    *,
    duplicates: Duplicates = "refuse",
    undefined: str = "refuse",
    encoding: str = "utf-8",
) -> JudgementReading:
    """Read a plain table of judgements. A score that is no number is refused with its line, or left out and
    accounted for (`undefined="leave out"`).

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "da.tsv")
    ...     _ = path.write_text("system\\tsegment\\tscore\\tannotator\\nA\\t1\\t70\\tann\\nA\\t2\\t\\tann\\n")
    ...     found = read_judgements(path, undefined="leave out")
    >>> found.judgements.score.tolist(), found.coverage.left_out[0].first_line
    ([70.0], 3)
    """
    name = display_name(path)
    book = OpenCoverage(name, "judgements")
    rows = tab_rows(path, encoding=encoding)
    line, names = next(rows)
    header = Header(names, f"{name}: line {line}", required=_REQUIRED)
    unknown = [own for own in header.names if own not in _KNOWN]
    if unknown:
        book.note(f"columns not used: {', '.join(unknown)}")
    found = RowsOfJudgements(name, duplicates)
    protocol: Protocol | None = None
    for number, fields in rows:
        where = f"{name}: line {number}"
        header.check(fields, where)
        text = header.get(fields, "score") or ""
        if undefined == "leave out" and text.lower() in _NOTHING:
            book.leave_out("no score", number)
            continue
        values: dict[str, Any] = {
            "system": named(header.get(fields, "system"), "system", where),
            "segment": named(header.get(fields, "segment"), "segment", where),
            "score": real_number(text, "score", where),
        }
        if "annotator" in header:
            values["annotator"] = named(header.get(fields, "annotator"), "annotator", where)
        if "kind" in header:
            kind = header.get(fields, "kind") or "genuine"
            if kind not in KINDS:
                raise InputError(f"{where}: there is no item type {kind!r}{did_you_mean(kind, KINDS)}")
            values["kind"] = kind
        if "document" in header:
            values["document"] = header.get(fields, "document") or ""
        for key in ("start", "seconds"):
            if key in header:
                own = header.get(fields, key) or ""
                values[key] = float("nan") if own == "" else real_number(own, key, where)
        if "protocol" in header:
            protocol = _protocol(header.get(fields, "protocol") or "", protocol, where)
        if not found.add(number, **values):
            book.leave_out("the same judgement again", number)
    if not len(found):
        raise InputError(f"{name}: there are no judgements in this file")
    return JudgementReading(found.table(), book.closed(len(found)), protocol=protocol or "DA")


def _protocol(text: str, before: Protocol | None, where: str) -> Protocol:
    own = next((known for known in PROTOCOLS if known == text.upper()), None)
    if own is None:
        raise InputError(f"{where}: the protocol {text!r} is unknown{did_you_mean(text, PROTOCOLS)}")
    if before not in (None, own):
        raise InputError(
            f"{where}: the protocol is {own}, on the lines before {before}: a file can have only one protocol"
        )
    return own


def write_judgements(path: FilePath, judgements: Judgements) -> None:
    """Write a plain table that `read_judgements` reads back, number for number. Spans have no column there.

    >>> import tempfile, pathlib
    >>> table = Judgements.of(annotator=["ann"], system=["A"], segment=["1"], score=[70])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "da.tsv")
    ...     write_judgements(path, table)
    ...     path.read_text()
    'system\\tsegment\\tscore\\tannotator\\tkind\\nA\\t1\\t70.0\\tann\\tgenuine\\n'
    """
    columns: dict[str, list[str]] = {
        "system": list(judgements.system),
        "segment": list(judgements.segment),
        "score": [repr(float(score)) for score in judgements.score],
    }
    if judgements.annotator.names != (NOBODY,):
        columns["annotator"] = list(judgements.annotator)
    columns["kind"] = [KINDS[code] for code in judgements.kind]
    if judgements.document is not None:
        columns["document"] = list(judgements.document)
    for key, times in (("start", judgements.start), ("seconds", judgements.seconds)):
        if times is not None:
            columns[key] = ["" if time != time else repr(float(time)) for time in times]
    for key, values in columns.items():
        for value in set(values):
            if re.search(r"[\t\n\r]", value) or value != value.strip():
                raise InputError(f"the {key} {value!r} cannot be written to a tab-separated file")
    with write_atomically(path) as file:
        file.write("\t".join(columns) + "\n")
        for row in zip(*columns.values(), strict=True):
            file.write("\t".join(row) + "\n")
