"""Appraise's CSV exports of direct assessment, ESA and MQM: no header, a row for each judgement.

    user, system, item, type, source language, target language, score,
    [document#system[#badN][#duplicateN], is-document,] [error spans as JSON,] start, end

Types: TGT a system's output, CHK the same again, BAD damaged on purpose, REF the reference. Spans have an exclusive
end; a start of "missing" is an omission. Where documents are named, the item is a number
within the annotator's batch. The batch file says which segment it was; without it a segment is identified by its
document and its place in it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tertium.errors import InputError, did_you_mean
from tertium.io.appraisebatches import read_batches, tutorial_named
from tertium.io.coverage import OpenCoverage
from tertium.io.judgementtable import (
    Duplicates,
    JudgementReading,
    Kind,
    Protocol,
    RowsOfJudgements,
    Span,
    check_duplicates,
)
from tertium.io.mqm import MQMWeights
from tertium.io.records import comma_rows, named, real_number
from tertium.io.streams import FilePath, display_name

TYPES: dict[str, Kind] = {"TGT": "genuine", "CHK": "repeat", "BAD": "degraded", "REF": "reference"}
_WIDTHS = {9: "plain", 11: "documents", 12: "spans"}
_TRUTH = {"true": True, "1": True, "false": False, "0": False, "": False}
# ISO 639-2 and 639-3 codes, as Appraise writes them, of languages of WMT's tasks.
TWO_LETTERS = {
    "ara": "ar", "arz": "ar", "ben": "bn", "bho": "bho", "bul": "bg", "ces": "cs", "cze": "cs", "dan": "da",
    "deu": "de", "ger": "de", "ell": "el", "eng": "en", "spa": "es", "est": "et", "fin": "fi", "fra": "fr",
    "fre": "fr", "guj": "gu", "hau": "ha", "heb": "he", "hin": "hi", "hrv": "hr", "hun": "hu", "iku": "iu",
    "ind": "id", "isl": "is", "ice": "is", "ita": "it", "jpn": "ja", "kaz": "kk", "khm": "km", "kor": "ko",
    "lav": "lv", "lit": "lt", "nld": "nl", "nob": "nb", "pol": "pl", "por": "pt", "pus": "ps", "ron": "ro",
    "rum": "ro", "rus": "ru", "slk": "sk", "slv": "sl", "srp": "sr", "swe": "sv", "tam": "ta", "tur": "tr",
    "ukr": "uk", "vie": "vi", "xho": "xh", "zho": "zh", "chi": "zh", "zul": "zu",
}  # fmt: skip
# What Kocmi et al. (2024) counted: punctuation costs little at every severity, an undecided severity nothing.
MQM_WEIGHTS: Mapping[str, float] = {
    "Undecided": 0.0,
    "Linguistic conventions/Punctuation": 0.1,
    "Fluency/Punctuation": 0.1,
}


@dataclass(frozen=True)
class _Row:
    """A line of the file, its fields checked."""

    line: int
    user: str
    target: str  # the system as the file has it
    item: str
    kind: Kind
    score: float
    shown: str  # the document as the file has it
    whole: bool
    spans: tuple[Span, ...]
    start: float
    end: float

    @property
    def document(self) -> str:
        return _parts(self.shown)[0]

    @property
    def system(self) -> str:
        """By its own name: the file may set the name of the test set before it (wmt23.refA)."""
        short = _parts(self.shown)[1]
        return short if short and self.target.endswith("." + short) else self.target

    @property
    def duplicate(self) -> bool:
        return "duplicate" in _parts(self.shown)[2]


def _parts(shown: str) -> tuple[str, str, str]:
    """Document, system and the marks of the copy: "bbc.1#A#bad2" is ("bbc.1", "A", "#bad2")."""
    plain = re.sub(r"(#(bad|duplicate)\d*)+$", "", shown)
    document, mark, system = plain.rpartition("#")
    return (document if mark else system), (system if mark else ""), shown[len(plain) :]


def read_appraise(
    path: FilePath,
    *,
    batches: FilePath | None = None,
    pair: str | tuple[str, str] | None = None,
    duplicates: Duplicates = "latest",
    weights: MQMWeights | Mapping[str, float] | None = None,
) -> JudgementReading:
    """Read an Appraise export of direct assessment (9 or 11 columns), ESA or MQM (12 columns, with error spans).

    `batches` is the campaign's batch file: with it segments are lines of the test set. `pair`, such as "en-de" or
    `("eng", "deu")`, chooses languages where a file has several. Scores of whole documents are returned in a separate
    table, tutorials are left out. Where an annotator answered an item again the latest answer counts; a document shown
    again ("#duplicate") is a repeat. A file of spans without any score is MQM: the score is minus the sum of the
    errors' `weights`.

    >>> path = written("da.csv", "ann,wmt.A,17,TGT,eng,deu,70,doc1#A,False,100.0,112.5\\n")
    >>> found = read_appraise(path).judgements
    >>> found.score.tolist(), found.system[0], found.segment[0], found.seconds.tolist()
    ([70.0], 'A', 'doc1:1', [12.5])
    """
    name = display_name(path)
    check_duplicates(duplicates)
    book = OpenCoverage(name, "judgements")
    rows, width = _rows(path, name, pair, book)
    protocol: Protocol = "DA" if width < 12 else "ESA"
    if protocol == "ESA" and not any(row.score for row in rows) and any(row.spans for row in rows):
        protocol = "MQM"
        rules = MQMWeights.of(weights, MQM_WEIGHTS)
        rows = [_weighted(row, rules, f"{name}: line {row.line}") for row in rows]
    rows, segment_of = _segments(rows, width, name, batches, book)
    numbered = segment_of is not None  # items are numbers within a batch
    if numbered and duplicates == "latest":
        rows = _latest(rows, book)
    first = {
        (row.user, row.system, _place(row, segment_of))
        for row in rows
        if row.kind == "genuine" and not row.duplicate
    }
    doubled: Duplicates = "leave out" if duplicates == "latest" else duplicates
    tables = {whole: RowsOfJudgements(name, doubled) for whole in (False, True)}
    for row in rows:
        segment = _place(row, segment_of)
        again = row.kind == "genuine" and row.duplicate and (row.user, row.system, segment) in first
        values: dict[str, Any] = {
            "annotator": row.user,
            "system": row.system,
            "segment": segment,
            "score": row.score,
            "kind": "repeat" if again else row.kind,
        }
        if width > 9:
            values["document"] = row.document
        if width > 11:
            values["spans"] = row.spans
        values |= {"start": row.start, "seconds": row.end - row.start}
        if not tables[row.whole].add(row.line, **values):
            book.leave_out("the same judgement again", row.line)
    segments, documents = tables[False], tables[True]
    whole_documents = None
    if len(documents):
        whole_documents = documents.table()
        book.note(f"{len(documents)} scores of whole documents are in a separate table")
    coverage = book.closed(len(segments) + len(documents))
    return JudgementReading(segments.table(), coverage, whole_documents, protocol)


def _rows(
    path: FilePath, name: str, pair: str | tuple[str, str] | None, book: OpenCoverage
) -> tuple[list[_Row], int]:
    """All judgements of the languages, tutorials left out, and the number of columns."""
    found: list[_Row] = []
    width = 0
    languages: set[tuple[str, str]] = set()
    others: set[str] = set()
    for number, fields in comma_rows(path):
        where = f"{name}: line {number}"
        fields = [part.strip() for part in fields]
        if len(fields) not in _WIDTHS or len(fields) != (width or len(fields)):
            expected = str(width) if width else "9 (plain), 11 (with documents) or 12 (with error spans)"
            raise InputError(f"{where} has {len(fields)} fields, expected {expected}")
        width = len(fields)
        user, system, item, kind, source, target, score = fields[:7]
        own = (source, target)
        if pair is not None and not _is_pair(own, pair):
            others.add(f"{source}-{target}")
            book.leave_out(f"of languages {source}-{target}", number)
            continue
        languages.add(own)
        if len(languages) > 1:
            raise InputError(
                f"{where} is {source}-{target}, unlike the lines before: choose one language pair (--pair)"
            )
        if kind not in TYPES:
            raise InputError(f"{where}: the type {kind!r} is unknown{did_you_mean(kind, TYPES)}")
        start, end = (real_number(text, "time", where) for text in fields[-2:])
        if end < start:
            raise InputError(f"{where}: the end ({fields[-1]}) is before the start ({fields[-2]})")
        row = _Row(
            line=number,
            user=named(user, "user", where),
            target=named(system, "system", where),
            item=named(item, "item", where),
            kind="degraded" if width > 9 and "bad" in _parts(fields[7])[2] else TYPES[kind],
            score=_percent(score, where),
            shown=fields[7] if width > 9 else "",
            whole=width > 9 and _truth(fields[8], where),
            spans=_spans(fields[9], where) if width > 11 else (),
            start=start,
            end=end,
        )
        if tutorial_named(row.target, row.shown):
            book.leave_out("tutorials", number)
            continue
        found.append(row)
    if not found:
        asked = pair if isinstance(pair, str) else "-".join(pair or ())
        here = f" (the file has {', '.join(sorted(others))})" if others else ""
        raise InputError(f"{name}: there are no judgements{f' of {asked}' if asked else ''}{here}")
    return found, width


def _is_pair(languages: tuple[str, str], pair: str | tuple[str, str]) -> bool:
    """Whether the languages of a row are those of a pair, such as en-de for eng and deu; regions do not count."""
    if not isinstance(pair, str):
        return languages == tuple(pair)
    source, _, target = pair.partition("-")
    return (_two_letters(languages[0]), _two_letters(languages[1])) == (
        _two_letters(source),
        _two_letters(target),
    )


def _two_letters(language: str) -> str:
    code = re.split(r"[-_]", language.lower())[0]
    return TWO_LETTERS.get(code, code)


def _weighted(row: _Row, rules: MQMWeights, where: str) -> _Row:
    spans = tuple(
        replace(span, weight=rules.weight(span.severity, span.category, where)) for span in row.spans
    )
    return replace(row, spans=spans, score=-sum(span.weight or 0.0 for span in spans) + 0.0)


def _place(row: _Row, segment_of: Mapping[int, str] | None) -> str:
    """The segment of a row (or the document, where that was scored as a whole)."""
    if segment_of is None:
        return row.item
    return row.document if row.whole else segment_of[row.line]


def _segments(
    rows: list[_Row], width: int, name: str, batches: FilePath | None, book: OpenCoverage
) -> tuple[list[_Row], Mapping[int, str] | None]:
    """The segment of each row by its line, tutorials of the batch file left out; None: the item is the segment."""
    if batches is None:
        if width == 9 or not _within_batches(rows):
            return rows, None
        return rows, _by_position(rows, book)
    if width == 9:
        raise InputError(f"{name} names no documents: its items are segments, so a batch file does not apply")
    known = read_batches(batches)
    by_user: dict[str, list[_Row]] = {}
    for row in rows:
        if not row.whole:
            by_user.setdefault(row.user, []).append(row)
    segment_of: dict[int, str] = {}
    for asked in by_user.values():
        shown = [(row.item, row.shown, row.target) for row in asked]
        try:
            found_here = known.segments(shown)
        except KeyError as error:
            row = asked[shown.index(error.args[0])]
            raise InputError(
                f"{name}: line {row.line}: item {row.item}, {row.shown!r} of {row.target!r} is in no batch of "
                f"{known.origin}: is this the batch file of this campaign?"
            ) from None
        for row, segment in zip(asked, found_here, strict=True):
            if segment is None:
                book.leave_out("tutorials", row.line)
            else:
                segment_of[row.line] = segment
    if not known.lines:
        book.note(f"{known.origin} has no _item with lines: segments are identified by document and source")
    return [row for row in rows if row.whole or row.line in segment_of], segment_of


def _within_batches(rows: Sequence[_Row]) -> bool:
    """Whether items are numbers within batches: whole numbers that stand for different documents, or else without
    gaps, each annotator's documents one after the other. A segment's own number belongs to one document, and an
    annotator sees it for several systems, or again, or damaged."""
    documents: dict[str, set[str]] = {}
    outputs: dict[tuple[str, str], set[tuple[str, str, str]]] = {}
    runs: dict[tuple[str, str], set[int]] = {}
    for row in rows:
        if not (row.item.isascii() and row.item.isdigit()) or not row.document:
            return False
        if row.whole:
            continue
        documents.setdefault(row.item, set()).add(row.document)
        outputs.setdefault((row.user, row.item), set()).add((row.shown, row.target, row.kind))
        for key in ((row.user, row.shown), (row.user, "")):  # a document's items, and all of them
            runs.setdefault(key, set()).add(int(row.item))
    if any(len(own) > 1 for own in documents.values()):
        return True
    alone = all(len(own) == 1 for own in outputs.values())
    return alone and all(max(own) - min(own) == len(own) - 1 for own in runs.values())


def _by_position(rows: Sequence[_Row], book: OpenCoverage) -> dict[int, str]:
    """Document and place in it: items of a document follow one another in a batch."""
    segments = [row for row in rows if not row.whole]
    items: dict[tuple[str, str], set[int]] = {}  # of a document as it was shown to an annotator
    for row in segments:
        items.setdefault((row.user, row.shown), set()).add(int(row.item))
    lengths: dict[str, set[int]] = {}
    for (_, shown), own in items.items():
        lengths.setdefault(_parts(shown)[0], set()).add(len(own))
    book.note("segments are identified by document and position, as shown")
    if uneven := sum(len(own) > 1 for own in lengths.values()):
        book.note(
            f"{uneven} documents were shown in parts of different lengths, so the same position may be different "
            "segments: give the campaign's batch file (--batches)"
        )
    first = {key: min(own) for key, own in items.items()}
    return {row.line: f"{row.document}:{int(row.item) - first[row.user, row.shown] + 1}" for row in segments}


def _latest(rows: Iterable[_Row], book: OpenCoverage) -> list[_Row]:
    """Of several answers to one item of a batch the latest."""
    kept: dict[tuple[Any, ...], _Row] = {}
    for row in rows:
        key = (row.user, row.target, row.item, row.shown, row.kind, row.whole)
        before = kept.get(key)
        if before is None:
            kept[key] = row
            continue
        late, early = (row, before) if (row.end, row.start) > (before.end, before.start) else (before, row)
        kept[key] = late
        book.leave_out("answered again, the latest answer counts", early.line)
    return list(kept.values())


def _percent(text: str, where: str) -> float:
    score = real_number(text, "score", where)
    if not 0 <= score <= 100:
        raise InputError(f"{where}: the score {text} is not between 0 and 100")
    return score


def _truth(text: str, where: str) -> bool:
    if text.lower() not in _TRUTH:
        raise InputError(f"{where}: is-document must be True or False, not {text!r}")
    return _TRUTH[text.lower()]


def _spans(text: str, where: str) -> tuple[Span, ...]:
    try:
        found = json.loads(text or "[]")
        if not isinstance(found, list):
            raise ValueError("a list was expected")
    except ValueError as error:
        raise InputError(f"{where}: the spans are not valid JSON ({error})") from None
    return tuple(span_of(one, where, end_inclusive=False) for one in found)


def span_of(found: Any, where: str, *, end_inclusive: bool) -> Span:
    """A span with the names that Appraise and pearmut give: start_i, end_i, severity, error_type or category; a type
    may be a list from the general to the particular."""
    if not isinstance(found, dict):
        raise InputError(f"{where}: a span is not a JSON object")
    start, end = found.get("start_i"), found.get("end_i")
    severity = str(found.get("severity") or "")
    kind = found.get("error_type") or found.get("category") or ""
    category = "/".join(map(str, kind)) if isinstance(kind, list) else str(kind)
    if start == "missing" or end == "missing":
        return Span(None, None, severity, category)
    if not isinstance(start, int) or not isinstance(end, int) or not 0 <= start <= end:
        raise InputError(f"{where}: a span goes from {start!r} to {end!r}")
    return Span(start, end + 1 if end_inclusive else end, severity, category)
