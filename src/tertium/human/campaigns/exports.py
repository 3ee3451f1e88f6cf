"""Judgements in the formats of other programs.

| shape | what it is |
|---|---|
| csv | a row for each judged output, everything in columns |
| jsonl | a line for each screen, everything |
| judgements | Tertium's own tables (TSV), which `tertium meta` reads: scores, comparisons, rankings, unit marks |
| wmt | scores by segment (LP DATA SYSTEM SID HUMAN), rankings as WMT's CSV |
| appraise | Appraise's CSV of direct assessment and ESA |
| mqm | Google's MQM table (TSV): a row for each error, the words between <v> and </v> |
| practice | the answers to practice items (CSV), which no other shape has |
| mtme | a ZIP with mt-metrics-eval's files of human scores and ratings |

In CSV files a text that a spreadsheet would take for a formula has an apostrophe before it; our readers take it off.
"""

from __future__ import annotations

import csv
import io
import json
import re
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
from tertium.human.campaigns.items import GENUINE, REPEAT, CampaignItem
from tertium.human.campaigns.practice import practice_items
from tertium.human.campaigns.settings import Settings
from tertium.io.appraise import TYPES
from tertium.io.mtme import write_mtme_scores
from tertium.io.records import formula_escaped, json_line, tsv_line
from tertium.io.scorematrix import ScoreMatrix

_TYPE_OF = {kind: name for name, kind in TYPES.items()}
_TABS = "text/tab-separated-values"
_BREAK = re.compile(r"[\t\r\n]")
_NUMBERED = re.compile(r"(\D*)(\d*)")
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
    _, ending, media, write, _ = _WRITERS[shape]
    if why := refusal(collected.settings, shape):
        raise InputError(why)
    return Exported(f"{collected.settings.name}.{ending}", write(collected), media)


def refusal(settings: Settings, shape: str) -> str:
    """Why a campaign cannot be exported in this shape, whatever was judged; empty if it can."""
    label, *_, needs = _WRITERS[shape]
    return next((why for need in needs if (why := need(settings, label))), "")


def _pair(settings: Settings, _label: str) -> str:
    missing = 'this format needs the language pair: set languages = "de-en" in the campaign'
    return "" if settings.languages[0] else missing


def _scores(settings: Settings, label: str) -> str:
    name = settings.design.name
    return "" if name in SCORED else f"{label} holds scores, but the design {name} gives none"


def _scores_or_ranks(settings: Settings, label: str) -> str:
    return "" if settings.design.name in (RANKING, PAIRWISE) else _scores(settings, label)


def _slider(settings: Settings, label: str) -> str:
    asked = settings.design.name != SPANS or settings.options["score"]
    return (
        "" if asked else f"{label} needs scores from 0 to 100, but this campaign asked for error spans only"
    )


def _spans(settings: Settings, label: str) -> str:
    name = settings.design.name
    return "" if name == SPANS else f"{label} holds error spans, but the design {name} has none"


def _tutorial(settings: Settings, _label: str) -> str:
    return "" if settings.tutorial else "this campaign has no practice: it has no [tutorial]"


def _csv(collected: Collected) -> bytes:
    rows = [_COLUMNS]
    for one in (*collected, *collected.documents):
        screen = {"campaign": collected.settings.name, "design": collected.design, **one.data()}
        screen |= {
            "original": one.item.original or "",
            "details": _details(one),
            "comment": one.answer.get("comment", ""),
        }
        for place, systems in enumerate(one.shown):
            own = {"place": place + 1, "systems": "+".join(systems), "value": one.value(place)}
            rows.append([(screen | own)[column] for column in _COLUMNS])
    return _comma_separated(rows)


def _practice(collected: Collected) -> bytes:
    items = practice_items(collected.settings)
    columns = ("campaign", "annotator", "round", "place", "segment", "right", "answer", "expected", "time")
    rows: list[tuple[object, ...]] = [columns]
    for one in collected.practice:
        item = items[one.place - 1]
        what = (one.annotator, one.round, one.place, item.item.segment, "yes" if one.right else "no")
        answers = (json.dumps(dict(own), ensure_ascii=False) for own in (one.answer, item.expected))
        rows.append((collected.settings.name, *what, *answers, one.time))
    return _comma_separated(rows)


def _details(one: Judged) -> str:
    for key in ("spans", "marks"):
        if key in one.answer:
            found = {"spans": one.answer[key], "given": one.given} if one.given else one.answer[key]
            return json.dumps(found, ensure_ascii=False)
    return ""


def _json_lines(collected: Collected) -> bytes:
    return "".join(json_line(one.data()) for one in (*collected, *collected.documents)).encode()


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


def _wmt(collected: Collected) -> bytes:
    """WMT's tables: mean raw score by translation, or rankings."""
    source, target = collected.settings.languages
    if collected.design in (RANKING, PAIRWISE):
        return _wmt_rankings(collected, source, target)
    values: dict[tuple[str, str], list[float]] = {}
    for one in collected.genuine:
        place = ("+".join(one.shown[0]), one.item.segment)
        values.setdefault(place, []).append(one.score)
    rows = [["LP", "DATA", "SYSTEM", "SID", "HUMAN"]]
    for (system, segment), own in values.items():
        mean = repr(sum(own) / len(own))
        rows.append([f"{source}-{target}", collected.settings.name, system, segment, mean])
    spaces = any(" " in segment for _, segment in values)  # then only tabs can separate the fields
    return "".join(("\t" if spaces else " ").join(row) + "\n" for row in rows).encode()


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
    source, target = collected.settings.languages
    with_spans = collected.design == SPANS
    rows = []
    for one in (*collected, *collected.documents):
        whole = bool(one.item.inside)
        for system in one.shown[0]:
            # the number of a whole document is that of its last segment, as in Appraise
            number = one.item.inside[-1].segment if whole else one.item.segment
            row: list[object] = [one.annotator, system, number, _TYPE_OF[one.item.kind]]
            row += [source, target, f"{one.score:g}"]
            row += [f"{one.item.document}#{system}", whole]
            if with_spans:
                row.append(json.dumps([_appraise_span(span) for span in one.answer.get("spans", ())]))
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


def _mqm(collected: Collected) -> bytes:
    """Google's table: a row for each error, or one that says there is none; texts in one line each."""
    rows = [["system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity"]]
    within: dict[str, dict[str, None]] = {}  # the segments of each document, in their order
    for one in sorted(collected.genuine, key=lambda one: _order(one.item)):
        within.setdefault(one.item.document, {}).setdefault(one.item.segment)
    place = {
        (document, segment): str(i) for document, own in within.items() for i, segment in enumerate(own, 1)
    }
    for one in collected.genuine:
        item = one.item
        where = [item.document, place[item.document, item.segment], item.segment, one.annotator]
        for system in one.shown[0]:
            for span in one.answer["spans"] or [None]:
                found = [
                    _marked(text, span, side) for side, text in enumerate((item.source, item.outputs[0].text))
                ]
                rows.append([system, *where, *found, *_error(span)])
    return "".join(tsv_line(row) for row in rows).encode()


def _error(span: dict[str, Any] | None) -> tuple[str, str]:
    if span is None:
        return "No-error", "No-error"
    lost = "Accuracy/Omission" if span["start"] == span["end"] else "Other"
    return span["category"] or lost, span["severity"].capitalize()


def _marked(text: str, span: dict[str, Any] | None, side: int) -> str:
    """The source (side 0) or the translation with the words of an error between <v> and </v>."""
    plain = _BREAK.sub(" ", text)
    if span is None or span["start"] is None or span.get("in_source", False) == bool(side):
        return plain
    start, end = span["start"], span["end"]
    return f"{plain[:start]}<v>{plain[start:end]}</v>{plain[end:]}"


def _order(item: CampaignItem) -> tuple[int, list[tuple[str, int]]]:
    """Where a segment stands in the test set; campaigns of older versions have only its id to go by."""
    return item.line, [(word, int(part or 0)) for word, part in _NUMBERED.findall(item.segment)]


def _mtme(collected: Collected) -> bytes:
    """Human scores as mt-metrics-eval has them: a line for each segment of the test set, None where nobody judged.

    `human-scores/PAIR.NAME.{seg,sys}.score` with mean raw scores, and for error spans `PAIR.NAME.seg.rating`. Segments
    called by numbers are those lines; others stand in the order of the test set, and `PAIR.segments.txt` names them.
    """
    pair, name = "-".join(collected.settings.languages), collected.settings.name.replace(".", "-")
    genuine = collected.genuine
    if not genuine:
        raise InputError(f"{collected.settings.name}: there are no judgements yet")
    line, names = _lines(collected)
    judged: dict[tuple[str, int], list[Judged]] = {}
    for one in genuine:
        for system in one.shown[0]:
            judged.setdefault((system, line[one.item.segment]), []).append(one)
    numbers = range(1, max(collected.size, *line.values()) + 1)
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
        if names:
            packed.writestr(f"{pair}.segments.txt", "".join(names.get(n, "") + "\n" for n in numbers))
        if collected.design == SPANS:
            text = "".join(
                _rating_line(system, judged.get((system, number), (None,))[0])
                for system in collected.systems
                for number in numbers
            )
            packed.writestr(f"human-scores/{pair}.{name}.seg.rating", text)
    return out.getvalue()


def _lines(collected: Collected) -> tuple[dict[str, int], dict[int, str]]:
    """The line of each judged segment, from 1; and the names of lines where they are not numbers."""
    items = {one.item.segment: one.item for one in collected.genuine}
    if all(name.isascii() and name.isdecimal() and int(name) for name in items):
        return {name: int(name) for name in items}, {}
    own = sorted(items.values(), key=_order)
    known = all(item.line for item in own)
    line = {item.segment: item.line if known else i for i, item in enumerate(own, 1)}
    return line, {number: name for name, number in line.items()}


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
    safe = ([formula_escaped(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    csv.writer(out, lineterminator="\n").writerows(safe)
    return out.getvalue().encode()


Need = Callable[[Settings, str], str]
_WRITERS: dict[str, tuple[str, str, str, Callable[[Collected], bytes], tuple[Need, ...]]] = {
    "csv": ("CSV", "csv", "text/csv; charset=utf-8", _csv, ()),
    "jsonl": ("JSON Lines", "jsonl", "application/jsonl; charset=utf-8", _json_lines, ()),
    "judgements": ("Judgements (TSV)", "tsv", f"{_TABS}; charset=utf-8", _judgements, ()),
    "wmt": ("WMT", "wmt.csv", "text/csv; charset=utf-8", _wmt, (_pair, _scores_or_ranks)),
    "appraise": (
        *("Appraise", "appraise.csv", "text/csv; charset=utf-8", _appraise),
        (_pair, _scores, _slider),
    ),
    "mqm": ("MQM (Google's TSV)", "mqm.tsv", f"{_TABS}; charset=utf-8", _mqm, (_spans,)),
    "practice": ("Practice (CSV)", "practice.csv", "text/csv; charset=utf-8", _practice, (_tutorial,)),
    "mtme": ("mt-metrics-eval", "mtme.zip", "application/zip", _mtme, (_pair, _scores)),
}
SHAPES = {shape: label for shape, (label, *_) in _WRITERS.items()}
