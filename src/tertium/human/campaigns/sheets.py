"""Campaigns offline: an XLSX sheet for each annotator, out and back in. The key stays in the database.

As in Simard (2019): a row for each item, a narrow column for the answer. All other cells are compared with those that
were written, so that only what was asked is judged. A sheet speaks the language of its campaign; answers are read back
in this language and in English.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from tertium.errors import InputError, TertiumError
from tertium.human.campaigns.answers import YES_NO_NA, Answer, checked_answer
from tertium.human.campaigns.designs import CHALLENGE, DIRECT, PAIRWISE, RANKING, SPANS, UNITS
from tertium.human.campaigns.items import CampaignItem
from tertium.human.campaigns.settings import Settings
from tertium.human.campaigns.units import every
from tertium.io.sheets import spreadsheets

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
    """One cell: its column, and its text, or an answer to be given (with the allowed values, if they can be listed)."""

    label: str
    width: int
    text: str = ""
    answer: str = ""  # the name of the answer; empty: a text
    allowed: tuple[str, ...] = ()


def sheet(settings: Settings, annotator: str, rows: Sequence[SheetRow]) -> bytes:
    """The workbook of one annotator."""
    openpyxl = spreadsheets()
    from openpyxl.styles import Alignment, Font, PatternFill, Protection
    from openpyxl.worksheet.datavalidation import DataValidation

    book = openpyxl.Workbook()
    page = book.active
    say = settings.interface.say
    page.title = say("Judgements")
    grid = [cells for row in rows for cells in _lines(settings, row)]
    for column, cell in enumerate(_header(grid), 1):
        _write(page.cell(1, column), cell.label)
        page.cell(1, column).font = Font(bold=True)
        page.column_dimensions[openpyxl.utils.get_column_letter(column)].width = cell.width
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
    about = book.create_sheet(say("Instructions"))
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
    """The answers of a sheet by position; items without any answer are left out. A changed cell and an invalid answer
    are refused by cell.
    """
    openpyxl = spreadsheets()
    name = os.fspath(path)
    try:
        book = openpyxl.load_workbook(name, data_only=True)
    except FileNotFoundError:
        raise InputError(f"{name}: no such file") from None
    except Exception as error:  # whatever a broken ZIP or XML makes it say
        raise InputError(f"{name}: is not an XLSX workbook ({type(error).__name__})") from None
    title = settings.interface.say("Judgements")
    if title not in book.sheetnames:
        raise InputError(f"{name}: there is no sheet called {title}")
    page = book[title]
    lines = {row.position: list(_lines(settings, row)) for row in rows}
    for column, cell in enumerate(_header(chain(*lines.values())), 1):
        _same(name, page.cell(1, column), cell.label)
    answers: dict[int, Answer] = {}
    number = 2
    for row in rows:
        given: list[tuple[SheetCell, Any]] = []
        for cells in lines[row.position]:
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
            read = _read_score if row.item.inside else _ANSWERS[settings.design.name]
            answer = read(settings, row, given, name)
            answers[row.position] = checked_answer(settings, row.item, answer)
        except TertiumError as error:
            message = str(error)
            raise InputError(message if message.startswith(f"{name}: ") else f"{first}: {message}") from None
    if page.max_row >= number and any(page.cell(number, c).value not in _EMPTY for c in range(1, 30)):
        raise InputError(
            f"{name}: cell A{number}: there is something below the last of the {number - 2} rows"
        )
    return answers


def _write(place: Any, text: str) -> None:
    place.value = text
    place.data_type = "s"  # a text that begins with "=" is a text


def _same(name: str, place: Any, expected: str) -> None:
    found = "" if place.value is None else str(place.value)
    if found.replace("\r\n", "\n").replace("_x000D_", "") != expected.replace("\r\n", "\n"):
        raise InputError(
            f"{name}: cell {place.coordinate} was changed from {expected[:40]!r} to {found[:40]!r}"
        )


def _shows(settings: Settings, side: str) -> bool:
    against = settings.options.get("against", "both" if settings.design.name == CHALLENGE else "source")
    return against in (side, "both")


def _header(grid: Iterable[list[SheetCell]]) -> list[SheetCell]:
    """The line with the most columns."""
    return max(grid, key=lambda cells: len(cells), default=[])


def _lines(settings: Settings, row: SheetRow) -> Iterator[list[SheetCell]]:
    """The lines of a sheet for one item: one, or for semantic units one for each."""
    design, item, texts = settings.design.name, row.item, row.texts
    say = settings.interface.say
    cells = [SheetCell("No", 6, str(row.position))]
    sides = {"source": say("Source"), "reference": say("Reference")}
    cells += [
        SheetCell(label, 45, getattr(item, side)) for side, label in sides.items() if _shows(settings, side)
    ]
    if design == PAIRWISE:
        allowed = ("1", "2", "0") if settings.options["undecided"] else ("1", "2")
        choice = SheetCell(say("Pref"), 8, answer="choice", allowed=allowed)
        yield [*cells, SheetCell("mt1", 45, texts[0]), choice, SheetCell("mt2", 45, texts[1])]
    elif design in (RANKING, CHALLENGE):
        what, marks = say("Rank {}"), tuple(map(str, range(1, len(texts) + 1)))
        if design == CHALLENGE:
            what, marks = say("Answer {}"), _said(settings, YES_NO_NA)
            cells.append(SheetCell(say("Question"), 35, item.question))
        for n, text in enumerate(texts, 1):
            cells += [
                SheetCell(f"mt{n}", 40, text),
                SheetCell(what.replace("{}", str(n)), 9, answer="mark", allowed=marks),
            ]
        yield cells
    elif design == UNITS:
        cells.append(SheetCell(say("Translation"), 50, texts[0]))
        for unit in every(item.units):
            part = [SheetCell(say("Unit"), 8, unit.id), SheetCell(say("Part of the source"), 30, unit.text)]
            marks = _said(settings, unit.marks)
            yield [*cells, *part, SheetCell(say("Mark"), 10, answer=unit.id, allowed=marks)]
    else:
        cells.append(SheetCell(say("Translation"), 50, texts[0]))
        # of a whole document only the score is asked for
        errors = SheetCell(say("Errors"), 40, answer="" if item.inside else "errors")
        cells += [errors] if design == SPANS else []
        scored = design == DIRECT or settings.options["score"]
        yield [*cells, *([SheetCell(say("Score"), 8, answer="score")] if scored else [])]


def _how(settings: Settings) -> list[str]:
    """How a sheet is filled in, whatever the instructions say about keys."""
    design, say = settings.design.name, settings.interface.say
    equal = (
        say("0 if you cannot decide")
        if settings.options.get("undecided")
        else say("1 if both are equally good")
    )
    errors = say(
        "Errors: one per line, 'severity: words' or 'severity category: words'; (missing) for an omission."
    )
    severities = ", ".join(map(say, settings.options.get("severities", ())))
    marks = ", ".join(_said(settings, YES_NO_NA))
    return {
        DIRECT: [say("Score: a number from 0 (none of the meaning) to 100 (all of it, perfectly).")],
        PAIRWISE: [say("Pref: 1 if mt1 is better, 2 if mt2 is better, {}.", equal)],
        RANKING: [say("Rank: 1 is the best; equally good translations share a rank.")],
        CHALLENGE: [say("Answer: {} (the last one: not applicable).", marks)],
        SPANS: [errors, say("Severities: {}.", severities), say("Score: 0 to 100.")],
        UNITS: [say("Mark: green, orange or red for a word; good or bad for a larger part.")],
    }[design]


def _said(settings: Settings, marks: Iterable[str]) -> tuple[str, ...]:
    """Answers as this campaign's language has them."""
    say = settings.interface.say
    words = {"yes": say("yes"), "no": say("no"), "na": say("na")}
    return tuple(words.get(mark) or say(mark) for mark in marks)


def _meant(settings: Settings, text: str, marks: Iterable[str]) -> str | None:
    """Which of the marks a text means, in the campaign's language or in English; None: none of them."""
    marks = tuple(marks)
    words = dict(zip(map(str.lower, _said(settings, marks)), marks, strict=True))
    return words.get(text.lower()) or (text.lower() if text.lower() in marks else None)


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
        raise InputError(
            f"{name}: cell {place.coordinate}: must be {' or '.join(cell.allowed)}, not {text!r:.40}"
        )
    return {"choice": {"1": "A", "2": "B", "0": "undecided"}[text]}


def _read_marks(settings: Settings, row: SheetRow, given: Any, name: str) -> Answer:
    found = []
    for cell, place in given:
        text = _text(place)
        meant = _meant(settings, text, _marks(settings, row, cell))
        if meant is None:
            shown = "is empty" if not text else f"is {text!r:.40}"
            raise InputError(
                f"{name}: cell {place.coordinate} {shown}, but must be {' or '.join(cell.allowed)}"
            )
        found.append((cell.answer, meant))
    if settings.design.name == RANKING:
        return {"ranks": [int(text) for _, text in found]}
    if settings.design.name == CHALLENGE:
        return {"answers": [text for _, text in found]}
    return {"marks": dict(found)}


def _marks(settings: Settings, row: SheetRow, cell: SheetCell) -> tuple[str, ...]:
    """The answers that a cell may hold, as they are stored."""
    if settings.design.name == CHALLENGE:
        return YES_NO_NA
    return next((unit.marks for unit in every(row.item.units) if unit.id == cell.answer), cell.allowed)


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
        severity, category = found["severity"], found["category"] or ""
        span = {
            "severity": _meant(settings, severity, settings.options["severities"]) or severity,
            "category": _meant(settings, category, settings.options["categories"]) or category,
            "start": None,
            "end": None,
        }
        if words not in ("(missing)", settings.interface.say("(missing)")):
            starts = [match.start() for match in re.finditer(re.escape(words), translation)]
            if which > len(starts) or which < 1:
                raise InputError(f"{where}: {words!r:.60} does not occur in the translation")
            if len(starts) > 1 and not found["which"]:
                raise InputError(f"{where}: {words!r:.60} occurs {len(starts)} times: add #1, #2, ...")
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
