"""The offline twin: sheets out, filled in, back in; whatever was changed is named by its cell."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from tertium.app.database import CampaignDatabase
from tertium.app.overview import collected
from tertium.app.sheetfiles import read_sheets, write_sheets
from tertium.app.working import Work
from tertium.errors import InputError
from tests.app.made import DESIGNS, database_at, make


@pytest.fixture
def database(tmp_path: Path) -> Iterator[CampaignDatabase]:
    found = database_at(tmp_path)
    yield found
    found.close()


def filled(path: Path, fill: Any, sheet: str = "Judgements") -> None:
    """Fill in every unlocked cell."""
    book = openpyxl.load_workbook(path)
    for row in book[sheet].iter_rows(min_row=2):
        for cell in row:
            if not cell.protection.locked:
                cell.value = fill(cell, row)
    book.save(path)


FILL: dict[str, Any] = {
    "direct-assessment": lambda cell, row: 10 * cell.row,
    "pairwise": lambda cell, row: (None, "1", 2, "0")[cell.row - 1],
    "ranking": lambda cell, row: 1,
    "challenge": lambda cell, row: ("yes", "No", "na")[cell.column % 3],
    "error-spans": lambda cell, row: (
        "55,5"
        if cell.column_letter == row[-1].column_letter
        else f"minor: {row[2].value.split()[0]} #1\nmajor: (missing)"
    ),
    "semantic-units": lambda cell, row: "orange" if row[4].value and " " not in row[4].value else "good",
}


@pytest.mark.parametrize("design", DESIGNS)
def test_out_and_back_in(database: CampaignDatabase, tmp_path: Path, design: str) -> None:
    campaign = make(database, design, name="offline")
    paths = write_sheets(database, campaign, tmp_path / "sheets")
    assert sorted(path.name for path in paths) == ["offline.Ann.xlsx", "offline.Ben.xlsx"]
    before = paths[0].read_bytes()
    for name in ("literal", "strong", "smooth", "degraded", "genuine"):  # the key is elsewhere
        assert name not in _texts(paths[0], design)
    assert paths[0].read_bytes() == before
    filled(paths[0], FILL[design])
    assert read_sheets(database, campaign, [paths[0]]) == {"Ann": 3}
    first = [one.answer for one in collected(database, campaign)]
    assert len(first) == 3
    if design == "direct-assessment":
        assert first == [{"score": 20.0}, {"score": 30.0}, {"score": 40.0}]
    if design == "pairwise":
        assert [one["choice"] for one in first] == ["A", "B", "undecided"]
    if design == "error-spans":
        assert all(one["score"] == 55.5 and one["spans"][0]["start"] == 0 for one in first)
        assert all(one["spans"][1]["start"] is None for one in first)
    assert read_sheets(database, campaign, [paths[0]]) == {"Ann": 3}  # twice is once
    work = Work(database, campaign, 1)
    assert work.progress().done == 3
    assert [one.answer for one in collected(database, campaign)] == first


FRENCH: dict[str, tuple[Any, dict[str, Any], str]] = {  # what is filled in, what is kept, what is explained
    "direct-assessment": (lambda cell, row: 50, {"score": 50.0}, "Note : un nombre de 0"),
    "pairwise": (lambda cell, row: 0, {"choice": "undecided"}, "0 si vous ne pouvez pas décider"),
    "ranking": (lambda cell, row: 1, {"ranks": [1, 1, 1]}, "Rang : 1 pour la meilleure"),
    "challenge": (
        lambda cell, row: ("oui", "Non", "s/o")[cell.column // 2 % 3],
        {"answers": ["yes", "no", "na"]},
        "oui, non, s/o",
    ),
    "error-spans": (
        lambda cell, row: 40 if cell is row[-1] else "Majeure exactitude/ajout : (manque)",
        {
            "spans": [{"start": None, "end": None, "severity": "major", "category": "accuracy/addition"}],
            "score": 40.0,
        },
        "Gravités : mineure, majeure.",
    ),
    "semantic-units": (
        lambda cell, row: "vert" if row[4].value and " " not in row[4].value else "mauvais",
        {},
        "Marque : vert, orange ou rouge",
    ),
}


@pytest.mark.parametrize("design", DESIGNS)
def test_a_sheet_in_the_language_of_the_campaign(
    database: CampaignDatabase, tmp_path: Path, design: str
) -> None:
    """French columns, explanations and answers; what is stored has no language."""
    fill, kept, how = FRENCH[design]
    more = {"options": {"protocol": "mqm", "score": True}} if design == "error-spans" else {}
    campaign = make(database, design, name="fr", interface="fr", **more)
    path = write_sheets(database, campaign, tmp_path / "sheets")[0]
    book = openpyxl.load_workbook(path)
    assert book.sheetnames == ["Jugements", "Instructions"]
    header = {cell.value for cell in book["Jugements"][1]}
    assert not header & {"Reference", "Translation", "Pref", "Score", "Errors", "Mark", "Unit", "Answer 1"}
    about = "\n".join(str(row[0].value) for row in book["Instructions"].iter_rows())
    assert how in about.replace("\u202f", " ").replace("\u00a0", " ")
    filled(path, fill, "Jugements")
    assert read_sheets(database, campaign, [path]) == {"Ann": 3}
    for one in collected(database, campaign):
        assert {**one.answer, **kept} == one.answer
        assert set(one.answer.get("marks", {}).values()) <= {"green", "bad"}


def _texts(path: Path, design: str) -> str:
    book = openpyxl.load_workbook(path)
    return json.dumps([[c.value for c in row] for row in book["Judgements"].iter_rows()], ensure_ascii=False)


def edited(path: Path, cell: str, value: Any) -> None:
    book = openpyxl.load_workbook(path)
    book["Judgements"][cell] = value
    book.save(path)


@pytest.mark.parametrize(
    ("cell", "value", "message"),
    [
        ("B3", "another text", "to 'another text'"),
        ("C2", None, "cell C2 was changed"),
        ("A1", "Number", "cell A1 was changed"),
        ("A3", "7", "cell A3 was changed"),
        ("D2", 101, "cell D2: a score must be from 0 to 100, not 101"),
        ("D3", "good", "cell D3: a score must be a number, not 'good'"),
        ("D4", "=1+1", "cell D4: a score must be a number"),
        ("A5", "one more", "cell A5: there is something below the last of the 3 rows"),
    ],
)
def test_an_edited_sheet_is_refused_by_cell(
    database: CampaignDatabase, tmp_path: Path, cell: str, value: Any, message: str
) -> None:
    campaign = make(database, "direct-assessment", name="offline")
    path = write_sheets(database, campaign, tmp_path / "sheets")[0]
    filled(path, lambda cell, row: 50)
    edited(path, cell, value)
    if value == "=1+1":  # a formula without a computed value is empty for us
        assert read_sheets(database, campaign, [path]) == {"Ann": 2}
        return
    with pytest.raises(InputError) as found:
        read_sheets(database, campaign, [path])
    assert message in str(found.value)
    assert str(path) in str(found.value)
    assert len(collected(database, campaign)) == 0  # nothing was taken


@pytest.mark.parametrize(
    ("design", "cell", "value", "message"),
    [
        ("pairwise", "D2", "3", "cell D2: must be 1 or 2 or 0, not '3'"),
        ("ranking", "E2", 4, "cell E2 is '4', but must be 1 or 2 or 3"),
        ("ranking", "G2", None, "cell G2 is empty"),
        ("challenge", "F2", "maybe", "cell F2 is 'maybe', but must be yes or no or na"),
        ("error-spans", "D2", "minor nothing like it", "cell D2: write an error as 'severity: words'"),
        ("error-spans", "D2", "minor: words that are not there", "does not occur in the translation"),
        ("error-spans", "D2", "awful: (missing)", "cell D2: the severity must be one of minor, major"),
        ("semantic-units", "F3", "purple", "cell F3 is 'purple'"),
    ],
)
def test_answers_that_cannot_be_are_named_by_cell(
    database: CampaignDatabase, tmp_path: Path, design: str, cell: str, value: Any, message: str
) -> None:
    campaign = make(database, design, name="offline")
    path = write_sheets(database, campaign, tmp_path / "sheets")[0]
    filled(path, FILL[design])
    edited(path, cell, value)
    with pytest.raises(InputError) as found:
        read_sheets(database, campaign, [path])
    assert message in str(found.value)
    assert len(collected(database, campaign)) == 0


def test_files_that_are_no_sheets(database: CampaignDatabase, tmp_path: Path) -> None:
    campaign = make(database, "pairwise", name="offline")
    paths = write_sheets(database, campaign, tmp_path / "sheets")
    with pytest.raises(InputError, match="already exists"):
        write_sheets(database, campaign, tmp_path / "sheets")
    with pytest.raises(InputError, match="no annotator has a sheet of this name; did you mean"):
        read_sheets(database, campaign, [tmp_path / "offline.Anne.xlsx"])
    paths[0].write_bytes(b"PK nonsense")
    with pytest.raises(InputError, match="is not an XLSX workbook"):
        read_sheets(database, campaign, [paths[0]])
    paths[0].unlink()
    with pytest.raises(InputError, match="no such file"):
        read_sheets(database, campaign, [paths[0]])
    assert read_sheets(database, campaign, [paths[1]]) == {"Ben": 0}  # nothing filled in yet


def test_texts_that_look_like_formulas_stay_texts(database: CampaignDatabase, tmp_path: Path) -> None:
    from tertium.app.campaigns import create
    from tertium.human.campaigns.segments import Segment
    from tertium.human.campaigns.settings import Settings

    settings = Settings.of({"name": "f", "design": "direct-assessment", "annotators": {"items": 1}})
    segment = Segment("1", {"A": '=HYPERLINK("http://x")'}, source="s", reference="+1 -1 @x")
    path = write_sheets(database, create(database, settings, [segment]), tmp_path / "sheets")[0]
    cells = [cell for row in openpyxl.load_workbook(path)["Judgements"].iter_rows(min_row=2) for cell in row]
    assert {cell.data_type for cell in cells if cell.value is not None} == {"s"}
    filled(path, lambda cell, row: 1)
    assert read_sheets(database, 1, [path]) == {"annotator-1": 1}
