"""Load on the service over loopback: `python -m benchmarks.service` (or `make load-service`).

A client of its own process, with its bodies made beforehand, sends documents of 50 segments to `tertium serve` with
chrF and TER, and waits for each answer. First as fast as the service takes them (`--connections` at a time), then at a
fixed rate (`--rate` segments a second, sent by the clock whether answers have come or not), which tells how long a call
takes at that rate. It is bounded by `--seconds` and `--segments`, whichever comes first.

Reported: segments a second, the median and the 99th percentile of a call, processor time a segment of the service, of
the database (`--db postgresql`) and of the client, resident memory of the service from a tenth of the work to its end,
and the load of the machine before: others' work counts as well. Texts are WMT17's German-English (../shared) or the
bundled sample.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gzip
import json
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from tests.app.test_kill import postgres

SHARED = Path(os.environ.get("TERTIUM_SHARED", Path(__file__).resolve().parents[2] / "shared"))
WMT17 = SHARED / "data" / "wmt17"
DIFFERENT = 200  # documents that are made; after that the same texts under other names
MARK = b"DOCUMENT-NUMBER-"


def segments() -> list[dict[str, str]]:
    """Real segments: source, mt, reference."""
    from tertium.testset import TestSet

    outputs = sorted(WMT17.glob("system-outputs/**/*uedin*de-en*"))
    sources = sorted(WMT17.glob("sources/**/*deen-src.de*"))
    references = sorted(WMT17.glob("references/**/*deen-ref.en*"))
    if outputs and sources and references:
        paths = (sources[0], outputs[0], references[0])
        sides = [
            gzip.decompress(path.read_bytes()).decode("utf-8").rstrip("\n").split("\n") for path in paths
        ]
    else:
        sample = TestSet.sample()
        sides = [
            list(sample.sources or ()),
            list(sample.systems["strong"]),
            list(sample.references.streams[0]),
        ]
    names = ("source", "mt", "reference")
    return [dict(zip(names, own, strict=True)) for own in zip(*sides, strict=True)]


def bodies(size: int, many: int) -> list[dict[str, Any]]:
    """Documents as callers send them."""
    every = segments()
    return [
        {
            "system": f"nmt-{i % 4}",
            "domain": ("legal", "medical", "news")[i % 3],
            "document": MARK.decode(),
            "segments": [every[(i * size + j) % len(every)] for j in range(size)],
            "metrics": ["chrf", "ter"],
        }
        for i in range(many)
    ]


class Client:
    """Connections that are kept open; requests are bytes made beforehand."""

    def __init__(self, port: int, key: str, made: list[bytes]) -> None:
        self.port, self.made, self.sent = port, made, 0
        self.head = (
            "POST /v1/evaluations HTTP/1.1\r\nhost: 127.0.0.1\r\n"
            f"authorization: Bearer {key}\r\ncontent-type: application/json\r\ncontent-length: "
        ).encode()
        self.times: list[float] = []
        self.errors: list[str] = []
        self.free: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def call(self, since: float) -> None:
        """Send the next document over a connection that is free; its time counts from when it was due."""
        body = self.made[self.sent % len(self.made)].replace(MARK, b"document-%d" % self.sent)
        self.sent += 1
        try:
            place = self.free.pop() if self.free else await asyncio.open_connection("127.0.0.1", self.port)
            reader, writer = place
            writer.write(self.head + b"%d\r\n\r\n" % len(body) + body)
            head = await reader.readuntil(b"\r\n\r\n")
            length = head.lower().partition(b"content-length:")[2].split(b"\r\n", 1)[0]
            answer = await reader.readexactly(int(length))
            self.times.append(time.perf_counter() - since)
            if not head.startswith(b"HTTP/1.1 201"):
                self.errors.append((head.split(b"\r\n", 1)[0] + b": " + answer[:200]).decode())
            self.free.append(place)
        except (OSError, asyncio.IncompleteReadError) as error:
            self.errors.append(repr(error))


@contextmanager
def service(where: str, workers: int) -> Iterator[tuple[int, str, subprocess.Popen[bytes]]]:
    """`tertium serve` as a process of its own: its port, a key, the process."""
    from tertium.monitor.database import ServiceDatabase
    from tertium.monitor.keys import ServiceKeys
    from tertium.monitor.place import service_place

    database = ServiceDatabase(service_place(where, create=True))
    key = ServiceKeys(database).create("load", ["administer"], per_minute=10_000_000)
    database.close()
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "tertium",
        "serve",
        where,
        "--port",
        str(port),
        "--workers",
        str(workers),
    ]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 120
        for _ in range(20 * workers):  # until all of them answer
            while not healthy(port):
                assert time.monotonic() < until, "the service does not start"
                time.sleep(0.1)
        yield port, key, process
    finally:
        process.terminate()
        process.wait(60)


def healthy(port: int) -> bool:
    """Whether a worker answers."""
    try:
        with urlopen(f"http://127.0.0.1:{port}/health", timeout=60) as found:
            return bool(found.status == 200)
    except OSError:
        return False


def family(pid: int) -> list[int]:
    """A process and its children."""
    found = [pid]
    with contextlib.suppress(OSError):
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            found += family(int(child))
    return found


def used(pid: int) -> tuple[float, float]:
    """Processor seconds and resident megabytes of the service, all its processes together."""
    seconds = memory = 0.0
    for one in family(pid):
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
            seconds += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            memory += (
                int(Path(f"/proc/{one}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
            )
    return seconds, memory


def database_of(where: str) -> int | None:
    """The process of a PostgreSQL server on a socket of its own; SQLite has none."""
    _, _, folder = where.partition("host=")
    with contextlib.suppress(OSError):
        return int((Path(folder) / "data" / "postmaster.pid").read_text().split()[0]) if folder else None
    return None


def percentile(times: list[float], share: float) -> float:
    """In milliseconds."""
    return 1000 * sorted(times)[min(len(times) - 1, int(share * len(times)))]


async def flood(client: Client, connections: int, calls: int, seconds: float, watch: Any) -> None:
    """As fast as answers come."""
    until = time.monotonic() + seconds

    async def one() -> None:
        while client.sent < calls and time.monotonic() < until:
            await client.call(time.perf_counter())
            watch(client.sent / calls)

    await asyncio.gather(*(one() for _ in range(connections)))


async def paced(client: Client, a_second: float, calls: int, seconds: float, watch: Any) -> None:
    """By the clock."""
    start, tasks = time.perf_counter(), set[asyncio.Task[None]]()
    for number in range(calls):
        due = start + number / a_second
        if due > start + seconds:
            break
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        task = asyncio.create_task(client.call(due))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        watch(number / calls)
    await asyncio.gather(*tasks)


def measured(name: str, asked: argparse.Namespace, where: str) -> list[str]:
    """One run; prints what was found, gives the errors."""
    made = [json.dumps(body).encode() for body in bodies(asked.size, DIFFERENT)]
    calls = asked.segments // asked.size
    memory: list[tuple[float, float]] = []
    with service(where, asked.workers) as (port, key, process):
        client = Client(port, key, made)

        def watch(share: float) -> None:
            if not memory or share >= memory[-1][0] + 0.1:
                memory.append((share, used(process.pid)[1]))

        async def warm() -> None:
            await asyncio.gather(*(client.call(time.perf_counter()) for _ in range(asked.connections)))

        asyncio.run(warm())
        client.free, client.times = [], []
        database = database_of(where)
        begun = used(database)[0] if database else 0.0
        (seconds, _), own = used(process.pid), resource.getrusage(resource.RUSAGE_SELF)
        begin, load = time.monotonic(), os.getloadavg()[0]
        if name == "flood":
            asyncio.run(flood(client, asked.connections, calls, asked.seconds, watch))
        else:
            asyncio.run(paced(client, asked.rate / asked.size, calls, asked.seconds, watch))
        took = time.monotonic() - begin
        after, last = used(process.pid)
        ended = used(database)[0] if database else 0.0
        mine = resource.getrusage(resource.RUSAGE_SELF)
    done = len(client.times)
    many = max(1, done * asked.size)
    client_time = mine.ru_utime + mine.ru_stime - own.ru_utime - own.ru_stime
    what = "as fast as it goes" if name == "flood" else f"{asked.rate:g} segments a second asked for"
    print(f"{what}: {done * asked.size / took:,.0f} segments a second over {took:.0f} s, {many:,} in all")
    print(
        f"  a call of {asked.size}: median {percentile(client.times, 0.5):.0f} ms, "
        f"99th percentile {percentile(client.times, 0.99):.0f} ms; {len(client.errors)} errors"
    )
    print(
        f"  processor time a segment: service {1e6 * (after - seconds) / many:.0f} µs, "
        + (f"PostgreSQL {1e6 * (ended - begun) / many:.0f} µs, " if database else "")
        + f"client {1e6 * client_time / many:.0f} µs; load {load:.1f} before"
    )
    known = [size for share, size in memory if share >= 0.1] or [last]
    print(
        f"  memory of the service: {known[0]:.0f} MB after a tenth, {max(known):.0f} MB at most, "
        + f"{last:.0f} MB at the end"
    )
    return client.errors


def main() -> int:
    """Print the report; exit status 1 if there were errors."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--connections", type=int, default=8)
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--size", type=int, default=50, help="segments of a document")
    options.add_argument("--segments", type=int, default=1_000_000, help="no more than so many")
    options.add_argument("--seconds", type=float, default=30, help="no longer than this, each")
    options.add_argument(
        "--rate", type=float, default=5000, help="segments a second; 0: only as fast as it goes"
    )
    options.add_argument("--only", choices=("flood", "paced"), help="one of the two")
    options.add_argument("--db", choices=("sqlite", "postgresql"), default="sqlite")
    asked = options.parse_args()
    print(f"{asked.workers} workers, {asked.connections} connections, {asked.db}, {os.cpu_count()} cores")
    errors = []
    for name in ("flood", "paced"):
        if asked.only in (None, name) and (name == "flood" or asked.rate):
            with tempfile.TemporaryDirectory() as folder:
                opened = (
                    postgres(Path(folder)) if asked.db == "postgresql" else nullcontext(f"{folder}/office")
                )
                with opened as where:
                    errors += measured(name, asked, where)
    for error in dict.fromkeys(errors):
        print(error)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
