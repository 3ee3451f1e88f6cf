"""What stands before every page: limits on bodies and on rates, and the headers that browsers obey."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
import time
import traceback
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

SECURITY = (
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        b"form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),  # a personal link is a secret
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=()"),
    (b"x-robots-tag", b"noindex, nofollow"),
)


@dataclass
class RateLimit:
    """This many together, then this many per second."""

    burst: float
    per_second: float


_OURS = str(Path(__file__).parents[1])
SLOWEST = 32 * 1024  # bytes of a body that must come in a second
CLOSE = {"connection": "close"}
LOGIN = RateLimit(5, 1 / 12)
STRANGER = RateLimit(20, 1 / 3)  # wrong links, wrong tokens


class Limiter:
    """Counts requests by name (an address, an annotator), each with its own bucket; the oldest names are forgotten.

    >>> limiter = Limiter(clock=lambda: 0.0)
    >>> [limiter.allows("login", "10.0.0.1", RateLimit(2, 1)) for _ in range(3)]
    [True, True, False]
    """

    def __init__(self, *, clock: Callable[[], float] = time.monotonic, most: int = 50_000) -> None:
        self._clock, self._most = clock, most
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def allows(self, what: str, who: str, rate: RateLimit) -> bool:
        """Take from a bucket, if there is something in it."""
        now = self._clock()
        with self._lock:
            level, then = self._buckets.pop((what, who), (rate.burst, now))
            level = min(rate.burst, level + (now - then) * rate.per_second)
            allowed = level >= 1.0
            self._buckets[(what, who)] = (level - 1.0 if allowed else level, now)
            while len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        return allowed


@dataclass(frozen=True)
class Bounds:
    """What a service lets in: the most bytes of a body, for paths that begin so (the first that fits), and for others.

    >>> Bounds({"/api/": 100}, 10).most("/api/x"), Bounds({"/api/": 100}, 10).most("/")
    (100, 10)
    """

    bodies: Mapping[str, int]
    otherwise: int
    scripts: str = "/api/"  # paths that need a token
    open_paths: tuple[str, ...] = ("/api/openapi.json",)  # those of them that need none
    seconds: float = 60.0  # within which a body must have come, and more for long ones

    def most(self, path: str) -> int:
        """Bytes that a body may have."""
        return next((size for begin, size in self.bodies.items() if path.startswith(begin)), self.otherwise)

    def needs_token(self, path: str) -> bool:
        """Whether this is for scripts only."""
        return path.startswith(self.scripts) and path not in self.open_paths


class Guards:
    """The outermost layer: refuses bodies that are too large, before and while they come, and adds headers."""

    def __init__(
        self,
        app: App,
        bounds: Bounds,
        refused_script: Callable[[str, str], tuple[int, str] | None],
        *,
        https: bool,
    ) -> None:
        self.app, self._bounds, self._refused_script, self._https = app, bounds, refused_script, https

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        path: str = scope["path"]
        headers = dict(scope["headers"])

        async def secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = [*message.get("headers", ()), *SECURITY]
                if self._https:
                    own.append((b"strict-transport-security", b"max-age=31536000"))
                kept = path.startswith("/static/") and message["status"] == 200
                own.append((b"cache-control", b"public, max-age=3600" if kept else b"no-store"))
                message = {**message, "headers": own}
            await send(message)

        if self._bounds.needs_token(path):
            client = scope.get("client") or ("", 0)
            authorization = headers.get(b"authorization", b"").decode("latin-1")
            refused = await run_in_threadpool(self._refused_script, authorization, str(client[0]))
            if refused is not None:
                await _answer(secured, *refused, ((b"www-authenticate", b"Bearer"),))
                return
        coding = headers.get(b"content-encoding", b"identity").strip().lower()
        if coding not in (
            b"",
            b"identity",
        ):  # nothing is unpacked here: a small body could become a large one
            await _answer(secured, 415, "bodies are sent as they are, not compressed")
            return
        most = self._bounds.most(path)
        declared = headers.get(b"content-length", b"0")
        if not declared.isdigit() or len(declared) > 15 or int(declared) > most:
            await _answer(secured, 413, f"the body is larger than {most} bytes")
            return
        counted, waiting, begin = 0, True, time.monotonic()
        streamed = b"ndjson" in headers.get(b"content-type", b"")  # line by line, each in its own time

        async def limited() -> Message:
            nonlocal counted, waiting, begin
            left = begin + self._bounds.seconds + counted / SLOWEST - time.monotonic()
            try:
                message = await asyncio.wait_for(receive(), left) if waiting else await receive()
            except TimeoutError:
                raise HTTPException(408, "the body did not come in time", CLOSE) from None
            if message["type"] == "http.request":
                counted += len(message.get("body", b""))
                waiting = message.get("more_body", False)  # after that they may wait for the answer
                if streamed:
                    begin = time.monotonic()
                if counted > most:
                    raise HTTPException(413, f"the body is larger than {most} bytes", CLOSE)
            return message

        try:
            await self.app(scope, limited, secured)
        except ClientDisconnect:
            pass  # they do not want it any more
        except Exception as error:  # whoever asked has been told; what is logged has nothing of texts in it
            complain_of(error)


def complain_of(error: BaseException) -> None:
    """One line for whoever runs the server: what failed and where in our code. What errors say may quote texts."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [f"{own.name} ({Path(own.filename).name}:{own.lineno})" for own in frames if _OURS in own.filename]
    print(f"tertium: {type(error).__name__} in {' > '.join(ours[-4:]) or '?'}", file=sys.stderr, flush=True)


async def _answer(send: Send, status: int, text: str, headers: tuple[tuple[bytes, bytes], ...] = ()) -> None:
    problem = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": text}
    body = json.dumps(problem).encode()
    start = [
        (b"content-type", b"application/problem+json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
        *headers,
    ]
    await send({"type": "http.response.start", "status": status, "headers": start})
    await send({"type": "http.response.body", "body": body})
