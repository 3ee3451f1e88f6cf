"""`tertium challenge pairs` and `contrast` give what Python gives, and refuse in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tertium.challenge.contrast import metric_scorers, prefer, score_file, texts_to_score
from tertium.challenge.pairs import make_pairs
from tertium.challenge.setfiles import read_set
from tests.cli.conftest import Run


def test_command_line_is_python(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    texts, others = ["He is not here.", "She has 12 boats."], ["He is away.", "She owns 12 boats."]
    for name, lines in (("t", texts), ("o", others)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    made = run("challenge", "pairs", "t", "-l", "en", "--reference", "o", "-o", "p.jsonl", "-f", "json")
    pairs = make_pairs(texts, "en", references=others, name="t")
    assert json.loads(made.out) == pairs.data()
    assert read_set("p.jsonl").items == pairs.items.items
    assert run("challenge", "contrast", "p.jsonl", "--write-texts", "x").status == 0
    lines = (tmp_path / "x").read_text(encoding="utf-8").splitlines()
    assert lines == ["\t".join(pair) for pair in texts_to_score(pairs.items)]
    (tmp_path / "s").write_text("".join(f"{-len(line)}\n" for line in lines), encoding="utf-8")
    scorer = "S=awk -F'\\t' '{ print -length($2) }'"
    found = run(
        "challenge", "contrast", "p.jsonl", "--scores", "A=s", "--scorers", scorer, "-m", "chrf", "-f", "json"
    )
    own = {"A": score_file("s"), **metric_scorers(pairs.items, ["chrf"])}
    expected = {(p.group.label, p.system.label): p.right for p in prefer(pairs.items, own)}
    told = {
        (p["category"] or "Overall", p["scorer"]): p["right"] for p in json.loads(found.out)["preferences"]
    }
    assert {key: told[key] for key in expected} == expected
    for words, expected_words in (
        (("contrast", "p.jsonl"), "nothing scores the pairs"),
        (("contrast", "p.jsonl", "--scores", "s"), "write NAME=FILE"),
        (
            ("pairs", "t", "-l", "en", "-o", "p.jsonl", "--kinds", "particle"),
            "nothing here can surely be made wrong",
        ),
    ):
        bad = run("challenge", *words)
        assert (bad.status, bad.out) == (2, "")
        assert expected_words in bad.err
