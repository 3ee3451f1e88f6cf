"""Judges, files and texts that are odd, but will come: what is asked, what is counted, what is said of it."""

from __future__ import annotations

import io
import itertools
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from http.client import BadStatusLine
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import wilcoxon

import tertium as tt
from tertium.cli import main
from tertium.errors import InputError, SpecError
from tertium.families.llm import LLMJudge, segment_score
from tertium.io.judges import endpoint
from tertium.io.judges.answers import ReadAnswer
from tertium.io.judges.asking import AnsweredQuestion
from tertium.io.judges.prompts import prompt
from tertium.io.mqm import read_mqm
from tertium.judging.pairs import prefer
from tertium.judging.rating import rate, write_mqm
from tests.judgeserver import JudgeServer, judge, shown

ONE = tt.TestSet.of(["ref"], {"A": ["text"]}, sources=["Text"])


def answered(message: Any, **more: Any) -> dict[str, Any]:
    usage = {"prompt_tokens": 100, "completion_tokens": 10}
    return {"choices": [{"message": message, "finish_reason": "stop"} | more], "usage": usage}


@pytest.mark.parametrize(
    "address",
    [
        "http://[::1",
        "http://localhost:abc/v1",
        "http://localhost:99999/v1",  # it would be cut down to another port
        "http://localhost:8000/v 1",
        "http://localhost:8000/v1\n",
        "http://localhost:8000/vé",
        "http://exa..mple/v1",
    ],
)
def test_addresses_that_nothing_can_be_sent_to(address: str) -> None:
    with pytest.raises(InputError, match="is not an address, such as") as raised:
        endpoint.Endpoint(address, "NO_KEY")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "address", ["me:sk-secret@host/v1", "http://me:sk-secret@[::1", "http://host/v1#sk-secret"]
)
def test_a_key_in_an_address_is_not_repeated(address: str) -> None:
    with pytest.raises(InputError) as raised:
        endpoint.Endpoint(address, "NO_KEY")
    assert "sk-secret" not in str(raised.value)


@pytest.mark.parametrize(
    ("headers", "status", "said"),
    [
        ({"Location": "http://[bad"}, 302, "says 302.*redirections are not followed"),
        ({"Content-Length": "²"}, 200, ""),
        ({"Content-Length": "9" * 5000}, 200, ""),
        ({"Content-Length": "5000"}, 200, "in vain: the answer breaks off;"),
    ],
)
def test_headers_that_mean_nothing(
    server: JudgeServer, headers: dict[str, str], status: int, said: str
) -> None:
    server.headers = headers
    server.rule = lambda _: (status, answered({"content": '{"score": 7}'}))
    if not said:
        assert rate(ONE, judge(server)).segments[0].score == 7.0
        return
    with pytest.raises(InputError, match=said):
        rate(ONE, judge(server, tries=2))


def test_what_a_broken_server_says_is_one_line(server: JudgeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """It stands where the status should: as it came, it would repaint the terminal."""

    def broken(*_: Any) -> bytes:
        raise BadStatusLine("HELLO\x1b[2J\r\n")

    monkeypatch.setattr(endpoint.Endpoint, "_asked", broken)
    with pytest.raises(InputError, match=r"asked 1 time in vain: HELLO\\x1b\[2J; answers"):
        rate(ONE, judge(server, tries=1))


@pytest.mark.parametrize(
    "answer",
    [
        (413, b"<html>Request Entity Too Large</html>"),
        (
            400,
            {"message": "You passed 99 input tokens. However, the model's context length is only 64 tokens."},
        ),
    ],
)
def test_a_text_that_is_too_long_stops_no_other(server: JudgeServer, answer: Any) -> None:
    server.habits = [answer]
    found = rate(tt.TestSet.of(["a", "b"], {"A": ["one", "two words"]}), judge(server, at_once=1))
    assert [own.score for own in found.segments] == [None, 14.0]
    assert found.segments[0].reason == "refused: the text is too long for the model"


def test_a_model_that_broke_down_has_said_nothing(server: JudgeServer) -> None:
    """So gateways report what broke behind them: it is asked again, and not kept as an answer."""
    failed = {"finish_reason": "error", "error": {"code": 502, "message": "upstream died"}}
    server.habits = [(200, answered({"content": ""}, **failed))]
    assert rate(ONE, judge(server)).segments[0].score == 7.0
    server.rule = lambda _: (200, answered({"content": ""}, **failed))
    with pytest.raises(InputError, match="in vain: the model ended with an error: upstream died;"):
        rate(ONE, judge(server, temperature=1))


def test_more_tokens_than_there_can_be_are_not_counted(server: JudgeServer) -> None:
    usage = {"prompt_tokens": 10**400, "completion_tokens": 1}
    server.rule = lambda _: (200, answered({"content": '{"score": 7}'}) | {"usage": usage})
    spent = rate(ONE, judge(server, prices="1+1")).spending
    assert (spent.tokens_in, spent.cost, spent.uncounted) == (0, None, 1)


def test_thousands_of_empty_lines_are_read_at_once() -> None:
    """What models write that have gone astray. In a process of its own: it would take hours, and cannot be stopped."""
    code = """
from tertium.io.judges.answers import Unreadable, verdict
from tertium.io.judges.prompts import prompt
for text in ("```" + "\\n" * 50_000 + "x", "```\\n" + "\\n " * 50_000 + "x"):
    try:
        verdict(text, prompt("da"), {})
    except Unreadable:
        print("unreadable")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout == "unreadable\n" * 2


@pytest.mark.parametrize("kept", [True, False])
def test_the_same_question_is_asked_once(
    server: JudgeServer, monkeypatch: pytest.MonkeyPatch, kept: bool
) -> None:
    """Asked twice at once, a model may answer differently, and the next run, from what was kept, differ from this."""
    if not kept:
        monkeypatch.setenv("TERTIUM_CACHE", "/dev/null/cache")
    numbers = itertools.count(10)

    def rule(_: dict[str, Any]) -> str:
        time.sleep(0.05)
        return json.dumps({"score": next(numbers)})

    server.rule = rule
    found = rate(tt.TestSet.of(["a"] * 6, {"A": ["b"] * 6}), judge(server))
    assert [own.score for own in found.segments] == [10.0] * 6
    assert len(server.bodies) == 1
    assert (found.spending.questions, found.spending.asked, found.spending.kept) == (6, 1, 5)


def test_both_orders_of_one_text_are_one_question(server: JudgeServer) -> None:
    server.rule = lambda _: '{"better": "A"}'
    systems = {"A": ["same", "same again", "one"], "B": ["same", "same again", "other"]}
    found = prefer(tt.TestSet.of(["x"] * 3, systems, sources=["p", "q", "r"]), judge(server, prompt="pair"))
    assert (found.shown_first_wins, found.preferences, found.ties) == (4, 4, 3)
    assert len(server.bodies) == 4


def scored(server: JudgeServer, *systems: Sequence[int | None]) -> Any:
    """Systems with these scores; None: refused."""
    server.rule = lambda body: (
        {"content": "", "refusal": "no"}
        if (said := shown(body, "Translation to be judged").split()[-1]) == "None"
        else json.dumps({"score": int(said)})
    )
    texts = {
        name: [f"{i} {score}" for i, score in enumerate(own)] for name, own in zip("AB", systems, strict=True)
    }
    return rate(tt.TestSet.of(["x"] * len(systems[0]), texts), judge(server))


def test_who_is_ahead_where_both_have_scores(server: JudgeServer) -> None:
    """A has the higher mean, because B has no score for the easiest segment."""
    found = scored(server, [100, 50, 40], [None, 60, 55])
    assert [own.score for own in found.systems] == [pytest.approx(190 / 3), 57.5]
    assert next(found.words()).startswith("The judge puts B first, 12.50 ahead of A on the 2 segments")
    assert found.lead().p == wilcoxon([10, 15]).pvalue == 0.5


def test_nobody_is_first_where_two_are_level(server: JudgeServer) -> None:
    words = next(scored(server, [50, 40, 0], [40, 50, 0]).words())
    assert words == "The judge puts A and B level on the 3 segments that both have scores for."


def test_a_lead_that_the_ranks_deny_is_not_sure(server: JudgeServer) -> None:
    """B fails badly three times, A is a little worse everywhere else: ahead by the mean, behind by the ranks."""
    found = scored(server, [99] * 40, [100] * 37 + [10] * 3)
    assert found.lead().first == "A"
    assert wilcoxon([-1] * 37 + [89] * 3).pvalue < 0.001
    assert found.lead().p == 1.0
    assert "no more than chance would give (p = 1, signed-rank test)" in next(found.words())


def test_the_mean_of_samples_is_that_of_their_set() -> None:
    """In another order of the same answers, a segment is not a little better."""
    orders = itertools.permutations([0.1, 0.2, 0.3, 0.7])
    assert len({segment_score([AnsweredQuestion(ReadAnswer(x)) for x in own]) for own in orders}) == 1


def test_a_word_that_is_wrong_twice_is_marked_in_both_places(server: JudgeServer, tmp_path: Path) -> None:
    error = {"span": "the", "category": "Style", "severity": "minor"}
    server.rule = lambda _: json.dumps({"errors": [error, error]})
    texts = tt.TestSet.of(["x"], {"A": ["see the the \ud800 cat"]}, sources=["y"])
    write_mqm(tmp_path / "mqm.tsv", rate(texts, judge(server, prompt="mqm")), texts, "small")
    assert "see the <v>the</v> � cat" in (tmp_path / "mqm.tsv").read_text(encoding="utf-8")
    (spans,) = read_mqm(tmp_path / "mqm.tsv", duplicates="leave out").judgements.spans or ()
    assert [(span.start, span.end) for span in spans] == [(4, 7), (8, 11)]


def test_a_prompt_that_is_changed_is_read_again(tmp_path: Path) -> None:
    """In a notebook, between two cells."""
    path = tmp_path / "own.toml"
    hashes = set()
    for words in ("Rate", "Judge"):
        path.write_text(f'kind = "rating"\nuser = "{words} {{{{ hypothesis }}}}"\n')
        found = prompt(str(path))
        hashes.add(found.hash)
        assert found.messages({"hypothesis": "this"})[0]["content"] == f"{words} this"
    assert len(hashes) == 2


@pytest.mark.parametrize(
    "more", ["high = 1e300", "low = -1e10", "[weights]\nMinor = 1e300", "[weights]\nMinor = -1e10"]
)
def test_scores_that_cannot_be_added_up(tmp_path: Path, more: str) -> None:
    path = tmp_path / "own.toml"
    path.write_text(f'kind = "errors"\nuser = "{{{{hypothesis}}}}"\n{more}\n')
    with pytest.raises(InputError, match="numbers beyond 1e\\+09 cannot be scores"):
        prompt(str(path))


@pytest.mark.parametrize("languages", ["German", "German-", "-English", "German - "])
def test_languages_are_two(languages: str) -> None:
    with pytest.raises(SpecError, match="are not two, such as German-English"):
        LLMJudge(judge="small", languages=languages)


def test_the_source_is_never_shown_as_a_reference(
    server: JudgeServer, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stands in where a prompt shows the source alone; a prompt that shows references must be given some."""
    for name in ("a", "b", "source"):
        (tmp_path / name).write_text(f"{name} text\n")
    monkeypatch.chdir(tmp_path)
    asked = ["--model", "small", "--endpoint", server.address, "-f", "text"]
    assert main(["judge", "rate", "-i", "a", "--source", "source", *asked]) == 2
    assert "there are no references" in capsys.readouterr().err
    (tmp_path / "own.toml").write_text('kind = "pair"\nuser = "{{references}} {{first}} {{second}}"\n')
    assert main(["judge", "pairs", "-i", "a", "b", "--source", "source", "--prompt", "own.toml", *asked]) == 2
    assert "there are no references" in capsys.readouterr().err
    for command in (["rate", "-i", "a", "--prompt", "da"], ["pairs", "-i", "a", "b"]):
        assert main(["judge", *command, *asked]) == 2
        assert "shows the source: give it with --source" in capsys.readouterr().err
    assert server.bodies == []
    assert main(["judge", "rate", "-i", "a", "--prompt", "da", "--source", "source", *asked]) == 0
    stdin = io.TextIOWrapper(io.BytesIO(b"a text\n"))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert main(["judge", "rate", "--prompt", "da", "--source", "source", *asked]) == 0
    assert "|nrefs:0|" in capsys.readouterr().out
