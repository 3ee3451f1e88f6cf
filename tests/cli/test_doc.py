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
    assert "document (d) has 5 tokens in the key (" in bad.err


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


ANNA = """# newdoc id = anna
# text = Anna schlief.
1	Anna	Anna	PROPN	_	Gender=Fem|Number=Sing	2	nsubj	_	Entity=(e1-person)
2	schlief	schlafen	VERB	_	_	0	root	_	SpaceAfter=No
3	.	.	PUNCT	_	_	2	punct	_	_

# text = Sie sah ein Boot.
1	Sie	sie	PRON	_	Gender=Fem|Number=Sing|Person=3|PronType=Prs	2	nsubj	_	Entity=(e1)
2	sah	sehen	VERB	_	_	0	root	_	_
3	ein	ein	DET	_	Definite=Ind|PronType=Art	4	det	_	Entity=(e2-thing
4	Boot	Boot	NOUN	_	Gender=Neut|Number=Sing	2	obj	_	SpaceAfter=No|Entity=e2)
5	.	.	PUNCT	_	_	2	punct	_	_

"""


def test_a_resolver_against_a_corpus(run: Run, tmp_path: Path) -> None:
    """By the parses of the file; without any, names that are repeated are all that is found."""
    (tmp_path / "gold.conllu").write_text(ANNA, "utf-8")
    data = json.loads(run("doc", "coref", tmp_path / "gold.conllu", "--chains", "rules", "-f", "json").out)
    assert data["mentions"]["f1"] == data["measures"]["muc"]["f1"] == data["measures"]["lea"]["f1"] == 1
    call = ("doc", "coref", tmp_path / "gold.conllu", "--chains", "rules", "--no-singletons", "-f", "json")
    assert json.loads(run(*call).out)["mentions"]["recall"] == 1
    (tmp_path / "words.conll").write_text(
        "#begin document (d)\n" + "".join(f"{word} {cell}\n" for word, cell in WORDS) + "#end document\n",
        "utf-8",
    )
    found = json.loads(run("doc", "coref", tmp_path / "words.conll", "--chains", "rules", "-f", "json").out)
    assert found["measures"]["muc"] == {"recall": 0.5, "precision": 1.0, "f1": pytest.approx(2 / 3)}
    for wrong in (("doc", "coref", "x"), ("doc", "coref", "x", "y", "--chains", "rules")):
        bad = run(*wrong)
        assert (bad.status, bad.err) == (
            2,
            "tertium: give the chains to score: a second file, or a resolver with --chains\n",
        )


WORDS = [("Then", "-"), ("Ann", "(1)"), ("met", "-"), ("Ann", "(1)"), ("and", "-"), ("her", "(1)")]


def test_one_parser_and_one_language_for_all_metrics(run: Run, tmp_path: Path) -> None:
    files = {
        "forms": "elle\til\tPRON\tGender=Fem\ndort\tdormir\tVERB\tTense=Pres\ndormait\tdormir\tVERB\tTense=Imp\n",
        "ref": "Elle dort.\nElle dort, car il est tard.\n",
        "sys": "Elle dort.\nElle dormait parce qu'il est tard.\n",
        "ids": "a\nb\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    call = ["score", tmp_path / "ref", "-i", tmp_path / "sys", "--documents", tmp_path / "ids", "-f", "json"]
    found = run(*call, "-m", "doc:morph:Tense@VERB", "doc:tenses", "doc:connectives", "doc:chrf", "-l", "en-fr",
        "--parser", f"lexicon:{tmp_path / 'forms'}")  # fmt: skip
    data = json.loads(found.out)
    scores = [score["score"] for score in data] if isinstance(data, list) else []
    assert scores[:3] == [50.0, 50.0, 100.0]
    assert "lang:fr" in found.out
    assert "parser-hash" in found.out
    without = run(*call, "-m", "doc:morph")
    assert (without.status, without.out) == (2, "")
    assert "doc:morph needs parser, where parses come from" in without.err
