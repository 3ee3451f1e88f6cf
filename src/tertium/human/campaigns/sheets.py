"""The offline twin: an XLSX sheet for each annotator, out and back in. The key stays in the database.

As in Simard (2019): a row for each item, a narrow column for the answer. Everything else in a sheet is compared with
what went out, cell by cell, so that nothing is judged that was not asked.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tertium.errors import InputError, MissingExtraError, TertiumError
from tertium.human.campaigns.answers import Answer, checked_answer
from tertium.human.campaigns.designs import CHALLENGE, DIRECT, PAIRWISE, RANKING, SPANS, UNITS
from tertium.human.campaigns.items import CampaignItem
from tertium.human.campaigns.settings import Settings
from tertium.human.campaigns.units import every

_SHEET, _ABOUT = "Judgements", "Instructions"
_MISSING = "(missing)"
_ERROR = re.compile(
    r"(?P<severity>[^\s:]+)(?:\s+(?P<category>[^:]+?))?\s*:\s*(?P<text>.+?)(?:\s+#(?P<which>[0-9]+))?\s*"
)
_EMPTY = (None, "")


@dataclass(frozen=True)
class SheetRow:
    """A task as a sheet shows it."""

    position: int
    item: CampaignItem
    order: tuple[int, ...]

    @property
    def texts(self) -> list[str]:
        return [self.item.outputs[place].text for place in self.order]


@dataclass(frozen=True)
class SheetCell:
    """One cell: its text, or an answer to be given (then with the values that are allowed, if they can be listed)."""

    text: str = ""
    answer: str = ""  # the name of the answer; empty: a text
    allowed: tuple[str, ...] = ()


def sheet(settings: Settings, annotator: str, rows: Sequence[SheetRow]) -> bytes:
    """The workbook of one annotator."""
    openpyxl = _openpyxl()
    from openpyxl.styles import Alignment, Font, PatternFill, Protection
    from openpyxl.worksheet.datavalidation import DataValidation

    book = openpyxl.Workbook()
    page = book.active
    page.title = _SHEET
    header = _header(settings, rows)
    grid = [cells for row in rows for cells in _cells(settings, row)]
    for column, (label, width) in enumerate(header, 1):
        _write(page.cell(1, column), label)
        page.cell(1, column).font = Font(bold=True)
        page.column_dimensions[openpyxl.utils.get_column_letter(column)].width = width
    lists: dict[tuple[str, ...], Any] = {}
    for number, cells in enumerate(grid, 2):
        for column, cell in enumerate(cells, 1):
            place = page.cell(number, column)
            place.alignment = Alignment(wrap_text=True, vertical="top")
            if cell.answer:
                place.protection = Protection(locked=False)
                place.fill = PatternFill("solid", fgColor="FFF6D6")
                if cell.allowed:
                    if cell.allowed not in lists:
                        lists[cell.allowed] = DataValidation(
                            type="list", formula1=f'"{",".join(cell.allowed)}"', allow_blank=True
                        )
                        page.add_data_validation(lists[cell.allowed])
                    lists[cell.allowed].add(place)
            else:
                _write(place, cell.text)
    page.freeze_panes = "B2"
    page.protection.sheet = True
    about = book.create_sheet(_ABOUT)
    about.column_dimensions["A"].width = 110
    lines = [f"{settings.title}: {annotator}", "", *_how(settings), "", *settings.instructions.splitlines()]
    for number, line in enumerate(lines, 1):
        _write(about.cell(number, 1), line)
        about.cell(number, 1).alignment = Alignment(wrap_text=True)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def read_sheet(
    path: str | os.PathLike[str], settings: Settings, rows: Sequence[SheetRow]
) -> dict[int, Answer]:
    """The answers of a sheet by position; items without any answer are left out. Whatever was changed besides, and
    every answer that cannot be, is named by its cell.
    """
    openpyxl = _openpyxl()
    name = os.fspath(path)
    try:
        book = openpyxl.load_workbook(name, data_only=True)
    except FileNotFoundError:
        raise InputError(f"{name}: no such file") from None
    except Exception as error:  # whatever a broken ZIP or XML makes it say
        raise InputError(f"{name}: is not an XLSX workbook ({type(error).__name__})") from None
    if _SHEET not in book.sheetnames:
        raise InputError(f"{name}: there is no sheet called {_SHEET}")
    page = book[_SHEET]
    for column, (label, _) in enumerate(_header(settings, rows), 1):
        _same(name, page.cell(1, column), label)
    answers: dict[int, Answer] = {}
    number = 2
    for row in rows:
        given: list[tuple[SheetCell, Any]] = []
        for cells in _cells(settings, row):
            for column, cell in enumerate(cells, 1):
                place = page.cell(number, column)
                if cell.answer:
                    given.append((cell, place))
                else:
                    _same(name, place, cell.text)
            number += 1
        if all(place.value in _EMPTY for _, place in given):
            continue
        first = f"{name}: cell {given[0][1].coordinate}"
        try:
            answer = _ANSWERS[settings.design.name](settings, row, given, name)
            answers[row.position] = checked_answer(settings, row.item, answer)
        except TertiumError as error:
            message = str(error)
            raise InputError(message if message.startswith(f"{name}: ") else f"{first}: {message}") from None
    if page.max_row >= number and any(page.cell(number, c).value not in _EMPTY for c in range(1, 30)):
        raise InputError(
            f"{name}: cell A{number}: there are {number - 2} rows, then something else below them"
        )
    return answers


def _openpyxl() -> Any:
    try:
        import openpyxl
    except ImportError:
        raise MissingExtraError("XLSX sheets", "sheets") from None
    return openpyxl


def _write(place: Any, text: str) -> None:
    place.value = text
    place.data_type = "s"  # a text that begins with "=" is a text


def _same(name: str, place: Any, expected: str) -> None:
    found = "" if place.value is None else str(place.value)
    if found.replace("\r\n", "\n").replace("_x000D_", "") != expected.replace("\r\n", "\n"):
        raise InputError(
            f"{name}: cell {place.coordinate} was changed: {found[:40]!r} stands where {expected[:40]!r} was"
        )


def _shows(settings: Settings, side: str) -> bool:
    against = settings.options.get("against", "both" if settings.design.name == CHALLENGE else "source")
    return against in (side, "both")


def _header(settings: Settings, rows: Sequence[SheetRow]) -> list[tuple[str, int]]:
    design = settings.design.name
    most = max((len(row.order) for row in rows), default=0)
    found = [("No", 6)]
    found += [(side.capitalize(), 45) for side in ("source", "reference") if _shows(settings, side)]
    if design == PAIRWISE:
        return [*found, ("mt1", 45), ("Pref", 8), ("mt2", 45)]
    if design in (RANKING, CHALLENGE):
        what = "Rank" if design == RANKING else "Answer"
        found += [("Question", 35)] if design == CHALLENGE else []
        return found + [part for n in range(1, most + 1) for part in ((f"mt{n}", 40), (f"{what} {n}", 9))]
    found.append(("Translation", 50))
    if design == UNITS:
        return [*found, ("Unit", 8), ("Part of the source", 30), ("Mark", 10)]
    if design == SPANS:
        found.append(("Errors", 40))
    return [*found, ("Score", 8)] if design == DIRECT or settings.options["score"] else found


def _cells(settings: Settings, row: SheetRow) -> Iterator[list[SheetCell]]:
    """The lines of a sheet for one item: one, or for semantic units one for each."""
    design, item = settings.design.name, row.item
    common = [SheetCell(str(row.position))]
    common += [SheetCell(getattr(item, side)) for side in ("source", "reference") if _shows(settings, side)]
    texts = row.texts
    if design == PAIRWISE:
        allowed = ("1", "2", "0") if settings.options["undecided"] else ("1", "2")
        yield [*common, SheetCell(texts[0]), SheetCell(answer="choice", allowed=allowed), SheetCell(texts[1])]
    elif design in (RANKING, CHALLENGE):
        marks = tuple(map(str, range(1, len(texts) + 1))) if design == RANKING else ("yes", "no", "na")
        common += [SheetCell(item.question)] if design == CHALLENGE else []
        pairs = ((SheetCell(text), SheetCell(answer="mark", allowed=marks)) for text in texts)
        yield common + [cell for pair in pairs for cell in pair]
    elif design == UNITS:
        for unit in every(item.units):
            yield [
                *common,
                SheetCell(texts[0]),
                SheetCell(unit.id),
                SheetCell(unit.text),
                SheetCell(answer=unit.id, allowed=unit.marks),
            ]
    else:
        errors = [SheetCell(answer="errors")] if design == SPANS else []
        score = [SheetCell(answer="score")] if design == DIRECT or settings.options["score"] else []
        yield [*common, SheetCell(texts[0]), *errors, *score]


def _how(settings: Settings) -> list[str]:
    """How a sheet is filled in, whatever the instructions say about keys."""
    design = settings.design.name
    equal = "0 if you cannot decide" if settings.options.get("undecided") else "1 if both are equally good"
    errors = (
        "Errors: one per line, 'severity: words' or 'severity category: words'; (missing) for an omission."
    )
    return {
        DIRECT: ["Score: a number from 0 (none of the meaning) to 100 (all of it, perfectly)."],
        PAIRWISE: [f"Pref: 1 if mt1 is better, 2 if mt2 is better, {equal}."],
        RANKING: ["Rank: 1 is the best; equally good translations share a rank."],
        CHALLENGE: ["Answer: yes, no, or na (not applicable)."],
        SPANS: [
            errors,
            f"Severities: {', '.join(settings.options.get('severities', ()))}.",
            "Score: 0 to 100.",
        ],
        UNITS: ["Mark: green, orange or red for a word; good or bad for a larger part."],
    }[design]


def _text(place: Any) -> str:
    value = place.value
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return "" if value is None else str(value).strip()


def _number(place: Any, name: str) -> float:
    text = _text(place).replace(",", ".")
    try:
        return float(text)
    except ValueError:
        raise InputError(
            f"{name}: cell {place.coordinate}: a score must be a number, not {text!r:.40}"
        ) from None


def _read_score(settings: Settings, row: SheetRow, given: Any, name: str) -> Answer:
    score = _number(given[0][1], name)
    if not 0 <= score <= 100:
        raise InputError(
            f"{name}: cell {given[0][1].coordinate}: a score must be from 0 to 100, not {score:g}"
        )
    return {"score": score}


def _read_choice(settings: Settings, row: SheetRow, given: Any, name: str) -> Answer:
    cell, place = given[0]
    text = _text(place)
    if text not in cell.allowed:
        raise InputError(f"{name}: cell {place.coordinate}: {' or '.join(cell.allowed)}, not {text!r:.40}")
    return {"choice": {"1": "A", "2": "B", "0": "undecided"}[text]}


def _read_marks(settings: Settings, row: SheetRow, given: Any, name: str) -> Answer:
    found = []
    for cell, place in given:
        text = _text(place).lower()
        if text not in cell.allowed:
            shown = "is empty" if not text else f"is {text!r:.40}"
            raise InputError(
                f"{name}: cell {place.coordinate} {shown}, and must be {' or '.join(cell.allowed)}"
            )
        found.append((cell.answer, text))
    if settings.design.name == RANKING:
        return {"ranks": [int(text) for _, text in found]}
    if settings.design.name == CHALLENGE:
        return {"answers": [text for _, text in found]}
    return {"marks": dict(found)}


def _read_errors(settings: Settings, row: SheetRow, given: Any, name: str) -> Answer:
    place = given[0][1]
    where = f"{name}: cell {place.coordinate}"
    translation = row.texts[0]
    spans = []
    for line in _text(place).splitlines():
        if not line.strip():
            continue
        found = _ERROR.fullmatch(line.strip())
        if found is None:
            raise InputError(f"{where}: write an error as 'severity: words', not {line!r:.60}")
        words, which = found["text"], int(found["which"] or 1)
        span = {
            "severity": found["severity"],
            "category": found["category"] or "",
            "start": None,
            "end": None,
        }
        if words != _MISSING:
            starts = [match.start() for match in re.finditer(re.escape(words), translation)]
            if which > len(starts) or which < 1:
                raise InputError(f"{where}: {words!r:.60} does not occur in the translation")
            if len(starts) > 1 and not found["which"]:
                raise InputError(f"{where}: {words!r:.60} stands there {len(starts)} times: add #1, #2, ...")
            span |= {"start": starts[which - 1], "end": starts[which - 1] + len(words)}
        spans.append(span)
    score = _number(given[1][1], name) if settings.options["score"] else None
    return {"spans": spans, "score": score}


_ANSWERS = {
    DIRECT: _read_score,
    PAIRWISE: _read_choice,
    RANKING: _read_marks,
    CHALLENGE: _read_marks,
    SPANS: _read_errors,
    UNITS: _read_marks,
}
