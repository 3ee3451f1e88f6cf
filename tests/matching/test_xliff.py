"""Proposals as XLIFF 1.2 and 2: elements and attributes as the schemas have them, and our own reader reads them."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tertium.cli import main
from tertium.io.memories.formats import open_units
from tertium.matching.documents import DocumentSegment
from tertium.matching.proposals import Proposal
from tertium.matching.xliff import write_xliff
from tests.matching.test_matching import memory

CORE, MATCHES = "{urn:oasis:names:tc:xliff:document:2.0}", "{urn:oasis:names:tc:xliff:matches:2.0}"
OF_MATCH = {  # of mtc:match in matches.xsd; `ref` is required
    *("id", "matchQuality", "matchSuitability", "origin", "ref", "reference", "similarity", "subType", "type")
}
TYPES = {"am", "ebm", "ice", "idm", "mt", "tb", "tm", "other"}


def proposal(rate: int, worth: float | None = None) -> Proposal:
    return Proposal(
        "Open <it>", "Ouvrez & lisez\x07", rate, 1.0, 1.0, (), (), 'a"b', date="2024", worth=worth
    )


SEGMENTS = [
    (DocumentSegment("Open <it>"), [proposal(102), proposal(87)]),
    (DocumentSegment("Nothing\x00 here"), []),
]


def test_rates_stand_where_version_2_has_them() -> None:
    root = ET.fromstring(write_xliff("new.txt", SEGMENTS, ("en", "fr"), version="2"))
    assert (root.tag, root.get("version"), root.get("srcLang"), root.get("trgLang")) == (
        *(f"{CORE}xliff", "2.0", "en", "fr"),
    )
    units = root.findall(f"{CORE}file/{CORE}unit")
    assert [[child.tag for child in unit] for unit in units] == [
        [f"{MATCHES}matches", f"{CORE}segment"],  # modules come before segments
        [f"{CORE}segment"],
    ]
    matches = units[0].findall(f"{MATCHES}matches/{MATCHES}match")
    shown = [(own.get("type"), own.get("similarity"), own.get("matchQuality")) for own in matches]
    assert shown == [("ice", "100", "100"), ("tm", "87", "87")]
    for own in matches:
        assert set(own.attrib) <= OF_MATCH
        assert own.get("type") in TYPES
        assert [child.tag for child in own] == [f"{CORE}source", f"{CORE}target"]
        mark = units[0].find(f"{CORE}segment/{CORE}source/{CORE}mrk")
        assert mark is not None
        assert own.get("ref") == f"#{mark.get('id')}"
        assert (mark.get("type"), mark.text) == ("mtc:match", "Open <it>")
    learned = write_xliff(
        "x", [(DocumentSegment("Open"), [proposal(87, worth=0.4251)])], ("en", "fr"), version="2"
    )
    assert 'similarity="87" matchQuality="42.5"' in learned


def test_rates_stand_where_version_1_has_them() -> None:
    root = ET.fromstring(write_xliff("new.txt", SEGMENTS, ("en", "fr")))
    name = "{urn:oasis:names:tc:xliff:document:1.2}"
    units = root.findall(f"{name}file/{name}body/{name}trans-unit")
    found = [[own.get("match-quality") for own in unit.findall(f"{name}alt-trans")] for unit in units]
    assert found == [["102%", "87%"], []]


@pytest.mark.parametrize("version", ["1", "2"])
def test_our_reader_reads_it_when_it_has_been_translated(tmp_path: Path, version: str) -> None:
    path = memory(tmp_path, [{"source": "Open <the> file", "target": "Ouvrez"}])
    document, out = tmp_path / "new.txt", tmp_path / "out.xlf"
    document.write_text("Open <the> file\nSomething & else\n")
    command = ["memory", "match", str(document), "--memory", path, "-o", str(out), "--xliff", version, "-q"]
    assert main(command) == 0
    whole = out.read_text("utf-8")
    target = "<target>fait</target>"
    done = (
        whole.replace("</source></segment>", f"</source>{target}</segment>")
        if version == "2"
        else whole.replace("</source>\n", f"</source>{target}\n")
    )
    out.write_text(done, "utf-8")
    units = list(open_units(str(out)))
    assert [(own.source, own.target) for own in units] == [
        ("Open <the> file", "fait"),
        ("Something & else", "fait"),
    ]  # and nothing of the proposals
    assert {(own.source_language, own.target_language) for own in units} == {("en", "fr")}
