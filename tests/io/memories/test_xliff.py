"""XLIFF 1.2 and 2.x: texts, tags and metadata of files as tools write them; round trips; bad files in one line."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tertium.errors import InputError, TertiumWarning
from tertium.io.memories import xmlstream
from tertium.io.memories.formats import open_units
from tertium.io.memories.inline import parts
from tertium.io.memories.pairs import Pair
from tertium.io.memories.unit import Unit
from tertium.memory.conversion import convert_memory

ONE = """<?xml version="1.0" encoding="utf-8"?>
<xlf:xliff version="1.2" xmlns:xlf="urn:oasis:names:tc:xliff:document:1.2">
<xlf:file original="a.html" source-language="en-US" target-language="fr" datatype="html"><xlf:header>
<xlf:phase-group><xlf:phase phase-name="p1" contact-name="Ann" date="2019-01-21T10:15:00Z"/></xlf:phase-group>
</xlf:header><xlf:body><!-- <xlf:trans-unit id="0"> -->
<xlf:trans-unit id="1" phase-name="p1" approved="yes">
<xlf:source>Press <xlf:g id="1">OK</xlf:g> &amp; go<xlf:x id="2"/></xlf:source>
<xlf:seg-source><xlf:mrk mtype="seg" mid="1">Press</xlf:mrk></xlf:seg-source>
<xlf:target state="final">Appuyez <xlf:g id="1">OK</xlf:g> &amp; allez<xlf:x id="2"/></xlf:target>
<xlf:note from="x">careful</xlf:note>
<xlf:alt-trans><xlf:source>Old</xlf:source><xlf:target>Vieux</xlf:target></xlf:alt-trans></xlf:trans-unit>
<xlf:trans-unit id="2"><xlf:source>No target</xlf:source></xlf:trans-unit>
<xlf:trans-unit id="3"><xlf:source><![CDATA[a < b]]></xlf:source><xlf:target/></xlf:trans-unit>
<xlf:group><xlf:trans-unit id="4">
<xlf:source>A <xlf:bpt id="1" rid="7">&lt;b></xlf:bpt>b<xlf:ept id="2" rid="7">&lt;/b></xlf:ept></xlf:source>
<xlf:target>B <xlf:it id="3" pos="close">c</xlf:it><xlf:mrk mtype="term">d</xlf:mrk></xlf:target>
</xlf:trans-unit></xlf:group>
</xlf:body></xlf:file></xlf:xliff>
"""
TWO = """<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="fr-CA"
 xmlns:mda="urn:oasis:names:tc:xliff:metadata:2.0"><file id="f1" original="b.txt"><unit id="u1">
<mda:metadata><mda:metaGroup>
<mda:meta type="client">apt</mda:meta><mda:meta type="date">soon</mda:meta></mda:metaGroup></mda:metadata>
<notes><note id="n">see</note></notes><originalData><data id="d1">&lt;br/></data><data id="d2">%s</data></originalData>
<segment id="s1" state="final"><source>One<ph id="1" dataRef="d1"/></source>
<target>Un<ph id="1" dataRef="d1"/></target></segment>
<ignorable><source> </source></ignorable>
<segment><source><pc id="2" dataRefStart="d2">Two</pc><cp hex="0007"/></source>
<target><sc id="3"/>Deux<ec startRef="3"/></target></segment>
</unit></file></xliff>
"""


def written(folder: Path, text: str, name: str = "in.xlf") -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


@pytest.mark.parametrize("block", [1 << 19, 61, 5])
def test_version_1(tmp_path: Path, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xmlstream, "BLOCK", block)
    first, third, fourth = open_units(written(tmp_path, ONE))
    assert first[:7] == ("Press OK & go", "Appuyez OK & allez", "en-US", "fr", "", "Ann", "a.html")
    assert (first.date, first.position) == ("2019-01-21T10:15:00Z", 1)
    assert first.source_markup == 'Press <bpt i="1" x="1"/>OK<ept i="1"/> &amp; go<ph x="2"/>'
    properties = dict(first.properties)
    assert (properties["id"], properties["approved"], properties["target-state"]) == ("1", "yes", "final")
    assert properties["note"] == "careful"
    assert (third.source, third.target, third.position) == ("a < b", "", 3)
    assert fourth.source_markup == 'A <bpt i="7">&lt;b></bpt>b<ept i="7">&lt;/b></ept>'
    assert fourth.target_markup == 'B <it x="3" pos="end">c</it><hi>d</hi>'
    assert (fourth.source, fourth.target) == ("A b", "B d")


@pytest.mark.parametrize("block", [1 << 19, 61, 5])
def test_version_2(tmp_path: Path, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xmlstream, "BLOCK", block)
    with pytest.warns(
        TertiumWarning, match=r"dates that are no dates, and left out: 2 \(the first: unit u1: 'soon'\)"
    ):
        first, second = open_units(written(tmp_path, TWO))
    assert first[:5] == ("One", "Un", "en", "fr-CA", "apt")
    assert (first.document, first.property("segment-state"), first.property("note")) == (
        "b.txt",
        "final",
        "see",
    )
    assert first.source_markup == 'One<ph x="1">&lt;br/&gt;</ph>'
    assert second.source == "Two\ufffd"
    assert second.source_markup == '<bpt i="2" x="2">%s</bpt>Two<ept i="2"/>\ufffd'
    assert second.target_markup == '<bpt i="3" x="3"/>Deux<ept i="3"/>'


UNITS = [
    Unit('A "b" <c>', "Un\nd'œuf", "en", "fr", "apt", "ann", "d.po", 3, "2019-01-21", 7,
         (("flag", "x"), ("flag", "é"))),
    Unit("One", "Un", "en", "fr", document="e.po", position=9, properties=(("note", "a < b"),)),
    Unit("One b", "Un", "en", "fr", document="e.po", position=10,
         source_markup='One <bpt i="1">&lt;b&gt;</bpt>b<ept i="1"/><ph x="2"/><hi/><it pos="end" x="3"/>'),
]  # fmt: skip


@pytest.mark.parametrize("form", ["xliff", "xliff2"])
def test_nothing_is_lost(tmp_path: Path, form: str) -> None:
    from tertium.io.memories.formats import FORMATS
    from tertium.io.memories.notes import Notes

    path = tmp_path / "a.xlf"
    with path.open("w", encoding="utf-8") as file:
        writer = FORMATS[form].write(file, Notes("a"), None)
        for unit in UNITS:
            writer.write(unit)
        writer.finish()
    ElementTree.parse(path)
    found = [
        unit._replace(properties=tuple(own for own in unit.properties if own[0] != "id"))
        for unit in open_units(str(path))
    ]
    assert found[:2] == UNITS[:2]
    tags = [part for part in parts(found[2].source_markup) if not isinstance(part, str)]
    assert found[2].source == "One b"
    assert [tag.element for tag in tags] == ["bpt", "ept", "ph", "hi", "hi", "it"]
    assert (tags[0].code, tags[-1].attributes["pos"]) == ("&lt;b&gt;", "end")
    out = tmp_path / "b.tmx"
    convert_memory([str(path)], str(out))
    assert [unit.source for unit in open_units(str(out))] == [unit.source for unit in UNITS]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the file is empty"),
        ("<tmx/>", "begins with <tmx>: this is not a localisation file (XLIFF)"),
        (ONE.replace(' target-language="fr"', ""), "unit 1 says no languages"),
        (ONE[: ONE.index("<xlf:target")] + "</xlf:body></xlf:file></xlf:xliff>", "mismatched tag"),
        (TWO.replace("target>", "tgt>"), "there are no units with a translation"),
        (
            ONE.replace("</xlf:xliff>", ONE[ONE.index("<xlf:file") :].replace('"fr"', '"de"')),
            "holds 3 languages (en-US, fr, de): which pair?",
        ),
        (ONE[:300], "the file ends too early"),
    ],
)
def test_bad_files(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(InputError) as found:
        list(open_units(written(tmp_path, text)))
    assert said in str(found.value)
    assert "\n" not in str(found.value)


def test_the_pair_that_is_asked_for(tmp_path: Path) -> None:
    both = ONE.replace("</xlf:xliff>", ONE[ONE.index("<xlf:file") :].replace('"fr"', '"de"'))
    path = written(tmp_path, both)
    assert [unit.target_language for unit in open_units(path, pair=Pair("en", "de"))] == ["de"] * 3
    with pytest.raises(
        InputError, match=r"no units with a translation in this file \(found: en-US-fr, en-US-de\)"
    ):
        list(open_units(path, pair=Pair("en", "es")))
