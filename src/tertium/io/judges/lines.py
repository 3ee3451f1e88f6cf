"""Connections to a judge: hung up when their time is over, and direct where a proxy would see the key."""

from __future__ import annotations

import http.client
import socket
import threading
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from email.message import Message
from functools import partial
from types import TracebackType
from typing import IO, Any, Self

Heard = Callable[[socket.socket], None]  # told of a socket as soon as it is connected


class TimedLine:
    """A connection for one question. `late`: its time is over, and it was hung up."""

    def __init__(self, seconds: float, *, direct: bool) -> None:
        self.late = False
        self._seconds, self._sockets = seconds, list[socket.socket]()
        self._alarm = threading.Timer(seconds, self._hang_up)
        self._alarm.daemon = True
        told = self._sockets.append
        proxies = [urllib.request.ProxyHandler({})] if direct else []
        self._opener = urllib.request.build_opener(_Stay(), _Plain(told), _Secure(told), *proxies)

    def open(self, request: urllib.request.Request) -> Any:
        return self._opener.open(request, timeout=self._seconds)

    def _hang_up(self) -> None:
        self.late = True
        for own in self._sockets:
            with suppress(OSError):  # it is closed already
                socket.socket.shutdown(own, socket.SHUT_RDWR)

    def __enter__(self) -> Self:
        self._alarm.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._alarm.cancel()


class _Told(http.client.HTTPConnection):
    """Says which socket it got."""

    def __init__(self, *given: Any, heard: Heard, **options: Any) -> None:
        super().__init__(*given, **options)
        self._heard = heard

    def connect(self) -> None:
        super().connect()
        self._heard(self.sock)


class _ToldSecurely(_Told, http.client.HTTPSConnection):
    pass


class _Plain(urllib.request.HTTPHandler):
    def __init__(self, heard: Heard) -> None:
        super().__init__()
        self._kind: Any = partial(_Told, heard=heard)

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(self._kind, req)


class _Secure(urllib.request.HTTPSHandler):
    def __init__(self, heard: Heard) -> None:
        super().__init__()
        self._kind: Any = partial(_ToldSecurely, heard=heard)

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(self._kind, req)


class _Stay(urllib.request.HTTPRedirectHandler):
    """Follows no redirection: the key would go along. Where it leads is not even read: it may be no address."""

    def http_error_302(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Message
    ) -> None:
        return None

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302
