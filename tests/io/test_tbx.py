"""Glossaries in TBX: both dialects, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tertium.errors import InputError
from tertium.io.glossaries import read_terms

OLD = """<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE martif SYSTEM "TBXcoreStructV02.dtd">
<martif type="TBX" xml:lang="en"><martifHeader/><text><body>
<termEntry id="1"><langSet xml:lang="en-US"><tig><term>hard  disk</term></tig><tig><term>drive</term></tig></langSet>
<langSet xml:lang="fr"><ntig><termGrp><term>disque <hi>dur</hi></term></termGrp></ntig></langSet></termEntry>
<termEntry id="2"><langSet xml:lang="en"><tig><term>folder</term></tig></langSet></termEntry>
</body></text></martif>
"""
NEW = """<tbx style="dca" type="TBX-Basic" xml:lang="en" xmlns="urn:iso:std:iso:30042:ed-2"><text><body>
<conceptEntry id="c1"><langSec xml:lang="en"><termSec><term>folder</term></termSec></langSec>
<langSec xml:lang="fr"><termSec><term>dossier</term></termSec><termSec><term>répertoire</term></termSec></langSec>
</conceptEntry></body></text></tbx>
"""


def written(folder: Path, text: str, name: str = "terms.tbx") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def test_both_dialects(tmp_path: Path) -> None:
    assert read_terms(written(tmp_path, OLD), "en", "fr") == {
        "hard disk": ("disque dur",),
        "drive": ("disque dur",),
    }
    assert read_terms(written(tmp_path, NEW), "en-GB", "fr-FR") == {"folder": ("dossier", "répertoire")}


def test_tables_are_read_as_ever(tmp_path: Path) -> None:
    path = written(tmp_path, "folder\tdossier | répertoire\n", "terms.tsv")
    assert read_terms(path, "en", "fr") == {"folder": ("dossier", "répertoire")}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (NEW.replace("fr", "de"), r"no terms in en and fr \(languages: en, de\)"),
        (NEW[:200], "line 3, column 1"),
        ("<html/>", "begins with <html>: this is not a glossary"),
        ('<!DOCTYPE tbx [<!ENTITY a "b">]><tbx/>', "entities are never expanded"),
        ("", "the file is empty"),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_terms(written(tmp_path, text), "en", "fr")
