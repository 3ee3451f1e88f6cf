"""TMX in and out: every byte of a unit, whatever its mark-up, encoding and blocks; bad files in one line."""

from __future__ import annotations

import warnings
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.errors import InputError, TertiumWarning
from tertium.io.memories import tmx, xmlstream
from tertium.io.memories.formats import open_units
from tertium.io.memories.pairs import Pair
from tertium.io.memories.tmx import TmxReader
from tertium.io.memories.unit import Unit
from tertium.memory.conversion import convert_memory

HEAD = '<?xml version="1.0" encoding="{}"?>\n<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n<tmx version="1.4">\n'
HEADER = (
    '<header srclang="en" segtype="sentence"><prop type="p">&lt;tu></prop></header>\n<!-- <tu> -->\n<body>\n'
)
TAIL = "</body>\n</tmx>\n"
UNITS = [
    '<tu tuid="7" creationid="ann" creationdate="20180101T000000Z" changedate="20190121T101500Z" usagecount="3">\n'
    '  <note>a note</note><prop type="x-Client">apt &amp; co</prop><prop type="x-domain">tools</prop>\n'
    '  <tuv xml:lang="en"><prop type="q">1</prop><seg>One &lt; two &#233;</seg></tuv>'
    "<tuv xml:lang='fr'><seg>Un</seg></tuv>\n</tu>",
    '<tu><tuv xml:lang="en"><seg>Press <bpt i="1" x="1">&lt;b a="></bpt>OK<ept i="1">&lt;/b></ept> &amp; <hi>go</hi>'
    '<ph x="2"/>.</seg></tuv><tuv xml:lang="fr"><seg/></tuv></tu >',
    '<tu a="x > y"><!-- </tu> <tuv> --><tuv xml:lang="EN"><seg><![CDATA[a </tu> <b> & c]]> d</seg></tuv><?p </tu>?>'
    '<tuv xml:lang="fr" unknown="yes"><seg xml:space="preserve">  deux\r\nlignes </seg></tuv></tu>',
    '<tu><tuv xml:lang="en"><seg>alone</seg></tuv></tu>',
    '<tu><tuv xml:lang="en"><seg>𝔘nicode – “x”</seg></tuv><tuv xml:lang="fr"><seg>日本語</seg></tuv></tu>',
]


def document(units: list[str], encoding: str = "utf-8", gap: str = "\n", header: str = HEADER) -> bytes:
    return (HEAD.format(encoding) + header + gap.join(units) + "\n" + TAIL).encode(encoding)


def written(folder: Path, data: bytes, name: str = "in.tmx") -> str:
    (folder / name).write_bytes(data)
    return str(folder / name)


def read(path: str, pair: str | None = None) -> list[Unit]:
    return list(TmxReader(path, None if pair is None else Pair.parse(pair)))


def test_what_is_read(tmp_path: Path) -> None:
    found = read(written(tmp_path, document(UNITS)))
    assert [unit.raw for unit in found] == UNITS
    first, second, third, fourth, fifth = found
    assert (first.source, first.target, first.source_language, first.target_language) == (
        "One < two é",
        "Un",
        "en",
        "fr",
    )
    assert (first.translator, first.date, first.used, first.client) == (
        "ann",
        "2019-01-21T10:15:00Z",
        3,
        "apt & co",
    )
    assert first.properties == (
        ("tuid", "7"), ("creationdate", "20180101T000000Z"), ("note", "a note"), ("x-domain", "tools"),
        ("source.q", "1"),
    )  # fmt: skip
    assert (second.source, second.target) == ("Press OK & go.", "")
    assert second.source_markup.startswith('Press <bpt i="1"')
    assert (third.source, third.target, third.source_language) == (
        "a </tu> <b> & c d",
        "  deux\nlignes ",
        "EN",
    )
    assert third.property("target.unknown") == "yes"
    assert (fourth.source, fourth.target, fourth.target_language) == ("alone", "", "fr")
    assert fifth.target == "日本語"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-8-sig"])
@pytest.mark.parametrize("block", [1 << 19, 64, 7])
def test_bytes_of_units_are_kept(
    tmp_path: Path, encoding: str, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(xmlstream, "BLOCK", block)
    declared = "utf-8" if encoding == "utf-8-sig" else "utf-16" if "16" in encoding else encoding
    data = document(UNITS).decode().replace('encoding="utf-8"', f'encoding="{declared}"').encode(encoding)
    path, out = written(tmp_path, data), tmp_path / "out.tmx"
    assert convert_memory([path], str(out)).units == len(UNITS)
    assert out.read_bytes() == data


def test_a_declared_encoding(tmp_path: Path) -> None:
    data = document([UNITS[0].replace("Un<", "Éé<")], "iso-8859-1")
    path, out = written(tmp_path, data), tmp_path / "out.tmx"
    assert read(path)[0].target == "Éé"
    convert_memory([path], str(out))
    assert out.read_bytes() == data


TEXTS = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), max_size=20
)
NAMES = st.text("abcxyz-é<&\"' ", min_size=1, max_size=6)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            TEXTS, TEXTS, st.just("en"), st.just("fr-CA"), TEXTS, TEXTS, TEXTS,
            st.none() | st.integers(0, 10**9), st.sampled_from(["", "2019-01-21T10:15:00Z"]),
            st.none() | st.integers(0, 10**9),
            st.lists(st.tuples(NAMES, TEXTS), max_size=3).map(tuple),
        ).map(lambda fields: Unit(*fields)),
        min_size=1, max_size=5,
    )
)  # fmt: skip
def test_what_is_written_is_read_again(tmp_path_factory: pytest.TempPathFactory, units: list[Unit]) -> None:
    from tertium.io.memories.notes import Notes
    from tertium.io.memories.tmxwriting import TmxWriter

    path = tmp_path_factory.mktemp("made") / "made.tmx"
    with path.open("w", encoding="utf-8") as file:
        writer = TmxWriter(file, Notes("made"))
        for unit in units:
            writer.write(unit)
        writer.finish()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TertiumWarning)
        found = [unit._replace(raw="") for unit in TmxReader(path)]
    assert found == units
    segments = [(seg.text or "") for seg in ElementTree.parse(path).getroot().iter("seg")]
    assert segments == [text for unit in units for text in (unit.source, unit.target)]


def refused(path: str, pair: str | None = None) -> str:
    with pytest.raises(InputError) as found:
        read(path, pair)
    return str(found.value)


LAUGHS = '<?xml version="1.0"?><!DOCTYPE tmx [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><tmx version="1.4"><body>'


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "the file is empty"),
        (b"<html/>", "begins with <html>: this is not a translation memory"),
        (LAUGHS.encode(), "in.tmx: line 1, column 48: declares the entity 'a'; entities are never expanded"),
        (document(["<tu><tuv xml:lang='en'><seg>&nbsp;</seg></tuv></tu>"]), "the entity &nbsp; is not defined"),
        (document([]), "there are no units"),
        (document([UNITS[3]]), "no unit has a text in two languages (found: en)"),
        (document([UNITS[4].replace(' xml:lang="fr"', "")]), "line 7: a <tuv> has no xml:lang"),
        (document([UNITS[4], UNITS[4].replace('"fr"', '"de"')]),
         "line 8: holds 3 languages (en, fr, de): which pair? (--pair en-fr or --pair en-de)"),
        (document([UNITS[4]], header='<header srclang="sv"/><body>'), "the source is sv, but the units are en and fr"),
        (document([UNITS[4], "<tu><tuv></tu>"]), "line 8, column 12: not well-formed XML: mismatched tag"),
        (document([UNITS[4]])[:-20], "the file ends too early"),
        (document([UNITS[4].replace("x", "\x1f")]), "the control character U+001F is not allowed in XML"),
        (document([UNITS[4].replace("“", "&#31;")]), "a control character, by its number"),
        (document([UNITS[4]]).replace(b"x\xe2", b"\xe9\xe2"), "the byte 0xE9, which is not valid UTF-8"),
        (document([UNITS[4]]).decode().encode("utf-16"), "says that its encoding is utf-8, but it is UTF-16"),
        (document([UNITS[4]]).replace(b'"utf-8"', b'"utf-16"'), "its encoding is utf-16, but it is not UTF-16"),
        (document([UNITS[4]]).replace(b'"utf-8"', b'"klingon"'), "unknown encoding 'klingon'"),
    ],
)  # fmt: skip
def test_bad_files(tmp_path: Path, data: bytes, said: str) -> None:
    assert said in refused(written(tmp_path, data))


def test_nothing_is_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = written(tmp_path, b"secret", "secret.txt")
    data = f'<!DOCTYPE tmx [<!ENTITY x SYSTEM "file://{secret}">]><tmx><body><tu><tuv><seg>&x;</seg></tuv></tu></body></tmx>'
    assert "declares the entity 'x'" in refused(written(tmp_path, data.encode()))


def test_the_pair_that_is_asked_for(tmp_path: Path) -> None:
    unit = "<tu>{}</tu>"
    texts = {
        own: f'<tuv xml:lang="{own}"><seg>{own}!</seg></tuv>' for own in ("en-US", "fr-FR", "fr-CA", "de")
    }
    path = written(tmp_path, document([unit.format("".join(texts.values())), unit.format(texts["de"])]))
    assert [(unit.source, unit.target) for unit in read(path, "en-de")] == [("en-US!", "de!"), ("", "de!")]
    assert [(unit.source, unit.target) for unit in read(path, "de-fr-CA")] == [("de!", "fr-CA!"), ("de!", "")]
    with pytest.warns(
        TertiumWarning, match="more than one text in a language, of which the first is read: 1"
    ):
        assert read(path, "en-fr")[0].target == "fr-FR!"
    assert "no unit has a text in two languages en and es" in refused(path, "en-es")
    nameless = written(tmp_path, document(["<tu><tuv><seg>a</seg></tuv><tuv><seg>b</seg></tuv></tu>"]))
    assert [unit[:4] for unit in read(nameless, "en-fr")] == [("a", "b", "en", "fr")]


def test_dates_that_are_no_dates(tmp_path: Path) -> None:
    units = [
        f'<tu changedate="{date}">{UNITS[4][4:]}' for date in ("20191341T000000Z", "soon", "20190101T000000Z")
    ]
    with pytest.warns(
        TertiumWarning, match="dates that are no dates, and left out: 2 .the first: '20191341T000000Z'"
    ):
        assert [unit.date for unit in read(written(tmp_path, document(units)))] == [
            "",
            "",
            "2019-01-01T00:00:00Z",
        ]


def test_a_unit_of_megabytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, document([UNITS[4].replace("x", "x" * 3_000_000), UNITS[0]]))
    found = read(path)
    assert (len(found[0].source), len(found)) == (3_000_013 - 1, 2)
    monkeypatch.setattr(tmx, "UNIT_LIMIT", 1)
    assert "line 7: a unit is longer than 1 MB" in refused(path)


def test_the_units_before_the_break(tmp_path: Path) -> None:
    path, out = written(tmp_path, document([*UNITS, "<tu><tuv></tu>"])), tmp_path / "out.tmx"
    with pytest.raises(
        InputError,
        match=r"line 16, column 12: not well-formed.*\(the 5 units before it are in .*out.tmx.partial\)",
    ):
        convert_memory([path], str(out))
    assert not out.exists()
    assert [unit.raw for unit in open_units(str(out) + ".partial", form="tmx")] == UNITS
    with pytest.raises(InputError, match=r"mismatched tag$"):
        convert_memory([written(tmp_path, document(["<tu><tuv></tu>"]))], str(tmp_path / "none.tmx"))
    assert {own.name for own in tmp_path.iterdir()} == {"in.tmx", "out.tmx.partial"}


def test_flat_memory(tmp_path: Path) -> None:
    """A hundred thousand units need no more than a few blocks."""
    import tracemalloc

    path = written(tmp_path, document([UNITS[4]] * 100_000))
    tracemalloc.start()
    assert sum(1 for _ in TmxReader(path)) == 100_000
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 12 << 20
