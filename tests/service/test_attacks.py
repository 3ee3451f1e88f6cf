"""What must be refused: guessed keys, crossed scopes, huge bodies, zip bombs, slow clients, too many of them."""

from __future__ import annotations

import contextlib
import gzip
import json
import socket
import zlib
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest

from tertium.monitor.keys import SCOPES, ServiceKeys
from tertium.service import application as service
from tertium.web.guards import Bounds
from tertium.web.patience import PatientProtocol
from tests.service.site import Site, running, segments
from tests.serving import served

GIGABYTE = 2**30
METHODS = ("get", "post", "put", "patch", "delete")


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


def operations(site: Site) -> list[tuple[str, str]]:
    """All of the description, with something in place of parameters."""
    paths = httpx2.get(f"{site.url}/v1/openapi.json").json()["paths"]
    found = []
    for path, methods in paths.items():
        plain = "/".join("1" if part.startswith("{") else part for part in path.split("/"))
        found += [(method.upper(), plain) for method in METHODS if method in methods]
    return found


def test_no_door_opens_without_a_key_or_for_the_wrong_one(tmp_path: Any) -> None:
    """Every operation of the description: without a key, with a revoked one, with one of no fitting scope."""
    site = Site(tmp_path)
    keys = ServiceKeys(site.database)
    revoked = keys.create("revoked", ["administer"])
    keys.revoke("revoked")
    scoped = {scope: keys.create(f"only-{scope}", [scope]) for scope in SCOPES}
    app, office = service.application(site.database)
    with served(app) as site.url, httpx2.Client(base_url=site.url, timeout=60) as client:
        every = operations(site)
        assert len(every) >= 5
        for method, path in every:
            office.limiter = type(office.limiter)()
            assert client.request(method, path).status_code == 401, path
            for wrong in (revoked, "x" * 500, "Bearer", "\xe9"):
                headers = {"authorization": f"Bearer {wrong}".encode("latin-1")}
                assert client.request(method, path, headers=headers).status_code == 401, path
            basic = {"authorization": f"Basic {scoped['administer']}"}
            assert client.request(method, path, headers=basic).status_code == 401, path
        bearer = {scope: {"authorization": f"Bearer {key}"} for scope, key in scoped.items()}
        for path in ("/v1/evaluations", "/v1/evaluations/1", "/v1/series", "/v1/changes"):
            assert client.get(path, headers=bearer["write"]).status_code == 403
            assert client.get(path, headers=bearer["read"]).status_code in (200, 404)
            assert client.get(path, headers=bearer["administer"]).status_code in (200, 404)
        assert site.send(scoped["read"]).status_code == 403
        assert site.send("both", system="nmt").status_code == 403  # a key of another system
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
