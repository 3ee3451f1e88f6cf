"""A memory over HTTP: what is added is found by the next question, whoever asks and adds at the same time."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from tertium.errors import InputError
from tertium.matching.index import MemoryIndex
from tertium.matching.serving import MemoryServer
from tertium.memory.importing import add_units
from tertium.memory.store import Memory
from tests.matching.test_matching import made_texts, memory, rows_of


@pytest.fixture
def server(tmp_path: Path) -> Iterator[MemoryServer]:
    path = memory(tmp_path, rows_of(made_texts(60)))
    with MemoryServer(path, "127.0.0.1", 0) as made:
        thread = threading.Thread(target=made.serve_forever, daemon=True)
        thread.start()
        yield made
        made.shutdown()
        thread.join(60)


def ask(server: MemoryServer, verb: str, question: Any) -> tuple[int, Any]:
    connection = HTTPConnection("127.0.0.1", server.server_port, timeout=60)
    data = question if isinstance(question, bytes) else json.dumps(question).encode()
    connection.request("POST", verb, data)
    answer = connection.getresponse()
    found = answer.status, json.loads(answer.read())
    connection.close()
    return found


def test_an_edit_is_found_by_the_next_question(server: MemoryServer, tmp_path: Path) -> None:
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


def test_many_ask_and_add_at_the_same_time(server: MemoryServer, tmp_path: Path) -> None:
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


@pytest.mark.parametrize(
    ("verb", "question", "status", "problem"),
    [
        ("/other", {}, 404, "there is no '/other'"),
        ("/match", b"{", 400, "question"),
        ("/match", b"\xff", 400, "UTF-8"),
        ("/match", [], 400, "an object is expected"),
        ("/match", {"segments": "x"}, 400, "a list of texts"),
        ("/match", {"segments": [], "most": 0}, 400, "from 1 to 1000"),
        ("/match", {"segments": [], "client": 3}, 400, "client: a text"),
        ("/add", {"units": []}, 400, "a list of units"),
        ("/add", {"units": [{"source": "x"}]}, 400, "unit 1: has no target"),
        ("/add", {"units": [{"source": "x", "target": "y", "colour": "red"}]}, 400, "no 'colour'"),
        ("/search", {"text": ""}, 400, "nothing to search for"),
        ("/search", {"text": "x", "target": "yes"}, 400, "true or false"),
    ],
)
def test_what_is_wrong_is_said(
    server: MemoryServer, verb: str, question: Any, status: int, problem: str
) -> None:
    found, answer = ask(server, verb, question)
    assert found == status
    assert problem in answer["error"]


def test_a_port_in_use_is_said(server: MemoryServer, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"127\.0\.0\.1"):
        MemoryServer(str(tmp_path / "memory.db"), "127.0.0.1", server.server_port)
