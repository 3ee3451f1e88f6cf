"""`tertium doc`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run


def test_coreference(run: Run, tmp_path: Path) -> None:
    for name, cells in (("key", "(1 1) - (1) (2)"), ("own", "(1 1) - (1) (1)"), ("short", "(1 1)")):
        rows = "".join(f"w {cell}\n" for cell in cells.split())
        (tmp_path / name).write_text(f"#begin document (d)\n{rows}#end document\n", "utf-8")
    found = run("doc", "coref", tmp_path / "key", tmp_path / "own", "-f", "json")
    data = json.loads(found.out)
    assert data["measures"]["muc"] == {"recall": 1.0, "precision": 0.5, "f1": pytest.approx(2 / 3)}
    assert data["by_document"]["(d)"]["muc"] == pytest.approx(2 / 3)
    assert "CoNLL score" in run("doc", "coref", tmp_path / "key", tmp_path / "own").out
    bad = run("doc", "coref", tmp_path / "key", tmp_path / "short")
    assert (bad.status, bad.out) == (2, "")
    assert "document (d) has 5 tokens in the key and 2 in the response" in bad.err


def test_terms(run: Run, tmp_path: Path) -> None:
    files = {
        "src": "the bank opens\nthe bank closes\nthe bank sleeps\na house sleeps\n",
        "ref": "die Bank öffnet\ndie Bank schließt\ndie Bank schläft\nein Haus schläft\n",
        "sys": "die Bank öffnet\ndas Ufer schließt\ndas Ufer schläft\nein Haus schläft\n",
        "ids": "d\n" * 4,
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    call = [
        "doc",
        "terms",
        tmp_path / "ref",
        "-i",
        tmp_path / "sys",
        "--source",
        tmp_path / "src",
        "-l",
        "en-de",
    ]
    found = run(*call, "--documents", tmp_path / "ids")
    assert "bank: Ufer (2, 3), Bank (1)" in found.out
    assert "reference: Bank (1, 2, 3)" in found.out
    data = json.loads(run(*call, "--documents", tmp_path / "ids", "-f", "json").out)
    assert [own["consistency"] for own in data["systems"]] == [100.0, 50.0]  # sleeps, too
    without = run(*call)
    assert (without.status, without.out) == (2, "")
    assert "give a document id for each segment (--documents FILE)" in without.err
    wrong = run(*call, "--documents", tmp_path / "ids", "--glossary", tmp_path / "ids")
    assert (wrong.status, wrong.out) == (2, "")
    assert "line 1: a term and its translation are separated by a tab" in wrong.err
