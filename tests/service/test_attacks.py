"""What must be refused: guessed keys, crossed scopes, huge bodies, zip bombs, slow clients, too many of them."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import socket
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest

from tertium.cli import main
from tertium.io.records import json_line
from tertium.service import application as service
from tertium.service.equipment import EquipmentSettings, MemorySettings
from tertium.service.office import ServiceSettings
from tertium.web.guards import Bounds
from tertium.web.patience import PatientProtocol
from tests.service.equipped import UNITS
from tests.service.killing import Killable
from tests.service.site import Site, running, segments
from tests.serving import served

GIGABYTE = 2**30
MEGABYTE = 2**20


def connected(url: str) -> socket.socket:
    """A connection; nothing in these tests takes as long as its patience."""
    found = urlsplit(url)
    return socket.create_connection((found.hostname, found.port or 80), timeout=60)


def head(site: Site, **headers: str) -> bytes:
    given = {
        "host": "x",
        "authorization": f"Bearer {site.keys['writer']}",
        "content-type": "application/json",
        **headers,
    }
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in given.items()]
    return "\r\n".join(["POST /v1/evaluations HTTP/1.1", *lines, "", ""]).encode()


def answer(connection: socket.socket) -> bytes:
    """All that comes until the other side closes."""
    found = b""
    with contextlib.suppress(ConnectionResetError):  # they close while we still send
        while part := connection.recv(65536):
            found += part
    return found


# -- keys and scopes ------------------------------------------------------------------------------------------------


def test_guessed_keys_are_refused_and_soon_slowed_down(tmp_path: Any) -> None:
    site = Site(tmp_path)
    with running(site):
        codes = [site.call("GET", "/v1/evaluations", f"guess-{i}").status_code for i in range(30)]
        assert codes[0] == 401
        assert codes[-1] == 429
        assert set(codes) == {401, 429}
        assert (
            site.call("GET", "/v1/evaluations", "reader").status_code == 200
        )  # whoever has a key is not shut out
        near = site.keys["reader"][:-1] + ("A" if site.keys["reader"][-1] != "A" else "B")
        assert site.call("GET", "/v1/evaluations", near).status_code in (401, 429)
    site.close()


# -- bodies ---------------------------------------------------------------------------------------------------------


def test_a_gigabyte_is_refused_before_it_is_sent(site: Site) -> None:
    with connected(site.url) as connection:
        connection.sendall(head(site, content_length=str(GIGABYTE)) + b'{"system": "')
        found = answer(connection)
    assert found.startswith(b"HTTP/1.1 413")
    assert b"application/problem+json" in found
    for length in ("-1", "1e9", "99999999999999999999999"):
        with connected(site.url) as connection:
            connection.sendall(head(site, content_length=length))
            assert connection.recv(100).split(b" ")[1] in (b"400", b"413"), length


def resident(process: int) -> float:
    """Megabytes of a process."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / MEGABYTE


@pytest.mark.parametrize("kind", ["application/json", "application/x-ndjson"])
def test_a_gigabyte_without_a_length_is_cut_off(kind: str, tmp_path: Path) -> None:
    """As much of a real gigabyte as the service takes, again and again: 64 MiB each time, of which nothing stays."""
    server, key = Killable.office(tmp_path / "office")
    chunk = b"100000\r\n" + b'{"system": "nmt"}\n'.ljust(MEGABYTE) + b"\r\n"
    given = {
        "host": "x",
        "authorization": f"Bearer {key}",
        "content-type": kind,
        "transfer-encoding": "chunked",
    }
    lines = ["POST /v1/evaluations HTTP/1.1", *(f"{name}: {value}" for name, value in given.items())]
    memory = []
    try:
        for _ in range(4):
            with connected(server.url) as connection:
                connection.sendall("\r\n".join([*lines, "", ""]).encode())
                found, sent = flooded(connection, chunk, GIGABYTE // MEGABYTE)
            assert b"413" in found, found[:500]
            assert sent < 100, "megabytes, of 1024"
            assert httpx2.get(f"{server.url}/health", timeout=60).status_code == 200
            assert server.process is not None
            memory.append(resident(server.process.pid))
    finally:
        server.kill()
    assert memory[-1] < memory[0] + 40, memory


def flooded(connection: socket.socket, chunk: bytes, most: int) -> tuple[bytes, int]:
    """Send a chunk again and again until the other side closes; what it said, and how many it took."""
    heard: list[bytes] = []
    listener = threading.Thread(target=lambda: heard.append(answer(connection)))
    listener.start()
    sent = 0
    with contextlib.suppress(ConnectionError):
        while sent < most:
            connection.sendall(chunk)
            sent += 1
    listener.join(60)
    return b"".join(heard), sent


@pytest.fixture
def narrow(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A service that takes small bodies, has little patience and room for five."""
    monkeypatch.setattr(service, "BOUNDS", Bounds({"/v1/": 100_000}, 100_000, scripts="/no/", seconds=0.5))
    monkeypatch.setattr(PatientProtocol, "seconds", 0.5)
    site = Site(tmp_path)
    with served(service.application(site.database)[0], http=PatientProtocol, limit_concurrency=5) as site.url:
        yield site
    site.close()


def test_a_body_without_a_length_is_cut_off(narrow: Site) -> None:
    chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    with connected(narrow.url) as connection:
        connection.sendall(head(narrow, transfer_encoding="chunked") + 3 * chunk)
        assert answer(connection).startswith(b"HTTP/1.1 413")


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd", "gzip, gzip"])
def test_zip_bombs_are_not_unpacked(coding: str, site: Site) -> None:
    bomb = {"gzip": gzip.compress, "deflate": zlib.compress}.get(coding, gzip.compress)(b" " * 2**24)
    assert len(bomb) < 20_000
    headers = {"content-encoding": coding, "content-type": "application/json"}
    found = site.call("POST", "/v1/evaluations", "writer", content=bomb, headers=headers)
    assert found.status_code == 415
    assert found.headers["content-type"] == "application/problem+json"
    assert found.json()["detail"] == "bodies are sent as they are, not compressed"


LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha">'
    + "".join(
        f'<!ENTITY {name} "{f"&{before};" * 10}">'
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    + ']><xliff version="1.2"><file source-language="en" target-language="fr"><body>'
    + '<trans-unit id="1"><source>&i;</source></trans-unit></body></file></xliff>'
)


def test_documents_that_unpack_themselves_are_refused(tmp_path: Path) -> None:
    """A kilobyte of entities that would be two hundred megabytes of text. (HTML has no entities of its own.)"""
    (tmp_path / "units.jsonl").write_text("".join(map(json_line, UNITS)), "utf-8")
    assert main(["memory", "import", str(tmp_path / "units.jsonl"), "-o", str(tmp_path / "m.db"), "-q"]) == 0
    site = Site(tmp_path)
    equipment = EquipmentSettings(memory=MemorySettings(str(tmp_path / "m.db")))
    with running(site, ServiceSettings(equipment=equipment)):
        for name, status in (("bomb.xlf", 422), ("bomb.tmx", 422), ("bomb.html", 200)):
            found = site.call("POST", "/v1/analyse", json={"document": {"name": name, "text": LAUGHS}})
            assert (found.status_code, len(found.content) < 100_000) == (status, True), (
                name,
                found.text[:500],
            )
    site.close()


def test_deep_json_is_refused(site: Site) -> None:
    for body in (b"[" * 100_000, b'{"a":' * 100_000, b'{"segments": ' + b"[" * 5000 + b"]" * 5000 + b"}"):
        headers = {"content-type": "application/json"}
        found = site.call("POST", "/v1/evaluations", "writer", content=body, headers=headers)
        assert found.status_code in (400, 422), found.text[:200]


def test_long_heads_are_refused(site: Site) -> None:
    with (
        connected(site.url) as connection,
        contextlib.suppress(ConnectionError),
    ):  # closed while we still send
        connection.sendall(head(site, content_length="0", x_long="a" * 200_000))
        assert connection.recv(100)[:13] in (b"", b"HTTP/1.1 400 ", b"HTTP/1.1 431 ")


# -- clients that take their time -----------------------------------------------------------------------------------


def test_who_does_not_say_what_they_want_is_closed(narrow: Site) -> None:
    with connected(narrow.url) as silent, connected(narrow.url) as slow:
        slow.sendall(b"POST /v1/evaluations HTTP/1.1\r\nhost: x\r\nx-slow: ")
        assert answer(silent) == b""
        assert b"HTTP/1.1 2" not in answer(slow)


def test_after_an_answer_too(narrow: Site) -> None:
    with connected(narrow.url) as connection:
        connection.sendall(b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n")
        assert connection.recv(5000).startswith(b"HTTP/1.1 200")
        connection.sendall(b"GET /health HTTP/1.1\r\nx-slow: ")
        assert b"200" not in answer(connection)


def test_a_body_that_drips_is_not_waited_for(narrow: Site) -> None:
    with connected(narrow.url) as connection:
        connection.sendall(head(narrow, content_length="5000") + b'{"system"')
        assert answer(connection).startswith(b"HTTP/1.1 408")


def test_who_is_too_many_is_told_to_come_again(narrow: Site) -> None:
    held = [connected(narrow.url) for _ in range(6)]
    try:
        statuses = {httpx2.get(f"{narrow.url}/health").status_code for _ in range(3)}
    finally:
        for connection in held:
            connection.close()
    assert 503 in statuses
    codes = (httpx2.get(f"{narrow.url}/health").status_code for _ in range(500))
    assert 200 in codes  # when they have gone there is room again


def test_nothing_of_it_was_stored(site: Site) -> None:
    """And who behaves is served."""
    sent = site.send(segments=segments(most=2))
    assert sent.status_code == 201
    assert json.loads(sent.text)["segments"] == 2
