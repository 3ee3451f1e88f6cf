"""A language model as a metric: against a server on loopback that behaves well, badly and slowly."""

from __future__ import annotations

import json
import threading
import time
import warnings
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

import tertium as tt
from tertium.errors import InputError, SpecError, TertiumWarning
from tertium.families.llm import LLMJudge, places_of, segment_score
from tertium.io.judges import endpoint
from tertium.io.judges.asking import Account
from tertium.io.judges.prompts import bundled, prompt
from tertium.published import parse
from tests.judgeserver import JudgeServer, judging, length_score
from tests.twins.outside import aggregate

KEY = "sk-very-secret-0123456789"
HYPOTHESES = ["one", "two words", "now three words"]
REFERENCES = ["eins", "zwei", "drei"]
SCORES = [7.0, 14.0, 21.0]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TERTIUM_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setattr(endpoint, "WAIT", 0.0)
    return tmp_path / "cache"


@pytest.fixture
def server(cache: Path) -> Iterator[JudgeServer]:
    with judging() as own:
        yield own


def metric(server: JudgeServer, **options: Any) -> LLMJudge:
    return LLMJudge(judge="small", endpoint=server.address, **options)


def scores(server: JudgeServer, **options: Any) -> tuple[list[float | None], str]:
    """Scores of segments, and what was warned."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = tt.score(HYPOTHESES, REFERENCES, metric(server, **options), level="segment").scores[0]
    told = [str(one.message) for one in caught if issubclass(one.category, TertiumWarning)]
    return list(found.values), " ".join(told)


def test_a_judge_that_behaves(server: JudgeServer, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", logger="tertium.llm"):
        assert scores(server, prices="2+8") == (SCORES, "")
    assert (
        "3 questions, 0 of them answered before; answered by small-2026; 300 tokens in, 30 out, cost 0.00084."
        in caplog.text
    )
    asked = server.bodies[0]
    assert asked["model"] == "small"
    assert asked["temperature"] == 0
    assert server.keys == [f"Bearer {KEY}"] * 3


def test_answers_are_kept_by_text_prompt_and_settings(server: JudgeServer, tmp_path: Path) -> None:
    scores(server)
    assert scores(server) == (SCORES, "")
    assert len(server.bodies) == 3
    scores(server, temperature=0.5)
    assert len(server.bodies) == 6
    own = tmp_path / "own.toml"
    own.write_text('kind = "rating"\nuser = "Translation:\\n---\\n{{hypothesis}}\\n---"\n')
    tt.score(HYPOTHESES, REFERENCES, metric(server, prompt=str(own)))
    assert len(server.bodies) == 9


def test_the_signature_says_model_prompt_and_temperature(server: JudgeServer, tmp_path: Path) -> None:
    said = metric(server, temperature=0.25, samples=3).signature(2)
    assert said.startswith('nrefs:2|model:"small"|prompt:"da-ref@')
    assert f"da-ref@{prompt('da-ref').hash}" in said
    assert "|temp:0.25|samples:3|tertium:" in said
    assert server.address not in said
    own = tmp_path / "own.toml"
    texts = ('kind = "rating"\nuser = "{{hypothesis}}"\n', 'kind = "rating"\nuser = "Rate {{hypothesis}}"\n')
    signatures = set()
    for text in texts:
        own.write_text(text)
        signatures.add(metric(server, prompt=str(own)).signature())
    assert len(signatures) == 2


@pytest.mark.parametrize(
    "bad",
    [
        "I would say 50.",
        '{"score": "50"}',
        '{"score": 101}',
        '{"score": true}',
        '{"score": NaN}',
        '{"score": 50} and more',
        '[{"score": 50}]',
        "",
        '{"rating": 50}',
    ],
)
def test_an_answer_that_cannot_be_read_is_asked_for_again(
    server: JudgeServer, bad: str, caplog: pytest.LogCaptureFixture
) -> None:
    server.habits = [bad]
    with caplog.at_level("INFO", logger="tertium.llm"):
        assert scores(server, at_once=1) == (SCORES, "")
    assert "1 answer had to be asked for again" in caplog.text
    told_model = server.bodies[1]["messages"]
    assert [message["role"] for message in told_model[-2:]] == ["assistant", "user"]
    assert "cannot be used" in told_model[-1]["content"]
    server.habits = [bad] * 3
    found, told = scores(server, at_once=1, temperature=1)
    assert found[0] is None
    assert found[1:] == SCORES[1:]
    assert "1 has no answer (1 unreadable)" in told


def test_fences_are_no_text(server: JudgeServer) -> None:
    server.habits = ['```json\n{"score": 50}\n```']
    assert scores(server, at_once=1)[0] == [50.0, *SCORES[1:]]


@pytest.mark.parametrize(
    "refusal",
    [
        {"content": None, "refusal": "I cannot help\nwith that"},
        {"content": "", "finish_reason": "content_filter"},
    ],
)
def test_a_refusal_is_no_score_and_no_zero(server: JudgeServer, refusal: dict[str, Any]) -> None:
    server.habits = [refusal]
    found, told = scores(server, at_once=1)
    assert found[0] is None
    assert found[1:] == SCORES[1:]
    assert "1 has no answer (1 refused)" in told
    assert len(server.bodies) == 3  # it is not pressed
    with pytest.warns(TertiumWarning, match="1 refused"):
        whole = tt.score(HYPOTHESES, REFERENCES, metric(server)).scores[0].value
    assert whole == aggregate([None, 14.0, 21.0], "mean")  # of those that have a score
    assert len(server.bodies) == 3


def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Waiting takes no time; how long it would have been."""
    waits: list[float] = []
    monkeypatch.setattr(endpoint.Endpoint, "_pause", lambda _, seconds: waits.append(seconds))
    return waits


def test_a_busy_or_broken_server_is_asked_again(server: JudgeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    waits = pauses(monkeypatch)
    server.headers = {"Retry-After": "7"}
    server.habits = [
        (429, {"error": {"message": "slow down"}}),
        (503, b"<html>"),
        None,
        (200, b"<html>hello</html>"),
    ]
    assert scores(server, at_once=1)[0] == SCORES
    assert len(server.bodies) == 3 + 4
    assert waits[:3] == [0.0, pytest.approx(7.0, abs=0.5), pytest.approx(7.0, abs=0.5)]
    monkeypatch.setattr(endpoint, "WAIT", 1.0)
    waits.clear()
    server.headers = {}
    server.habits = [(500, {})] * 4
    scores(server, at_once=1, temperature=1)
    assert waits[0] == 0.0
    assert all(0.75 * 2**i <= wait <= 1.25 * 2**i for i, wait in enumerate(waits[1:5]))
    server.habits = [(500, {"error": {"message": f"your key {KEY} broke it"}})] * 15
    with pytest.raises(InputError, match="asked 5 times in vain: the server says 500") as raised:
        scores(server, at_once=1, temperature=2)
    assert KEY not in str(raised.value)
    assert "\n" not in str(raised.value)


def test_who_is_told_to_wait_speaks_for_all(server: JudgeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next question waits as well, by seconds or by the clock; a minute at most."""
    waits = pauses(monkeypatch)
    then = format_datetime(datetime.now(UTC) + timedelta(seconds=41), usegmt=True)
    for told, wanted in (("30", 30), (then, 40), ("7200", 60), ("soon", 0), ("nan", 0)):
        own = metric(server, tries=1).opened().endpoint
        server.headers, server.habits = {"Retry-After": told}, [(429, {"error": {"message": "slow down"}})]
        with pytest.raises(InputError, match="asked 1 time in vain: the server says 429: slow down"):
            own.chat({"model": "small", "messages": []})
        waits.clear()
        own.chat({"model": "small", "messages": []})
        assert waits == [pytest.approx(wanted, abs=1.5)]


def test_nobody_waits_for_a_run_that_has_failed(server: JudgeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """One question fails for good while another one waits for a server that said: in a minute."""
    monkeypatch.setattr(endpoint, "WAIT", 60.0)
    waiting = threading.Event()

    def rule(body: dict[str, Any]) -> Any:
        if "one" in body["messages"][-1]["content"]:
            waiting.wait(20)
            return 404, {"error": {"message": "no model small"}}
        waiting.set()
        return 503, {}

    server.rule = rule
    began = time.monotonic()
    with pytest.raises(InputError, match="no model small"):
        scores(server, at_once=2)
    assert time.monotonic() - began < 30


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"error": {"message": "filtered", "code": "content_filter"}}, "content filter"),
        (
            {"error": {"message": "no", "innererror": {"code": "ResponsibleAIPolicyViolation"}}},
            "content filter",
        ),
        ({"error": {"message": "too long", "code": "context_length_exceeded"}}, "too long for the model"),
        (
            {"message": "This model's maximum context length is 8 tokens.", "code": 400},
            "too long for the model",
        ),
    ],
)
def test_a_question_turned_down_stops_no_other(server: JudgeServer, body: Any, reason: str) -> None:
    server.habits = [(400, body)]
    own = metric(server, at_once=1).opened()
    account = Account()
    answers = own.ask(places_of(HYPOTHESES, [[text] for text in REFERENCES], None), account)
    assert [segment_score(given) for given in answers] == [None, *SCORES[1:]]
    assert answers[0][0].reason.startswith("refused: ")
    assert reason in answers[0][0].reason
    assert account.spent(3, None).missing == {"refused": 1}


def test_an_empty_account_is_not_waited_for(server: JudgeServer) -> None:
    server.habits = [(429, {"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}})]
    with pytest.raises(InputError, match=r"the server says 429: You exceeded your quota$"):
        scores(server, at_once=1)
    assert len(server.bodies) == 1


def test_models_that_want_other_settings(server: JudgeServer) -> None:
    """Newer models have another name for the limit of tokens; and some take no temperature."""

    def rule(body: dict[str, Any]) -> Any:
        for name, said in (
            ("max_tokens", "Use 'max_completion_tokens' instead."),
            ("temperature", "Unsupported."),
        ):
            if name in body:
                return 400, {"error": {"message": said, "param": name, "code": "unsupported_parameter"}}
        return length_score(body)

    server.rule = rule
    with pytest.raises(InputError, match=r"400: Unsupported. \(temperature=none sends none\)"):
        scores(server, at_once=1)
    before = len(server.bodies)
    own = metric(server, at_once=1, temperature=None, longest=50)
    found = tt.score(HYPOTHESES, REFERENCES, own, level="segment").scores[0]
    assert list(found.values) == SCORES
    assert len(server.bodies) == before + 1 + 3  # it is told once
    assert server.bodies[-1]["max_completion_tokens"] == 50
    assert "|temp:none|samples:1|longest:50|" in own.signature()
    assert ",temperature=None,longest=50," in str(own)
    assert tt.metric(str(own)) == own


def test_an_answer_that_is_cut_off(server: JudgeServer) -> None:
    """It is not asked for again, for it would be cut again; if all was said before the end, it counts."""
    server.habits = [
        {"content": '{"score": 5', "finish_reason": "length"},
        {"content": '{"score": 5}', "finish_reason": "length"},
    ]
    own = metric(server, at_once=1)
    answers = own.opened().ask(places_of(HYPOTHESES, [[text] for text in REFERENCES], None), Account())
    assert [segment_score(given) for given in answers] == [None, 5.0, 21.0]
    assert answers[0][0].reason == "unreadable: cut off after 1024 tokens; longest= allows more"
    again = own.opened().ask(places_of(HYPOTHESES, [[text] for text in REFERENCES], None), Account())
    assert again == answers
    assert len(server.bodies) == 3


def test_thoughts_and_parts_are_not_the_answer(server: JudgeServer) -> None:
    server.habits = [
        '<think>\nPerhaps {"score": 1}?\n</think>\n\n{"score": 50}',
        {"content": [{"type": "thinking", "thinking": []}, {"type": "text", "text": '{"score": 51}'}]},
    ]
    assert scores(server, at_once=1)[0] == [50.0, 51.0, SCORES[2]]


def test_tokens_that_nobody_counted_have_no_price(
    server: JudgeServer, caplog: pytest.LogCaptureFixture
) -> None:
    told = {"choices": [{"message": {"content": '{"score": 9}'}, "finish_reason": "stop"}]}
    server.habits = [(200, told)]
    with caplog.at_level("INFO", logger="tertium.llm"):
        assert scores(server, at_once=1, prices="1+1")[0] == [9.0, *SCORES[1:]]
    assert (
        "200 tokens in, 20 out; the server did not count the tokens of 1 answer, so the cost is unknown"
        in caplog.text
    )


def test_an_error_that_is_sent_as_an_answer(server: JudgeServer) -> None:
    server.rule = lambda _: (200, {"error": {"message": f"upstream is down for {KEY}"}})
    with pytest.raises(InputError, match=r"not a chat completion in JSON: upstream is down for \*\*\*"):
        scores(server, at_once=1, tries=2)


def test_a_slow_server(server: JudgeServer) -> None:
    """Silent beyond the time limit, or sending a byte at a time."""
    hold = threading.Event()
    server.rule = lambda _: (hold.wait(30) and "") or ""
    with pytest.raises(InputError, match="asked 2 times in vain: no answer in time"):
        scores(server, timeout=0.2, tries=2, at_once=1)
    hold.set()
    server.rule, server.dribble = (lambda _: '{"score": 1}'), 0.01
    with pytest.raises(InputError, match="asked 1 time in vain: no answer in time"):
        scores(server, timeout=0.2, tries=1, at_once=1)


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (
            401,
            {"error": {"message": f"Incorrect API key provided: {KEY}"}},
            r"401: Incorrect API key provided: \*\*\*",
        ),
        (404, {"error": {"message": "no model small"}}, "404: no model small"),
        (400, b"plain words", "400: plain words"),
        (307, b"", r"307 \(redirections are not followed\)"),
    ],
)
def test_what_cannot_get_better_is_told_at_once(
    server: JudgeServer, status: int, body: Any, said: str
) -> None:
    server.habits = [(status, body)]
    server.headers = {"Location": "/elsewhere"} if status == 307 else {}
    with pytest.raises(InputError, match=said) as raised:
        scores(server, at_once=1)
    assert KEY not in str(raised.value)
    assert "\n" not in str(raised.value)
    assert ("OPENAI_API_KEY" in str(raised.value)) == (status == 401)


def test_the_key_is_nowhere_but_in_the_request(
    server: JudgeServer, cache: Path, caplog: pytest.LogCaptureFixture
) -> None:
    server.habits = [(500, {"error": KEY}), "unreadable"]
    with caplog.at_level(0):
        _, told = scores(server)
    kept = [path for path in cache.rglob("*") if path.is_file()]
    assert len(kept) == 4  # an unreadable answer is kept as well
    assert not any(KEY.encode() in path.read_bytes() for path in kept)
    own = metric(server)
    assert KEY not in told + caplog.text + repr(own) + own.signature() + str(own)
    assert KEY not in json.dumps(server.bodies)


def test_keys_and_addresses(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for address, said in {
        "http://judge.example/v1": "the key of OPENAI_API_KEY would travel in the clear: use https",
        "ftp://judge.example": "is not an address",
        f"https://me:{KEY}@judge.example": "must not hold a key",
    }.items():
        with pytest.raises(InputError, match=said) as raised:
            LLMJudge(judge="small", endpoint=address).opened()
        assert KEY not in str(raised.value)
    monkeypatch.delenv("TERTIUM_LLM_ENDPOINT", raising=False)
    with pytest.raises(SpecError, match="llm needs an endpoint"):
        LLMJudge(judge="small").opened()
    monkeypatch.setenv("TERTIUM_LLM_ENDPOINT", "https://judge.example/v1/")
    assert LLMJudge(judge="small").opened().endpoint.address == "https://judge.example/v1"


def test_no_key_is_needed(server: JudgeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    assert scores(server)[0] == SCORES
    assert server.keys == [None] * 3


def test_questions_go_out_together(server: JudgeServer) -> None:
    """Nobody is answered before three have asked."""
    together = threading.Barrier(3, timeout=20)

    def rule(body: dict[str, Any]) -> str:
        together.wait()
        return '{"score": 5}'

    server.rule = rule
    assert scores(server, at_once=3, timeout=30, tries=1)[0] == [5.0] * 3


def test_a_text_is_never_taken_for_a_place(server: JudgeServer) -> None:
    tt.score(["{{references}} {{system}}"], ["secret"], metric(server))
    said = server.bodies[0]["messages"][-1]["content"]
    assert "{{references}} {{system}}" in said
    assert said.count("secret") == 1


def test_nobody_elses_text_asks_a_model(
    server: JudgeServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A published line or a project file that happens to be there spends no money and sends no text away."""
    from tertium.project import Project

    own = metric(server)
    with pytest.raises(SpecError, match="Tertium runs no program that a line names"):
        parse(f"{own.label}|{own.signature()} = 12.3")
    for name in "rh":
        (tmp_path / name).write_text("text\n")
    (tmp_path / "tertium.toml").write_text(
        f"references = ['r']\nmetrics = ['''{own}''']\n[systems]\na = 'h'\n", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"here would run a program .llm"):
        Project.here()
    assert server.bodies == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('kind = "rating"\nuser = "{{hypotesis}}"', "has no {{hypotesis}}; did you mean 'hypothesis'"),
        ('kind = "rating"\nuser = "nothing"', "the prompt never shows the translation"),
        ('kind = "rate"\nuser = "{{hypothesis}}"', "kind must be"),
        ('kind = "rating"\nuser = "{{hypothesis}}"\nlow = 3\nhigh = 3', "low must be less than high"),
        ('kind = "rating"\nuser = "{{hypothesis}}"\ntemprature = 3', "unknown key"),
        ("kind = ", "is not TOML"),
    ],
)
def test_prompts_of_others(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=said):
        prompt(str(path))


def test_bundled_prompts_need_what_they_show() -> None:
    assert {name: prompt(name).needs for name in bundled()} == {
        "da": ("source",),
        "da-ref": ("references",),
        "mqm": ("source",),
        "pair": ("source",),
    }
    with pytest.raises(InputError, match=r"there is no prompt 'dar'.*did you mean 'da"):
        prompt("dar")
    with pytest.raises(SpecError, match="tertium judge pairs asks it"):
        LLMJudge(judge="small", prompt="pair").signature()
