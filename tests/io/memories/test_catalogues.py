"""PO and MO by polib: contexts, plurals, headers; read by Python's own gettext; bad files in one line."""

from __future__ import annotations

import gettext
from pathlib import Path

import pytest

from tertium.errors import InputError, MissingExtraError, TertiumWarning
from tertium.io.memories.formats import open_units
from tertium.io.memories.pairs import Pair
from tertium.io.memories.unit import Unit
from tertium.memory.conversion import convert_memory

PO = """# comment of the file
msgid ""
msgstr ""
"Project-Id-Version: apt 1.8.0\\n"
"PO-Revision-Date: 2019-01-21 10:15+0100\\n"
"Last-Translator: Ann É <ann@example.org>\\n"
"Language: fr\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=n>1;\\n"

#. extracted
#: a.c:1 b.c
#, fuzzy, c-format
msgctxt "menu"
msgid "Open %s"
msgstr "Ouvrir %s\\n"
"encore\u2028"

msgid "Not yet"
msgstr ""

# mine
msgid "%d file"
msgid_plural "%d files"
msgstr[0] "%d fichier"
msgstr[1] "%d fichiers"

#~ msgid "Old"
#~ msgstr "Vieux"
"""


def written(folder: Path, text: str, encoding: str = "utf-8", name: str = "in.po") -> str:
    (folder / name).write_bytes(text.encode(encoding))
    return str(folder / name)


def test_what_is_read(tmp_path: Path) -> None:
    first, one, many, old = open_units(written(tmp_path, PO))
    assert first[:7] == (
        "Open %s", "Ouvrir %s\nencore\u2028", "en", "fr", "apt", "Ann É <ann@example.org>", "in.po"
    )  # fmt: skip
    assert (first.position, first.date) == (1, "2019-01-21T10:15:00+01:00")
    assert dict(first.properties) == {
        "context": "menu", "flags": "fuzzy, c-format", "references": "a.c:1 b.c", "extracted-comment": "extracted",
    }  # fmt: skip
    assert [
        (unit.source, unit.target, unit.property("plural-form"), unit.position) for unit in (one, many)
    ] == [
        ("%d file", "%d fichier", "0", 3),
        ("%d files", "%d fichiers", "1", 3),
    ]
    assert (old.source, old.property("obsolete")) == ("Old", "yes")
    latin = written(tmp_path, PO.replace("UTF-8", "ISO-8859-1").replace("\u2028", ""), "latin-1")
    assert next(iter(open_units(latin))).translator == "Ann É <ann@example.org>"
    assert next(iter(open_units(latin, encoding="cp1250"))).translator == "Ann É <ann@example.org>"


def test_there_and_back(tmp_path: Path) -> None:
    path = written(tmp_path, PO)
    for middle in ("b.jsonl", "b.tmx", "b.tsv"):
        back = tmp_path / "c" / "in.po"
        back.parent.mkdir(exist_ok=True)
        convert_memory([path], str(tmp_path / middle))
        convert_memory([str(tmp_path / middle)], str(back))
        before, after = list(open_units(path)), list(open_units(str(back)))
        assert [unit[:4] for unit in after] == [unit[:4] for unit in before]
        assert [unit.properties for unit in after] == [unit.properties for unit in before]
        assert (after[0].client, after[0].translator) == (before[0].client, before[0].translator)


def test_compiled_catalogues(tmp_path: Path) -> None:
    mo = tmp_path / "a.mo"
    convert_memory([written(tmp_path, PO)], str(mo))
    with mo.open("rb") as file:
        found = gettext.GNUTranslations(file)
    assert found.pgettext("menu", "Open %s") == "Open %s"  # fuzzy: not for programs
    assert found.ngettext("%d file", "%d files", 2) == "%d fichiers"
    units = list(open_units(str(mo)))
    assert [(unit.source, unit.target) for unit in units] == [
        ("%d file", "%d fichier"),
        ("%d files", "%d fichiers"),
    ]
    assert units[0].translator == "Ann É <ann@example.org>"


def test_a_message_twice(tmp_path: Path) -> None:
    path, out = written(tmp_path, "One\tUn\nOne\tUne\n", name="a.tsv"), tmp_path / "b.po"
    with pytest.warns(TertiumWarning, match="there already, and get a context of their own: 1"):
        convert_memory([path], str(out), pair=Pair("en", "fr"))
    assert [(unit.target, unit.property("context")) for unit in open_units(str(out))] == [
        ("Un", ""),
        ("Une", "#2"),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the file is empty"),
        ("<html>\n", "line 1: not valid PO"),
        (PO.replace('msgid "Not', "msgidd Not"), "line 19: not valid PO"),
        (PO.replace('"Language: fr\\n"\n', ""), r"names no language: which is it? (--pair en-fr)"),
        (PO[: PO.index("#. ex")], "there are no translated messages"),
        (PO.replace("UTF-8", "klingon"), "unknown encoding 'klingon'"),
        (PO.replace("UTF-8", "ascii"), "line 6: is not valid ascii"),
        (PO.replace("Old", "O\0ld"), "line 28: a NUL character"),
    ],
)
def test_bad_files(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(InputError) as found:
        list(open_units(written(tmp_path, text)))
    assert said in str(found.value)
    with pytest.raises(InputError):
        list(open_units(written(tmp_path, text, name="in.mo")))


def test_damaged_compiled_catalogues(tmp_path: Path) -> None:
    mo = tmp_path / "a.mo"
    convert_memory([written(tmp_path, PO)], str(mo))
    good = mo.read_bytes()
    for cut in range(0, len(good), 3):
        mo.write_bytes(good[:cut])
        with pytest.raises(InputError):
            list(open_units(str(mo)))
    mo.write_bytes(good[:8] + b"\xff\xff\xff\x7f" + good[12:])
    with pytest.raises(InputError):
        list(open_units(str(mo)))


def test_other_languages_and_dates(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is in fr, not in de"):
        list(open_units(written(tmp_path, PO), pair=Pair("en", "de")))
    path = written(tmp_path, PO.replace("2019-01-21 10:15+0100", "yesterday"))
    with pytest.warns(TertiumWarning, match="PO-Revision-Date 'yesterday'"):
        units: list[Unit] = list(open_units(path, pair=Pair("en_US", "fr-CA")))
    assert (units[0].source_language, units[0].target_language, units[0].date) == ("en_US", "fr", "")
    silent = written(tmp_path, PO.replace("2019-01-21 10:15+0100", "YEAR-MO-DA HO:MI+ZONE"))
    assert {unit.date for unit in open_units(silent)} == {""}


def test_without_polib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "polib", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'tertium\[memory\]'"):
        open_units(written(tmp_path, PO))
