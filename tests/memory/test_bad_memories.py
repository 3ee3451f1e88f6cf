"""Memories that are damaged or unusual: one clear line each, status 2, or a warning where they can be used."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tertium.cli import main
from tests.memory.made import good_units

HEAD = '<?xml version="1.0" encoding="utf-8"?>\n<tmx version="1.4"><header srclang="en"/><body>\n'
TAIL = "</body></tmx>\n"


def variant(language: str, text: str) -> str:
    return f'<tuv xml:lang="{language}"><seg>{text}</seg></tuv>'


def unit(*texts: tuple[str, str], about: str = "") -> str:
    return f"<tu{about}>{''.join(variant(*own) for own in texts)}</tu>\n"


GOOD = unit(("en", "One"), ("fr", "Un"))
BAD = {
    "broken": (GOOD + "<tu><tuv></tu>", r"line 4, column 12: not well-formed XML: mismatched tag"),
    "cut off": (GOOD + "<tu>", r"line \d+, column \d+: not well-formed XML"),
    "three languages": (
        unit(("en", "a"), ("fr", "b"), ("de", "c")),
        r"line 3: holds 3 languages \(en, fr, de\): which pair\? \(--pair en-fr or --pair en-de\)",
    ),
    "no language": (
        GOOD + "<tu><tuv><seg>a</seg></tuv></tu>",
        r"line 4: a <tuv> has no xml:lang: which language",
    ),
    "no units": ("", "there are no units in this memory"),
    "one language": (unit(("en", "a")), r"no unit has a text in two languages"),
    "a control character": (
        unit(("en", "a\x07"), ("fr", "b")),
        r"line 3, column 30: the control character U\+0007",
    ),
    "its number": (
        unit(("en", "a&#7;"), ("fr", "b")),
        r"line 3, column \d+: not well-formed XML: a character",
    ),
    "an entity": (unit(("en", "&a;"), ("fr", "b")), r"line 3, column \d+:"),
}
CALLS = (
    ("check", "{}"),
    ("check", "{} --html {}.html"),
    ("clean", "{} -o {}.clean.tmx --removed {}.removed.tmx"),
    ("convert", "{} {}.jsonl"),
    ("import", "{} -o {}.db"),
)


def called(command: str, call: str, path: Path) -> list[str]:
    return ["memory", command, *call.replace("{}", str(path)).split()]


@pytest.mark.parametrize("name", list(BAD))
@pytest.mark.parametrize(("command", "call"), CALLS)
def test_one_clear_line(
    name: str, command: str, call: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body, said = BAD[name]
    path = tmp_path / "in.tmx"
    path.write_text(HEAD + body + TAIL, "utf-8")
    assert main(called(command, call, path)) == 2
    found = capsys.readouterr()
    assert found.out == ""
    assert re.search(said, found.err), found.err
    assert found.err.count("\n") == 1
    left = {own.name for own in tmp_path.iterdir()}
    assert all(own == "in.tmx" or own.endswith(".partial") for own in left)
    if name == "broken" and command != "check":
        assert "the 1 unit before it is in" in found.err
        assert len(left) > 1


@pytest.mark.parametrize(("command", "call"), CALLS)
def test_wrong_encodings(command: str, call: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "in.tmx"
    path.write_bytes((HEAD + unit(("en", "a"), ("fr", "café")) + TAIL).encode("latin-1"))
    assert main(called(command, call, path)) == 2
    assert "line 3, column 69: the byte 0xE9, which is not valid UTF-8" in capsys.readouterr().err
    assert main([*called(command, call, path), "-e", "latin-1"]) == 0


@pytest.mark.parametrize(("command", "call"), CALLS)
def test_dates_that_are_no_dates_are_told_once(
    command: str, call: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "in.tmx"
    path.write_text(HEAD + unit(("en", "a"), ("fr", "b"), about=' changedate="20191345T000000Z"') + TAIL)
    assert main(called(command, call, path)) == 0
    assert capsys.readouterr().err.count("dates that are no dates") == 1


def test_a_unit_of_a_megabyte(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "in.tmx"
    long = " ".join(own.source.replace("%", "") for own in good_units(30_000))
    assert len(long) > 1_000_000
    path.write_text(HEAD + unit(("en", f"{long} 10"), ("fr", f"{long} 11")) + GOOD + TAIL)
    assert main(called("check", "{}", path)) == 0
    said = capsys.readouterr().out
    assert "numbers: 10 is missing; 11 is extra" in said
    assert len(said) < 5000


def test_a_pipe_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import os

    os.mkfifo(tmp_path / "in.tmx")
    for command, call in CALLS[:1] + CALLS[2:3]:
        assert main(called(command, call, tmp_path / "in.tmx")) == 2
        assert "is read more than once, and so must be a file" in capsys.readouterr().err


def test_score_and_compare_name_the_command_that_helps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, text = tmp_path / "in.tmx", tmp_path / "text"
    path.write_text(HEAD + GOOD + TAIL)
    text.write_text("One\n")
    for call in (
        ["score", str(text), "-i", str(path)],
        ["compare", str(path), "-i", str(text), str(text) + "2"],
    ):
        (tmp_path / "text2").write_text("Two\n")
        assert main(call) == 2
        assert f"(tertium memory convert {path} out.en,out.fr does that)" in capsys.readouterr().err
