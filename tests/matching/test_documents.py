"""Documents that are to be translated: formats without targets, and what is translated of them already."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tertium.cli import main
from tertium.io.memories.formats import open_units
from tertium.matching.documents import DocumentSegment, read_document
from tertium.matching.matching import match_document
from tests.matching.test_consistency import SCREEN, SCREEN_OTHER, term_rows
from tests.matching.test_matching import memory

ONE = """<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a" source-language="en"
 target-language="fr" datatype="plaintext"><body>
<trans-unit id="a"><source>Repair the <g id="1">display</g></source>
<target state="final">Réparez le <g id="1">écran</g></target></trans-unit>
<trans-unit id="b"><source>Clean the display</source></trans-unit>
<trans-unit id="c"><source>Open it</source><target state="new">Open it</target></trans-unit>
<trans-unit id="d"><source>Close it</source><target/></trans-unit></body></file></xliff>"""
TWO = """<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en"><file id="f">
<unit id="1"><segment state="final"><source>Repair the <pc id="1">display</pc></source>
<target>Réparez le <pc id="1">écran</pc></target></segment></unit>
<unit id="2"><segment><source>Clean the display</source></segment></unit>
<unit id="3"><segment state="initial"><source>Open it</source><target>Open it</target></segment></unit>
<unit id="4"><segment><source>Close it</source></segment></unit></file></xliff>"""
PO = """msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

msgid "Repair the display"
msgstr "Réparez le écran"

#, fuzzy
msgid "Clean the display"
msgstr "Cassez"

msgid "Open it"
msgid_plural "Open them"
msgstr[0] ""
msgstr[1] ""

#~ msgid "Gone"
#~ msgstr "Parti"
"""


def written(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, "utf-8")
    return str(path)


def stored(folder: Path) -> str:
    """Two translations of *display*, the newer one *moniteur*."""
    return memory(folder, term_rows())


@pytest.mark.parametrize(("name", "text"), [("a.xlf", ONE), ("a.xlf", TWO)])
def test_what_is_translated_is_known_and_the_rest_is_read(tmp_path: Path, name: str, text: str) -> None:
    found = read_document(written(tmp_path, name, text), None)
    assert [own.source for own in found] == [
        "Repair the display",
        "Clean the display",
        "Open it",
        "Close it",
    ]
    assert [own.target for own in found] == ["Réparez le écran", "", "", ""]
    assert found[0].state[1] == "final"
    assert "<" in found[0].target_markup


def test_catalogues_and_records_without_translations(tmp_path: Path) -> None:
    found = read_document(written(tmp_path, "a.pot", PO), None)
    assert found == [
        DocumentSegment("Repair the display", "Réparez le écran"),
        *map(DocumentSegment, ("Clean the display", "Open it", "Open them")),
    ]
    lines = written(tmp_path, "a.jsonl", '{"source": "One"}\n{"source": "Two", "target": "Deux"}\n')
    assert read_document(lines, None) == [DocumentSegment("One"), DocumentSegment("Two", "Deux")]
    table = written(tmp_path, "a.tsv", "source\tclient\nOne\tacme\n")
    assert [own.source for own in open_units(table, untranslated=True)] == ["One"]


@pytest.mark.parametrize(("text", "version"), [(ONE, "1"), (TWO, "2"), (ONE, "2")])
def test_targets_are_kept_and_decide_terms(tmp_path: Path, text: str, version: str) -> None:
    document, output = written(tmp_path, "a.xlf", text), str(tmp_path / "out.xlf")
    path = stored(tmp_path)
    found = match_document(document, path, output=output, xliff=version, terms=True)
    first, second = found.segments[1].proposals[:2]
    assert (first.target, second.target) == (f"Nettoyez le {SCREEN}", f"Nettoyez le {SCREEN_OTHER}")
    assert (second.terms[0].chosen, second.terms[0].segment) == (SCREEN, 1)
    assert "1 segment has a translation already, which is kept." in " ".join(found.words())
    again = list(open_units(output))
    assert [(own.source, own.target) for own in again] == [("Repair the display", "Réparez le écran")]
    assert again[0].target_markup
    states = {"1": again[0].property("target-state"), "2": again[0].property("segment-state")}
    assert states[version] == ("final" if text is not ONE or version == "1" else "")
    assert len(list(open_units(output, untranslated=True))) == 4


def test_json_lines_say_what_is_done(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document, output = written(tmp_path, "a.xlf", TWO), tmp_path / "out.jsonl"
    command = ["memory", "match", document, "--memory", stored(tmp_path), "-o", str(output)]
    assert main(command) == 0
    assert [json.loads(line)["target"] for line in output.read_text("utf-8").splitlines()] == [
        *("Réparez le écran", "", "", "")
    ]
    empty = written(tmp_path, "b.xlf", ONE.split("<body>")[0] + "<body></body></file></xliff>")
    assert main(["memory", "match", empty, "--memory", stored(tmp_path)]) == 2
    assert "there are no units in this file" in " ".join(capsys.readouterr().err.split())
