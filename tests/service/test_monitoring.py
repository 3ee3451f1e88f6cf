"""Jobs, marks, releases, comparisons and alarms, by a real HTTP client."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium as tt
from tertium.monitor import jobs
from tertium.monitor.alarms import look
from tertium.monitor.database import ServiceDatabase
from tertium.monitor.drift import SeriesWatch, WatchedBatch
from tertium.monitor.keys import ServiceKeys
from tertium.testset import TestSet
from tests.service.site import Site, running, segments


def until_done(site: Site, number: str, key: str = "writer") -> dict[str, Any]:
    until = time.monotonic() + 60
    while True:
        found: dict[str, Any] = site.call("GET", f"/v1/jobs/{number}", key).json()
        if found["state"] in ("done", "failed"):
            return found
        assert time.monotonic() < until, found
        time.sleep(0.05)


def worse(own: dict[str, Any]) -> dict[str, Any]:
    return {**own, "mt": " ".join(word for i, word in enumerate(own["mt"].split()) if i % 3)}


def test_a_large_document_is_a_job(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "LARGE", 50)
    every = segments(most=69)
    answer = site.send(document="large", segments=every, headers={"Idempotency-Key": "large"})
    assert answer.status_code == 202, answer.text
    assert answer.headers["location"] == f"/v1/jobs/{answer.json()['id']}"
    found = until_done(site, answer.json()["id"])
    assert (found["state"], found["done"], found["segments"]) == ("done", 69, 69)
    texts = TestSet.of(
        references_per_segment=[own["references"] for own in every],
        systems={"mt": [own["mt"] for own in every]},
    )
    assert found["result"]["scores"][0]["value"] == texts.score("chrf").scores[0].value
    again = site.send(document="large", segments=every, headers={"Idempotency-Key": "large"})
    assert (again.status_code, again.json()["id"]) == (200, found["evaluation"])
    assert site.call("GET", f"/v1/jobs/{found['id']}", "reader").status_code == 200, "who may read"
    assert site.call("GET", f"/v1/jobs/{found['id']}", "both").status_code == 403, "of another system"
    stranger = ServiceKeys(site.database).create("stranger", ["write"])
    assert site.call("GET", f"/v1/jobs/{found['id']}", stranger).status_code == 404


def test_a_job_is_asked_for_and_refused_at_once(site: Site) -> None:
    how = {"Prefer": "respond-async"}
    answer = site.send(headers=how)
    assert answer.status_code == 202
    assert until_done(site, answer.json()["id"])["state"] == "done"
    assert site.send(headers=how, segments=[{"mt": "a"}]).json()["errors"][0]["pointer"] == (
        "/segments/0/reference"
    )
    moment = "2026-01-02T00:00:00Z"
    assert site.send(document="there", time=moment).status_code == 201
    found = until_done(site, site.send(document="there", time=moment, headers=how).json()["id"])
    assert (found["state"], found["problem"]["status"]) == ("failed", 409)


def test_a_job_outlives_its_server(tmp_path: Path) -> None:
    """It is accepted, nobody works on it; whoever took it is gone; another server takes it up."""
    site = Site(tmp_path)
    keys = ServiceKeys(site.database)
    from tertium.service.application import application
    from tertium.service.sending import NewEvaluation, Sending

    _, office = application(site.database)
    key = keys.found(site.keys["writer"])
    assert key is not None
    body = NewEvaluation.model_validate({"system": "nmt", "document": "d", "segments": segments()})
    number = Sending(office).submitted(body, key, None)
    assert jobs._claim(site.database) is not None, "taken by a process that dies now"
    assert jobs._claim(site.database) is None, "nobody else takes it while that may be alive"
    jobs._set(site.database, str(number), beat=time.time() - 2 * jobs.STALE)
    site.database.close()
    site.database = ServiceDatabase(tmp_path / "service.db")
    with running(site):
        assert until_done(site, str(number))["state"] == "done"
        assert len(site.call("GET", "/v1/evaluations").json()) == 1
    site.close()


def test_marks(site: Site) -> None:
    number = site.send().json()["id"]
    good = {"segment": 0, "kind": "da", "annotator": "ann", "value": 71.5}
    spans = [{"start": 0, "end": 3, "severity": "major", "category": "mistranslation"}]
    counted = {"segment": 1, "kind": "mqm", "annotator": "ann", "spans": spans}
    body = {"evaluation": number, "marks": [good, counted, {"kind": "esa", "value": 80}]}
    assert site.call("POST", "/v1/marks", "writer", json=body).json() == {"new": 3}
    assert site.call("POST", "/v1/marks", "writer", json=body).json() == {"new": 0}, "once"
    found = site.call("GET", f"/v1/marks?evaluation={number}", "reader").json()
    assert [(own["segment"], own["kind"], own["value"]) for own in found] == [
        (None, "esa", 80),
        (0, "da", 71.5),
        (1, "mqm", -5),
    ]
    for change, status, pointer in (
        ({"value": 50}, 409, "/marks/1"),
        ({"segment": 20}, 422, "/marks/1/segment"),
        ({"segment": 2, "value": 101}, 422, "/marks/1/value"),
        ({"segment": 2, "value": None}, 422, "/marks/1/value"),
        ({"segment": 2, "spans": [{"start": 0, "end": 9999}]}, 422, "/marks/1/spans/0"),
        ({"segment": 2, "kind": "stars"}, 422, "/marks/1/kind"),
    ):
        new = {"segment": 5, "kind": "da", "annotator": "ann", "value": 1}
        answer = site.call(
            "POST", "/v1/marks", "writer", json={"evaluation": number, "marks": [new, {**good, **change}]}
        )
        assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (status, pointer)
    assert len(site.call("GET", f"/v1/marks?evaluation={number}", "reader").json()) == 3, "nothing half"
    assert site.call("POST", "/v1/marks", "both", json=body).status_code == 403


def test_releases(site: Site) -> None:
    body = {"system": "nmt", "version": "7.1", "time": "2026-02-01T00:00:00Z", "note": "new corpus"}
    assert site.call("POST", "/v1/releases", "writer", json=body).status_code == 201
    assert site.call("POST", "/v1/releases", "writer", json=body).status_code == 409
    assert site.call("POST", "/v1/releases", "both", json=body).status_code == 403
    later = site.call("POST", "/v1/releases", "writer", json={**body, "time": "2999-01-01T00:00:00Z"})
    assert (later.status_code, later.json()["errors"][0]["pointer"]) == (422, "/time")
    for _ in range(2):
        assert site.send(version="7.2").json()["version"] == "7.2"
    found = site.call("GET", "/v1/releases?system=nmt", "reader").json()
    assert [own["version"] for own in found] == ["7.1", "7.2"]


def test_two_systems_on_the_same_documents(site: Site) -> None:
    every = segments(most=69)
    for i in range(12):
        for name, key in (("nmt", "writer"), ("other", "both")):
            own = every[5 * i : 5 * i + 5]
            sent = own if name == "nmt" else [worse(one) for one in own]
            made = site.send(key, system=name, domain="shared", document=f"p{i}", segments=sent)
            assert made.status_code == 201, made.text
    site.send("both", system="other", domain="shared", document="p12", segments=every[:3])
    site.send("writer", system="nmt", domain="shared", document="p12", segments=every[3:6])
    found = site.call("GET", "/v1/comparisons?first=nmt&second=other&domain=shared", "reader").json()
    assert (found["documents"], found["segments"], found["better"]) == (12, 60, "nmt"), (
        "p12 is of other texts"
    )
    ours = TestSet.of(
        references_per_segment=[own["references"] for own in every[:60]],
        systems={"nmt": [own["mt"] for own in every[:60]], "other": [worse(own)["mt"] for own in every[:60]]},
        documents=[f"shared/p{i // 5}" for i in range(60)],
    )
    tests = tt.compare(ours, ["chrf"], baseline="nmt")["chrf"]
    assert found["p"] == tests.pair("nmt", "other").p, "as the command line has it"
    assert found["difference"] < -5
    assert found["p"] < 0.05
    assert "nmt is significantly better than other by" in found["sentence"]
    assert site.call("GET", "/v1/comparisons?first=nmt&second=nmt", "reader").status_code == 422
    assert site.call("GET", "/v1/comparisons?first=nmt&second=none", "reader").status_code == 404


def test_two_periods_of_a_system(site: Site) -> None:
    every = segments(most=69)
    for i in range(20):
        own = every[3 * i : 3 * i + 3] if i < 10 else [worse(one) for one in every[3 * i - 30 : 3 * i - 27]]
        moment = f"2026-0{4 if i < 10 else 5}-{1 + i:02d}T00:00:00Z"
        assert site.send(domain="periods", document=f"q{i}", segments=own, time=moment).status_code == 201
    asked = "/v1/comparisons/periods?system=nmt&domain=periods&split=2026-05-01T00:00:00Z"
    found = site.call("GET", asked, "reader").json()
    assert found["before"]["documents"] == found["after"]["documents"] == 10
    assert found["high"] < 0
    assert found["p"] < 0.001
    assert found["adjusted"] == pytest.approx(found["difference"], abs=8)


def test_alarms_are_kept_once(site: Site) -> None:
    every = segments(most=69)
    for batch in range(80):
        own = [every[(7 * batch + 5 * i) % 69] for i in range(10)]
        sent = [worse(one) for one in own] if batch >= 55 else own
        assert (
            site.send(domain="alarmed", document=f"a{batch}", segments=sent, metrics=["chrf"]).status_code
            == 201
        )
    until = time.monotonic() + 60
    while not (found := site.call("GET", "/v1/alarms?domain=alarmed", "reader").json()):
        assert time.monotonic() < until
        time.sleep(0.1)
    while look(site.database):
        pass
    found = site.call("GET", "/v1/alarms?domain=alarmed&metric=chrf", "reader").json()
    assert [own["change"] for own in found] == ["worse"]
    assert found[0]["after"] < found[0]["before"] - 5
    assert "nmt became worse in alarmed" in found[0]["sentence"]
    told = site.call("GET", f"/v1/evaluations/{found[0]['evaluation']}", "reader").json()["document"]
    assert 55 <= int(told[1:]) < 75
    assert site.call("GET", f"/v1/alarms?domain=alarmed&after={found[0]['id']}", "reader").json() == []


def test_a_watch_that_is_laid_aside_tells_the_same() -> None:
    draw = np.random.default_rng(5)
    kept, whole = SeriesWatch(up=False), SeriesWatch(up=False)
    found = []
    for i in range(300):
        values = draw.normal(40 + 5 * (i > 200), 20, 30)
        batch = WatchedBatch(i, float(i), float(values.mean()), values, draw.integers(1, 50, 30))
        told = [own.add(batch, 9.0) for own in (kept, whole)]
        assert told[0] == told[1]
        found += [one.change for one in told[:1] if one]
        kept = SeriesWatch.of(json.loads(json.dumps(kept.data())), up=False)
    assert "worse" in found
