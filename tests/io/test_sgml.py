"""WMT's SGML and XML, in the shapes that occur."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tertium.errors import InputError
from tertium.io.files import LineReader
from tertium.io.parsedset import ParsedSet, combine
from tertium.io.sgml import parse_sgml, parse_test_file, unescape
from tertium.io.wmtxml import parse_xml


def read_test_file(path: Path) -> ParsedSet:
    return parse_test_file(LineReader(path).read_bytes(), str(path))


def refusal(text: str) -> str:
    with pytest.raises(InputError) as caught:
        parse_sgml(text, "f.sgm")
    assert "\n" not in str(caught.value)
    return str(caught.value)


def xml_refusal(text: str) -> str:
    with pytest.raises(InputError) as caught:
        parse_xml(text.encode(), "f.xml")
    assert "\n" not in str(caught.value)
    return str(caught.value)


def set_of(kind: str, body: str, attributes: str = 'setid="s"') -> str:
    return f"<{kind} {attributes}>\n{body}\n</{kind}>\n"


def test_the_sample_of_sgml(shared: Path) -> None:
    parsed = read_test_file(shared / "data" / "formats" / "newstest.ref.sgm")
    assert parsed == ParsedSet(
        name="newstest2019",
        texts={"ref": ["Erster Satz.", "Zweiter Satz & Rest."]},
        documents=["bbc.381790"] * 2,
        segment_ids=["1", "2"],
        references=("ref",),
        metadata={"origlang": ["en", "en"], "genre": ["news", "news"]},
    )


def test_the_sample_of_xml(shared: Path) -> None:
    parsed = read_test_file(shared / "data" / "formats" / "wmt21.xml")
    assert parsed == ParsedSet(
        name="newssample2021",
        texts={"src": ["One."], "ref:A": ["Daya."], "X": ["Daya ne."]},
        documents=["en.ndtv.com.75203"],
        segment_ids=["1"],
        references=("ref:A",),
        systems=("X",),
        metadata={"origlang": ["en"]},
    )


def test_real_files_belong_together(shared: Path) -> None:
    folder = shared / "data" / "meteor" / "example"
    reference, system = (read_test_file(folder / name) for name in ("ref.sgm", "test.sgm"))
    assert len(reference) == len(system) > 100
    assert all(text == " ".join(text.split()) and text for text in reference.texts["ref"])
    both = combine([reference, system], ["ref.sgm", "test.sgm"])
    assert (both.references, both.systems) == (("ref",), ("cmu-combo",))
    assert both.texts["cmu-combo"] == system.texts["cmu-combo"]
    assert both.texts["cmu-combo"][0] == "Prague Stock Exchange to the end of trading, fell into the minus"


def test_everything_that_is_not_valid() -> None:
    parsed = parse_sgml(
        """<?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE mteval SYSTEM "mteval.dtd">
        <MTEVAL><RefSet SetID='news' srclang="any"
            trglang=de>
        <DOC docid="first" sysid="ref" docid="other" SYSID="zzz" genre=news>
        <hl><seg id=1> A headline </seg></hl>
        <P>
        <SEG ID="2">not closed
        <seg id='3'>a &lt; b > c &amp;amp; AT&T &quot;x&quot; &#x27;y&#39; &nosuch; <b>bold</b></SEG>
        <seg id="4">not closed either
        </p><p>
        <seg id="5">two
           lines</seg
        >
        </DOC>
        <doc DOCID=second sysid=ref origlang="cs">
        <seg>no id</seg><seg id="9"></seg><seg/>
        </doc></RefSet></MTEVAL>""",
        "f.sgm",
    )
    assert parsed.name == "news"
    assert parsed.texts == {
        "ref": [
            "A headline",
            "not closed",
            "a < b > c &amp; AT&T \"x\" 'y' &nosuch; <b>bold</b>",
            "not closed either",
            "two lines",
            "no id",
            "",
            "",
        ]
    }
    assert parsed.documents == ["first"] * 5 + ["second"] * 3
    assert parsed.segment_ids == ["1", "2", "3", "4", "5", "1", "9", "3"]
    assert parsed.metadata == {"genre": ["news"] * 5 + [""] * 3, "origlang": [""] * 5 + ["cs"] * 3}


def test_documents_and_ids() -> None:
    parsed = parse_sgml(
        set_of(
            "refset", "<doc docid=a><seg id=1>x</seg><seg id=2>y</seg></doc><doc><seg>z</seg><seg/></doc>"
        ),
        "f",
    )
    assert parsed.documents == ["a", "a", "2", "2"]
    assert parsed.segment_ids == ["1", "2", "1", "2"]
    assert parsed.texts == {"ref": ["x", "y", "z", ""]}


def test_several_sets_and_systems_in_one_file() -> None:
    doc = '<doc docid="{}" sysid="{}"><seg id="1">{}</seg></doc>'
    parsed = parse_sgml(
        set_of("srcset", doc.format("a", "", "sa") + doc.format("b", "", "sb"))
        + set_of("refset", doc.format("b", "ref", "rb") + doc.format("a", "ref", "ra"))
        + set_of("refset", doc.format("a", "ref", "r2a") + doc.format("b", "ref", "r2b"))
        + set_of("refset", doc.format("a", "Bob", "r3a") + doc.format("b", "Bob", "r3b"))
        + set_of(
            "tstset", doc.format("a", "X", "xa") + doc.format("a", "Y", "ya") + doc.format("b", "X", "xb")
        )
        + set_of("tstset", doc.format("b", "Y", "yb")),
        "f.sgm",
    )
    assert parsed.texts == {
        "src": ["sa", "sb"],
        "ref": ["ra", "rb"],
        "ref-2": ["r2a", "r2b"],
        "ref:Bob": ["r3a", "r3b"],
        "X": ["xa", "xb"],
        "Y": ["ya", "yb"],
    }
    assert parsed.references == ("ref", "ref-2", "ref:Bob")
    assert parsed.systems == ("X", "Y")
    assert [parsed.kind(key) for key in ("src", "ref:Bob", "X")] == ["src", "ref", "hyp"]


def test_names_that_stand_in_the_set() -> None:
    doc = '<doc docid="a"><seg id="1">x</seg></doc>'
    assert list(parse_sgml(set_of("tstset", doc, "sysid=online-A"), "f").texts) == ["online-A"]
    assert list(parse_sgml(set_of("refset", doc, "refid=ref1"), "f").texts) == ["ref1"]
    assert list(parse_sgml(set_of("tstset", doc), "f").texts) == ["system"]


def test_what_sgml_refuses() -> None:
    segment = '<seg id="1">x</seg>'
    assert refusal(set_of("refset", "")) == "f.sgm: there are no segments in this file"
    assert refusal(set_of("refset", f"<doc docid=a>{segment}\n{segment}</doc>")) == (
        "f.sgm: line 3: ref has segment '1' of document 'a' twice"
    )
    assert refusal(f"<refset>\n\n{segment}") == "f.sgm: line 3: a segment outside of any document"
    assert refusal("<mteval>\n<doc docid=a>") == (
        "f.sgm: line 2: a document outside of <srcset>, <refset> and <tstset>"
    )
    assert refusal('<refset><doc docid=a>\n<seg id="7">cut of') == (
        "f.sgm: line 2: the file ends inside segment '7': it is cut off"
    )


def test_missing_segments_are_named() -> None:
    two = '<doc docid="d1" sysid="{0}"><seg id="1">x</seg><seg id="2">y</seg></doc>'
    one = '<doc docid="d1" sysid="{0}"><seg id="1">x</seg></doc>'
    assert refusal(set_of("refset", two.format("ref")) + set_of("tstset", one.format("A"))) == (
        "f.sgm: A lacks segment '2' of document 'd1', which ref has at line 2"
    )
    assert refusal(set_of("refset", one.format("ref")) + set_of("tstset", two.format("A"))) == (
        "f.sgm: ref lacks segment '2' of document 'd1', which A has at line 5"
    )


def test_missing_segments_of_several_files_are_named() -> None:
    reference = parse_sgml(set_of("refset", "<doc docid=a><seg id=1>x<seg id=2>y<seg id=3>z</doc>"), "r")
    system = parse_sgml(set_of("tstset", "<doc docid=a sysid=S><seg id=2>v<seg id=1>u</doc>"), "h")
    with pytest.raises(
        InputError, match=r"^h\.sgm: S lacks segment '3' of document 'a', which ref has in r\.sgm, line 2$"
    ):
        combine([reference, system], ["r.sgm", "h.sgm"])
    other = parse_sgml(set_of("tstset", "<doc docid=b sysid=T><seg id=1>v<seg id=2>u</doc>"), "h")
    with pytest.raises(
        InputError,
        match=r"^h2: T lacks document 'a', which S has in h1, line 2$",
    ):
        combine([system, other], ["h1", "h2"])


def test_files_are_matched_by_id_not_by_order() -> None:
    reference = parse_sgml(set_of("refset", "<doc docid=a sysid=Ann><seg id=1>x<seg id=2>y</doc>"), "r")
    system = parse_sgml(set_of("tstset", "<doc docid=a sysid=S genre=g><seg id=2>v<seg id=1>u</doc>"), "h")
    both = combine([reference, system, system], ["r", "h", "i"])
    assert both.texts == {"ref:Ann": ["x", "y"], "S": ["u", "v"], "S-2": ["u", "v"]}
    assert both.metadata == {"genre": ["g", "g"]}


def test_two_sources_are_refused() -> None:
    doc = "<doc docid=a><seg id=1>x</doc>"
    assert "2 sources" in refusal(set_of("srcset", doc) * 2)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("&amp;amp;", "&amp;"),
        ("&lt;&gt;&quot;&apos;&nbsp;&euro;", "<>\"'\xa0€"),
        ("&#228;&#xE4;&#XE4;", "äää"),
        ("AT&T, R&D; &copy 5 & 6", "AT&T, R&D; &copy 5 & 6"),
        ("&#0;&#xD800;&#x110000;&#9999999;", "&#0;&#xD800;&#x110000;&#9999999;"),
    ],
)
def test_entities(text: str, expected: str) -> None:
    assert unescape(text) == expected


def test_xml_in_the_shapes_that_occur() -> None:
    parsed = parse_xml(
        b"""<?xml version="1.0" encoding="utf-8"?><!-- <refset> -->
        <dataset id="wmt"><collection id="general">
        <doc id="d1" origlang="en" domain="news">
          <src><p><seg id="1">One &amp; <g>two</g>.</seg></p><p><seg id="2"><![CDATA[<x>]]></seg></p></src>
          <ref lang="de"><p><seg id="2">r2</seg><seg id="1">r1</seg></p></ref>
          <ref lang="de" translator="refB"><seg id="1">b1</seg><seg id="2"/></ref>
          <hyp system="X" language="de"><p><seg id="1">x1</seg><seg id="2">x2</seg></p></hyp>
        </doc>
        <doc id="suite" testsuite="terms"><src lang="en"><p><seg id="1">no reference</seg></p></src></doc>
        <doc id="d2" origlang="de">
          <src lang="en"><p><seg>s3</seg></p></src>
          <hyp system="X"><p><seg>x3</seg></p></hyp>
          <ref lang="de"><p><seg>r3</seg></p></ref>
          <ref lang="de" translator="refB"><p><seg>b3</seg></p></ref>
        </doc></collection></dataset>""",
        "f.xml",
    )
    assert parsed == ParsedSet(
        name="wmt",
        texts={
            "src": ["One & two.", "<x>", "s3"],
            "ref": ["r1", "r2", "r3"],
            "refB": ["b1", "", "b3"],
            "X": ["x1", "x2", "x3"],
        },
        documents=["d1", "d1", "d2"],
        segment_ids=["1", "2", "1"],
        references=("ref", "refB"),
        systems=("X",),
        metadata={"origlang": ["en", "en", "de"], "domain": ["news", "news", ""]},
    )


def test_what_xml_refuses() -> None:
    assert (
        xml_refusal("<dataset>\n<doc>") == "f.xml: line 2, column 6: not well-formed XML (no element found)"
    )
    assert xml_refusal('<?xml version="1.0" encoding="nonsense"?><dataset/>').startswith("f.xml: ")
    assert xml_refusal("<dataset/>") == "f.xml: there are no segments in this file"
    source, reference = '<seg id="1">x</seg><seg id="2">y</seg>', '<seg id="1">x</seg>'
    doc = f'<doc id="d"><src>{source}</src><ref translator="A">{reference}</ref></doc>'
    assert (
        xml_refusal(f"<dataset>{doc}</dataset>")
        == "f.xml: ref:A lacks segment '2' of document 'd', which src has at line 1"
    )
    doc = '<doc id="d"><src><seg id="1">x</seg></src></doc>'
    assert (
        xml_refusal(f"<dataset>{doc}{doc}</dataset>")
        == "f.xml: line 1: src has segment '1' of document 'd' twice"
    )


def test_files_of_either_kind_compressed_or_not(tmp_path: Path) -> None:
    sgml = set_of("REFSET", "<doc docid=a><seg id=1>ü</doc>").encode()
    xml = '<dataset><doc id="a"><ref><seg id="1">ü</seg></ref></doc></dataset>'
    for number, data in enumerate(
        (
            sgml,
            b"\xef\xbb\xbf" + sgml,
            xml.encode(),
            f'<?xml version="1.0" encoding="utf-16"?>{xml}'.encode("utf-16"),
        )
    ):
        for pack in (bytes, gzip.compress):
            path = tmp_path / f"file{number}"
            path.write_bytes(pack(data))
            assert read_test_file(path).texts == {"ref": ["ü"]}


def test_files_that_are_no_test_sets(tmp_path: Path) -> None:
    for data, problem in (
        (b" \n", "the file is empty"),
        (b"plain text\n", "is not a WMT test set: it should begin with <srcset>"),
        (b"<html><body>", "not <html>"),
        (
            b"<refset><doc docid=a>\n<seg id=1>a\xff</seg>",
            r"line 2, byte 12 of the line \(byte 34 of the file\)",
        ),
        (b"<refset><doc docid=a><seg id=1>a\0</seg>", "is a NUL byte"),
    ):
        path = tmp_path / "file.sgm"
        path.write_bytes(data)
        with pytest.raises(InputError, match=problem):
            read_test_file(path)
    with pytest.raises(InputError, match="no such file"):
        read_test_file(tmp_path / "missing.sgm")
