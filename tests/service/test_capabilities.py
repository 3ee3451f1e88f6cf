"""Capabilities by our own client over a real socket: what the command line prints, bit for bit, or one line why not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tertium.cli import main
from tertium.client import Client, ServiceError
from tertium.errors import InputError
from tertium.io.records import json_line
from tertium.monitor.database import ServiceDatabase
from tertium.monitor.keys import ServiceKeys
from tertium.service.application import application
from tertium.service.office import ServiceSettings
from tests.cli.test_damaged_files import lines
from tests.service.equipped import UNITS, equipped
from tests.service.serving import served

SOURCES = [f"a line with the number {n} of the harbour" for n in lines(30)]
OUTPUTS = [f"eine Zeile mit der Nummer {n} vom Hafen" for n in lines(29)] + ["ja ja ja ja ja ja ja ja"]


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Client]]:
    folder = tmp_path_factory.mktemp("office")
    database, equipment = equipped(folder)
    key = ServiceKeys(database).create("script", ["read", "write"], "nmt")
    with served(application(database, ServiceSettings(equipment=equipment))[0]) as url:
        yield folder, Client(url, key)
    database.close()


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, office: Any) -> Any:
    """What the command line prints as JSON, in the folder of the office."""
    monkeypatch.chdir(office[0])

    def run(call: str) -> Any:
        capsys.readouterr()
        assert main([*call.split(), "-f", "json"]) == 0
        return json.loads(capsys.readouterr().out)

    (office[0] / "source.txt").write_text("".join(f"{one}\n" for one in SOURCES), "utf-8")
    (office[0] / "output.txt").write_text("".join(f"{one}\n" for one in OUTPUTS), "utf-8")
    return run


def test_estimates_are_the_command_lines(office: tuple[Path, Client], printed: Any) -> None:
    client = office[1]
    base = "estimate score source.txt output.txt --model edits.qe"
    assert client.estimate(SOURCES, OUTPUTS) == printed(base)
    assert client.estimate(SOURCES, OUTPUTS, words=True) == printed(f"{base} --words")
    assert client.estimate(SOURCES, OUTPUTS, memory=True) == printed(f"{base} --memory memory.db")
    promised = {"promise": 0.3, "below": 50.0, "detectors": False}
    told = printed(f"{base} --promise 0.3 --below 50 --no-detectors")
    assert client.estimate(SOURCES, OUTPUTS, **promised) == told


def test_what_is_wrong_is_found_as_on_the_command_line(office: tuple[Path, Client], printed: Any) -> None:
    client = office[1]
    base = "estimate detect source.txt output.txt -l en-de"
    assert client.detect(SOURCES, OUTPUTS, pair="en-de") == printed(base)
    told = client.detect(SOURCES, OUTPUTS, pair="en-de", detectors=["oscillation"], model=True)
    assert told == printed(f"{base} --detectors oscillation --model edits.qe")
    assert told["segments"][29]["blocked"]
    units = [*UNITS, {**UNITS[3], "source": "wait 10 s", "target": "100 s warten"}]
    (office[0] / "units.jsonl").write_text("".join(map(json_line, units)), "utf-8")
    assert client.check(units) == printed("memory check units.jsonl")
    assert client.check(units, checks=["numbers"], top=3) == printed(
        "memory check units.jsonl --check numbers --top 3"
    )


def test_the_memory_answers_as_on_the_command_line(office: tuple[Path, Client], printed: Any) -> None:
    folder, client = office
    (folder / "new.txt").write_text("file 4 of the harbour\nfile 99 of the big harbour\n", "utf-8")
    how = "--memory memory.db --policy policy.json --parts --client acme -o found.jsonl"
    assert main(["memory", "match", "new.txt", *how.split(), "-q"]) == 0
    told = [json.loads(line) for line in (folder / "found.jsonl").read_text("utf-8").splitlines()]
    found = client.match(["file 4 of the harbour", "file 99 of the big harbour"], client="acme")
    assert json.loads(json.dumps(found)) == told
    assert client.search("harbour", most=3) == printed("memory search harbour --memory memory.db --most 3")
    before = client.search("new thing")["count"]
    unit = {"source": "a new thing", "target": "etwas Neues"}
    assert client.add([unit])["added"] == 1
    assert (before, client.search("new thing")["count"]) == (0, 1)


def test_readability_is_the_command_lines(office: tuple[Path, Client], printed: Any) -> None:
    folder, client = office
    page = "<html><body><h1>A page</h1><p>The cat sat on the mat. It was happy there.</p></body></html>"
    text = "The committee deliberated on the ramifications of the amendment.\n\nThe dog ran home.\n"
    (folder / "page.html").write_text(page, "utf-8")
    (folder / "text.txt").write_text(text, "utf-8")
    texts = {"page.html": page, "text.txt": text}
    assert client.readability(texts) == printed("readability page.html text.txt")
    assert client.readability(texts, audience="A2") == printed("readability page.html text.txt --audience A2")
    assert client.readability({"text.txt": text}, "de") == printed("readability text.txt --lang de")
    told = client.compare_readability(SOURCES, OUTPUTS, pair="en-fr")
    assert told == printed("readability compare source.txt output.txt -l en-fr")


def test_translators_are_the_command_lines(office: tuple[Path, Client], printed: Any) -> None:
    folder, client = office
    text = "the file of the harbour\n"
    (folder / "job.txt").write_text(text, "utf-8")
    how = {"client": "acme", "on": date(2024, 6, 1), "due": date(2024, 6, 10), "top": 2}
    call = "assign rank job.txt --memory memory.db --client acme --people people.tsv --on 2024-06-01"
    assert client.assign({"job.txt": text}, **how) == printed(f"{call} --due 2024-06-10 --top 2")


def test_analyses_are_the_command_lines(office: tuple[Path, Client], printed: Any) -> None:
    folder, client = office
    text = "file 4 of the harbour\nfile 77 of the harbour\nsomething else entirely\n"
    (folder / "job.txt").write_text(text, "utf-8")
    call = "analyse document job.txt --memory memory.db --policy policy.json --model edits.qe --people people.tsv"
    how = {"client": "acme", "on": date(2024, 6, 1)}
    told = printed(f"{call} --client acme --on 2024-06-01 -o job.xlf --html job.html -q")
    assert client.analyse("job.txt", text, **how) == told
    assert client.pretranslate("job.txt", text, **how) == (folder / "job.xlf").read_text("utf-8")
    page = client.analysis_page("job.txt", text, **how)
    assert page.replace("job.xlf has it, pre-translated.", "") == page
    assert page.splitlines()[:9] == (folder / "job.html").read_text("utf-8").splitlines()[:9]
    with_mt = client.analyse("job.txt", text, mt=["a", "b", "etwas ganz anderes"], **how)
    assert "machine" in {own["origin"] for own in with_mt["segments"]}


def test_evaluations_by_the_client(office: tuple[Path, Client]) -> None:
    client = office[1]
    segments = [{"mt": "Good day", "reference": "Good morning"}]
    made = client.evaluate("nmt", "d1", segments, domain="news", idempotency_key="one")
    assert client.evaluate("nmt", "d1", segments, domain="news", idempotency_key="one")["id"] == made["id"]
    assert client.evaluation(made["id"]) == made
    assert [own["id"] for own in client.evaluations(system="nmt")] == [made["id"]]
    assert client.series("chrf", system="nmt", by="week")[0]["points"][0]["segments"] == 1
    assert client.changes() == client.alarms() == client.releases() == []
    assert client.release("nmt", "8", note="new")["version"] == "8"
    assert client.mark(made["id"], [{"segment": 0, "kind": "da", "value": 70.0}]) == {"new": 1}
    assert client.marks(made["id"])[0]["value"] == 70.0
    before = datetime.now(UTC) - timedelta(hours=1)
    for call in (lambda: client.compare_periods("nmt", before), lambda: client.compare_systems("nmt", "nmt")):
        with pytest.raises(ServiceError) as refused:
            call()
        assert refused.value.status in (404, 422), refused.value
    large = [{"mt": f"Good day {n}", "reference": "Good morning"} for n in range(5001)]
    assert len(client.evaluate("nmt", "d2", large, metrics=["chrf"])["scores"][0]["segments"]) == 5001
    paths = client.description()["paths"]
    assert {"/v1/estimate", "/v1/detect", "/v1/check", "/v1/match", "/v1/search", "/v1/assign"} <= set(paths)


WRONG = [
    ("estimate", {"segments": []}, 422, "/segments"),
    ("estimate", {"segments": [{"source": "a", "mt": "b"}], "documents": ["a", "b"]}, 422, "/documents"),
    ("estimate", {"segments": [{"source": "a", "mt": "b"}], "promise": 2}, 422, "/promise"),
    ("estimate", {"segments": [{"source": "a", "mt": "b"}], "promise": 1e-300, "below": 60.0}, 422, ""),
    ("detect", {"segments": [{"source": "a", "mt": "b"}], "detectors": ["magic"]}, 422, ""),
    ("detect", {"segments": [{"source": "\ud800", "mt": "b"}]}, 422, "/segments/0/source"),
    ("check", {"units": [{"source": "a", "target": "b"}], "checks": ["magic"]}, 422, ""),
    ("check", {"units": [{"source": "a", "target": "b"}]}, 422, ""),
    ("search", {"text": " "}, 422, ""),
    ("match", {"segments": ["a"], "targets": ["b", "c"]}, 422, ""),
    ("readability", {"texts": [{"name": "../x", "text": "a"}]}, 422, "/texts/0/name"),
    ("readability", {"texts": [{"name": "x.txt", "text": " "}]}, 422, ""),
    ("readability", {"texts": [{"text": "a"}, {"text": "b"}]}, 422, ""),
    ("readability/compare", {"sources": ["a"], "targets": ["b", "c"]}, 422, ""),
    ("readability/compare", {"sources": ["a"], "targets": ["b"], "pair": "english"}, 422, "/pair"),
    ("assign", {"documents": [{"text": "a"}], "on": "yesterday"}, 422, "/on"),
    ("analyse", {"document": {"name": "a.xlf", "text": "no XLIFF"}}, 422, ""),
    ("analyse", {"document": {"text": "a"}, "mt": ["b", "c"]}, 422, ""),
    ("analyse?form=pdf", {"document": {"text": "a"}}, 422, ""),
]


@pytest.mark.parametrize(("path", "body", "status", "pointer"), WRONG)
def test_bad_input_is_one_line(
    office: tuple[Path, Client], path: str, body: Any, status: int, pointer: str
) -> None:
    with pytest.raises(ServiceError) as refused:
        office[1]._post(path, body)
    assert refused.value.status == status, refused.value
    assert "\n" not in refused.value.detail
    assert "tertium-call" not in refused.value.detail
    if pointer:
        assert refused.value.errors[0]["pointer"] == pointer


def test_what_is_not_configured_says_so(tmp_path: Path) -> None:
    database = ServiceDatabase(tmp_path / "service.db")
    keys = ServiceKeys(database)
    reader, writer = keys.create("reader", ["read"]), keys.create("writer", ["write"])
    with served(application(database)[0]) as url:
        client = Client(url, reader)
        calls = {
            "no estimator": lambda: client.estimate(["a"], ["b"]),
            "no memory": lambda: client.match(["a"]),
            "no history of translators": lambda: client.assign({"a.txt": "a"}),
        }
        for said, call in calls.items():
            with pytest.raises(ServiceError, match=said) as refused:
                call()
            assert refused.value.status == 404
        assert client.readability({"a.txt": "The cat sat on the mat."})["kind"] == "readability"
        for wrong, status in ((Client(url, writer), 403), (Client(url, "guessed"), 401)):
            with pytest.raises(ServiceError) as refused:
                wrong.search("a")
            assert refused.value.status == status
        with pytest.raises(ServiceError) as refused:
            client.add([{"source": "a", "target": "b"}])
        assert refused.value.status == 403
    with pytest.raises(ServiceError, match="does not answer"):
        Client(url, reader, timeout=1).search("a")
    with pytest.raises(InputError, match="http://"):
        Client("localhost:8766")
    database.close()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[memory]\nfle = 'x'\n", "line 2: memory.fle: unknown key; did you mean 'file'?"),
        ("[memory]\n", "memory.file is missing"),
        ("[estimate]\nmodel = 3\n", "line 2: estimate.model must be"),
        ("[analyse]\nreading = 7\n", "from 0 to 1"),
        ("[memory\n", "is not TOML"),
    ],
)
def test_a_wrong_settings_file_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    assert main(["monitor", "init", str(tmp_path)]) == 0
    (tmp_path / "office.toml").write_text(text, "utf-8")
    capsys.readouterr()
    assert main(["serve", str(tmp_path)]) == 2
    assert said in capsys.readouterr().err
