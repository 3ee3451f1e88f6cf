"""Blind judging sheets: CSV and XLSX out, answers in, and the key that says which system wrote what.

A row is identified by its code alone, so rows and columns may be sorted and moved. The key also holds a fingerprint of
each output: if the texts have been shifted against the codes, the first such cell is named.
"""

from __future__ import annotations

import hashlib
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from tertium.challenge.judgements import Answer, Judgement, Role, parse_answer
from tertium.challenge.outputs import System
from tertium.challenge.tasks import JudgingTask, grouped, shuffle_key
from tertium.errors import InputError, TertiumWarning
from tertium.io.files import write_atomically
from tertium.io.records import read_json
from tertium.io.settings import Written, read
from tertium.io.sheets import Cell, Formula, Highlighted, Layout, Sheet, letters, read_sheet, write_sheet
from tertium.io.streams import FilePath, display_name
from tertium.results import json_text

KEY_VERSION = 1
EARLIER = {"judge": "judge's answer", "checker": "checker's answer"}
_CONTROL = re.compile("[\x00-\x1f\x7f\ufffd]")  # sheets write the last in place of the others
AGREED = ("ok", "same", "idem")  # what a checker may write instead of the judge's answer
_TEXTS = ("question", "source", "reference", "output")
_KNOWN = ("row", *_TEXTS, *EARLIER.values(), "answer", "note")
_WIDTHS = {"row": 11, "question": 34, "source": 38, "reference": 38, "output": 42, "answer": 9, "note": 24}
_ADVICE = (
    "Each row shows a source sentence, one good translation (the reference), and a machine's translation (the output).",
    "Answer the question about the output, and nothing else: yes, no, or n/a. Other mistakes do not matter.",
    "What the question is about is highlighted in the source and in the reference.",
    "The output need not look like the reference; it must do the right thing at that point.",
    "n/a (not applicable): only if the output avoids what the question asks about, good translation or not.",
    "Rows between two lines belong to the same sentence. Rows and columns may be sorted; please leave the codes in "
    "column 'row' as they are. Notes are welcome where you hesitate.",
)


@dataclass(frozen=True)
class JudgingSheet:
    """The tasks of one annotator with a code for each row."""

    annotator: str
    role: Role
    rows: tuple[tuple[str, JudgingTask], ...]

    @property
    def key(self) -> dict[str, Any]:
        """Who wrote what: kept apart from the sheet."""
        return {
            "annotator": self.annotator,
            "role": self.role,
            "rows": {
                code: {
                    "item": task.item.id,
                    "systems": [list(system) for system in task.systems],
                    "output": fingerprint(task.text),
                    **({"earlier": dict(task.earlier)} if task.earlier else {}),
                }
                for code, task in self.rows
            },
        }


def judging_sheet(
    found: Sequence[JudgingTask], annotator: str, *, seed: int, role: Role = "judge"
) -> JudgingSheet:
    """A sheet with these tasks. Codes do not give systems away: a mark of the sheet, the item's number, a letter."""
    if not found:
        raise InputError(f"{annotator}: there is nothing left to {role}")
    places = "\0".join(f"{task.item.id}\0{task.text}" for task in found)
    mark = shuffle_key(seed, annotator, role, places)[:4]
    # no digits: nothing that a spreadsheet takes for a number
    token = "".join(chr(ord("a") + byte % 26) for byte in mark)
    numbers = grouped(found)
    width = len(str(numbers[-1] + 1))
    rows = [
        (f"{token}-{number + 1:0{width}d}{letters(i - numbers.index(number)).lower()}", task)
        for i, (number, task) in enumerate(zip(numbers, found, strict=True))
    ]
    return JudgingSheet(annotator, role, tuple(rows))


def fingerprint(text: str) -> str:
    """A hash of what remains of a text when white space, and what spreadsheets put before it, may have changed."""
    plain = _CONTROL.sub("", " ".join(text.split()).removeprefix("'"))
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def write_judging_sheet(path: FilePath, sheet: JudgingSheet) -> None:
    """Write a sheet as `.csv` or `.xlsx`. Nothing in it says which system wrote an output."""
    shown = list(dict.fromkeys(who for _, task in sheet.rows for who, _ in task.earlier))
    header = ["row", *_TEXTS, *(EARLIER[who] for who in shown), "answer", "note"]
    rows: list[list[Cell]] = []
    for code, task in sheet.rows:
        item, earlier = task.item, dict(task.earlier)
        rows.append(
            [
                code,
                item.question,
                Highlighted(item.source, item.source_spans),
                Highlighted(item.reference, item.reference_spans),
                task.text,
                *(earlier.get(who, "") for who in shown),
                "",
                "",
            ]
        )
    layout = Layout(
        _WIDTHS, {"answer": ("yes", "no", "n/a")}, grouped(task for _, task in sheet.rows), _ADVICE
    )
    write_sheet(path, header, rows, layout)


def write_key(path: FilePath, sheets: Sequence[JudgingSheet], set_name: str, seed: int) -> None:
    """Write the key of several sheets as JSON."""
    own = [sheet.key for sheet in sheets]
    key = {"tertium_key": KEY_VERSION, "set": set_name, "seed": seed, "sheets": own}
    with write_atomically(path) as file:
        file.write(json_text(key))


@dataclass(frozen=True)
class KeyRow:
    """What the key says of one row of a sheet."""

    item: str
    systems: tuple[Annotated[System, Written(tuple[str, str]), System._make], ...]
    output: str
    earlier: Mapping[str, Answer] = field(default_factory=dict)
    annotator: str = field(default="", metadata={"key": None})  # the sheet's
    role: Role = field(default="judge", metadata={"key": None})


@dataclass(frozen=True)
class SheetKey:
    """What the key says of one sheet."""

    annotator: str
    role: Role
    rows: Mapping[str, KeyRow]


@dataclass(frozen=True)
class KeyFile:
    """The key of several sheets."""

    tertium_key: int
    set: str
    seed: int
    sheets: tuple[SheetKey, ...]


def read_keys(paths: Sequence[FilePath]) -> dict[str, KeyRow]:
    """The rows of all sheets of these keys, by their codes."""
    found: dict[str, KeyRow] = {}
    for path in paths:
        name, data = display_name(path), read_json(path)
        if not isinstance(data, dict) or data.get("tertium_key") != KEY_VERSION:
            raise InputError(f"{name}: is not a key of judging sheets (tertium challenge sheet writes one)")
        for sheet in read(KeyFile, data, name).sheets:
            for code, row in sheet.rows.items():
                if code in found:
                    raise InputError(f"{name}: the code {code} occurs twice in the keys")
                found[code] = replace(row, annotator=sheet.annotator, role=sheet.role)
    return found


@dataclass(frozen=True)
class SheetAnswers:
    """The answers on a sheet; `unanswered` are the codes of rows that have no answer or are lost."""

    judgements: tuple[Judgement, ...]
    unanswered: tuple[str, ...]


def read_judging_sheet(path: FilePath, key: Mapping[str, KeyRow]) -> SheetAnswers:
    """The answers on a filled-in sheet, CSV or XLSX, with the systems put back in from the key.

    Columns may have been moved. An unknown code, an invalid answer, and an output that does not belong to its code are
    refused by cell.
    """
    sheet = read_sheet(path, ("row", "answer"))
    unknown = [name for name in sheet.header if name and name not in _KNOWN]
    if unknown:
        warnings.warn(
            f"{sheet.name}: ignoring columns that were not in the sheet as it was written: {', '.join(unknown)}",
            TertiumWarning,
            stacklevel=2,
        )
    columns = {name: sheet.header.index(name) for name in _KNOWN if name in sheet.header}
    answered: dict[str, list[Judgement]] = {}
    seen: dict[str, str] = {}
    sheets: set[tuple[str, Role]] = set()
    for r, row in enumerate(sheet.rows):
        cells = {name: row[place] for name, place in columns.items()}
        code, note = _string(cells["row"]), _string(cells.get("note"))
        if not code:
            if _string(cells["answer"]):
                raise InputError(f"{sheet.cell(r, 'row')}: is empty, but the row has an answer")
            continue
        if code not in key:
            raise InputError(f"{sheet.cell(r, 'row')}: {code!r} is not a row in the key")
        if code in seen:
            raise InputError(f"{sheet.cell(r, 'row')}: {code!r} appears again (first in {seen[code]})")
        seen[code] = sheet.cell(r, "row").rpartition(" ")[2]
        known = key[code]
        sheets.add((known.annotator, known.role))
        if "output" in cells and fingerprint(_string(cells["output"])) != known.output:
            raise InputError(
                f"{sheet.cell(r, 'output')}: is not the output that this row was written with: a column or some rows "
                "have been shifted against the others"
            )
        answer = _answer(sheet, r, cells["answer"], known)
        if answer is not None:
            answered[code] = [
                Judgement(known.item, system, known.annotator, answer, known.role, note)
                for system in known.systems
            ]
        elif note:
            warnings.warn(
                f"{sheet.cell(r, 'note')}: a note without an answer is dropped", TertiumWarning, stacklevel=2
            )
    if not seen:
        raise InputError(f"{sheet.name}: has no rows")
    expected = [code for code, row in key.items() if (row.annotator, row.role) in sheets]
    return SheetAnswers(
        tuple(judgement for own in answered.values() for judgement in own),
        tuple(code for code in expected if code not in answered),
    )


def _answer(sheet: Sheet, r: int, value: object, known: KeyRow) -> Answer | None:
    where = sheet.cell(r, "answer")
    if isinstance(value, Formula):
        raise InputError(f"{where}: holds a formula, {value.text!r}: write yes, no or n/a")
    if isinstance(value, str) and value.strip().casefold() in AGREED and known.role == "check":
        return known.earlier["judge"]
    return parse_answer(value, where)


def _string(value: object) -> str:
    return "" if value is None else value.text if isinstance(value, Formula) else str(value).strip()
