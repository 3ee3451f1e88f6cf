"""`tertium memory serve`: what is added is found by the next question, whoever asks and adds at the same time."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from tertium.cli import main
from tertium.matching.index import MemoryIndex
from tertium.memory.importing import add_units
from tertium.memory.store import Memory
from tertium.service.alone import memory_application
from tertium.service.equipment import MemorySettings
from tests.matching.test_matching import made_texts, memory, rows_of
from tests.service.serving import served


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    with served(memory_application(MemorySettings(memory(tmp_path, rows_of(made_texts(60)))))) as url:
        yield url.removeprefix("http://")


def ask(server: str, verb: str, question: Any, **headers: str) -> tuple[int, Any]:
    connection = HTTPConnection(server, timeout=60)
    data = question if isinstance(question, bytes) else json.dumps(question).encode()
    connection.request("POST", verb, data, headers)
    answer = connection.getresponse()
    found = answer.status, json.loads(answer.read())
    connection.close()
    return found


def test_an_edit_is_found_by_the_next_question(server: str, tmp_path: Path) -> None:
    asked = {"segments": ["Quite another sentence entirely"]}
    assert ask(server, "/match", asked)[1]["segments"][0]["proposals"] == []
    unit = {"source": "Quite another sentence entirely", "target": "Une tout autre phrase", "client": "acme"}
    assert ask(server, "/add", {"units": [unit]}) == (200, {"added": 1, "units": 61})
    assert ask(server, "/add", {"units": [unit]})[1]["added"] == 0
    best = ask(server, "/match", asked)[1]["segments"][0]["proposals"][0]
    assert (best["rate"], best["target"]) == (100, "Une tout autre phrase")
    assert ask(server, "/search", {"text": "another sentence"})[1]["count"] == 1
    path = str(tmp_path / "memory.db")
    added = next(unit for unit in Memory.open(path) if unit.client == "acme")
    assert (added.source_language, added.target_language) == ("en", "fr")
    add_units([added.changed(source="By another program now")], path)  # found, too
    found = ask(server, "/match", {"segments": ["By another program now"]})
    assert found[1]["segments"][0]["proposals"][0]["rate"] == 100


def test_many_ask_and_add_at_the_same_time(server: str, tmp_path: Path) -> None:
    """Nothing is lost, nobody sees half of anything, and each finds what it has added."""

    def work(number: int) -> list[int]:
        rates = []
        for turn in range(5):
            text = f"Sentence {number} of turn {turn} {'abcdefgh'[number] * 8}"
            assert ask(server, "/add", {"units": [{"source": text, "target": f"phrase {number}"}]})[0] == 200
            proposals = ask(server, "/match", {"segments": [text]})[1]["segments"][0]["proposals"]
            rates.append(proposals[0]["rate"])
        return rates

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(8))) == [[100] * 5] * 8
    path = str(tmp_path / "memory.db")
    assert len(Memory.open(path)) == 60 + 40
    assert len(MemoryIndex.open(path)) == 100


WRONG = [
    ("/other", {}, 404, "there is no '/other'; known: /match, /add, /search"),
    ("/match", b"{", 400, "question"),
    ("/match", b"\xff", 400, "UTF-8"),
    ("/match", [], 400, "question: "),
    ("/match", {"segments": "x"}, 400, "segments: "),
    ("/match", {"segments": ["\ud800"]}, 400, "segments/0: "),
    ("/match", {"segments": ["a"], "targets": ["b", "c"]}, 400, "1 segments, but 2 targets"),
    ("/match", {"segments": [], "most": 0}, 400, "most: "),
    ("/match", {"segments": [], "client": 3}, 400, "client: "),
    ("/match", {"segments": [], "parts": 1}, 400, "parts: "),
    ("/add", {"units": []}, 400, "units: "),
    ("/add", {"units": [{"source": "x"}]}, 400, "units/0/target: "),
    ("/add", {"units": [{"source": "x", "target": " "}]}, 400, "unit 1: has no target"),
    ("/add", {"units": [{"source": "x", "target": "y", "colour": "red"}]}, 400, "units/0/colour: "),
    ("/search", {"text": ""}, 400, "nothing to search for"),
    ("/search", {"text": "x", "target": "yes"}, 400, "target: "),
]


def test_what_is_wrong_is_said(server: str) -> None:
    for verb, question, status, problem in WRONG:
        found, answer = ask(server, verb, question)
        assert (found, list(answer)) == (status, ["error"]), (verb, question, answer)
        assert problem in answer["error"], (verb, question, answer)


def test_other_sites_may_not_ask(server: str) -> None:
    headers = {"Sec-Fetch-Site": "cross-site", "Content-Type": "text/plain"}
    unit = {"source": "x", "target": "y"}
    assert ask(server, "/add", {"units": [unit]}, **headers)[0] == 403


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A form's content type, as curl -d has it, is no obstacle; a port in use is said in one line."""
    path = memory(tmp_path, rows_of(made_texts(20)))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert main(["memory", "serve", path, "--port", port]) == 2
        assert "cannot listen there" in capsys.readouterr().err
    assert main(["memory", "serve", str(tmp_path / "none.db")]) == 2
    capsys.readouterr()
    call = [sys.executable, "-m", "tertium", "memory", "serve", path, "--port", "0"]
    with subprocess.Popen(call, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        line = running.stdout.readline()
        address = line.partition("http://")[2].split()[0]
        asked = {"segments": [made_texts(20)[0]]}
        found = ask(address, "/match", asked, **{"Content-Type": "application/x-www-form-urlencoded"})
        running.terminate()
    assert found[1]["segments"][0]["proposals"][0]["rate"] == 100
