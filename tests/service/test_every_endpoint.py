"""Every operation of the description, in an office that has everything: by our client, in a shell, by schemathesis, and
by whoever should not be there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest
from starlette.testclient import TestClient

from tertium.client import Client
from tertium.monitor.keys import ServiceKeys
from tertium.service.application import application
from tertium.service.office import Office, ServiceSettings
from tertium.web.guards import Limiter
from tests.described import surprises
from tests.service.equipped import LEARNS, equipped
from tests.service.serving import run_examples, served

Operation = tuple[str, str]
NMT = [{"source": "Guten Tag", "mt": "Good day", "reference": "Good morning"}] * 3
SECOND = [{**own, "mt": "Good morning"} for own in NMT]
UNIT = {"source": "1 file", "target": "2 Dateien"}
YESTERDAY = datetime.now(UTC) - timedelta(days=1)

# What each operation needs: a new one belongs here, with the scope of its keys and a call by our own client.
NEEDS: dict[Operation, tuple[str, Callable[[Client], Any]]] = {
    ("POST", "/v1/evaluations"): ("write", lambda c: c.evaluate("nmt", "new", NMT)["scores"]),
    ("GET", "/v1/jobs/{number}"): ("", lambda c: c.job(_job(c))["state"]),
    ("GET", "/v1/evaluations"): ("read", lambda c: c.evaluations(system="nmt")),
    ("GET", "/v1/evaluations/{number}"): ("read", lambda c: c.evaluation(1)["scores"]),
    ("GET", "/v1/series"): ("read", lambda c: c.series("ter", by="month")),
    ("GET", "/v1/changes"): ("read", lambda c: c.changes() == []),
    ("GET", "/v1/alarms"): ("read", lambda c: c.alarms() == []),
    ("GET", "/v1/comparisons"): ("read", lambda c: c.compare_systems("nmt", "other")["sentence"]),
    ("GET", "/v1/comparisons/periods"): ("read", lambda c: c.compare_periods("nmt", YESTERDAY)["before"]),
    ("POST", "/v1/releases"): ("write", lambda c: c.release("nmt", "8")["id"]),
    ("GET", "/v1/releases"): ("read", lambda c: c.releases("nmt")),
    ("POST", "/v1/marks"): ("write", lambda c: c.mark(1, [{"kind": "da", "value": 70.0}])["new"]),
    ("GET", "/v1/marks"): ("read", lambda c: c.marks(1)),
    ("POST", "/v1/webhooks"): ("administer", lambda c: c.add_webhook("https://example.org/hook")),
    ("GET", "/v1/webhooks"): ("administer", lambda c: c.webhooks()[0]["url"]),
    ("DELETE", "/v1/webhooks"): ("administer", lambda c: _unhooked(c)),
    ("GET", "/v1/documents"): ("administer", lambda c: c.document("nmt", "doomed")),
    ("DELETE", "/v1/documents"): ("administer", lambda c: c.delete_document("nmt", "doomed") == 1),
    ("POST", "/v1/estimate"): ("read", lambda c: c.estimate(["a file"], ["eine Datei"])["verdicts"]),
    ("POST", "/v1/detect"): ("read", lambda c: c.detect(["a file"], ["eine Datei"])["segments"]),
    ("POST", "/v1/check"): ("read", lambda c: c.check([UNIT], pair="en-de")["kind"]),
    ("POST", "/v1/match"): ("read", lambda c: c.match(["file 4 of the harbour"])[0]["proposals"]),
    ("POST", "/v1/search"): ("read", lambda c: c.search("harbour")["count"]),
    ("POST", "/v1/add"): ("write", lambda c: c.add([{"source": "a", "target": "b"}])["units"]),
    ("POST", "/v1/readability"): ("read", lambda c: c.readability({"a.txt": "The dog ran home."})["kind"]),
    ("POST", "/v1/readability/compare"): (
        "read",
        lambda c: c.compare_readability(["The dog ran home."], ["Le chien court."], pair="en-fr")["kind"],
    ),
    ("POST", "/v1/assign"): ("read", lambda c: c.assign({"a.txt": "the file of the harbour"})["kind"]),
    ("POST", "/v1/analyse"): ("read", lambda c: c.analyse("a.txt", "file 4 of the harbour")["effort"]),
    ("POST", "/v1/translate"): ("read", lambda c: c.translate("file 4 of the harbour")["translation"]),
    ("POST", "/v1/correct"): ("write", lambda c: c.correct("a file", "eine Datei")["corrections"]),
    ("GET", "/v1/state"): ("read", lambda c: c.state()["system"]),
    ("POST", "/v1/forget"): ("write", lambda c: c.forget()["system"]),
}


def _unhooked(client: Client) -> bool:
    client.remove_webhook("https://example.org/hook")
    return True


def _job(client: Client) -> str:
    body = {"system": "nmt", "document": "later", "segments": NMT}
    return str(client._post("evaluations", body, {"Prefer": "respond-async"})["id"])


@dataclass
class Whole:
    """A running office that has everything."""

    folder: Path
    url: str
    app: Any
    office: Office
    keys: dict[str, str]

    def operations(self) -> list[Operation]:
        paths = TestClient(self.app).get("/v1/openapi.json").json()["paths"]
        return [(method.upper(), path) for path, methods in paths.items() for method in methods]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Whole]:
    folder = tmp_path_factory.mktemp("whole")
    database, equipment = equipped(folder, LEARNS)
    keys = ServiceKeys(database)
    made = {scope: keys.create(f"only-{scope}", [scope]) for scope in ("write", "read", "administer")}
    made["another"] = keys.create("another", ["write", "read"], "other")
    made["revoked"] = keys.create("revoked", ["administer"])
    keys.revoke("revoked")
    app, office = application(database, ServiceSettings(equipment=equipment))
    with served(app) as url:
        client = Client(url, made["administer"])
        for system, name, own in (("nmt", "first", NMT), ("other", "first", SECOND), ("nmt", "doomed", NMT)):
            client.evaluate(system, name, own)
        client.evaluate("nmt", "earlier", NMT, time=YESTERDAY - timedelta(days=1))
        yield Whole(folder, url, app, office, made)
    office.equipment.adaptive().close()
    database.close()


def test_the_table_has_them_all(whole: Whole) -> None:
    assert set(whole.operations()) == set(NEEDS)


@pytest.mark.parametrize("operation", list(NEEDS), ids=" ".join)
def test_only_the_right_keys_open(operation: Operation, whole: Whole) -> None:
    """No key, guessed ones, a revoked one, another kind of them: 401. Keys of scopes that are too small: 403."""
    method, path = operation
    url = whole.url + re.sub("{.*}", "1", path)
    needed = NEEDS[operation][0]

    def status(authorization: str | None) -> int:
        whole.office.limiter = Limiter()
        headers = {} if authorization is None else {"authorization": authorization.encode("latin-1")}
        body: dict[str, Any] = {"json": {}} if method == "POST" else {}
        return httpx2.request(method, url, headers=headers, timeout=60, **body).status_code

    near = whole.keys["administer"][:-1] + ("A" if whole.keys["administer"][-1] != "A" else "B")
    for wrong in (whole.keys["revoked"], near, "x" * 500, "\xe9"):
        assert status(f"Bearer {wrong}") == 401
    assert status(None) == 401
    assert status(f"Basic {whole.keys['administer']}") == 401
    for scope in ("write", "read"):
        opens = needed in ("", scope)
        assert (status(f"Bearer {whole.keys[scope]}") != 403) == opens, scope
    closed = needed == "administer" or operation == ("GET", "/v1/evaluations/{number}")  # 1 is nmt's
    assert (status(f"Bearer {whole.keys['another']}") == 403) == closed


def test_a_key_of_another_system_writes_nothing(whole: Whole) -> None:
    """Whatever names a system, or something of one."""
    whole.office.limiter = Limiter()
    headers = {"authorization": f"Bearer {whole.keys['another']}"}
    bodies = {
        "evaluations": {"system": "nmt", "document": "d", "segments": NMT},
        "releases": {"system": "nmt", "version": "9"},
        "marks": {"evaluation": 1, "marks": [{"kind": "da", "value": 1.0}]},
    }
    for path, body in bodies.items():
        for how in ({}, {"prefer": "respond-async"}):
            answer = httpx2.post(f"{whole.url}/v1/{path}", json=body, headers={**headers, **how}, timeout=60)
            assert answer.status_code == 403, (path, answer.text)
    line = httpx2.post(
        f"{whole.url}/v1/evaluations",
        content=b'{"system": "nmt", "document": "d", "segments": [{"mt": "a", "reference": "a"}]}',
        headers={**headers, "content-type": "application/x-ndjson"},
        timeout=60,
    )
    assert line.json()["problem"]["status"] == 403


@pytest.mark.parametrize("operation", list(NEEDS), ids=" ".join)
def test_our_client_has_a_method_for_it(
    operation: Operation, whole: Whole, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Operation] = []
    call = Client._call

    def listening(self: Client, method: str, path: str, *more: Any) -> bytes:
        asked.append((method, f"/v1/{path.partition('?')[0]}"))
        return call(self, method, path, *more)

    monkeypatch.setattr(Client, "_call", listening)
    assert NEEDS[operation][1](Client(whole.url, whole.keys["administer"]))
    plain = (operation[0], re.sub("{.*}", "", operation[1]).rstrip("/"))
    last = asked[-1]
    if "{" in operation[1]:
        last = (last[0], last[1].rpartition("/")[0])
    assert last == plain


def test_each_has_an_example_that_works_in_a_shell(whole: Whole) -> None:
    administrator = whole.keys["administer"]
    known = {"KEY": administrator, "ADMIN": administrator, "JOB": _job(Client(whole.url, administrator))}
    shown: set[Operation] = set()
    for block in ("monitoring", "api", "adapt"):
        shown |= run_examples(block, whole.url, whole.folder, **known)
    assert (whole.folder / "analysis.html").read_text("utf-8").startswith("<!doctype html>")
    named = {(method, re.sub(r"/(1|\$JOB)$", "/{number}", path)) for method, path in shown}
    assert named == set(NEEDS)


def test_no_surprise(whole: Whole) -> None:
    """Good and bad requests made of the description: no 500, no answer that it does not describe."""

    def anew() -> None:
        whole.office.limiter = Limiter()

    headers = {"authorization": f"Bearer {whole.keys['administer']}"}
    codes = surprises(whole.app, "/v1/openapi.json", headers, anew, operations=len(NEEDS))
    assert {200, 404, 422} <= codes, "some requests were good, some were bad: otherwise nothing was tried"
