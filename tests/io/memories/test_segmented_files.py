"""XLIFF 1.2 with segmented sources, SDL's files, and TMX without translations, as real tools write them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tertium.cli import main
from tertium.errors import InputError
from tertium.io.memories.formats import open_units
from tertium.io.memories.pairs import Pair
from tertium.io.memories.xliff import XliffReader
from tertium.io.memories.xliffinline import from_xliff
from tertium.matching.documents import read_document


@pytest.fixture(scope="module")
def files(shared: Path) -> Path:
    return shared / "data" / "xliff" / "files"


@pytest.mark.parametrize(
    "name",
    [
        "file-917760.xliff",
        "calibre.docx.xliff",
        "Working_with_the_Review_tool_single_tu.xlf",
        "sdlxliff_piazza.sdlxliff",
    ],
)
def test_segments_are_no_tags(files: Path, name: str) -> None:
    """<mrk mtype="seg"> stands in the targets alone: <source> has none, so no tag is extra."""
    text = (files / name).read_text(encoding="utf-8-sig")
    assert 'mtype="seg"' in text
    for unit in XliffReader(str(files / name)):
        for side in (unit.source, unit.target, unit.source_markup, unit.target_markup):
            assert "<hi>" not in side
            assert "<mrk" not in side


def test_a_real_file_has_no_false_alarm(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memory", "check", str(files / "file-917760.xliff"), "-f", "json"]) == 0
    checks = {own["name"]: own["units"] for own in json.loads(capsys.readouterr().out)["checks"]}
    assert (checks["numbers"], checks["tags"]) == (1, 0)
    assert main(["memory", "check", str(files / "calibre.docx.xliff"), "--top", "200"]) == 0
    assert "<hi> is extra" not in capsys.readouterr().out


def test_other_marks_stay() -> None:
    marked = '<mrk mtype="seg" mid="0">A <mrk mtype="protected">B</mrk> <g id="1">C</g></mrk><mrk mtype="seg" mid="1"/>'
    assert from_xliff(marked) == 'A <hi>B</hi> <bpt i="1" x="1"/>C<ept i="1"/>'
    assert from_xliff('<mrk mtype="x-sdl-comment">A</mrk>') == "<hi>A</hi>"


def test_sdlxliff_by_its_ending(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = files / "inglese-con-newlines-e-doctype.po.sdlxliff"
    units = list(open_units(str(path), untranslated=True))
    assert len(units) == 3
    assert any(unit.source.strip() for unit in units)
    assert main(["memory", "check", str(files / "sdlxliff_piazza.sdlxliff")]) == 0
    assert "empty: the target is empty" in capsys.readouterr().out


TMX = '<tmx version="1.4"><header srclang="en"/><body>{}</body></tmx>'
UNIT = '<tu><tuv xml:lang="{}"><seg>{}</seg></tuv></tu>'


def test_sources_alone_are_a_document(tmp_path: Path) -> None:
    path = tmp_path / "document.tmx"
    path.write_text(TMX.format("".join(UNIT.format("en", text) for text in ("One.", "Two &amp; three."))))
    for pair in (None, Pair("en", "fr")):
        segments = read_document(str(path), pair)
        assert [(own.source, own.target) for own in segments] == [("One.", ""), ("Two & three.", "")]
    mixed = (
        UNIT.format("en", "One.")
        + '<tu><tuv xml:lang="en"><seg>Yes</seg></tuv><tuv xml:lang="fr"><seg>Oui</seg></tuv></tu>'
    )
    path.write_text(TMX.format(mixed))
    assert [(own.source, own.target) for own in read_document(str(path), None)] == [
        ("One.", ""),
        ("Yes", "Oui"),
    ]


def test_as_a_memory_it_has_no_pair(tmp_path: Path) -> None:
    path = tmp_path / "document.tmx"
    path.write_text(TMX.format(UNIT.format("en", "One.")))
    with pytest.raises(InputError, match="no unit has a text in two languages"):
        list(open_units(str(path)))
    with pytest.raises(InputError, match=r"there are no units in this memory|no unit has a source in de"):
        list(open_units(str(path), pair=Pair("de", "fr"), untranslated=True))
    bare = tmp_path / "bare.tmx"
    bare.write_text(TMX.format("<tu><tuv><seg>One.</seg></tuv></tu>"))
    assert [own.source for own in read_document(str(bare), Pair("en", "fr"))] == ["One."]
