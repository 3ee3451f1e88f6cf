"""What stands before every page: limits on bodies and on rates, and the headers that browsers obey."""

from __future__ import annotations

import json
import threading
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from tertium.human.campaigns.language import BUNDLED, ENGLISH, Interface

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

WORK_BODY = 256 * 1024  # bytes of an answer
# a whole campaign, by a script or as files; segments in a form
BODIES = {"/api/": 64 * 1024 * 1024, "/admin/new": 64 * 1024 * 1024, "/admin/": 8 * 1024 * 1024}
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


LOGIN = RateLimit(5, 1 / 12)
STRANGER = RateLimit(20, 1 / 3)  # wrong links, wrong tokens
ANSWERS = RateLimit(60, 15)
PAGES = RateLimit(120, 20)


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


PREFERRED: ContextVar[Interface] = ContextVar("PREFERRED", default=ENGLISH)


def preferred(header: str) -> Interface:
    """The first language of the header Accept-Language that comes with Tertium; English if there is none.

    >>> preferred("br, fr-CA;q=0.9, en;q=0.8").code
    'fr'
    """
    codes = (part.partition(";")[0].strip().partition("-")[0].lower() for part in header.split(",")[:20])
    return next((BUNDLED[code]() for code in codes if code in BUNDLED), ENGLISH)


class Guards:
    """The outermost layer: refuses bodies that are too large, before and while they come, and adds headers."""

    def __init__(
        self, app: App, refused_script: Callable[[str, str], tuple[int, str] | None], *, https: bool
    ) -> None:
        self.app, self._refused_script, self._https = app, refused_script, https

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        path: str = scope["path"]
        headers = dict(scope["headers"])
        PREFERRED.set(preferred(headers.get(b"accept-language", b"").decode("latin-1")))

        async def secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = [*message.get("headers", ()), *SECURITY]
                if self._https:
                    own.append((b"strict-transport-security", b"max-age=31536000"))
                kept = path.startswith("/static/") and message["status"] == 200
                own.append((b"cache-control", b"public, max-age=3600" if kept else b"no-store"))
                message = {**message, "headers": own}
            await send(message)

        if path.startswith("/api/") and path != "/api/openapi.json":
            client = scope.get("client") or ("", 0)
            authorization = headers.get(b"authorization", b"").decode("latin-1")
            refused = await run_in_threadpool(self._refused_script, authorization, str(client[0]))
            if refused is not None:
                await _answer(secured, *refused, ((b"www-authenticate", b"Bearer"),))
                return
        most = next((size for begin, size in BODIES.items() if path.startswith(begin)), WORK_BODY)
        declared = headers.get(b"content-length", b"0")
        if not declared.isdigit() or len(declared) > 15 or int(declared) > most:
            await _answer(secured, 413, f"the body is larger than {most} bytes")
            return
        counted = 0

        async def limited() -> Message:
            nonlocal counted
            message = await receive()
            if message["type"] == "http.request":
                counted += len(message.get("body", b""))
                if counted > most:
                    raise HTTPException(413, f"the body is larger than {most} bytes")
            return message

        await self.app(scope, limited, secured)


async def _answer(send: Send, status: int, text: str, headers: tuple[tuple[bytes, bytes], ...] = ()) -> None:
    body = json.dumps({"detail": text}).encode()
    start = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
        *headers,
    ]
    await send({"type": "http.response.start", "status": status, "headers": start})
    await send({"type": "http.response.body", "body": body})
