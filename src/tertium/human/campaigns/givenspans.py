"""Errors marked beforehand, from a file: what annotators find on the screen and keep, change or remove.

A table (CSV, TSV, XLSX) or JSON Lines with segment, system, start, end, severity and, if there are any, category and
in_source; or judgements with error spans as other programs write them (Google's MQM, Appraise, mt-metrics-eval).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tertium.errors import InputError, did_you_mean
from tertium.human.campaigns.segments import GivenSpan, Segment, checked_span
from tertium.human.campaigns.settings import Settings
from tertium.human.gold_files import kind_of
from tertium.human.kinds import KINDS
from tertium.io.judgementtable import JudgementReading
from tertium.io.records import read_json_lines, text_lines, whole_number
from tertium.io.settings import read_record
from tertium.io.sheets import is_workbook, read_sheet
from tertium.io.streams import FilePath, display_name

_REQUIRED = ("segment", "system", "start", "end", "severity")
_TRUE = {"true": True, "1": True, "false": False, "0": False, "": False}


@dataclass(frozen=True)
class _Row(GivenSpan):
    """A line of the file."""

    segment: str = ""
    system: str = ""

    @property
    def span(self) -> GivenSpan:
        return GivenSpan(self.start, self.end, self.severity, self.category, self.in_source)


def with_spans(path: FilePath, settings: Settings, segments: Sequence[Segment]) -> list[Segment]:
    """The segments with the spans of a file, after those that they have already.

    >>> settings = Settings.of({"name": "x", "design": "error-spans"})
    >>> table = "segment,system,start,end,severity\\n1,A,0,3,Minor\\n"
    >>> with_spans(written("spans.csv", table), settings, [Segment("1", {"A": "The sheep"})])[0].spans["A"][0].severity
    'minor'
    """
    found = {segment.id: dict(segment.spans) for segment in segments}
    by_id = {segment.id: segment for segment in segments}
    options = settings.options
    if "severities" not in options:
        raise InputError(f"{display_name(path)}: the design {settings.design.name} has no error spans")
    known = {name.lower(): name for key in ("severities", "categories") for name in options[key]}
    for where, segment, system, span in _rows(path):
        if settings.systems is not None and system not in settings.systems:
            continue
        if segment not in by_id:
            raise InputError(f"{where}: there is no segment {segment!r}{did_you_mean(segment, by_id)}")
        severity = known.get(span.severity.lower(), span.severity)
        category = known.get(span.category.lower(), span.category) if options["protocol"] == "mqm" else ""
        checked_span(span, by_id[segment], system, where)
        own = found[segment].get(system, ())
        found[segment][system] = (*own, replace(span, severity=severity, category=category))
    return [replace(segment, spans=found[segment.id]) for segment in segments]


def _rows(path: FilePath) -> Iterator[tuple[str, str, str, GivenSpan]]:
    """Where a span stands, the segment, the system, the span."""
    name = os.fspath(path).lower() if isinstance(path, str | os.PathLike) else ""
    if is_workbook(path):
        return _table(path)
    _, top = next(text_lines(path), (1, ""))
    if name.endswith(".jsonl") and '"severity"' in top and '"system"' in top:
        return _lines(path)
    return _table(path) if {"start", "severity"} <= set(_fields(top)) else _judged(path)


def _fields(top: str) -> list[str]:
    return [field.strip().strip('"').lower() for mark in ",;\t" for field in top.split(mark)]


def _lines(path: FilePath) -> Iterator[tuple[str, str, str, GivenSpan]]:
    for where, values in read_json_lines(path):
        row = read_record(_Row, {key: value for key, value in values.items() if value is not None}, where)
        yield where, row.segment, row.system, row.span


def _table(path: FilePath) -> Iterator[tuple[str, str, str, GivenSpan]]:
    sheet = read_sheet(path, _REQUIRED)
    for number, cells in enumerate(sheet.rows):
        values = {name: _text(cell) for name, cell in zip(sheet.header, cells, strict=True)}
        if not any(values.values()):
            continue
        where = f"{sheet.name}: line {sheet.first + number}"
        start, end = (
            None if not values[key] else whole_number(values[key], key, where, least=0)
            for key in ("start", "end")
        )
        inside = values.get("in_source", "").lower()
        if inside not in _TRUE:
            raise InputError(f"{where}: in_source must be true or false, not {inside!r:.40}")
        span = GivenSpan(start, end, values["severity"], values.get("category", ""), _TRUE[inside])
        yield where, values["segment"], values["system"], span


def _text(cell: Any) -> str:
    whole = int(cell) if isinstance(cell, float) and cell.is_integer() else cell
    return "" if whole is None else str(whole).strip()


def _judged(path: FilePath) -> Iterator[tuple[str, str, str, GivenSpan]]:
    """The spans of somebody else's judgements; where several people judged a translation, those of the first."""
    name = display_name(path)
    reading = KINDS[kind_of(path)](path)
    if not isinstance(reading, JudgementReading) or reading.judgements.spans is None:
        raise InputError(f"{name}: has no error spans (columns needed: {', '.join(_REQUIRED)})")
    table = reading.judgements
    seen: dict[tuple[str, str], int] = {}
    for number, spans in enumerate(table.spans or ()):
        place = (table.segment[number], table.system[number])
        if seen.setdefault(place, number) == number:
            for span in spans:
                given = GivenSpan(span.start, span.end, span.severity, span.category, span.in_source)
                yield table.where(number), *place, given
