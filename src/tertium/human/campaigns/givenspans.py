"""Errors marked beforehand, by a metric or in a file: what annotators find on the screen and keep, change or remove.

A metric marks the words that it would not miss (`tertium.comparison.suspects`); it may do so beforehand, into a file
(`span_lines`), which is the way for metrics that run programs. A file is a table (CSV, TSV, XLSX) or
JSON Lines with segment, system, start, end, severity and, if there are any, category, in_source and origin; or
judgements with error spans as other programs write them (Google's MQM, Appraise, mt-metrics-eval).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tertium import registry
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
from tertium.testset import TestSet

_REQUIRED = ("segment", "system", "start", "end", "severity")
_TRUE = {"true": True, "1": True, "false": False, "0": False, "": False}


@dataclass(frozen=True)
class _Row(GivenSpan):
    """A line of the file."""

    segment: str = ""
    system: str = ""

    @property
    def span(self) -> GivenSpan:
        return GivenSpan(self.start, self.end, self.severity, self.category, self.in_source, self.origin)


def with_spans_by(metric: str, settings: Settings, segments: Sequence[Segment]) -> list[Segment]:
    """The segments with the words that a metric would not miss, as errors of the least severity, after those that they
    have already.

    >>> settings = Settings.of({"name": "x", "design": "error-spans"})
    >>> segment = Segment("1", {"A": "The sheep lay at anchor."}, reference="The ship lay at anchor.")
    >>> [(span.start, span.end) for span in with_spans_by("ter", settings, [segment])[0].spans["A"]]
    [(4, 9)]
    """
    found = {segment.id: dict(segment.spans) for segment in segments}
    for segment, system, marked in _spans_by(metric, settings, segments):
        found[segment.id][system] = (*found[segment.id].get(system, ()), *marked)
    return [replace(segment, spans=found[segment.id]) for segment in segments]


def span_lines(metric: str, settings: Settings, segments: Sequence[Segment]) -> Iterator[str]:
    """The same as a file for the campaign: JSON Lines.

    >>> settings = Settings.of({"name": "x", "design": "error-spans"})
    >>> segment = Segment("1", {"A": "The sheep lay at anchor."}, reference="The ship lay at anchor.")
    >>> print(next(span_lines("ter", settings, [segment])))  # doctest: +ELLIPSIS
    {"segment": "1", "system": "A", "start": 4, "end": 9, "severity": "minor", "origin": "TER|nrefs:1|..."}
    """
    for segment, system, marked in _spans_by(metric, settings, segments):
        for span in marked:
            given = {key: value for key, value in vars(span).items() if value != "" and value is not False}
            yield json.dumps({"segment": segment.id, "system": system, **given}, ensure_ascii=False)


def _spans_by(
    metric: str, settings: Settings, segments: Sequence[Segment]
) -> Iterator[tuple[Segment, str, tuple[GivenSpan, ...]]]:
    """For each segment and system what the metric marks."""
    from tertium.comparison.suspects import suspect_spans

    severity = _options(metric, settings)["severities"][0]
    chosen = registry.metric(metric)
    whole = chosen.scope == "document"
    needed = {"reference": chosen.needs_references, "source": chosen.needs_source, "document": whole}
    for segment in segments:
        for key in (key for key, wanted in needed.items() if wanted):
            if not getattr(segment, key):
                raise InputError(f"segment {segment.id} has no {key}, which {chosen.name} needs")
    names = dict.fromkeys(system for segment in segments for system in segment.outputs)
    origin = f"{chosen.label}|{chosen.signature(1, chosen.scope)}"
    for system in names if settings.systems is None else settings.systems:
        own = [segment for segment in segments if system in segment.outputs]
        if not own:
            continue
        texts = TestSet.of(
            [segment.reference for segment in own],
            {system: [segment.outputs[system] for segment in own]},
            sources=[segment.source for segment in own],
            documents=[segment.document for segment in own] if whole else None,
        )
        for segment, spans in zip(own, suspect_spans(texts, chosen)[system], strict=True):
            yield segment, system, tuple(GivenSpan(*span, severity, origin=origin) for span in spans)


def _options(what: str, settings: Settings) -> Mapping[str, Any]:
    if "severities" not in settings.options:
        raise InputError(f"{what}: the design {settings.design.name} has no error spans")
    return settings.options


def with_spans(path: FilePath, settings: Settings, segments: Sequence[Segment]) -> list[Segment]:
    """The segments with the spans of a file, after those that they have already.

    >>> settings = Settings.of({"name": "x", "design": "error-spans"})
    >>> table = "segment,system,start,end,severity\\n1,A,0,3,Minor\\n"
    >>> with_spans(written("spans.csv", table), settings, [Segment("1", {"A": "The sheep"})])[0].spans["A"][0].severity
    'minor'
    """
    found = {segment.id: dict(segment.spans) for segment in segments}
    by_id = {segment.id: segment for segment in segments}
    options = _options(display_name(path), settings)
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
        category, origin = values.get("category", ""), values.get("origin", "")
        span = GivenSpan(start, end, values["severity"], category, _TRUE[inside], origin)
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
