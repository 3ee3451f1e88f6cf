"""HUME's judgements of semantic units: tab-separated with the columns annotator, system, segment, unit, mark; or, as
HimL published them, a line an annotation with counts of marks (sent_id, system_id, annot_id, mteval_A ... mteval_M).

The published files have tabs or commas between fields, texts (source, target, reference) and several languages (lang);
those of the first round have one system and no column for it. Sentences outside the uploaded texts have negative ids.

A leaf is green, orange or red (G, O, R), an inner unit good or bad (A for adequate, B); M counts units without a mark.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tertium.errors import InputError, did_you_mean
from tertium.io.coverage import Coverage, OpenCoverage
from tertium.io.records import HeadedTable, Row, comma_rows, text_lines, whole_number
from tertium.io.streams import FilePath

LEAF_MARKS = ("green", "orange", "red")
INNER_MARKS = ("good", "bad")
UNMARKED = "unmarked"
MARKS = (*LEAF_MARKS, *INNER_MARKS, UNMARKED)
COUNTS = {"mteval_" + letter: mark for letter, mark in zip("gorabm", MARKS, strict=True)}
ONE_SYSTEM = "MT"  # the system of a file without a column for systems
_SPELLINGS = {
    **{mark: mark for mark in (*LEAF_MARKS, *INNER_MARKS)},
    **{mark[0]: mark for mark in LEAF_MARKS},
    "a": "good",
    "adequate": "good",
    "b": "bad",
}


@dataclass(frozen=True)
class UnitMark:
    """What an annotator said of one semantic unit of the source, in one system's translation."""

    annotator: str
    system: str
    segment: str
    unit: str
    mark: str  # one of MARKS
    line: int | None = None

    def __post_init__(self) -> None:
        if self.mark not in MARKS:
            raise InputError(
                f"unit {self.unit}: there is no mark {self.mark!r}{did_you_mean(self.mark, MARKS)}"
            )


@dataclass(frozen=True)
class HumeTexts:
    """The texts inside a published file, sentence by sentence; a system has None where nobody judged its output."""

    segments: tuple[str, ...]  # as the marks name them
    sources: tuple[str, ...]
    references: tuple[str, ...]
    outputs: dict[str, tuple[str | None, ...]]
    coverage: Coverage


def read_hume(path: FilePath, *, pair: str | None = None) -> tuple[tuple[UnitMark, ...], Coverage]:
    """Read marks of semantic units, or counts of them; a unit that one annotator marks twice is refused. `pair` chooses
    the target language where a file has several.

    >>> read_hume(written("hume.tsv", "annotator\\tsystem\\tsegment\\tunit\\tmark\\nann\\tA\\t1\\t1.1\\tG"))[0][0].mark
    'green'
    """
    keys = ("annotator", "system", "segment", "unit")
    table = _opened(path)
    if "mteval_g" in table.columns:
        book = OpenCoverage(table.name, "marks")
        counted = tuple(_counted(table, pair, book))
        return counted, book.closed(len(counted))
    table.require(*keys, "mark")
    seen: dict[tuple[str, ...], int] = {}
    marks = []
    for row in table:
        annotator, system, segment, unit = row.named(*keys)
        spelled = row.get("mark")
        mark = _SPELLINGS.get(spelled.lower())
        if mark is None:
            raise InputError(f"{row.where}: there is no mark {spelled!r}{did_you_mean(spelled, _SPELLINGS)}")
        first = seen.setdefault((annotator, system, segment, unit), row.number)
        if first != row.number:
            raise InputError(f"{row.where} marks unit {unit!r} again (first on line {first})")
        marks.append(UnitMark(annotator, system, segment, unit, mark, row.number))
    if not marks:
        raise InputError(f"{table.name}: there are no marks in this file")
    return tuple(marks), Coverage(table.name, "marks", len(marks))


def read_hume_texts(path: FilePath, *, pair: str | None = None) -> HumeTexts | None:
    """The texts of a published file, in the order of their numbers; None where it has none. A sentence without a
    reference is left out and counted."""
    table = _opened(path)
    if not {"mteval_g", "source", "target", "reference"} <= set(table.columns):
        return None
    book = OpenCoverage(table.name, "sentences with their texts")
    sources: dict[int, str] = {}
    references: dict[int, str] = {}
    outputs: dict[str, dict[int, str]] = {}
    for row in _of_language(table, pair, book):
        sentence = _sentence(row)
        reference = _unquoted(row.get("reference"))
        if not reference:
            book.leave_out("no reference", row.number)
            continue
        sources.setdefault(sentence, _unquoted(row.get("source")))
        references.setdefault(sentence, reference)
        own = outputs.setdefault(_system(row), {})
        if own.setdefault(sentence, _unquoted(row.get("target"))) != _unquoted(row.get("target")):
            book.note(
                f"line {row.number}: another target than before for this sentence, the first one is used"
            )
    if not sources:
        raise InputError(
            f"{table.name}: no sentence has a reference, so metrics have nothing to score against (meta gold reads the "
            "judgements)"
        )
    order = sorted(sources)
    return HumeTexts(
        tuple(map(_segment, order)),
        tuple(sources[i] for i in order),
        tuple(references[i] for i in order),
        {system: tuple(own.get(i) for i in order) for system, own in outputs.items()},
        book.closed(len(order)),
    )


def _opened(path: FilePath) -> HeadedTable:
    _, top = next(text_lines(path), (1, ""))
    return HeadedTable(path, (), None if "\t" in top else comma_rows(path))


def _of_language(table: HeadedTable, pair: str | None, book: OpenCoverage) -> Iterator[Row]:
    """The rows of the pair's target language; a file of several languages needs a pair."""
    wanted = None if pair is None else pair.partition("-")[2]
    first, others = "", set()
    for row in table:
        language = row.get("lang")
        if wanted is not None and language and language != wanted:
            others.add(language)
            book.leave_out(f"of the language {language}", row.number)
            continue
        first = first or language
        if language != first:
            raise InputError(
                f"{row.where} is of the language {language}, unlike the lines before ({first}): choose one language "
                "pair (--pair en-de; in a task pairs)"
            )
        yield row
    if not first and others:
        raise InputError(
            f"{table.name}: there are no judgements of {pair} (the file has {', '.join(sorted(others))})"
        )


def _counted(table: HeadedTable, pair: str | None, book: OpenCoverage) -> Iterator[UnitMark]:
    """A mark for each that was counted."""
    table.require("sent_id", "annot_id", *COUNTS)
    seen: dict[tuple[int, str, str], dict[str, int]] = {}  # lines by the tool's number of the annotation
    for row in _of_language(table, pair, book):
        sentence, system = _sentence(row), _system(row)
        (annotator,) = row.named("annot_id")
        before = seen.setdefault((sentence, system, annotator), {})
        sequence = row.get("sequence_id")
        if sequence in before:
            raise InputError(
                f"{row.where}: {annotator} judges sentence {sentence} of {system} again (first on line "
                f"{before[sequence]})"
            )
        before[sequence] = row.number
        if len(before) > 1:
            book.note(
                f"line {row.number}: {annotator} judges a sentence again, which counts as another annotator"
            )
            annotator = f"{annotator} ({len(before)})"
        for column, mark in COUNTS.items():
            for unit in range(whole_number(row.get(column), column, row.where, least=0)):
                yield UnitMark(
                    annotator, system, _segment(sentence), f"{column} {unit + 1}", mark, row.number
                )


def _sentence(row: Row) -> int:
    """The number of a sentence; negative ones are of sentences outside the uploaded texts."""
    text = row.get("sent_id")
    if text.startswith("-"):
        return -whole_number(text[1:], "sent_id", row.where)
    return whole_number(text, "sent_id", row.where, least=0)


def _segment(sentence: int) -> str:
    """Sentences are numbered from 0, lines of a test set from 1; a negative number is no line, and stays."""
    return str(sentence + 1 if sentence >= 0 else sentence)


def _system(row: Row) -> str:
    return row.named("system_id")[0] if "system_id" in row.fields else ONE_SYSTEM


def _unquoted(field: str) -> str:
    """A text without the quotation marks of CSV, which the published files have where a text has some itself."""
    if len(field) > 1 and field[0] == field[-1] == '"':
        return field[1:-1].replace('""', '"').strip()
    return field
