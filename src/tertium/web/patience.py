"""How long a client may take: connections on which no whole request arrives in time are closed."""

from __future__ import annotations

import asyncio
from typing import ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

SURPLUS = 1 << 20  # bytes that still come after an answer, and are not wanted


class PatientProtocol(H11Protocol):
    """HTTP/1.1 as uvicorn speaks it, for clients that say what they want within some seconds.

    A connection waits for the head of a request from when it was made, or from the first byte after an answer.
    Who goes on sending when the answer has been given is not listened to for long.
    (Bodies that come too slowly are the guards' affair; between requests uvicorn has a time of its own.)
    """

    seconds: ClassVar[float] = 20.0
    _surplus = 0
    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody is there: their time begins."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Something came: a whole head, or time runs on; or more of a body that has been answered already."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._done()
            self._surplus = 0
            return
        if self.conn.their_state is h11.SEND_BODY:
            self._surplus += len(data)
            if self._surplus > SURPLUS:
                self.transport.close()
        if self._waiting is None and not self.transport.is_closing():
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """They have gone."""
        self._done()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(self.seconds, self.transport.close)

    def _done(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
