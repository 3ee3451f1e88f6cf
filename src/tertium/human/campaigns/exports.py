"""Judgements in the formats of other programs.

| shape | what it is |
|---|---|
| csv | a row for each judged output, everything in columns |
| jsonl | a line for each screen, everything |
| judgements | Tertium's own tables (TSV), which `tertium meta` reads: scores, comparisons, rankings, unit marks |
| wmt | scores by segment (LP DATA SYSTEM SID HUMAN), rankings as WMT's CSV |
| appraise | Appraise's CSV of direct assessment and ESA |
| mtme | a ZIP with mt-metrics-eval's files of human scores and ratings |
"""

from __future__ import annotations

import csv
import io
import json
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tertium.errors import InputError, did_you_mean
from tertium.human.campaigns.collected import Collected, Judged
from tertium.human.campaigns.conversions import SCORED, protocol_of, rankings, unit_marks
from tertium.human.campaigns.designs import CHALLENGE, PAIRWISE, RANKING, SPANS, UNITS, WEIGHTS
from tertium.human.campaigns.items import GENUINE, REPEAT
from tertium.io.appraise import TYPES
from tertium.io.mtme import write_mtme_scores
from tertium.io.records import json_line, tsv_line
from tertium.io.scorematrix import ScoreMatrix

_TYPE_OF = {kind: name for name, kind in TYPES.items()}
_COLUMNS = [
    *("campaign", "design", "annotator", "batch", "position", "item", "kind", "original", "document"),
    *("segment", "place", "systems", "value", "details", "seconds", "time", "comment"),
]


@dataclass(frozen=True)
class Exported:
    """A file: its name, its contents and its media type."""

    name: str
    data: bytes
    media: str


def exported(collected: Collected, shape: str) -> Exported:
    """The judgements in one of `SHAPES`; one that cannot hold them is refused."""
    if shape not in _WRITERS:
        raise InputError(f"unknown export format {shape!r}{did_you_mean(shape, SHAPES)}")
    _, ending, media, write = _WRITERS[shape]
    return Exported(f"{collected.settings.name}.{ending}", write(collected), media)


def _csv(collected: Collected) -> bytes:
    rows = [_COLUMNS]
    for one in collected:
        screen = {"campaign": collected.settings.name, "design": collected.design, **one.data()}
        screen |= {
            "original": one.item.original or "",
            "details": _details(one),
            "comment": one.answer.get("comment", ""),
        }
        for place, systems in enumerate(one.shown):
            own = {"place": place + 1, "systems": "+".join(systems), "value": _value(one, place)}
            rows.append([(screen | own)[column] for column in _COLUMNS])
    return _comma_separated(rows)


def _value(one: Judged, place: int) -> str | float | int:
    """What was said of the output at a place, in one word or number."""
    if "choice" in one.answer:
        choice = one.answer["choice"]
        return "equal" if choice == "undecided" else "better" if choice == "AB"[place] else "worse"
    for key in ("ranks", "answers"):
        if key in one.answer:
            return one.answer[key][place]  # type: ignore[no-any-return]
    return one.score


def _details(one: Judged) -> str:
    for key in ("spans", "marks"):
        if key in one.answer:
            found = {"spans": one.answer[key], "given": one.given} if one.given else one.answer[key]
            return json.dumps(found, ensure_ascii=False)
    return ""


def _json_lines(collected: Collected) -> bytes:
    return "".join(json_line(one.data()) for one in collected).encode()


def _judgements(collected: Collected) -> bytes:
    """The plain tables of `tertium.io`: judgements, comparisons, rankings or unit marks."""
    design = collected.design
    rows: list[tuple[object, ...]]
    if design == UNITS:
        rows = [("annotator", "system", "segment", "unit", "mark")]
        rows += [(m.annotator, m.system, m.segment, m.unit, m.mark) for m in unit_marks(collected)]
    elif design in SCORED:
        # the file names the protocol by which scores become gold, unless it is direct assessment
        protocol = () if protocol_of(collected) == "DA" else (protocol_of(collected),)
        columns = ("system", "segment", "score", "annotator", "kind", "document", "start", "seconds")
        rows = [(*columns, *("protocol" for _ in protocol))]
        rows += [
            (
                system,
                one.item.segment,
                one.score,
                one.annotator,
                one.item.kind,
                one.item.document,
                one.time - one.seconds,
                one.seconds,
                *protocol,
            )
            for one in collected
            for system in one.shown[0]
        ]
    elif design == CHALLENGE:
        rows = [("item", "system", "annotator", "answer")]
        rows += [
            (one.item.segment, system, one.annotator, answer)
            for one in collected.genuine
            for systems, answer in zip(one.shown, one.answer["answers"], strict=True)
            for system in systems
        ]
    elif design == RANKING:
        rows = [("ranking", "annotator", "segment", "system", "rank", "kind")]
        rows += [
            (number, own.annotator, own.segment, system, rank, REPEAT if own.repeat else GENUINE)
            for number, own in enumerate(rankings(collected, repeats=True), 1)
            for system, rank in zip(own.systems, own.ranks, strict=True)
        ]
    else:
        words = {"A": "first", "B": "second", "undecided": "undecided"}
        rows = [("annotator", "segment", "first", "second", "choice", "kind")]
        rows += [
            (one.annotator, one.item.segment, a, b, words[one.answer["choice"]], one.item.kind)
            for one in collected
            if one.item.kind in (GENUINE, REPEAT)
            for a in one.shown[0]
            for b in one.shown[1]
        ]
    return "".join(tsv_line(map(str, row)) for row in rows).encode()


def _pair(collected: Collected) -> tuple[str, str]:
    if not collected.settings.languages[0]:
        raise InputError('this format needs the language pair: set languages = "de-en" in the campaign')
    return collected.settings.languages


def _only_scores(collected: Collected, shape: str) -> None:
    if collected.design not in SCORED:
        raise InputError(f"{shape} holds scores, but the design {collected.design} gives none")


def _wmt(collected: Collected) -> bytes:
    """WMT's tables: mean raw score by translation, or rankings."""
    source, target = _pair(collected)
    if collected.design in (RANKING, PAIRWISE):
        return _wmt_rankings(collected, source, target)
    _only_scores(collected, "WMT's table")
    values: dict[tuple[str, str], list[float]] = {}
    for one in collected.genuine:
        place = ("+".join(one.shown[0]), one.item.segment)
        values.setdefault(place, []).append(one.score)
    lines = ["LP DATA SYSTEM SID HUMAN"]
    lines += [
        f"{source}-{target} {collected.settings.name} {system} {segment} {sum(own) / len(own)!r}"
        for (system, segment), own in values.items()
    ]
    return ("\n".join(lines) + "\n").encode()


def _wmt_rankings(collected: Collected, source: str, target: str) -> bytes:
    every = rankings(collected)
    documents = [one.item.document for one in collected.genuine]
    most = max((len(own.systems) for own in every), default=0)
    numbers = range(1, most + 1)
    header = ["srclang", "trglang", "srcIndex", "documentId", "segmentId", "judgeId"]
    rows: list[list[object]] = [
        [*header, *(f"system{n}Id" for n in numbers), *(f"system{n}rank" for n in numbers)]
    ]
    for own, document in zip(every, documents, strict=True):
        gap = most - len(own.systems)
        place = (source, target, own.segment, document, own.segment, own.annotator)
        rows.append([*place, *own.systems, *[""] * gap, *own.ranks, *[-1] * gap])
    return _comma_separated(rows)


def _appraise(collected: Collected) -> bytes:
    source, target = _pair(collected)
    _only_scores(collected, "Appraise's CSV")
    with_spans = collected.design == SPANS
    if with_spans and not collected.settings.options["score"]:
        raise InputError(
            "Appraise's format needs scores from 0 to 100, but this campaign asked for error spans only"
        )
    rows = []
    for one in collected:
        for system in one.shown[0]:
            row: list[object] = [one.annotator, system, one.item.segment, _TYPE_OF[one.item.kind]]  # type: ignore[index]
            row += [source, target, f"{one.score:g}"]
            row += [f"{one.item.document}#{system}", False]
            if with_spans:
                row.append(json.dumps([_appraise_span(span) for span in one.answer["spans"]]))
            rows.append([*row, f"{one.time - one.seconds:.3f}", f"{one.time:.3f}"])
    return _comma_separated(rows)


def _appraise_span(span: dict[str, object]) -> dict[str, object]:
    lost = span["start"] == span["end"]  # an omission, whether its place is known or not
    start, end = ("missing", "missing") if lost else (span["start"], span["end"])
    return {
        "start_i": start,
        "end_i": end,
        "severity": span["severity"],
        "error_type": span["category"] or None,
    }


def _mtme(collected: Collected) -> bytes:
    """Human scores as mt-metrics-eval has them: a line for each segment of the test set, None where nobody judged.

    `human-scores/PAIR.NAME.{seg,sys}.score` with mean raw scores, and for error spans `PAIR.NAME.seg.rating`.
    """
    _only_scores(collected, "mt-metrics-eval")
    pair, name = "-".join(_pair(collected)), collected.settings.name.replace(".", "-")
    judged: dict[tuple[str, int], list[Judged]] = {}
    for one in collected.genuine:
        if not one.item.segment.isdecimal():
            raise InputError(
                f"mt-metrics-eval numbers segments from 1, but here one is called {one.item.segment!r}"
            )
        for system in one.shown[0]:
            judged.setdefault((system, int(one.item.segment)), []).append(one)
    if not judged:
        raise InputError(f"{collected.settings.name}: there are no judgements yet")
    numbers = range(1, max(collected.size, *(number for _, number in judged)) + 1)
    rows = {
        system: [_mean([one.score for one in judged.get((system, number), ())]) for number in numbers]
        for system in collected.systems
    }
    means = {system: _mean([value for value in row if value is not None]) for system, row in rows.items()}
    out = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for matrix in (ScoreMatrix.of_segments(name, rows), ScoreMatrix.of_systems(name, means)):
            path = write_mtme_scores(folder, pair, matrix, human=True)
            packed.write(path, path.relative_to(Path(folder)).as_posix())
        if collected.design == SPANS:
            text = "".join(
                _rating_line(system, judged.get((system, number), (None,))[0])
                for system in collected.systems
                for number in numbers
            )
            packed.writestr(f"human-scores/{pair}.{name}.seg.rating", text)
    return out.getvalue()


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _rating_line(system: str, one: Judged | None) -> str:
    """The first rating of a translation; an omission has an empty span at the end of the text."""
    if one is None:
        return f"{system}\tNone\t\n"
    length = len(one.item.outputs[0].text)
    errors: list[dict[str, Any]] = [
        {
            "start": length if span["start"] is None else span["start"],
            "end": length if span["end"] is None else span["end"],
            "category": span["category"] or ("omission" if span["start"] == span["end"] else ""),
            "severity": span["severity"],
            "score": WEIGHTS.weight(span["severity"], span["category"], "MQM"),
            "is_source_error": span.get("in_source", False),
        }
        for span in one.answer["spans"]
    ]
    return f"{system}\t{json.dumps({'errors': errors}, ensure_ascii=False)}\t{one.annotator}\n"


def _comma_separated(rows: Iterable[Iterable[object]]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().encode()


_WRITERS: dict[str, tuple[str, str, str, Callable[[Collected], bytes]]] = {
    "csv": ("CSV", "csv", "text/csv; charset=utf-8", _csv),
    "jsonl": ("JSON Lines", "jsonl", "application/jsonl; charset=utf-8", _json_lines),
    "judgements": ("Judgements (TSV)", "tsv", "text/tab-separated-values; charset=utf-8", _judgements),
    "wmt": ("WMT", "wmt.csv", "text/csv; charset=utf-8", _wmt),
    "appraise": ("Appraise", "appraise.csv", "text/csv; charset=utf-8", _appraise),
    "mtme": ("mt-metrics-eval", "mtme.zip", "application/zip", _mtme),
}
SHAPES = {shape: label for shape, (label, *_) in _WRITERS.items()}
