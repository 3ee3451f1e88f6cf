"""Simulated annotators on loopback: `python -m benchmarks.annotators` (or `make load`).

Each of 200 annotators opens a personal link, then looks at an item, thinks, answers, and goes on, for a bounded time.
The server is a process of its own; the simulation shares its two cores. Reported: requests a second, the median and
the 99th percentile of the time until an answer is acknowledged and a page has come, and errors; and the load of the
machine before, because other work counts as well. `--db postgresql` starts a PostgreSQL server of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import resource
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path

from tests.app.test_kill import postgres


class Browser:
    """One connection that is kept open, one cookie, no more than an annotator needs."""

    def __init__(self, port: int) -> None:
        self.port, self.cookie = port, ""
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def ask(self, method: str, path: str, body: bytes = b"", csrf: str = "") -> tuple[int, str]:
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        assert self.reader is not None
        head = f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncookie: {self.cookie}\r\nx-csrf-token: {csrf}\r\n"
        if body:
            head += f"content-type: application/json\r\ncontent-length: {len(body)}\r\n"
        self.writer.write(head.encode() + b"\r\n" + body)
        await self.writer.drain()
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines[1:] if ": " in line)
        for line in lines:
            if line.lower().startswith("set-cookie: "):
                self.cookie = line[12:].split(";")[0]
        text = await self.reader.readexactly(int(headers.get("content-length", 0)))
        return int(lines[0].split()[1]), text.decode()


class Run:
    """What happened, in one place."""

    def __init__(self, seconds: float, think: float) -> None:
        self.until, self.think = time.monotonic() + seconds, think
        self.answers: list[float] = []
        self.pages: list[float] = []
        self.errors: list[str] = []
        self.server_cpu = 0.0  # seconds, start-up and migration included

    async def annotator(self, port: int, link: str, seed: int, items: int) -> None:
        chance = random.Random(seed)
        browser = Browser(port)
        await asyncio.sleep(chance.random() * min(3.0, 2 * self.think))
        try:
            await browser.ask("GET", link)
            _, text = await browser.ask("GET", "/work/1")
            csrf = re.search('name="csrf" content="([^"]+)"', text)
            assert csrf, text
            for position in range(1, items):
                if time.monotonic() > self.until:
                    return
                await asyncio.sleep(chance.expovariate(1 / self.think) if self.think else 0)
                answer = {"score": chance.randrange(101)}
                key = f"{seed:06d}-{position:06d}"
                body = json.dumps({"key": key, "answer": answer, "seconds": 1.0, "complete": True}).encode()
                start = time.perf_counter()
                status, text = await browser.ask("POST", f"/work/{position}/answer", body, csrf.group(1))
                self.answers.append(time.perf_counter() - start)
                if status != 200:
                    self.errors.append(f"{status}: {text[:100]}")
                start = time.perf_counter()
                status, text = await browser.ask("GET", f"/work/{position + 1}")
                self.pages.append(time.perf_counter() - start)
                if status != 200:
                    self.errors.append(f"{status}: {text[:100]}")
        except (OSError, asyncio.IncompleteReadError) as error:
            self.errors.append(repr(error))


def percentile(times: list[float], share: float) -> float:
    """In milliseconds."""
    return 1000 * sorted(times)[min(len(times) - 1, int(share * len(times)))]


def simulate(where: str, *, annotators: int, seconds: float, think: float) -> Run:
    """Make a campaign in a database, serve it, and let the annotators work."""
    from tertium.app.access import Access
    from tertium.app.campaigns import annotators_of, create
    from tertium.app.database import CampaignDatabase
    from tertium.human.campaigns.segments import Segment
    from tertium.human.campaigns.settings import Settings

    items = 400
    segments = [
        Segment(
            str(i), {"A": f"the output of a system, number {i}, is not so long"}, reference=f"reference {i}"
        )
        for i in range(items)
    ]
    given = {
        "name": "load",
        "design": "direct-assessment",
        "annotators": {"number": annotators, "items": items},
        "controls": {"repeat": 0, "degraded": 0, "reference": 0},
    }
    database = CampaignDatabase(where)
    number = create(database, Settings.of(given), segments)
    access = Access(database)
    links = [f"/a/{access.link(row.id, row.link_version)}" for row in annotators_of(database, number)]
    database.close()
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    command = [sys.executable, "-m", "tertium", "annotate", "serve", "--db", where, "--port", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        for _ in range(300):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        run = Run(seconds, think)

        async def everybody() -> None:
            await asyncio.gather(*(run.annotator(port, link, i, items) for i, link in enumerate(links)))

        asyncio.run(everybody())
    finally:
        server.terminate()
        server.wait(20)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    run.server_cpu = used.ru_utime + used.ru_stime
    return run


def main() -> int:
    """Print the report; exit status 1 if there were errors."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--annotators", type=int, default=200)
    options.add_argument("--seconds", type=float, default=30)
    options.add_argument("--think", type=float, default=2.0, help="mean seconds between answers; 0: none")
    options.add_argument(
        "--db",
        default="",
        help="postgresql: a server of our own; postgresql://...: that one; otherwise a SQLite file",
    )
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        opened = postgres(Path(folder)) if asked.db == "postgresql" else nullcontext(asked.db)
        with opened as found:
            where = found or str(Path(folder) / "load.db")
            before, start = os.getloadavg()[0], time.monotonic()
            run = simulate(where, annotators=asked.annotators, seconds=asked.seconds, think=asked.think)
            took = time.monotonic() - start
    n = len(run.answers) + len(run.pages)
    kind = "PostgreSQL" if asked.db else "SQLite"
    print(
        f"{asked.annotators} annotators, {asked.think:g} s between answers, {asked.seconds:g} s ({took:.0f} s in all), "
        f"{kind}, load {before:.1f} before"
    )
    print(f"{n} requests, {n / asked.seconds:.0f} a second, {len(run.errors)} errors")
    print(f"{1000 * run.server_cpu / max(n, 1):.1f} ms of the server's processor time a request")
    for label, times in (("answers", run.answers), ("pages", run.pages)):
        print(
            f"{label}: median {percentile(times, 0.5):.1f} ms, 99th percentile {percentile(times, 0.99):.1f} ms"
        )
    for error in dict.fromkeys(run.errors):
        print(error)
    return 1 if run.errors else 0


if __name__ == "__main__":
    sys.exit(main())
