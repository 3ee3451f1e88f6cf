"""Nothing is lost: the server is killed at random under load, and every judgement it acknowledged is there, once."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from tertium.app import schema
from tertium.app.access import Access
from tertium.app.campaigns import annotators_of
from tertium.app.database import Database
from tests.app.made import make
from tests.conftest import skip_or_fail

ANNOTATORS, ITEMS, KILLS = 6, 40, 3


@contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """A PostgreSQL server of our own on a socket in a folder; it refuses root, so it runs as user postgres."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not programs:
        skip_or_fail("there is no PostgreSQL (apt install postgresql)")
    run: list[str] = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    place = Path("/tmp") / f"tertium-postgres-{os.getpid()}"  # where user postgres may go
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(mode=0o700)
    if run:
        shutil.chown(place, "postgres")
    quiet: dict[str, Any] = {"check": True, "capture_output": True, "cwd": "/tmp"}
    subprocess.run(
        [*run, programs[-1] / "initdb", "-D", place / "data", "-A", "trust", "-U", "tertium", "-N"], **quiet
    )
    options = f"-c listen_addresses= -c unix_socket_directories={place} -c max_connections=150"
    server = subprocess.Popen(
        [*run, str(programs[-1] / "postgres"), "-D", str(place / "data"), *options.split()],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/tmp",
    )
    try:
        ready = [*run, str(programs[-1] / "pg_isready"), "-h", str(place), "-q"]
        until = time.monotonic() + 30
        while subprocess.run(ready, check=False, cwd="/tmp").returncode:
            assert time.monotonic() < until, "PostgreSQL does not start"
            time.sleep(0.1)
        subprocess.run([*run, programs[-1] / "createdb", "-h", place, "-U", "tertium", "judgements"], **quiet)
        yield f"postgresql://tertium@/judgements?host={place}"
    finally:
        (place / "data" / "postmaster.pid").exists() and subprocess.run(
            [*run, programs[-1] / "pg_ctl", "-D", place / "data", "-m", "immediate", "stop"],
            check=False,
            capture_output=True,
            cwd="/tmp",
        )
        server.wait(30)
        shutil.rmtree(place, ignore_errors=True)


class Server:
    """`tertium annotate serve` as a process of its own, that can be killed and started again on the same port."""

    def __init__(self, where: str, port: int) -> None:
        self.where, self.port = where, port
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "tertium", "annotate", "serve", "--db", self.where]
        self.process = subprocess.Popen(
            [*command, "--port", str(self.port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        until = time.monotonic() + 40
        while time.monotonic() < until:
            assert self.process.poll() is None, "the server ended"
            try:
                if httpx.get(f"http://127.0.0.1:{self.port}/health", timeout=2).status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(0.05)
        raise AssertionError("the server does not start")

    def kill(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(10)


def free_port() -> int:
    import socket

    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Annotator(threading.Thread):
    """A simulated annotator: answers one item after the other, and insists, with the same key, until it is saved."""

    def __init__(self, base: str, link: str, seed: int) -> None:
        super().__init__(daemon=True)
        self.base, self.link, self.random = base, link, random.Random(seed)
        self.acknowledged: list[tuple[int, str, float]] = []  # position, key, score
        self.trouble = ""
        self.stopped = threading.Event()

    def run(self) -> None:
        try:
            with httpx.Client(base_url=self.base, timeout=5, follow_redirects=True) as client:
                page = self._insist(lambda: client.get(self.link))
                csrf = re.search('name="csrf" content="([^"]+)"', page.text)
                assert csrf, page.text
                for position in range(1, ITEMS + 1):
                    if self.stopped.is_set():
                        return
                    key = f"k{self.random.randrange(10**12):012d}"
                    score = float(self.random.randrange(101))
                    body = {"key": key, "answer": {"score": score}, "seconds": 1.5, "complete": True}
                    found = self._insist(
                        lambda position=position, body=body: client.post(
                            f"/work/{position}/answer", json=body, headers={"x-csrf-token": csrf.group(1)}
                        )
                    )
                    assert found.json()["saved"] is True
                    self.acknowledged.append((position, key, score))
        except Exception as error:
            self.trouble = repr(error)

    def _insist(self, ask: Any) -> httpx.Response:
        until = time.monotonic() + 60
        while time.monotonic() < until:
            try:
                found = ask()
                if found.status_code == 200:
                    return found  # type: ignore[no-any-return]
                assert found.status_code in (429, 500, 503), (found.status_code, found.text)
            except httpx.TransportError:
                pass
            time.sleep(0.1)
        raise AssertionError("no answer in a minute")


def killed_at_random(where: str) -> None:
    database = Database(where)
    names = [f"annotator {i}" for i in range(ANNOTATORS)]
    number = make(
        database,
        "direct-assessment",
        name="kill",
        annotators={"names": names, "items": ITEMS},
        controls={"repeat": 0, "degraded": 0, "reference": 0},
    )
    access = Access(database)
    links = [f"/a/{access.link(row.id, row.link_version)}" for row in annotators_of(database, number)]
    database.close()
    server = Server(where, free_port())
    server.start()
    people = [Annotator(f"http://127.0.0.1:{server.port}", link, seed) for seed, link in enumerate(links)]
    for one in people:
        one.start()
    chance = random.Random(7)
    kills = 0
    for _ in range(KILLS):
        have = sum(len(one.acknowledged) for one in people)
        wanted = have + chance.randrange(5, 25)
        until = time.monotonic() + 40
        while sum(len(one.acknowledged) for one in people) < wanted and time.monotonic() < until:
            if not any(one.is_alive() for one in people):
                break
            time.sleep(0.002)
        if not any(one.is_alive() for one in people):
            break
        server.kill()
        kills += 1
        server.start()
    for one in people:
        one.join(90)
    server.kill()
    assert [one.trouble for one in people] == [""] * ANNOTATORS
    assert kills >= 2, "the load was over before the server could be killed"
    database = Database(where, create=False)
    with database.reading() as connection:
        given = schema.judgements.c
        rows = connection.execute(
            select(
                schema.annotators.c.name, schema.tasks.c.position, schema.tasks.c.current, given.id, given.key
            )
            .add_columns(given.answer, given.state)
            .join(schema.tasks, schema.tasks.c.id == given.task)
            .join(schema.annotators, schema.annotators.c.id == schema.tasks.c.annotator)
        ).all()
        if database.is_sqlite:
            assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
    database.close()
    stored = {(row.name, row.position, row.key): row for row in rows}
    assert len(stored) == len(rows), "a judgement is there twice"
    acknowledged = [
        (name, *one) for name, person in zip(names, people, strict=True) for one in person.acknowledged
    ]
    assert len(acknowledged) == ANNOTATORS * ITEMS
    for name, position, key, score in acknowledged:
        row = stored.pop((name, position, key))
        assert f'"score": {score}' in row.answer
        assert row.state == "done"
        assert row.current == row.id  # and it is the one that counts
    assert not stored, "a judgement is there that nobody sent, or sent under another key"


def test_sqlite_keeps_what_it_acknowledged(tmp_path: Path) -> None:
    killed_at_random(str(tmp_path / "campaigns.db"))


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_postgresql_keeps_what_it_acknowledged(tmp_path: Path) -> None:
    with postgres(tmp_path) as url:
        killed_at_random(url)
