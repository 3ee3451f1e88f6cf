"""Nothing is lost: the server is killed at random under load, and every judgement it acknowledged is there, once.

One annotator for each design, all on one server; of several workers sometimes one is killed and sometimes all.
"""

from __future__ import annotations

import json
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

import httpx2
import pytest
from sqlalchemy import select

from tertium.app import schema
from tertium.app.access import Access
from tertium.app.campaigns import annotators_of, create
from tertium.app.database import CampaignDatabase
from tertium.human.campaigns.segments import Segment
from tertium.human.campaigns.settings import Settings
from tests.app.made import DESIGNS, QUESTIONS, UNITS, given
from tests.conftest import skip_or_fail

ITEMS, KILLS = 24, 4


def stop_postgres(place: Path) -> None:
    """At once; nothing if it does not run."""
    if not (place / "data" / "postmaster.pid").exists():
        return
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    run = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    stop = [*run, programs[-1] / "pg_ctl", "-D", place / "data", "-m", "immediate", "stop"]
    subprocess.run(stop, check=False, capture_output=True, cwd="/tmp")


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
        stop_postgres(place)
        server.wait(30)
        shutil.rmtree(place, ignore_errors=True)


class Server:
    """`tertium annotate serve` as processes of their own, that can be killed and started again on the same port."""

    def __init__(self, where: str, port: int, workers: int, said: int = subprocess.DEVNULL) -> None:
        self.where, self.port, self.workers, self.said = where, port, workers, said
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "tertium", "annotate", "serve", "--db", self.where]
        self.process = subprocess.Popen(
            [*command, "--port", str(self.port), "--workers", str(self.workers)],
            stdout=subprocess.DEVNULL,
            stderr=self.said,
            start_new_session=True,
        )
        until = time.monotonic() + 60
        while time.monotonic() < until:
            assert self.process.poll() is None, "the server ended"
            try:
                if httpx2.get(f"http://127.0.0.1:{self.port}/health", timeout=2).status_code == 200:
                    return
            except httpx2.TransportError:
                time.sleep(0.05)
        raise AssertionError("the server does not start")

    def kill(self) -> None:
        """All of it."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(10)

    def alive(self) -> list[int]:
        """The workers."""
        assert self.process is not None
        number = self.process.pid
        found = Path(f"/proc/{number}/task/{number}/children").read_text().split()
        return [int(pid) for pid in found if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]

    def kill_one(self, chance: random.Random) -> None:
        """One worker, in whose place another one comes."""
        workers = self.alive()
        assert len(workers) == self.workers
        os.kill(chance.choice(workers), signal.SIGKILL)


def free_port() -> int:
    import socket

    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def segments(design: str) -> list[Segment]:
    """Enough of them for every design."""
    few = {"challenge": QUESTIONS, "semantic-units": UNITS}.get(design)
    if few is None:
        return given(design)[1]
    return [Segment.of({**few[i % len(few)], "id": str(i)}, design) for i in range(ITEMS)]


def some_answer(data: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """What an annotator could say to a screen, in the form in which it is stored."""
    n, score = data["outputs"], float(chance.randrange(101))
    span = {"start": 0, "end": 1, "severity": chance.choice(["minor", "major"]), "category": ""}
    units = data.get("units", {})
    return {
        "direct-assessment": {"score": score},
        "pairwise": {"choice": chance.choice("AB")},
        "ranking": {"ranks": [chance.randrange(1, n + 1) for _ in range(n)]},
        "challenge": {"answers": [chance.choice(["yes", "no", "na"]) for _ in range(n)]},
        "error-spans": {"spans": [span] * chance.randrange(2), "score": score},
        "semantic-units": {"marks": {unit: chance.choice(marks) for unit, marks in units.items()}},
    }[data["design"]]


class Annotator(threading.Thread):
    """A simulated annotator: answers one item after the other, and insists, with the same key, until it is saved."""

    def __init__(self, base: str, link: str, seed: int) -> None:
        super().__init__(daemon=True)
        self.base, self.link, self.random = base, link, random.Random(seed)
        self.acknowledged: list[tuple[int, str, dict[str, Any]]] = []  # position, key, answer
        self.trouble = ""

    def run(self) -> None:
        try:
            with httpx2.Client(base_url=self.base, timeout=5, follow_redirects=True) as client:
                self._insist(lambda: client.get(self.link))
                for position in range(1, ITEMS + 1):
                    page = self._insist(lambda position=position: client.get(f"/work/{position}")).text
                    csrf = re.search('name="csrf" content="([^"]+)"', page)
                    data = re.search('<script type="application/json" id="screen">(.*?)</script>', page)
                    assert csrf, page
                    assert data, page
                    key = f"k{self.random.randrange(10**12):012d}"
                    answer = some_answer(json.loads(data.group(1)), self.random)
                    body = {"key": key, "answer": answer, "seconds": 1.5, "complete": True}
                    found = self._insist(
                        lambda position=position, body=body, csrf=csrf: client.post(
                            f"/work/{position}/answer", json=body, headers={"x-csrf-token": csrf.group(1)}
                        )
                    )
                    assert found.json()["saved"] is True
                    self.acknowledged.append((position, key, answer))
        except Exception as error:
            self.trouble = repr(error)

    def _insist(self, ask: Any) -> httpx2.Response:
        until = time.monotonic() + 60
        while time.monotonic() < until:
            try:
                found = ask()
                if found.status_code == 200:
                    return found  # type: ignore[no-any-return]
                assert found.status_code in (429, 500, 503), (found.status_code, found.text)
            except httpx2.TransportError:
                pass
            time.sleep(0.1)
        raise AssertionError("no answer in a minute")


def killed_at_random(where: str, workers: int = 1) -> None:
    database = CampaignDatabase(where)
    access = Access(database)
    links = []
    for design in DESIGNS:
        settings = given(design, annotators={"names": [design], "items": ITEMS})[0]
        number = create(database, Settings.of(settings), segments(design))
        links += [f"/a/{access.link(row.id, row.link_version)}" for row in annotators_of(database, number)]
    database.close()
    server = Server(where, free_port(), workers)
    server.start()
    people = [Annotator(f"http://127.0.0.1:{server.port}", link, seed) for seed, link in enumerate(links)]
    for one in people:
        one.start()
    chance = random.Random(7)
    kills = 0
    for turn in range(KILLS):
        have = sum(len(one.acknowledged) for one in people)
        wanted = have + chance.randrange(5, 25)
        until = time.monotonic() + 40
        while sum(len(one.acknowledged) for one in people) < wanted and time.monotonic() < until:
            if not any(one.is_alive() for one in people):
                break
            time.sleep(0.002)
        if not any(one.is_alive() for one in people):
            break
        kills += 1
        if workers > 1 and not turn % 2:
            server.kill_one(chance)
        else:
            server.kill()
            server.start()
    for one in people:
        one.join(90)
    server.kill()
    assert [one.trouble for one in people] == [""] * len(DESIGNS)
    assert kills >= 2, "the load was over before the server could be killed"
    database = CampaignDatabase(where, create=False)
    with database.reading() as connection:
        own = schema.judgements.c
        rows = connection.execute(
            select(schema.annotators.c.name, schema.tasks.c.position, schema.tasks.c.current, own.id, own.key)
            .add_columns(own.answer, own.state)
            .join(schema.tasks, schema.tasks.c.id == own.task)
            .join(schema.annotators, schema.annotators.c.id == schema.tasks.c.annotator)
        ).all()
        if database.is_sqlite:
            assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
    database.close()
    stored = {(row.name, row.position, row.key): row for row in rows}
    assert len(stored) == len(rows), "a judgement is there twice"
    acknowledged = [
        (name, *one) for name, person in zip(DESIGNS, people, strict=True) for one in person.acknowledged
    ]
    assert len(acknowledged) == len(DESIGNS) * ITEMS
    for name, position, key, answer in acknowledged:
        row = stored.pop((name, position, key))
        assert json.loads(row.answer) == answer
        assert row.state == "done"
        assert row.current == row.id  # and it is the one that counts
    assert not stored, "a judgement is there that nobody sent, or sent under another key"


@pytest.mark.parametrize("workers", [1, 3])
def test_sqlite_keeps_what_it_acknowledged(workers: int, tmp_path: Path) -> None:
    killed_at_random(str(tmp_path / "campaigns.db"), workers)


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_postgresql_keeps_what_it_acknowledged(tmp_path: Path) -> None:
    with postgres(tmp_path) as url:
        killed_at_random(url, workers=3)


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_a_database_that_goes_away(tmp_path: Path) -> None:
    """Requests are refused for a while, a killed worker is replaced by one that waits, and little is said about it."""
    said = tmp_path / "said.txt"
    with said.open("wb") as file, postgres(tmp_path) as url:
        CampaignDatabase(url).close()
        server = Server(url, free_port(), 2, file.fileno())
        server.start()
        try:
            pages = f"http://127.0.0.1:{server.port}"
            stop_postgres(Path(url.rpartition("=")[2]))
            server.kill_one(random.Random(1))
            until = time.monotonic() + 20
            while len(server.alive()) < 2:
                assert time.monotonic() < until, "no worker came in the place of the killed one"
                time.sleep(0.1)
            time.sleep(1)  # it would end by now, if it wanted to
            for _ in range(6):  # both of them
                found = httpx2.get(f"{pages}/admin/login", timeout=20)
                assert found.status_code == 503
                assert "Please try again in a moment." in found.text
                token = {"authorization": "Bearer x"}
                assert httpx2.get(f"{pages}/api/campaigns", headers=token, timeout=20).status_code == 503
            assert len(server.alive()) == 2
        finally:
            server.kill()
    lines = said.read_text().splitlines()
    assert 1 <= len(lines) <= 2, lines
    assert all(line.startswith("tertium: the database does not answer: ") for line in lines)
