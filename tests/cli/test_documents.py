"""Metrics over documents in commands: parsers and languages given once, for all of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tertium import registry
from tests.cli.conftest import DOCUMENTS, R1, SRC, STRONG, Run


@pytest.fixture
def parses(texts: Any) -> Path:
    rows = [
        f"{i}\t{word}\t{word.lower()}\t{tag}\t_\t_\t0\troot\t_\t_"
        for i, word, tag in (
            (1, "Dogs", "NOUN"),
            (2, "sleep", "VERB"),
            (3, "dogs", "NOUN"),
            (4, "the", "DET"),
        )
    ]
    path: Path = texts("p.conllu", *rows, "")
    return path


def test_one_parser_for_all_metrics_that_have_one(run: Run, texts: Any, parses: Path) -> None:
    text, ids = texts("ref", "Dogs sleep dogs the"), texts("ids", "d")
    metrics = ["doc:bleu", "doc:cohesion", "doc:morph:Number@NOUN", "doc:cohesion:repeat=word,content=all"]
    call = ["score", text, "-i", text, "--documents", ids, "-m", *metrics, "--parser", f"conllu:{parses}"]
    found = [one["signature"] for one in json.loads(run(*call).out)]
    assert ["conllu:" in signature for signature in found] == [False, True, True, True]
    assert "content:auto(tags)" in found[1]
    own = json.loads(run(*call[:6], "-m", "doc:cohesion:parser=simplemma:en", *call[-2:]).out)
    assert "simplemma" in own["signature"], "what a spec says itself counts"


def test_languages_reach_metrics_over_documents(run: Run) -> None:
    metrics = [
        "doc:cohesion",
        "doc:cohesion:lang=fr",
        "doc:cohesion:ratio,against=source",
        "doc:chrf",
        "doc:bleu",
    ]
    call = ["score", SRC, "-i", SRC, "--source", R1, "--documents", DOCUMENTS, "-l", "en-de", "-m", *metrics]
    found = [one["signature"] for one in json.loads(run(*call, "-tok", "intl").out)]
    assert ["lang:de|" in signature for signature in found] == [True, False, True, False, False]
    assert "source_lang:en" in found[2]
    assert "|tok:intl|" in found[4]
    assert "tok" not in found[0]


def test_compare_takes_a_parser(run: Run, texts: Any, parses: Path) -> None:
    text, ids = texts("ref", *["Dogs sleep dogs the"] * 4), texts("ids", *"abcd")
    other = texts("other", *["Dogs sleep dogs the"] * 4)
    call = [
        "compare",
        text,
        "-i",
        text,
        other,
        "--documents",
        ids,
        "-m",
        "doc:cohesion",
        "-n",
        10,
        "-f",
        "json",
    ]
    found = run(*call, "--parser", f"conllu:{parses}")
    assert found.status == 0, found.err
    assert "conllu:" in found.out
    assert run(*call, "--parser", "nonsense:x").status == 2


def test_signatures_say_what_a_document_is(run: Run) -> None:
    call = ["score", R1, "-i", STRONG, "-m", "bleu", "doc:bleu", "--units"]
    for given, said in (
        ("words", 'units:"words:180"'),
        ("words:90", 'units:"words:90"'),
        ("blank", 'units:"blank"'),
    ):
        plain, whole = (one["signature"] for one in json.loads(run(*call, given).out))
        assert said in whole
        assert "units" not in plain
        assert str(registry.from_signature("doc:BLEU", whole)) == "doc:bleu"
    by_ids = json.loads(run(*call[:-1], "--documents", DOCUMENTS).out)
    assert "units" not in by_ids[1]["signature"]


def test_score_names_what_a_document_is(run: Run) -> None:
    missing = run("score", R1, "-i", STRONG, "-m", "doc:cohesion")
    assert missing.status == 2
    assert "--documents FILE" in missing.err
