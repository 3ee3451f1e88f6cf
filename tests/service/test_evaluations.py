"""Evaluations by a real HTTP client: the command line's numbers, once, whole, and only for those who may."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest

import tertium as tt
from tertium.cli import main
from tertium.monitor.keys import ServiceKeys
from tertium.testset import TestSet
from tests.service.site import Site, segments


def count(site: Site) -> int:
    return len(site.call("GET", "/v1/evaluations?most=1000").json())


def test_numbers_are_the_librarys_to_the_last_bit(site: Site) -> None:
    answer = site.send(metrics=["chrf", "ter", "bleu", "macrof1"])
    assert answer.status_code == 201, answer.text
    outputs = [own["mt"] for own in segments()]
    references = [own["references"] for own in segments()]
    texts = TestSet.of(references_per_segment=references, systems={"mt": outputs})
    whole = texts.score(["chrf", "ter", "bleu", "macrof1"])
    single = texts.score(["chrf", "ter", "bleu", "macrof1"], level="segment")
    for own in answer.json()["scores"]:
        assert own["value"] == whole["mt", own["metric"]].value
        assert own["segments"] == single["mt", own["metric"]].values
        assert own["signature"] == whole["mt", own["metric"]].signature
    again = site.call("GET", f"/v1/evaluations/{answer.json()['id']}", "reader")
    assert again.json() == answer.json()


def test_a_document_without_spaces_has_a_note_and_its_tokeniser(site: Site) -> None:
    given = [{"mt": "今天的天气非常好。", "references": ["今天天气很好。"]}]
    answer = site.send(metrics=["bleu", "chrf", "bleu:tok=13a"], segments=given)
    assert answer.status_code == 201, answer.text
    scores = {own["metric"]: own for own in answer.json()["scores"]}
    assert "|tok:zh|" in scores["bleu"]["signature"]
    assert scores["bleu"]["segments"] == [
        tt.metric("bleu:tok=zh").score(["今天的天气非常好。"], ["今天天气很好。"], level="segment")
    ]
    assert scores["bleu"]["note"].startswith("Han characters without kana: scored as Chinese")
    assert scores["chrf"]["note"] == ""
    assert "|tok:13a|" in scores["bleu:tok=13a"]["signature"]
    assert scores["bleu:tok=13a"]["note"].startswith("BLEU (tok=13a) takes text between spaces for words")
    again = site.call("GET", f"/v1/evaluations/{answer.json()['id']}", "reader")
    assert again.json() == answer.json()


def test_a_call_that_is_made_again_counts_once(site: Site) -> None:
    before = count(site)
    assert (
        len({site.send(document="now", headers={"Idempotency-Key": "now"}).json()["id"] for _ in range(2)})
        == 1
    )
    before += 1
    body = {"document": "again", "time": "2026-01-01T00:00:00Z"}
    how = {"Idempotency-Key": "first"}
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: site.send(headers=how, **body), range(8)))
    assert {answer.status_code for answer in answers} <= {200, 201}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert count(site) == before + 1
    other = site.send(headers=how, document="another")
    assert other.status_code == 422
    assert "with another body" in other.json()["detail"]
    assert other.json()["errors"][0]["pointer"] == "/header/idempotency-key"
    assert site.send(**body).status_code == 409
    assert count(site) == before + 1


@pytest.mark.parametrize(
    ("change", "status", "pointer"),
    [
        ({"segments": [{"mt": "a"}]}, 422, "/segments/0/reference"),
        ({"segments": [{"mt": "a", "reference": "a", "sorce": "b"}]}, 422, "/segments/0/sorce"),
        ({"segments": []}, 422, "/segments"),
        ({"time": "2999-01-01T00:00:00Z"}, 422, "/time"),
        ({"time": "yesterday"}, 422, "/time"),
        ({"metrics": ["bleurt"]}, 422, "/metrics/0"),
        ({"metrics": ["chrf", "chrf", "bleurt"]}, 422, "/metrics/2"),
        ({"metrics": ["chrf", "yisi1:vectors=/etc/passwd"]}, 422, "/metrics/1"),
        ({"metrics": ["outside:command=ls"]}, 422, "/metrics/0"),
        ({"domain": ""}, 422, "/domain"),
        ({"document": "x" * 300}, 422, "/document"),
    ],
)
def test_bad_input_is_a_problem_with_its_place(
    site: Site, change: dict[str, Any], status: int, pointer: str
) -> None:
    before = count(site)
    answer = site.send(**change)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["errors"][0]["pointer"] == pointer
    assert count(site) == before


def test_unknown_systems_and_other_peoples(site: Site) -> None:
    assert site.send("both", system="nmt").status_code == 403
    assert site.send("reader").status_code == 403
    assert site.call("GET", "/v1/evaluations", "writer").status_code == 403
    anyone = ServiceKeys(site.database).create("anyone", ["write"])
    answer = site.send(anyone, system="nobody")
    assert answer.status_code == 422
    assert "no system 'nobody'" in answer.json()["detail"]


def test_broken_bodies(site: Site) -> None:
    headers = {"content-type": "application/json"}
    for body in (b"{", b'{"system": "\xff"}', b"", b"[]", b"nul"):
        answer = site.call("POST", "/v1/evaluations", content=body, headers=headers)
        assert answer.status_code in (400, 422), answer.text
        assert answer.headers["content-type"] == "application/problem+json"


def test_text_that_is_not_unicode_is_named(site: Site) -> None:
    sent = (
        b'{"system": "nmt", "document": "d", '
        b'"segments": [{"mt": "a", "reference": "b"}, {"mt": "a", "reference": "%s"}]}'
    )
    for bad in (b"\xff", b"\xc3", b"\\ud800", b"\xed\xa0\x80"):
        for kind in ("application/json", "application/x-ndjson"):
            answer = site.call(
                "POST", "/v1/evaluations", content=sent % bad, headers={"content-type": kind}
            ).json()
            problem = answer.get("problem", answer)
            assert (problem["status"], problem["errors"][0]["pointer"]) == (400, "/segments/1/reference")
    other = b'{"units": [{"source": "a", "target": "\xff"}]}'
    found = site.call("POST", "/v1/check", content=other, headers={"content-type": "application/json"})
    assert (found.status_code, found.json()["errors"][0]["pointer"]) == (400, "/units/0/target")


def test_keys_are_asked_for_and_can_be_revoked(site: Site) -> None:
    assert httpx2.get(f"{site.url}/v1/evaluations").status_code == 401
    assert httpx2.get(f"{site.url}/v1/evaluations").headers["www-authenticate"] == "Bearer"
    token = ServiceKeys(site.database).create("short-lived", ["read"])
    assert site.call("GET", "/v1/evaluations", token).status_code == 200
    ServiceKeys(site.database).revoke("short-lived")
    assert site.call("GET", "/v1/evaluations", token).status_code == 401


def test_a_key_has_its_limit(site: Site) -> None:
    token = ServiceKeys(site.database).create("slow", ["read"], per_minute=3)
    statuses = [site.call("GET", "/v1/evaluations?most=1", token).status_code for _ in range(30)]
    assert statuses[:3] == [200] * 3
    assert 429 in statuses


def test_series_add_documents_exactly(site: Site) -> None:
    parts = [segments(most=69)[begin : begin + 23] for begin in (0, 23, 46)]
    for i, part in enumerate(parts):
        moment = f"2026-02-0{1 + i // 2}T10:00:00Z"
        answer = site.send(
            "both", system="other", domain="news", document=f"s{i}", segments=part, time=moment
        )
        assert answer.status_code == 201, answer.text
    [found] = site.call("GET", "/v1/series?system=other&metric=chrf&by=month", "reader").json()
    [point] = found["points"]
    assert (point["begins"], point["documents"], point["segments"]) == ("2026-02-01", 3, 69)
    sample = TestSet.of(
        references_per_segment=[own["references"] for part in parts for own in part],
        systems={"mt": [own["mt"] for part in parts for own in part]},
    )
    assert point["value"] == sample.score("chrf")["chrf"].value
    assert point["low"] < point["value"] < point["high"]
    [by_day] = site.call("GET", "/v1/series?system=other&metric=chrf&by=day", "reader").json()
    assert [own["segments"] for own in by_day["points"]] == [46, 23]
    assert site.call("GET", "/v1/series?by=century", "reader").status_code == 422


def test_a_system_that_became_worse_is_told(site: Site) -> None:
    """Every third word of the outputs is lost from the sixtieth batch on."""
    every = segments(most=69)
    for batch in range(85):
        own = [every[(7 * batch + 5 * i) % 69] for i in range(12)]
        if batch >= 60:
            lost = [" ".join(word for i, word in enumerate(one["mt"].split()) if i % 3) for one in own]
            own = [{**one, "mt": mt} for one, mt in zip(own, lost, strict=True)]
        moment = f"2026-0{3 + batch // 28}-{1 + batch % 28:02d}T10:00:00Z"
        sent = {
            "system": "other",
            "domain": "watched",
            "document": f"w{batch}",
            "segments": own,
            "time": moment,
        }
        assert site.send("both", **sent, metrics=["chrf"]).status_code == 201
    [found] = site.call("GET", "/v1/changes?domain=watched&metric=chrf", "reader").json()
    assert (found["change"], found["system"]) == ("worse", "other")
    assert found["after"] < found["before"] - 5
    told = site.call("GET", f"/v1/evaluations/{found['evaluation']}", "reader").json()["document"]
    assert 60 <= int(told[1:]) < 80
    assert site.call("GET", "/v1/changes?domain=news&metric=chrf", "reader").json() == []


def test_the_description_is_one(site: Site) -> None:
    found = httpx2.get(f"{site.url}/v1/openapi.json").json()
    assert found["info"]["version"] == tt.__version__
    assert {"/v1/evaluations", "/v1/evaluations/{number}", "/v1/series"} <= set(found["paths"])


def test_nothing_of_texts_in_the_answer_to_a_mistake(site: Site) -> None:
    secret = "a very secret sentence"
    answer = site.send(segments=[{"mt": secret, "reference": 7}])
    assert answer.status_code == 422
    assert secret not in json.dumps(answer.json())


def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = str(tmp_path / "büro 1")
    assert main(["monitor", "init", place]) == 0
    assert "administrator (shown only once)" in capsys.readouterr().out
    assert main(["monitor", "key", place, "nmt", "--system", "nmt"]) == 0
    assert len(capsys.readouterr().out.strip()) > 30
    assert main(["monitor", "key", place, "nmt"]) == 2
    assert main(["monitor", "key", place, "nmt", "--revoke"]) == 0
    assert main(["monitor", "key", str(tmp_path / "nowhere"), "x"]) == 2
    assert "no such database" in capsys.readouterr().err
    assert main(["serve", str(tmp_path / "nowhere")]) == 2
    assert main(["serve", place, "-m", "blue"]) == 2
