"""Sheets as spreadsheets have them: cells by name, delimiters and encodings as people save them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tertium.errors import InputError
from tertium.io.sheets import Highlighted, letters, read_sheet, write_sheet


def test_letters_of_columns() -> None:
    assert [letters(n) for n in (0, 25, 26, 51, 52, 701, 702)] == ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_csv_as_people_save_it(tmp_path: Path, encoding: str, delimiter: str) -> None:
    path = tmp_path / "a.csv"
    text = 'Row;ANSWER ;x\r\n1;oui;"a;\nb"\r\n2;é\r\n'.replace(";", delimiter)
    path.write_bytes(text.encode(encoding))
    sheet = read_sheet(path, ("row", "answer"))
    assert sheet.header == ("row", "answer", "x")
    assert sheet.rows == (("1", "oui", f"a{delimiter}\nb"), ("2", "é", None))
    assert sheet.cell(1, "answer") == f"{path} cell B3"


def test_a_header_below_a_title(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("My sheet,,\n,,\nrow,answer,\n1,yes,\n", encoding="utf-8")
    assert read_sheet(path, ("row", "answer")).cell(0, "row").endswith("cell A4")
    path.write_text("a,b\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"has no column 'row' \(row 1 has: a, b\)"):
        read_sheet(path, ("row",))
    path.write_text("", encoding="utf-8")
    with pytest.raises(InputError, match=r"empty|nothing"):
        read_sheet(path, ("row",))


def test_highlighting_in_csv(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    write_sheet(path, ["row", "text"], [["1", Highlighted("ab cd", ((0, 2), (3, 5)))], ["2", "=1"]])
    assert path.read_text(encoding="utf-8-sig") == "row,text\n1,*ab* *cd*\n2,'=1\n"
    assert path.read_bytes().count(b"\r\n") == 3
