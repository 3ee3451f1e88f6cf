"""Workers take one connection at a time, and many may wait."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import pytest

from tertium.web.running import listening
from tertium.web.sharing import QUEUE, SharingLoop

MANY = 6


def in_a_thread(work: Callable[[], int]) -> int:
    """What it gives, in a thread without a loop: that of a browser's test may run in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


def taken_at_once(loop: asyncio.AbstractEventLoop, at: socket.socket) -> int:
    """The most connections that a loop takes in one turn when many wait."""
    made: list[asyncio.BaseTransport] = []

    class Noted(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            made.append(transport)

    async def count() -> int:
        server = await loop.create_server(Noted, sock=at, backlog=QUEUE)
        clients = [socket.create_connection(at.getsockname()) for _ in range(MANY)]
        seen = [0]
        while len(made) < MANY:
            await asyncio.sleep(0)
            seen.append(len(made))
        for one in (*made, *clients):
            one.close()
        server.close()
        return max(later - before for before, later in pairwise(seen))

    def run() -> int:
        try:
            return loop.run_until_complete(asyncio.wait_for(count(), 60))
        finally:
            loop.close()

    return in_a_thread(run)


@pytest.mark.parametrize(("loop", "most"), [(SharingLoop, 1), (asyncio.SelectorEventLoop, MANY)])
def test_one_connection_at_a_time(loop: type[asyncio.SelectorEventLoop], most: int) -> None:
    with listening("127.0.0.1", 0) as at:
        assert taken_at_once(loop(), at) == most


def test_many_may_wait() -> None:
    """The system's own limit, or ours: of a socket that listens, TCP_INFO tells it."""

    async def limit() -> int:
        server = await asyncio.get_running_loop().create_server(asyncio.Protocol, sock=at, backlog=QUEUE)
        told = at.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 104)
        server.close()
        return int(struct.unpack_from("I", told, 28)[0])

    def run() -> int:
        with asyncio.Runner(loop_factory=SharingLoop) as runner:
            return runner.run(limit())

    with listening("127.0.0.1", 0) as at:
        found = in_a_thread(run)
    assert found == min(QUEUE, int(Path("/proc/sys/net/core/somaxconn").read_text()))
