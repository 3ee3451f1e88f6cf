"""A service that is killed at random under load: every evaluation that it acknowledged must be there, once."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import numpy as np
from sqlalchemy import func, select

from tertium.monitor import schema
from tertium.monitor.database import ServiceDatabase
from tertium.monitor.keys import ServiceKeys
from tertium.monitor.place import service_place
from tests.app.test_kill import free_port
from tests.service.site import segments

PATIENCE = 120.0  # seconds in which a server that was killed must be back


class Killable:
    """`tertium serve` as processes of their own, that can be killed and started again on the same port."""

    def __init__(self, where: str, workers: int) -> None:
        self.where, self.workers, self.port = where, workers, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    @classmethod
    def office(cls, folder: Path) -> tuple[Killable, str]:
        """A new office that is served, and a key that writes."""
        database = ServiceDatabase(service_place(str(folder), create=True))
        key = ServiceKeys(database).create("writer", ["write"], "nmt")
        database.close()
        made = cls(str(folder), 1)
        made.start()
        return made, key

    def start(self) -> None:
        command = [sys.executable, "-m", "tertium", "serve", self.where, "--port", str(self.port)]
        self.process = subprocess.Popen(
            [*command, "--workers", str(self.workers)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            assert self.process.poll() is None, "the service ended"
            try:
                if httpx2.get(f"{self.url}/health", timeout=5).status_code == 200:
                    return
            except httpx2.TransportError:
                time.sleep(0.05)
        raise AssertionError("the service does not start")

    def kill(self) -> None:
        """All of it, at once."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(10)


@dataclass
class Sender(threading.Thread):
    """Sends one document after the other, each by its own idempotency key, and insists until it is acknowledged."""

    url: str
    key: str
    number: int
    over: threading.Event
    acknowledged: dict[str, dict[str, Any]] = field(default_factory=dict)
    sent: int = 0
    again: int = 0  # calls that were made again
    trouble: str = ""

    def __post_init__(self) -> None:
        super().__init__(daemon=True)

    def __hash__(self) -> int:
        return id(self)

    def run(self) -> None:
        chance = random.Random(self.number)
        every = segments(most=69)
        try:
            with httpx2.Client(base_url=self.url, timeout=20) as client:
                while not self.over.is_set():
                    name = f"{self.number}-{self.sent}"
                    own = chance.sample(every, 5)
                    body = {"system": "nmt", "document": name, "segments": own, "metrics": ["chrf", "ter"]}
                    self.sent += 1
                    self.acknowledged[name] = self._insist(client, body, name)
        except Exception as error:
            self.trouble = repr(error)

    def _insist(self, client: httpx2.Client, body: dict[str, Any], name: str) -> dict[str, Any]:
        headers = {"authorization": f"Bearer {self.key}", "idempotency-key": name}
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                found = client.post("/v1/evaluations", json=body, headers=headers)
                if found.status_code in (200, 201):
                    answer: dict[str, Any] = found.json()
                    return answer
                assert found.status_code in (429, 500, 503), (found.status_code, found.text)
            except httpx2.TransportError:
                pass
            self.again += 1
            time.sleep(0.05)
        raise AssertionError("no answer")


@dataclass(frozen=True)
class Survived:
    """What was found."""

    kills: int
    acknowledged: int
    again: int


def killed_under_load(where: str, *, kills: int, senders: int, workers: int = 1, seed: int = 7) -> Survived:
    """Kill a service so often while it is written to, and check what is in its database."""
    database = ServiceDatabase(service_place(where, create=True))
    key = ServiceKeys(database).create("senders", ["write"], "nmt", per_minute=10_000_000)
    database.close()
    server = Killable(where, workers)
    server.start()
    over = threading.Event()
    people = [Sender(server.url, key, number, over) for number in range(senders)]
    for one in people:
        one.start()
    chance = random.Random(seed)
    try:
        for _ in range(kills):
            wanted = sum(len(one.acknowledged) for one in people) + chance.randrange(3, 30)
            until = time.monotonic() + PATIENCE
            while sum(len(one.acknowledged) for one in people) < wanted and time.monotonic() < until:
                assert any(one.is_alive() for one in people), [one.trouble for one in people]
                time.sleep(0.001)
            time.sleep(chance.random() * 0.02)  # anywhere in the work on a call
            server.kill()
            server.start()
    finally:
        over.set()
        for one in people:
            one.join(PATIENCE)
        server.kill()
    assert [one.trouble for one in people] == [""] * senders
    check(where, people)
    return Survived(kills, sum(len(one.acknowledged) for one in people), sum(one.again for one in people))


def check(where: str, people: list[Sender]) -> None:
    """Everything acknowledged is there, once and whole; nothing else is."""
    database = ServiceDatabase(service_place(where), create=False)
    own = schema.evaluations.c
    with database.reading() as connection:
        rows = connection.execute(select(own.id, own.document, own.size)).all()
        texts = connection.scalar(select(func.count()).select_from(schema.texts))
        scores = connection.execute(select(schema.scores)).all()
        if database.is_sqlite:
            assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
    database.close()
    numbers = {row.document: row.id for row in rows}
    acknowledged = {name: answer for one in people for name, answer in one.acknowledged.items()}
    assert len(numbers) == len(rows), "an evaluation is there twice"
    assert set(numbers) == set(acknowledged), "one was lost, or is there that nobody was told of"
    assert texts == len(rows)
    kept = {(row.evaluation, row.metric): row for row in scores}
    assert len(kept) == 2 * len(rows)
    for name, answer in acknowledged.items():
        assert answer["id"] == numbers[name]
        for told in answer["scores"]:
            row = kept[answer["id"], told["metric"]]
            assert row.value == told["value"]
            assert np.frombuffer(row.values).tolist() == told["segments"]
