"""Blind judging sheets: CSV and XLSX out, answers in, and the key that says which system wrote what.

A row is known by its code alone, so rows and columns may be sorted and moved. The key also holds a fingerprint of each
output: if the texts have slid against the codes, the first such cell is named.
"""

from __future__ import annotations

import hashlib
import json
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tertium.challenge.answers import Answer, parse_answer
from tertium.challenge.judgements import ROLES, Judgement, Role
from tertium.challenge.outputs import System
from tertium.challenge.tasks import JudgingTask, grouped, shuffle_key
from tertium.errors import InputError, TertiumWarning
from tertium.io.files import write_atomically
from tertium.io.records import parsed_json
from tertium.io.sheets import Cell, Formula, Highlighted, Layout, Sheet, letters, read_sheet, write_sheet
from tertium.io.streams import FilePath, display_name, read_bytes

KEY_VERSION = 1
EARLIER = {"judge": "judge's answer", "checker": "checker's answer"}
_CONTROL = re.compile("[\x00-\x1f\x7f\ufffd]")  # sheets cannot hold the first, and have the last instead
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
    """A sheet with these tasks. Codes tell nothing of the systems: a mark of the sheet, the item's number, a letter."""
    if not found:
        raise InputError(f"{annotator}: there is nothing left to {role}")
    places = "\0".join(f"{task.item.id}\0{task.text}" for task in found)
    mark = shuffle_key(seed, annotator, role, places)[:4]
    token = "".join(
        chr(ord("a") + byte % 26) for byte in mark
    )  # no digits: nothing a spreadsheet takes for a number
    numbers = grouped(found)
    width = len(str(numbers[-1] + 1))
    rows = [
        (f"{token}-{number + 1:0{width}d}{letters(i - numbers.index(number)).lower()}", task)
        for i, (number, task) in enumerate(zip(numbers, found, strict=True))
    ]
    return JudgingSheet(annotator, role, tuple(rows))


def fingerprint(text: str) -> str:
    """What stays of a text when white space, and what spreadsheets put before it, may have changed."""
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
    key = {
        "tertium_key": KEY_VERSION,
        "set": set_name,
        "seed": seed,
        "sheets": [sheet.key for sheet in sheets],
    }
    with write_atomically(path) as file:
        json.dump(key, file, ensure_ascii=False, indent=1, allow_nan=False)
        file.write("\n")


def read_keys(paths: Sequence[FilePath]) -> dict[str, KeyRow]:
    """The rows of the sheets of one key or more."""
    found: dict[str, KeyRow] = {}
    for path in paths:
        for code, row in read_key(path).items():
            if code in found:
                raise InputError(f"{display_name(path)}: the code {code} is also in another key")
            found[code] = row
    return found


@dataclass(frozen=True)
class KeyRow:
    """What the key says of one row of a sheet."""

    annotator: str
    role: Role
    item: str
    systems: tuple[System, ...]
    output: str
    earlier: Mapping[str, Answer]


def read_key(path: FilePath) -> dict[str, KeyRow]:
    """The rows of all sheets of a key, by their codes."""
    name = display_name(path)
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{name}: is not valid UTF-8") from None
    data = parsed_json(text, name)
    if not isinstance(data, dict) or data.get("tertium_key") != KEY_VERSION:
        raise InputError(f"{name}: is not a key of judging sheets (tertium challenge sheet writes one)")
    found: dict[str, KeyRow] = {}
    try:
        for sheet in data["sheets"]:
            role = sheet["role"]
            if role not in ROLES:
                raise InputError(f"{name}: unknown role {role!r}")
            for code, row in sheet["rows"].items():
                if code in found:
                    raise InputError(f"{name}: the code {code} occurs twice")
                systems = tuple(System(str(system), str(version)) for system, version in row["systems"])
                earlier = {
                    who: parse_answer(answer, name) or "na" for who, answer in row.get("earlier", {}).items()
                }
                found[code] = KeyRow(sheet["annotator"], role, row["item"], systems, row["output"], earlier)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{name}: the key is damaged ({type(error).__name__}: {error})") from None
    return found


@dataclass(frozen=True)
class SheetAnswers:
    """What a sheet came back with; `unanswered` are the codes of rows without an answer, or lost."""

    judgements: tuple[Judgement, ...]
    unanswered: tuple[str, ...]


def read_judging_sheet(path: FilePath, key: Mapping[str, KeyRow]) -> SheetAnswers:
    """The answers on a filled-in sheet, CSV or XLSX, with the systems put back in from the key.

    Columns may have been moved. A code that the key does not know, an answer that is none, and an output that does not
    belong to its code are refused by cell.
    """
    sheet = read_sheet(path, ("row", "answer"))
    unknown = [name for name in sheet.header if name and name not in _KNOWN]
    if unknown:
        warnings.warn(
            f"{sheet.name}: the column{'s' if len(unknown) > 1 else ''} {', '.join(unknown)} "
            "were not in the sheet as it was written, and are not read",
            TertiumWarning,
            stacklevel=2,
        )
    columns = {name: sheet.header.index(name) for name in _KNOWN if name in sheet.header}
    answered: dict[str, list[Judgement]] = {}
    seen: dict[str, str] = {}
    sheets: set[tuple[str, Role]] = set()
    for r, row in enumerate(sheet.rows):
        code = _string(row[columns["row"]])
        if not code:
            if _string(row[columns["answer"]]):
                raise InputError(f"{sheet.cell(r, 'row')}: is empty, but the row has an answer")
            continue
        if code not in key:
            raise InputError(f"{sheet.cell(r, 'row')}: {code!r} is not a row in the key")
        if code in seen:
            raise InputError(f"{sheet.cell(r, 'row')}: {code!r} appears again (first in {seen[code]})")
        seen[code] = sheet.cell(r, "row").rpartition(" ")[2]
        known = key[code]
        sheets.add((known.annotator, known.role))
        _check_output(sheet, r, row, columns, known)
        answer = _answer(sheet, r, row[columns["answer"]], known)
        if answer is not None:
            note = _string(row[columns["note"]]) if "note" in columns else ""
            answered[code] = [
                Judgement(known.item, system, known.annotator, answer, known.role, note)
                for system in known.systems
            ]
        elif "note" in columns and _string(row[columns["note"]]):
            warnings.warn(
                f"{sheet.cell(r, 'note')}: a note without an answer is dropped", TertiumWarning, stacklevel=2
            )
    if not seen:
        raise InputError(f"{sheet.name}: has no rows")
    expected = [code for code, row in key.items() if (row.annotator, row.role) in sheets]
    return SheetAnswers(
        tuple(judgement for code in answered for judgement in answered[code]),
        tuple(code for code in expected if code not in answered),
    )


def _check_output(
    sheet: Sheet, r: int, row: Sequence[object], columns: Mapping[str, int], known: KeyRow
) -> None:
    if "output" in columns and fingerprint(_string(row[columns["output"]])) != known.output:
        raise InputError(
            f"{sheet.cell(r, 'output')}: is not the output that this row was written with: a column or some rows "
            "have been shifted against the others"
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
