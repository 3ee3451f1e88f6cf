"""Texts that are dropped are gone from the files, too; texts are in no log; a key of one system is shown no other."""

from __future__ import annotations

import json
import stat
import time
from pathlib import Path
from typing import Any

import httpx2
import pytest
from sqlalchemy import update

from tertium.client import Client
from tertium.monitor import schema
from tertium.monitor.database import ServiceDatabase
from tertium.monitor.keys import ServiceKeys
from tertium.monitor.retention import DAY, delete_document, forget_texts
from tertium.service import sending
from tertium.service.application import application
from tertium.service.replaying import line_of, replayed
from tests.service.site import Site, running, segments

SECRET = "Grundstücksverkehrsgenehmigung"


def traces(folder: Path) -> list[str]:
    """Files in which a secret can be read."""
    spellings = (SECRET.encode(), json.dumps(SECRET).strip('"').encode())
    return [own.name for own in folder.iterdir() if any(text in own.read_bytes() for text in spellings)]


@pytest.mark.parametrize("how", ["by name", "by age"])
def test_texts_that_are_dropped_are_in_no_file(tmp_path: Path, how: str) -> None:
    database = ServiceDatabase(tmp_path / "service.db")
    secret = [{"source": "a", "mt": f"{SECRET} {i}", "references": ["b"]} for i in range(200)]
    lines = [
        line_of(system="nmt", document=name, segments=own)
        for name, own in (("secret", secret), ("open", segments()))
    ]
    replayed(application(database)[1], lines, "traffic")
    assert traces(tmp_path)
    if how == "by name":
        assert delete_document(database, "nmt", "", "secret") == 1
    else:
        with database.writing() as connection:
            connection.execute(update(schema.evaluations).values(received=time.time() - 10 * DAY))
        assert forget_texts(database, 9) == 2
    assert traces(tmp_path) == []
    assert not stat.S_IMODE((tmp_path / "service.db").stat().st_mode) & 0o077, "nobody else reads the file"
    database.close()
    assert traces(tmp_path) == []


def test_what_fails_is_logged_without_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fails(given: Any, *_: Any, **__: Any) -> None:
        raise ValueError(f"cannot score {given[0]['mt']}")

    site = Site(tmp_path)
    own = [{"mt": SECRET, "reference": "a"}]
    with running(site):
        assert site.send(segments=own).status_code == 201
        site.send(segments=[{"mt": SECRET}])
        site.send(segments=own, metrics=[SECRET])
        monkeypatch.setattr(sending, "evaluated", fails)
        found = site.send(segments=own)
        assert (found.status_code, found.headers["content-type"]) == (500, "application/problem+json")
        assert SECRET not in found.text
        line = json.dumps({"system": "nmt", "document": "d", "segments": own}) + "\n"
        lines = {"content-type": "application/x-ndjson"}
        told = site.call("POST", "/v1/evaluations", "writer", content=2 * line, headers=lines)
        assert [json.loads(one)["problem"]["status"] for one in told.text.splitlines()] == [500, 500]
        site.send(segments=own, headers={"prefer": "respond-async"})
        until = time.monotonic() + 30
        said = ""
        while said.count("ValueError in ") < 4:
            assert time.monotonic() < until, said
            said += "".join(capfd.readouterr())
            time.sleep(0.05)
    said += "".join(capfd.readouterr())
    assert "measured (sending.py:" in said, "whoever runs it sees where"
    assert SECRET not in said
    assert "Traceback" not in said
    site.close()


def test_a_key_of_one_system_is_shown_no_other(site: Site) -> None:
    own = site.send("both", system="other", document="own").json()["id"]
    foreign = site.send(document="foreign", version="1").json()["id"]
    allowed = ["evaluations", "evaluations?system=other", f"evaluations/{own}", "series", "changes", "alarms"]
    allowed += ["releases", f"marks?evaluation={own}"]
    for path in allowed:
        found = site.call("GET", f"/v1/{path}", "both")
        assert found.status_code == 200, (path, found.text)
        assert '"nmt"' not in found.text, path
    split = "split=2026-01-01T00:00:00Z"
    refused = ["evaluations?system=nmt", f"evaluations/{foreign}", "series?system=nmt", "changes?system=nmt"]
    refused += ["alarms?system=nmt", "releases?system=nmt", f"marks?evaluation={foreign}"]
    refused += ["comparisons?first=other&second=nmt", f"comparisons/periods?system=nmt&{split}"]
    for path in refused:
        assert site.call("GET", f"/v1/{path}", "both").status_code == 403, path
    assert site.call("GET", "/metrics", "both").status_code == 403
    assert site.call("GET", "/metrics", "reader").status_code == 200
    entered = httpx2.post(f"{site.url}/login", data={"key": site.keys["both"], "back": ""})
    assert entered.status_code == 401
    bound = ServiceKeys(site.database).create("bound", ["administer"], "other")
    asked = "/v1/documents?system=nmt&document=foreign"
    assert [site.call(how, asked, bound).status_code for how in ("GET", "DELETE")] == [403, 403]


def test_many_documents_by_our_client(site: Site) -> None:
    client = Client(site.url, site.keys["writer"])
    good = [{"system": "nmt", "document": f"many-{i}", "segments": segments(most=3)} for i in range(3)]
    sent = [*good[:2], {**good[0], "document": "bad", "segments": [{"mt": "a"}]}, good[2]]
    answers = list(client.evaluate_all(iter(sent), idempotency_key="many"))
    assert [own["line"] for own in answers] == [1, 2, 3, 4]
    assert answers[2]["problem"]["errors"][0]["pointer"] == "/segments/0/reference"
    made = [own["evaluation"]["id"] for own in answers if "evaluation" in own]
    again = list(client.evaluate_all(sent, idempotency_key="many"))
    assert [own["evaluation"]["id"] for own in again if "evaluation" in own] == made, "they count once"
    with pytest.raises(Exception, match="Bearer KEY"):
        list(Client(site.url, "guessed").evaluate_all(good))
