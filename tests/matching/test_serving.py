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
from tertium.matching.matching import match_document
from tertium.matching.serving import LiveMemory, MemoryServer
from tertium.memory.importing import add_units
from tertium.memory.store import Memory
from tertium.results import plain
from tests.matching.test_consistency import term_rows
from tests.matching.test_matching import made_texts, memory, rows_of


@pytest.fixture
def server(tmp_path: Path) -> Iterator[MemoryServer]:
    path = memory(tmp_path, rows_of(made_texts(60)))
    with MemoryServer(LiveMemory(path), "127.0.0.1", 0) as made:
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
        MemoryServer(LiveMemory(str(tmp_path / "memory.db")), "127.0.0.1", server.server_port)


def test_parts_and_terms_are_as_on_the_command_line(tmp_path: Path) -> None:
    path = memory(tmp_path, term_rows())
    texts = [
        "Unplug the display slowly today",
        "Clean the display",
        "Whoever asks here shall gladly clean the pump again",
        "x",
    ]
    document, glossary = tmp_path / "new.txt", tmp_path / "terms.tsv"
    document.write_text("\n".join(texts) + "\n", "utf-8")
    glossary.write_text("display\tmoniteur\n", "utf-8")
    for how in ({"parts": True, "terms": True}, {"glossary": str(glossary)}, {}):
        expected = match_document(str(document), path, **how)  # type: ignore[arg-type]
        live = LiveMemory(path, **how)  # type: ignore[arg-type]
        assert live.match({"segments": texts})["segments"] == plain(expected.segments)
        if "parts" in how:
            assert any(own.parts for own in expected.segments)
            plainly = live.match({"segments": texts, "parts": False, "terms": False})["segments"]
            assert not any(own["parts"] for own in plainly)
            added = {"source": "Whoever asks shall wait", "target": "Quiconque demande attendra"}
            live.add({"units": [added]})
            assert live.match({"segments": texts})["segments"][2]["source"] == texts[2]
    done = LiveMemory(path, terms=True).match(
        {"segments": texts, "targets": ["Débranchez le moniteur", "", "", ""]}
    )
    assert done["segments"][0]["target"] == "Débranchez le moniteur"
    assert done["segments"][1]["proposals"][0]["target"] == "Nettoyez le moniteur"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"segments": ["a"], "parts": 1}, "parts: true or false"),
        ({"segments": ["a"], "terms": "yes"}, "terms: true or false"),
        ({"segments": ["a"], "targets": ["b", "c"]}, "targets: a list of as many texts"),
        ({"segments": ["a"], "targets": [None]}, "targets: a list of as many texts"),
    ],
)
def test_what_is_asked_wrongly_is_said(tmp_path: Path, given: dict[str, Any], said: str) -> None:
    live = LiveMemory(memory(tmp_path, rows_of(made_texts(20))))
    with pytest.raises(InputError, match=said):
        live.match(given)
