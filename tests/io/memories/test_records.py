"""Units as records, tables, Parquet and two text files: what is written is read again; bad files in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tertium.errors import InputError, SpecError, TertiumWarning
from tertium.io.memories.formats import FORMATS, format_named, open_units
from tertium.io.memories.pairs import Pair
from tertium.io.memories.unit import Unit
from tertium.memory.conversion import convert_memory

UNITS = [
    Unit("One\ttwo\nthree \\n", "Un", "en", "fr-CA", "apt", "ann", "d.po", 3, "2019-01-21", 7,
         (("flag", "x"), ("flag", "y")), 'One<ph x="1"/>', ""),
    Unit("", "Deux", "en", "fr-CA", properties=(("note", "é"),)),
]  # fmt: skip
EN_FR = Pair("en", "fr")


def written(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


@pytest.mark.parametrize("form", ["tmx", "jsonl", "tsv", "parquet", "jsonl.gz", "tmx.gz"])
def test_nothing_is_lost(tmp_path: Path, form: str) -> None:
    from tertium.io.memories.notes import Notes
    from tertium.io.memories.records import JsonLinesWriter

    first = tmp_path / "a.jsonl"
    with first.open("w", encoding="utf-8") as file:
        writer = JsonLinesWriter(file, Notes("a"))
        for unit in UNITS:
            writer.write(unit)
    other, back = str(tmp_path / f"b.{form}"), str(tmp_path / "c.jsonl")
    assert convert_memory([str(first)], other).languages == ("en-fr-CA",)
    assert convert_memory([other], back).units == 2
    found = [unit._replace(raw="") for unit in open_units(back)]
    if form.startswith("tmx"):  # dates have a time there, and text without tags is that of the markup
        found[0] = found[0]._replace(date="2019-01-21", source=UNITS[0].source)
    assert found == UNITS


def test_two_files(tmp_path: Path) -> None:
    path = written(tmp_path, "a.en", "One\r\n Two \n") + "," + written(tmp_path, "a.fr", "Un\n\n")
    assert [unit[:4] for unit in open_units(path)] == [("One", "Un", "en", "fr"), (" Two ", "", "en", "fr")]
    out = f"{tmp_path / 'b.en'},{tmp_path / 'b.fr'}"
    source = written(tmp_path, "c.jsonl", '{"source": "a\\nb", "target": "c"}')
    with pytest.warns(TertiumWarning, match="texts of several lines, written on one: 1"):
        convert_memory([source], out, pair=EN_FR)
    assert (tmp_path / "b.en").read_text() == "a b\n"
    with pytest.raises(InputError, match="different numbers of lines"):
        list(open_units(written(tmp_path, "a.en", "One\n") + "," + written(tmp_path, "b.fr", "Un\n\n")))
    with pytest.raises(InputError, match=r"says no languages: which are they\? \(--pair en-fr\)"):
        open_units(written(tmp_path, "one", "One\n") + "," + written(tmp_path, "two", "Un\n"))


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.jsonl", '{"source": "a", "target": "b"}\n', "line 1 says no languages"),
        ("a.jsonl", '{"source": "a"}\n', "line 1 has no target"),
        ("a.jsonl", '{"source": 3, "target": "b"}\n', "line 1 the source is 3, not a text"),
        ("a.jsonl", "{\n", "line 1: is not JSON"),
        ("a.jsonl", '{"source": "a", "target": "b", "properties": [1]}\n', "properties are an object"),
        ("a.jsonl", '{"source": "a", "target": "b", "source_markup": "<ph>"}\n', "not well-formed XML"),
        ("a.jsonl", "\n", "there are no units"),
        ("a.tsv", "a\tb\tc\n", "line 1: has 3 fields, expected 2: source and target"),
        ("a.tsv", "source\ttarget\nb\n", "line 2: has 1 fields, but the header names 2 columns"),
        ("a.tsv", "source\ttarget\tsource\n", "a column occurs twice"),
        ("a.parquet", "nothing", "holds no Parquet data"),
        ("a.parquet", "PAR1nothing", "damaged Parquet data"),
    ],
)
def test_bad_files(tmp_path: Path, name: str, text: str, said: str) -> None:
    pair = None if "languages" in said else EN_FR
    with pytest.raises(InputError) as found:
        list(open_units(written(tmp_path, name, text), pair=pair))
    assert said in str(found.value)


def test_dates_and_numbers(tmp_path: Path) -> None:
    text = '{"source": "a", "target": "b", "date": "May", "used": -1, "position": 4, "domain": "x"}\n'
    with pytest.warns(TertiumWarning, match=r"left out: 1 \(the first: line 1: "):
        (unit,) = open_units(written(tmp_path, "a.jsonl", text), pair=EN_FR)
    assert (unit.date, unit.used, unit.position, unit.property("domain")) == ("", None, 4, "x")


def test_control_characters(tmp_path: Path) -> None:
    path, out = written(tmp_path, "a.jsonl", '{"source": "a\\u0007", "target": "b"}\n'), tmp_path / "b.tmx"
    with pytest.warns(
        TertiumWarning, match=r"control characters, which XML cannot hold, written as U\+FFFD: 1"
    ):
        convert_memory([path], str(out), pair=EN_FR)
    assert [unit.source for unit in open_units(str(out))] == ["a\ufffd"]


def test_formats_by_name(tmp_path: Path) -> None:
    assert format_named("a.TMX.gz") is FORMATS["tmx"]
    with pytest.raises(InputError, match=r"a.pdf: which format\? Its name should end in .tmx"):
        format_named("a.pdf")
    with pytest.raises(SpecError, match="unknown format of memories 'tmxx'; did you mean 'tmx'"):
        format_named("a.pdf", "tmxx")
    with pytest.raises(SpecError, match="takes two files"):
        format_named("a", "text")
    path = written(tmp_path, "a.tsv", "a\tb\n")
    with pytest.raises(InputError, match="is to be read and written at once"):
        convert_memory([path], path, pair=EN_FR)
    for wrong in ("enfr", "en-", "en-fr-", "english-french"):
        with pytest.raises(SpecError, match="a language pair is source-target"):
            Pair.parse(wrong)
