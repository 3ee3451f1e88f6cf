"""Judges looked at closely: error spans, pairs in both orders, how consistent a judge is; `tertium judge`."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

import tertium as tt
from tertium.cli import main
from tertium.errors import InputError
from tertium.io.mqm import read_mqm
from tertium.judging.pairs import prefer
from tertium.judging.rating import rate, write_mqm
from tests.judgeserver import JudgeServer, judge, length_score, shown

SOURCE = ["Ein Hund bellt.", "Zwei Katzen", "drei"]
SYSTEMS = {"A": ["A dog barks.", "Two cats", "three"], "B": ["A dog parks loudly.", "Two hats and dogs", "3"]}
TEXTS = tt.TestSet.of(["A dog barks.", "Two cats", "three"], SYSTEMS, sources=SOURCE)


def marked(body: dict[str, Any]) -> str:
    """`parks` is a major error, `hats` a critical one; `loudly.` is added, the source's `drei` left out of `3`."""
    text = shown(body, "Translation")
    found = [
        {"span": span, "category": category, "severity": severity}
        for word, span, category, severity in (
            ("parks", "parks", "Accuracy/Mistranslation", "major"),
            ("loudly", "loudly", "Accuracy/Addition", "minor"),
            ("hats", "hats", "Accuracy/Mistranslation", "Critical"),
            ("3", "drei", "Accuracy/Omission", "minor"),
        )
        if word in text
    ]
    return json.dumps({"errors": found})


def test_error_spans_become_mqm(server: JudgeServer, tmp_path: Path) -> None:
    server.rule = marked
    found = rate(TEXTS, judge(server, prompt="mqm"))
    assert [own.score for own in found.segments] == [0.0, 0.0, 0.0, -6.0, -25.0, -1.0]
    assert [own.score for own in found.systems] == [0.0, pytest.approx(-32 / 3)]
    write_mqm(tmp_path / "mqm.tsv", found, TEXTS, "small")
    read = read_mqm(tmp_path / "mqm.tsv").judgements
    assert read.score.tolist() == [0.0, 0.0, 0.0, -6.0, -25.0, -1.0]
    spans = [span for own in read.spans for span in own]
    words = [(SOURCE[2] if s.in_source else "A dog parks loudly.", s) for s in spans]
    assert [text[s.start : s.end] for text, s in words if s.category != "Accuracy/Mistranslation"] == [
        "loudly",
        "drei",
    ]


def test_the_best_judged_and_whether_that_is_chance(server: JudgeServer) -> None:
    """Eight segments, each a little better: sure by Wilcoxon's test (scipy: p = 2/2**8); a refused one is left out."""
    from scipy.stats import wilcoxon

    references = [f"segment {i}" for i in range(9)]
    systems = {"one": [f"{i}" for i in range(9)], "two": [f"{i} {'word ' * (i + 2)}" for i in range(9)]}
    texts = tt.TestSet.of(references, systems)
    server.rule = lambda body: (
        {"content": "", "refusal": "no"}
        if shown(body, "Translation to be judged") == "8"
        else length_score(body)
    )
    lead = rate(texts, judge(server)).lead()
    assert lead is not None
    gains = [7.0 * (i + 2) for i in range(8)]
    assert (lead.first, lead.second, lead.difference, lead.segments) == ("two", "one", sum(gains) / 8, 8)
    assert lead.p == wilcoxon(gains).pvalue == 2 / 2**8
    words = next(rate(texts, judge(server)).words())
    assert "two first, 38.50 ahead of one on the 8 segments" in words
    assert "more than chance (p = 0.00781, signed-rank test)" in words
    server.rule = lambda _: '{"score": 50}'
    same = rate(texts, judge(server, temperature=1))
    assert next(same.words()).startswith("The judge puts one and two level on the 9 segments")


@pytest.mark.parametrize(
    "errors",
    [
        [{"span": "never said", "category": "Style", "severity": "minor"}],
        [{"span": "dog", "category": "Style", "severity": "awful"}],
        [{"span": "", "category": "Style", "severity": "minor"}],
        [{"span": "dog", "category": "Style"}],
        ["dog"],
        "none",
    ],
)
def test_errors_that_cannot_be(server: JudgeServer, errors: Any) -> None:
    server.rule = lambda _: json.dumps({"errors": errors})
    found = rate(tt.TestSet.of(["x"], {"A": ["A dog"]}, sources=["Hund"]), judge(server, prompt="mqm"))
    assert found.segments[0].score is None
    assert found.segments[0].reason.startswith("unreadable: ")
    assert found.spending.missing == {"unreadable": 1}
    assert found.spending.reasked == 2


def test_a_judge_without_a_mind_of_its_own(server: JudgeServer) -> None:
    """One that always prefers what it sees first decides nothing, and that is said."""
    server.rule = lambda _: '{"better": "A"}'
    found = prefer(TEXTS, judge(server, prompt="pair"))
    assert (found.wins, found.losses, found.ties, found.missing) == (0, 0, 3, 0)
    assert found.position_bias == 1.0
    assert (found.contradictions, found.answered) == (3, 3)
    words = " ".join(found.words())
    assert "prefers neither (0 to 0, 3 ties)" in words
    assert "of 6 preferences 100.0% are for the one shown first" in words
    assert "3 of 3 segments are decided by the order alone" in words


def shorter(body: dict[str, Any]) -> str:
    a, b = len(shown(body, "A")), len(shown(body, "B"))
    return json.dumps({"better": "tie" if a == b else "A" if a < b else "B"})


def test_a_judge_that_looks_at_the_texts(server: JudgeServer) -> None:
    server.rule = shorter
    found = prefer(TEXTS, judge(server, prompt="pair"))
    assert [pair.verdict for pair in found.pairs] == ["first", "first", "second"]
    assert (found.wins, found.losses, found.p) == (2, 1, 1.0)
    assert found.position_bias == 0.5
    assert found.contradictions == 0
    assert found.spending.questions == found.spending.asked == 6
    assert found.signature.startswith('llm[small]|nrefs:0|model:"small"|prompt:"pair@')


def test_refused_pairs_are_counted(server: JudgeServer) -> None:
    server.rule = lambda body: (
        {"content": "", "refusal": "no"} if "Hund" in shown(body, "Source") else shorter(body)
    )
    found = prefer(TEXTS, judge(server, prompt="pair"))
    assert (found.wins, found.losses, found.ties, found.missing) == (1, 1, 0, 1)
    assert found.pairs[0].reason == "refused: no"
    assert found.spending.missing == {"refused": 2}


def test_a_judge_asked_again(server: JudgeServer) -> None:
    """Three answers of each: spread, and how often they agree."""
    turns = itertools.cycle([10, 10, 40])
    server.rule = lambda _: json.dumps({"score": next(turns)})
    found = rate(TEXTS, judge(server, samples=3, at_once=1, temperature=1))
    assert [own.samples for own in found.segments] == [(10.0, 10.0, 40.0)] * 6
    assert found.systems[0].score == 20.0
    assert found.systems[0].spread == pytest.approx(200**0.5)
    assert found.systems[0].same == 0.0
    says = itertools.cycle(["A", "A", "B"])
    server.rule = lambda _: json.dumps({"better": next(says)})
    pairs = prefer(TEXTS, judge(server, prompt="pair", samples=3, at_once=1, temperature=1))
    assert pairs.consistency == pytest.approx(2 / 3)
    assert "66.7% of its answers agree" in " ".join(pairs.words())


def test_asking_again_makes_position_no_surer(server: JudgeServer) -> None:
    """Five answers to one question are not five observations: they may all be the same one."""
    server.rule = lambda _: '{"better": "A"}'
    once, often = (prefer(TEXTS, judge(server, prompt="pair", samples=number)) for number in (1, 5))
    assert (once.shown_first_wins, once.preferences) == (often.shown_first_wins, often.preferences) == (6, 6)
    assert once.position_interval == often.position_interval == (pytest.approx(0.6097, abs=1e-4), 1.0)


def test_what_is_missing_is_said(server: JudgeServer) -> None:
    bare = tt.TestSet.of(["x"], {"A": ["a"], "B": ["b"]})
    for work in (
        lambda: rate(bare, judge(server, prompt="da")),
        lambda: prefer(bare, judge(server, prompt="pair")),
    ):
        with pytest.raises(InputError, match="shows the source: give it with --source"):
            work()
    with pytest.raises(InputError, match="does not compare"):
        prefer(TEXTS, judge(server, prompt="da"))
    with pytest.raises(InputError, match="two systems are compared here, but there are 1"):
        prefer(tt.TestSet.of(["x"], {"A": ["a"]}, sources=["y"]), judge(server, prompt="pair"))


def test_commands(server: JudgeServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, lines in {"src": SOURCE, **SYSTEMS}.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    texts = ["-i", str(tmp_path / "A"), str(tmp_path / "B"), "--source", str(tmp_path / "src")]
    asked = ["--model", "small", "--endpoint", server.address]
    server.rule = marked
    errors = tmp_path / "mqm.tsv"
    assert (
        main(["judge", "rate", *texts, *asked, "--prompt", "mqm", "--errors", str(errors), "-f", "json"]) == 0
    )
    found = json.loads(capsys.readouterr().out)
    assert [round(own["score"], 2) for own in found["systems"]] == [0.0, -10.67]
    assert errors.read_text().count("\n") == 1 + 3 + 4
    server.rule = shorter
    assert main(["judge", "pairs", *texts, *asked, "--prices", "1+2"]) == 0
    printed = capsys.readouterr().out
    assert "cost 0.00072" in printed
    assert "answered by small-2026" in " ".join(printed.split())
    assert main(["judge", "pairs", *texts, *asked, "--prices", "1+2"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "6 questions, 6 of them answered before; answered by small-2026; 0 tokens in" in printed
    assert main(["judge", "rate", *texts, *asked, "--prompt", "da", "--errors", "x"]) == 2
    assert "--errors needs a prompt that asks for them" in capsys.readouterr().err
    server.habits = [(404, {"error": {"message": "no model small"}})]
    assert main(["judge", "pairs", *texts, *asked, "--temperature", "1"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == f"tertium: {server.address}: the server says 404: no model small\n"
    spec = f'llm:judge=small,endpoint="{server.address}",prompt=mqm'
    server.rule = marked
    assert main(["score", str(tmp_path / "src"), *texts, "-m", spec, "chrf", "-q", "-f", "tsv"]) == 0
    assert "llm[small]" in capsys.readouterr().out
