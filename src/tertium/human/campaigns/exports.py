"""Judgements in the shapes that people have programs for.

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
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tertium.errors import InputError, did_you_mean
from tertium.human.campaigns.collected import Collected, Judged
from tertium.human.campaigns.conversions import SCORED, protocol_of, rankings, score_of, unit_marks
from tertium.human.campaigns.designs import CHALLENGE, PAIRWISE, RANKING, SPANS, UNITS
from tertium.human.campaigns.items import GENUINE, REPEAT
from tertium.io.appraise import TYPES
from tertium.io.records import json_line, tsv_line

SHAPES = {
    "csv": "CSV",
    "jsonl": "JSON Lines",
    "judgements": "Judgements (TSV)",
    "wmt": "WMT",
    "appraise": "Appraise",
    "mtme": "mt-metrics-eval",
}
_TYPE_OF = {kind: name for name, kind in TYPES.items()}


@dataclass(frozen=True)
class Exported:
    """A file: its name, what is in it, and what kind of file it is."""

    name: str
    data: bytes
    media: str


def exported(collected: Collected, shape: str) -> Exported:
    """The judgements in a shape; a shape that cannot hold them is refused."""
    if shape not in _WRITERS:
        raise InputError(f"there is no shape {shape!r}{did_you_mean(shape, SHAPES)}")
    name = collected.settings.name
    ending, media, write = _WRITERS[shape]
    data = write(collected)
    return Exported(f"{name}.{ending}", data, media)


def _csv(collected: Collected) -> bytes:
    columns = (
        "campaign",
        "design",
        "annotator",
        "batch",
        "position",
        "item",
        "kind",
        "original",
        "document",
        "segment",
        "place",
        "systems",
        "value",
        "details",
        "seconds",
        "time",
    )
    settings = collected.settings
    rows = [
        (
            settings.name,
            collected.design,
            one.annotator,
            one.batch,
            one.position,
            one.item.id,
            one.item.kind,
            one.item.original or "",
            one.item.document,
            one.item.segment,
            place + 1,
            "+".join(systems),
            _value(one, collected.design, place),
            _details(one),
            one.seconds,
            one.time,
        )
        for one in collected
        for place, systems in enumerate(one.shown)
    ]
    return _comma_separated([columns, *rows])


def _value(one: Judged, design: str, place: int) -> str | float | int:
    """What was said of the output at a place, in one word or number."""
    if design == PAIRWISE:
        choice = one.answer["choice"]
        return "equal" if choice == "undecided" else "better" if choice == "AB"[place] else "worse"
    if design == RANKING:
        return int(one.answer["ranks"][place])
    if design == CHALLENGE:
        return str(one.answer["answers"][place])
    return score_of(one, design)


def _details(one: Judged) -> str:
    for key in ("spans", "marks"):
        if key in one.answer:
            return json.dumps(one.answer[key], ensure_ascii=False)
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
        # what makes gold of scores is said in the file, unless it is direct assessment
        protocol = () if protocol_of(collected) == "DA" else (protocol_of(collected),)
        columns = ("system", "segment", "score", "annotator", "kind", "document", "start", "seconds")
        rows = [(*columns, *("protocol" for _ in protocol))]
        rows += [
            (
                system,
                one.item.segment,
                score_of(one, design),
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
            for one in _genuine(collected)
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


def _genuine(collected: Collected) -> Iterable[Judged]:
    return (one for one in collected if one.item.kind == GENUINE)


def _pair(collected: Collected) -> tuple[str, str]:
    if not collected.settings.languages[0]:
        raise InputError('this format names the languages: set languages = "de-en" in the campaign')
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
    for one in _genuine(collected):
        place = ("+".join(one.shown[0]), one.item.segment)
        values.setdefault(place, []).append(score_of(one, collected.design))
    lines = ["LP DATA SYSTEM SID HUMAN"]
    lines += [
        f"{source}-{target} {collected.settings.name} {system} {segment} {sum(own) / len(own)!r}"
        for (system, segment), own in values.items()
    ]
    return ("\n".join(lines) + "\n").encode()


def _wmt_rankings(collected: Collected, source: str, target: str) -> bytes:
    every = rankings(collected)
    documents = [one.item.document for one in _genuine(collected)]
    most = max((len(own.systems) for own in every), default=0)
    numbers = range(1, most + 1)
    header = ["srclang", "trglang", "srcIndex", "documentId", "segmentId", "judgeId"]
    header += [f"system{n}Id" for n in numbers] + [f"system{n}rank" for n in numbers]
    rows: list[list[object]] = [list(header)]
    for own, document in zip(every, documents, strict=True):
        gap = most - len(own.systems)
        rows.append(
            [
                source,
                target,
                own.segment,
                document,
                own.segment,
                own.annotator,
                *own.systems,
                *[""] * gap,
                *own.ranks,
                *[-1] * gap,
            ]
        )
    return _comma_separated(rows)


def _appraise(collected: Collected) -> bytes:
    source, target = _pair(collected)
    _only_scores(collected, "Appraise's CSV")
    with_spans = collected.design == SPANS
    if with_spans and not collected.settings.options["score"]:
        raise InputError("Appraise's scores go from 0 to 100, and this campaign asked for error spans only")
    rows = []
    for one in collected:
        for system in one.shown[0]:
            row: list[object] = [one.annotator, system, one.item.segment, _TYPE_OF[one.item.kind]]  # type: ignore[index]
            row += [source, target, f"{score_of(one, collected.design):g}"]
            row += [f"{one.item.document}#{system}", False]
            if with_spans:
                row.append(json.dumps([_appraise_span(span) for span in one.answer["spans"]]))
            rows.append([*row, f"{one.time - one.seconds:.3f}", f"{one.time:.3f}"])
    return _comma_separated(rows)


def _appraise_span(span: dict[str, object]) -> dict[str, object]:
    missing = span["start"] is None
    return {
        "start_i": "missing" if missing else span["start"],
        "end_i": "missing" if missing else span["end"],
        "severity": span["severity"],
        "error_type": span["category"] or None,
    }


def _mtme(collected: Collected) -> bytes:
    """Human scores as mt-metrics-eval has them: a line for each segment of the test set, None where nobody judged."""
    from tertium.human.campaigns.mtmefiles import mtme_zip

    _only_scores(collected, "mt-metrics-eval")
    return mtme_zip(collected, "-".join(_pair(collected)))


def _comma_separated(rows: Iterable[Iterable[object]]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().encode()


_WRITERS: dict[str, tuple[str, str, Callable[[Collected], bytes]]] = {
    "csv": ("csv", "text/csv; charset=utf-8", _csv),
    "jsonl": ("jsonl", "application/jsonl; charset=utf-8", _json_lines),
    "judgements": ("tsv", "text/tab-separated-values; charset=utf-8", _judgements),
    "wmt": ("wmt.csv", "text/csv; charset=utf-8", _wmt),
    "appraise": ("appraise.csv", "text/csv; charset=utf-8", _appraise),
    "mtme": ("mtme.zip", "application/zip", _mtme),
}
