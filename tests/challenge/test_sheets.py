"""Judging sheets: blind, shuffled, and read back whatever people did to rows and columns."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tertium.challenge.items import ChallengeSet
from tertium.challenge.judgements import ChallengeJudgements
from tertium.challenge.outputs import Outputs
from tertium.challenge.sheets import (
    JudgingSheet,
    SheetAnswers,
    judging_sheet,
    read_judging_sheet,
    read_keys,
    write_judging_sheet,
    write_key,
)
from tertium.challenge.tasks import tasks
from tertium.errors import InputError, TertiumWarning
from tests.challenge.conftest import A, B, judged
from tests.conftest import skip_or_fail


def workbook() -> Any:
    try:
        import openpyxl
    except ImportError:
        skip_or_fail("openpyxl is not installed (pip install 'tertium[sheets]')")
    return openpyxl


def made(items: ChallengeSet, outputs: Outputs, annotator: str = "ann", **more: Any) -> JudgingSheet:
    role = more.get("role", "judge")
    return judging_sheet(tasks(items, outputs, annotator, seed=7, **more), annotator, seed=7, role=role)


def rows_of(path: Path) -> list[list[str]]:
    return list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline="")))


def write_rows(path: Path, rows: list[list[Any]], delimiter: str = ",") -> None:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter).writerows(rows)
    path.write_text(out.getvalue(), encoding="utf-8")


Filled = Callable[..., SheetAnswers]


@pytest.fixture
def filled(items: ChallengeSet, outputs: Outputs, tmp_path: Path) -> Filled:
    """filled(change): the CSV sheet after somebody changed its rows (header first), read back."""
    sheet = made(items, outputs)
    path, key = tmp_path / "ann.csv", tmp_path / "key.json"
    write_judging_sheet(path, sheet)
    write_key(key, [sheet], items.name, 7)

    def read(change: Callable[[list[list[Any]]], Any], delimiter: str = ",") -> SheetAnswers:
        rows: list[list[Any]] = [list(row) for row in rows_of(path)]
        changed = change(rows)
        target = tmp_path / "filled.csv"
        write_rows(target, rows if changed is None else changed, delimiter)
        return read_judging_sheet(target, read_keys([key]))

    return read


def answer_all(rows: list[list[Any]], answer: Any = "yes") -> None:
    column = rows[0].index("answer")
    for row in rows[1:]:
        row[column] = answer


def test_nothing_tells_the_system(items: ChallengeSet, outputs: Outputs, tmp_path: Path) -> None:
    secret = Outputs({system._replace(name=f"SECRET{system.name}"): t for system, t in outputs.texts.items()})
    sheet = made(items, secret)
    write_judging_sheet(tmp_path / "s.csv", sheet)
    assert "SECRET" not in (tmp_path / "s.csv").read_text(encoding="utf-8")
    codes = [code for code, _ in sheet.rows]
    assert len(set(codes)) == len(codes) == 9  # ten outputs, two of them the same text
    write_key(tmp_path / "key.json", [sheet], "x", 7)
    assert "SECRETA" in (tmp_path / "key.json").read_text(encoding="utf-8")


def test_outputs_of_a_source_stand_together_in_random_order(items: ChallengeSet, outputs: Outputs) -> None:
    sheets = {name: made(items, outputs, name) for name in ("ann", "ben", "eve", "zoe")}
    orders = set()
    for sheet in sheets.values():
        ids = [task.item.id for _, task in sheet.rows]
        assert len([i for i, identity in enumerate(ids) if i == 0 or ids[i - 1] != identity]) == 5
        orders.add(tuple(dict.fromkeys(ids)))
    assert len(orders) >= 3
    firsts = {task.systems for sheet in sheets.values() for code, task in sheet.rows if code.endswith("a")}
    assert {(A,), (B,), (A, B)} == firsts
    again = made(items, outputs, "ann")
    assert again == sheets["ann"]
    apart = tasks(items, outputs, "ann", seed=7, merge=False)
    assert len(apart) == 10


def test_the_order_is_the_same_on_every_machine(items: ChallengeSet, outputs: Outputs) -> None:
    """The order is part of what a seed promises: by SHA-256 of seed, annotator and id, nothing else."""

    def number(*things: str) -> str:
        return hashlib.sha256("\0".join(("7", "ann", *things)).encode()).hexdigest()

    sheet = made(items, outputs)
    ids = list(dict.fromkeys(task.item.id for _, task in sheet.rows))
    assert ids == sorted((i.id for i in items), key=number) == ["S1", "L1", "L2", "S2", "L3"]
    of_first = [task.systems[0].name for _, task in sheet.rows if task.item.id == "S1"]
    assert of_first == sorted("AB", key=lambda name: number("S1", name)) == ["B", "A"]


def test_csv_there_and_back(filled: Filled, items: ChallengeSet, outputs: Outputs) -> None:
    found = filled(answer_all)
    assert found.unanswered == ()
    assert len(found.judgements) == 10
    assert {(j.item, j.system) for j in found.judgements} == {(i.id, s) for i in items for s in (A, B)}
    assert {j.annotator for j in found.judgements} == {"ann"}
    ChallengeJudgements(found.judgements).check(items, outputs)


def test_rows_and_columns_may_move(filled: Filled) -> None:
    def turn(rows: list[list[Any]]) -> list[list[Any]]:
        answer_all(rows, " OUI ")
        header, *body = [list(reversed(row)) for row in rows]
        return [[f" {name.upper()} " for name in header], *reversed(body)]

    assert len(filled(turn).judgements) == 10
    assert len(filled(answer_all, ";").judgements) == 10
    assert len(filled(answer_all, "\t").judgements) == 10


def test_answers_and_notes_arrive(filled: Filled) -> None:
    def change(rows: list[list[Any]]) -> None:
        rows[1][5:7] = ["n/a", 'hm, "well"\nyes']
        rows[2][5] = "0"

    found = filled(change)
    assert [j.answer for j in found.judgements if j.note] == ["na"] * len(
        [j for j in found.judgements if j.note]
    )
    assert found.judgements[0].note == 'hm, "well"\nyes'
    assert len(found.unanswered) == 7


def swap_outputs(rows: list[list[Any]]) -> None:
    rows[1][4], rows[2][4] = rows[2][4], rows[1][4]


def set_cell(row: int, column: int, value: Any) -> Callable[[list[list[Any]]], None]:
    def change(rows: list[list[Any]]) -> None:
        rows[row][column] = value

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (set_cell(6, 5, "maybe"), "cell F7: 'maybe' is not an answer: write yes, no or n/a"),
        (set_cell(6, 5, "x"), "cell F7: 'x' is not an answer"),
        (set_cell(6, 0, "zzzz-1a"), "cell A7: 'zzzz-1a' is not a row in the key"),
        (set_cell(0, 0, "code"), "has no column 'row' (row 1 has: code, question"),
        (set_cell(0, 5, "verdict"), "has no column 'answer'"),
        (set_cell(0, 6, "answer"), "cell G1: a second column 'answer'"),
        (swap_outputs, "cell E2: is not the output that this row was written with"),
        (lambda rows: rows.append(list(rows[1])), "appears again (first in A2)"),
        (
            lambda rows: rows.append(["", "", "", "", "", "yes", ""]),
            "cell A11: is empty, but the row has an answer",
        ),
        (lambda rows: rows[:1], "has no rows"),
    ],
)
def test_what_went_wrong_is_named_by_cell(filled: Filled, change: Any, words: str) -> None:
    with pytest.raises(InputError) as refused:
        filled(change)
    assert words in str(refused.value)
    assert "filled.csv" in str(refused.value)


def test_columns_that_slid(filled: Filled) -> None:
    """The texts moved down by one row against the codes."""

    def slide(rows: list[list[Any]]) -> None:
        texts = [row[4] for row in rows[1:]]
        for row, text in zip(rows[1:], [texts[-1], *texts[:-1]], strict=True):
            row[4] = text

    with pytest.raises(InputError, match=r"cell E2: .* have been shifted against the others"):
        filled(slide)


def test_lost_rows_are_counted_and_extra_columns_mentioned(filled: Filled) -> None:
    def lose(rows: list[list[Any]]) -> list[list[Any]]:
        answer_all(rows)
        return [[*row, "mine"] if i == 0 else [*row, ""] for i, row in enumerate(rows[:-2])]

    with pytest.warns(TertiumWarning, match="not in the sheet as it was written: mine"):
        found = filled(lose)
    assert len(found.unanswered) == 2


def test_a_note_without_an_answer_is_not_lost_in_silence(filled: Filled) -> None:
    with pytest.warns(TertiumWarning, match="cell G2: a note without an answer"):
        filled(set_cell(1, 6, "hm"))


def test_xlsx_there_and_back(items: ChallengeSet, outputs: Outputs, tmp_path: Path) -> None:
    openpyxl = workbook()
    sheet = made(items, outputs)
    path, key = tmp_path / "ann.xlsx", tmp_path / "key.json"
    write_judging_sheet(path, sheet)
    write_key(key, [sheet], items.name, 7)
    book = openpyxl.load_workbook(path, rich_text=True)
    page = book["Judgements"]
    assert [cell.value for cell in page[1]] == [
        "row",
        "question",
        "source",
        "reference",
        "output",
        "answer",
        "note",
    ]
    rich = next(cell.value for cell in page["C"] if "rains" in str(cell.value))
    assert [str(part) for part in rich if getattr(getattr(part, "font", None), "b", False)] == [
        "rains cats and dogs"
    ]
    answers = ["yes", "Y ", "oui", 1, True, "no", 0, "n/a", None]
    for row, answer in enumerate(answers, 2):
        page.cell(row, 6).value = answer
    book.save(path)
    found = read_judging_sheet(path, read_keys([key]))
    meant = ["yes"] * 5 + ["no"] * 2 + ["na"]
    expected = [
        (task.item.id, system, answer)
        for (_, task), answer in zip(sheet.rows, meant, strict=False)
        for system in task.systems
    ]
    assert [(j.item, j.system, j.answer) for j in found.judgements] == expected
    assert found.unanswered == (sheet.rows[-1][0],)


def edited(path: Path, change: Callable[[Any], None]) -> None:
    openpyxl = workbook()
    book = openpyxl.load_workbook(path)
    change(book["Judgements"])
    book.save(path)


def test_xlsx_with_a_column_moved_by_hand(items: ChallengeSet, outputs: Outputs, tmp_path: Path) -> None:
    sheet = made(items, outputs)
    path, key = tmp_path / "ann.xlsx", tmp_path / "key.json"
    write_judging_sheet(path, sheet)
    write_key(key, [sheet], items.name, 7)

    def move(page: Any) -> None:
        page.insert_cols(2)
        page.insert_rows(1)
        for row in range(2, page.max_row + 1):  # "answer" stood in F, now in G, and goes to B
            page.cell(row, 2).value = page.cell(row, 7).value if row == 2 else "oui"
            page.cell(row, 7).value = None

    edited(path, move)
    found = read_judging_sheet(path, read_keys([key]))
    assert len(found.judgements) == 10
    assert {j.answer for j in found.judgements} == {"yes"}
    edited(path, lambda page: page.__setitem__("B7", "perhaps"))
    with pytest.raises(InputError, match=r"ann\.xlsx cell B7: 'perhaps' is not an answer"):
        read_judging_sheet(path, read_keys([key]))
    edited(path, lambda page: page.__setitem__("B7", "=A1"))
    with pytest.raises(InputError, match=r"ann\.xlsx cell B7: holds a formula, '=A1'"):
        read_judging_sheet(path, read_keys([key]))


def test_nothing_becomes_a_formula(items: ChallengeSet, tmp_path: Path) -> None:
    openpyxl = workbook()
    nasty = {"L1": '=HYPERLINK("http://x")', "L2": "- Oui.", "L3": "+1", "S1": "@x", "S2": "a\x07b"}
    outputs = Outputs({A: nasty})
    sheet = made(items, outputs)
    key = tmp_path / "key.json"
    write_key(key, [sheet], items.name, 7)
    for name in ("s.csv", "s.xlsx"):
        write_judging_sheet(tmp_path / name, sheet)
        found = read_judging_sheet(tmp_path / name, read_keys([key]))
        assert len(found.unanswered) == 5
    for row in rows_of(tmp_path / "s.csv")[1:]:
        assert not row[4].startswith(("=", "+", "-", "@"))
    page = openpyxl.load_workbook(tmp_path / "s.xlsx")["Judgements"]
    assert {cell.data_type for cell in page["E"]} == {"s"}


def test_a_second_person_checks_and_both_settle(
    items: ChallengeSet, outputs: Outputs, tmp_path: Path
) -> None:
    only = Outputs({A: outputs.texts[A]})
    known = ChallengeJudgements(tuple(judged("first", A, "yynnn")))
    key, path = tmp_path / "key.json", tmp_path / "check.csv"
    sheet = made(items, only, "second", role="check", judgements=known)
    assert {task.earlier[0][0] for _, task in sheet.rows} == {"judge"}
    write_judging_sheet(path, sheet)
    write_key(key, [sheet], items.name, 7)
    rows = rows_of(path)
    assert rows[0] == ["row", "question", "source", "reference", "output", "judge's answer", "answer", "note"]
    ids = {code: task.item.id for code, task in sheet.rows}
    for row in rows[1:]:
        row[6] = "no" if ids[row[0]] == "L2" else "ok"
    write_rows(path, rows)
    checks = ChallengeJudgements(read_judging_sheet(path, read_keys([key])).judgements)
    assert {(j.item, j.answer, j.role) for j in checks} == {
        ("L1", "yes", "check"),
        ("L2", "no", "check"),
        ("L3", "no", "check"),
        ("S1", "no", "check"),
        ("S2", "no", "check"),
    }
    settle = made(items, only, "both", role="settle", judgements=known.merged(checks))
    assert [(task.item.id, task.earlier) for _, task in settle.rows] == [
        ("L2", (("judge", "yes"), ("checker", "no")))
    ]
    with pytest.raises(InputError, match="first judged item 'L1', system A and cannot check it"):
        made(items, only, "first", role="check", judgements=known)
    with pytest.raises(InputError, match="both: there is nothing left to settle"):
        made(items, only, "both", role="settle", judgements=known)


def test_ok_is_for_checkers(filled: Filled) -> None:
    with pytest.raises(InputError, match="'ok' is not an answer"):
        filled(set_cell(1, 5, "ok"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "is not JSON"),
        ("[]", "is not a key of judging sheets"),
        ('{"tertium_key": 1}', "set is missing"),
        ('{"tertium_key": 1, "sheets": [{"role": "boss", "rows": {}}]}', "set is missing"),
        (
            '{"tertium_key": 1, "set": "", "seed": 1, "sheets": [{"annotator": "a", "role": "boss", "rows": {}}]}',
            r"sheets\[1\].role must be",
        ),
    ],
)
def test_a_key_that_is_none(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "key.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=words):
        read_keys([path])


def test_keys_do_not_mix(items: ChallengeSet, outputs: Outputs, tmp_path: Path) -> None:
    key = tmp_path / "key.json"
    write_key(key, [made(items, outputs), made(items, outputs, "ben")], items.name, 7)
    assert len(read_keys([key])) == 18
    assert json.loads(key.read_text(encoding="utf-8"))["seed"] == 7
    with pytest.raises(InputError, match="occurs twice in the keys"):
        read_keys([key, key])


def test_files_that_are_no_sheets(items: ChallengeSet, outputs: Outputs, tmp_path: Path) -> None:
    workbook()
    (tmp_path / "x.xlsx").write_bytes(b"PK nothing")
    (tmp_path / "x.csv").write_bytes(b"row,answer\n\xe9,yes\n")
    with pytest.raises(InputError, match=r"x\.xlsx: cannot be read as an XLSX workbook"):
        read_judging_sheet(tmp_path / "x.xlsx", {})
    with pytest.raises(InputError, match=r"x\.csv: line 2: is not valid UTF-8"):
        read_judging_sheet(tmp_path / "x.csv", {})
    with pytest.raises(InputError, match=r"a sheet is a \.csv or a \.xlsx file"):
        write_judging_sheet(tmp_path / "x.ods", made(items, outputs))
