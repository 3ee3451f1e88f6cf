"""Questions to an OpenAI-compatible endpoint over HTTP, with the standard library alone.

A busy or broken server (429, 5xx, time-outs, lost connections) is asked again, later each time, and a server that is
busy for one thread is left alone by all; what cannot get better (a wrong key, an unknown model, an empty account) is
told in one line at once. A question that the server turns down by itself (a content filter, a text that is too long) is
a refusal: the other questions go on. The key comes from the environment, goes to this server only (redirections are not
followed), and is struck out of whatever the server says.
"""

from __future__ import annotations

import http.client
import json
import math
import os
import random
import threading
import time
import urllib.error
import urllib.request
from contextlib import suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import SplitResult, urlsplit

from tertium import __version__
from tertium.errors import InputError, many
from tertium.io.judges.lines import TimedLine
from tertium.io.judges.said import shown

LARGEST = 4 << 20  # bytes of an answer
LONGEST_WAIT = 60.0  # seconds before the next try, whatever the server says
LOOPBACK = ("localhost", "127.0.0.1", "::1")
WAIT = 1.0  # seconds before the second try, twice as many before each further one
AGAIN = (408, 409, 425, 429)  # and everything from 500 on
FILTERED, TOO_LONG = "content filter", "the text is too long for the model"
TURNED_DOWN = {  # codes of errors that are about one question, and what is said of it
    "content_filter": FILTERED,
    "content_policy_violation": FILTERED,
    "ResponsibleAIPolicyViolation": FILTERED,
    "context_length_exceeded": TOO_LONG,
    "exceed_context_size_error": TOO_LONG,
    "string_above_max_length": TOO_LONG,
}
WINDOW = "context length"  # what servers without such codes say in their sentence
BROKEN = ("error",)  # how answers end that no model gave: what stands behind a gateway broke down
SECRET = 8  # letters of a key; what local servers are given instead (EMPTY, none) is shorter
FINAL = (
    "insufficient_quota",
    "billing_hard_limit_reached",
    "billing_not_active",
)  # though their status is 429


@dataclass(frozen=True)
class Reply:
    """What a model said. `refused` is why it would not answer."""

    text: str
    refused: str = ""
    tokens_in: int | None = 0  # None: the server does not say
    tokens_out: int | None = 0
    model: str = ""
    cut: bool = False  # it reached the limit of tokens before its end


@dataclass(frozen=True)
class _Problem:
    """What the body of an error says: a sentence, codes, and which parameter it is about."""

    text: str
    codes: tuple[str, ...] = ()
    parameter: str = ""

    @property
    def turned_down(self) -> str:
        """Why this question alone cannot be answered; empty if that is not what it says."""
        told = TOO_LONG if WINDOW in self.text else ""
        return next((TURNED_DOWN[code] for code in self.codes if code in TURNED_DOWN), told)


class _TurnedAway(Exception):
    """The server says no: with what status, why, and how many seconds it wants to be left alone."""

    def __init__(self, status: int, said: _Problem, wait: float = 0.0) -> None:
        super().__init__(status)
        self.status, self.said, self.wait = status, said, wait


class Stopped(Exception):
    """Somebody else's question failed for good, or a person had enough."""


class Endpoint:
    """A server that is asked. `again` counts how often it had to be asked again."""

    def __init__(self, address: str, key_name: str, *, timeout: float = 60.0, tries: int = 5) -> None:
        self.address = address.rstrip("/")
        parts = _parts(self.address)
        self._key = os.environ.get(key_name, "")
        if self._key and parts.scheme == "http" and parts.hostname not in LOOPBACK:
            raise InputError(f"{self.address}: the key of {key_name} would travel in the clear: use https")
        if not self._key.isprintable() or not self._key.isascii():
            raise InputError(f"{key_name} does not hold a key: it has characters that no key has")
        self.key_name, self.timeout, self.tries = key_name, timeout, tries
        self.again = 0
        self._limit = "max_tokens"  # what newer models call max_completion_tokens
        self._free = 0.0  # when the server may be asked again, as it said to any thread
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._direct = parts.hostname in LOOPBACK  # a proxy would get the key

    def stop(self) -> None:
        """Whoever waits for the next try gives up; no further question is asked."""
        self._stop.set()

    def chat(self, body: dict[str, Any]) -> Reply:
        """Ask once, and again where that may help."""
        problem, attempt = "", 0
        while attempt < self.tries:
            self._wait(attempt)
            limit = self._limit
            try:
                return self._read(
                    self._asked({limit if key == "max_tokens" else key: body[key] for key in body})
                )
            except _TurnedAway as away:
                said, busy = away.said, away.status in AGAIN or away.status >= 500
                declined = TOO_LONG if away.status == 413 else said.turned_down
                if declined and not busy:
                    return Reply("", declined)
                if limit == "max_tokens" and self._renamed(away.status, said):
                    continue
                told = f"the server says {away.status}{said.text}"
                if not busy or set(said.codes) & set(FINAL):
                    raise InputError(f"{self.address}: {told}{self._hint(away.status, said)}") from None
                problem = told
                self._leave_alone(away.wait)
            except (OSError, http.client.HTTPException) as error:
                reason = getattr(error, "reason", None) or error
                late = isinstance(reason, TimeoutError)
                problem = "no answer in time" if late else str(reason) or type(error).__name__
                if isinstance(error, http.client.IncompleteRead):
                    problem = "the answer breaks off"
            attempt += 1
        raise InputError(
            f"{self.address}: asked {many(self.tries, 'time')} in vain: {shown(self._struck(problem))}; "
            "answers so far are kept, and the next run goes on behind them"
        )

    def _wait(self, attempt: int) -> None:
        """Until the next try, and until the server may be asked at all."""
        if attempt:
            with self._lock:
                self.again += 1
        own = WAIT * 2 ** (attempt - 1) * random.uniform(0.75, 1.25) if attempt else 0.0
        told = self._free - time.monotonic()
        self._pause(min(LONGEST_WAIT, max(own, told, 0.0)))

    def _pause(self, seconds: float) -> None:
        if self._stop.wait(seconds):
            raise Stopped

    def _leave_alone(self, seconds: float) -> None:
        with self._lock:
            self._free = max(self._free, time.monotonic() + min(LONGEST_WAIT, seconds))

    def _renamed(self, status: int, said: _Problem) -> bool:
        """Whether the model wants the limit of tokens under its newer name: then it is asked anew at once."""
        newer = "max_completion_tokens"
        wanted = status == 400 and (said.parameter == "max_tokens" or newer in said.text)
        if wanted:
            self._limit = newer
        return wanted

    def _asked(self, body: dict[str, Any]) -> bytes:
        headers = {"Content-Type": "application/json", "User-Agent": f"tertium/{__version__}"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        data = json.dumps(body).encode("ascii")
        request = urllib.request.Request(f"{self.address}/chat/completions", data, headers, method="POST")
        with TimedLine(self.timeout, direct=self._direct) as line:
            try:
                found = self._whole(line, request)
            except (OSError, http.client.HTTPException):
                if line.late:
                    raise TimeoutError from None
                raise
        if line.late:
            raise TimeoutError
        return found

    def _whole(self, line: TimedLine, request: urllib.request.Request) -> bytes:
        """All bytes of an answer."""
        try:
            with line.open(request) as answer:
                blocks, size = [], 0
                while block := answer.read1(1 << 16):
                    blocks.append(block)
                    size += len(block)
                    if size > LARGEST:
                        raise InputError(f"{self.address}: an answer is longer than {LARGEST >> 20} MB")
                if answer.length:  # what is still to come of Content-Length
                    raise http.client.IncompleteRead(b"")
                return b"".join(blocks)
        except urllib.error.HTTPError as error:
            said = _Problem("")
            with error, suppress(OSError, http.client.HTTPException):
                said = self._problem(error.read(1 << 14))
            raise _TurnedAway(error.code, said, _seconds(error.headers.get("Retry-After"))) from None

    def _read(self, data: bytes) -> Reply:
        """The reply in what a server sent; a server that sends something else is asked again."""
        try:
            found = json.loads(data.decode("utf-8-sig", "replace"))
            choice = found["choices"][0]
            message, usage = choice["message"], found.get("usage")
            text, refused = message.get("content") or "", message.get("refusal") or ""
            ended = choice.get("finish_reason")
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
            said = self._problem(data) if data.lstrip().startswith(b"{") else _Problem("")
            raise _broken("the answer is not a chat completion in JSON", said) from None
        if ended in BROKEN:
            own = json.dumps(choice.get("error") or {"message": ""}).encode()
            raise _broken("the model ended with an error", self._problem(own))
        if isinstance(text, list):  # in parts: thoughts are no text
            parts = [
                part.get("text") for part in text if isinstance(part, dict) and part.get("type") == "text"
            ]
            text = "".join(part for part in parts if isinstance(part, str))
        refused = refused or (FILTERED if ended == "content_filter" else "")
        taken, given = (_count(usage, key) for key in ("prompt_tokens", "completion_tokens"))
        return Reply(
            self._hidden(str(text)),
            shown(self._hidden(str(refused))),
            taken,
            given,
            shown(self._hidden(str(found.get("model") or ""))),
            ended == "length",
        )

    def _problem(self, body: bytes) -> _Problem:
        text, codes, parameter = body.decode("utf-8", "replace"), [], ""
        try:
            found = json.loads(text)
            own = found.get("error") or found  # some servers put nothing around it
            text = own if isinstance(own, str) else own["message"]
            if isinstance(own, dict):
                inner = own.get("innererror")
                codes = [
                    own.get("code"),
                    own.get("type"),
                    inner.get("code") if isinstance(inner, dict) else None,
                ]
                parameter = str(own.get("param") or "")
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            text = text if not text.lstrip().startswith("<") else ""
        flat = shown(self._struck(str(text)))
        return _Problem(f": {flat[:200]}" if flat else "", tuple(map(str, filter(None, codes))), parameter)

    def _struck(self, text: str) -> str:
        """Without the key."""
        return text.replace(self._key, "***") if self._key else text

    def _hidden(self, text: str) -> str:
        """The same of what a model says, which is kept: a key of a few letters is no secret, but may be in any text."""
        return self._struck(text) if len(self._key) >= SECRET else text

    def _hint(self, status: int, said: _Problem) -> str:
        if status == 401:
            return f" (the key comes from the environment variable {self.key_name})"
        if said.parameter == "temperature":
            return " (temperature=none sends none)"
        return " (redirections are not followed)" if 300 <= status < 400 else ""


def _parts(address: str) -> SplitResult:
    """The parts of an address; refused where no question could be sent to it. What may be a key is not repeated."""
    said = "the endpoint" if "@" in address else f"endpoint {address!r}"
    try:
        parts = urlsplit(address)
        (parts.hostname or "").encode("idna")
        usable = bool(parts.port != 0 and parts.scheme in ("http", "https") and parts.hostname)
    except ValueError:  # a port beyond 65535, brackets that are not closed, a host of empty names
        usable = False
    if not usable or not parts.path.isascii() or not address.isprintable() or " " in address:
        raise InputError(f"{said} is not an address, such as http://localhost:8000/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise InputError("an endpoint must not hold a key or a query: keys come from the environment")
    return parts


def _broken(told: str, said: _Problem) -> Exception:
    """An answer without what was asked for; its error may say that asking again is no use."""
    if said.turned_down or set(said.codes) & set(FINAL):
        return _TurnedAway(200, said)
    return http.client.HTTPException(f"{told}{said.text}")


def _count(usage: Any, key: str) -> int | None:
    """Tokens, if the server counted them."""
    count = usage.get(key) if isinstance(usage, dict) else None
    return count if type(count) is int and 0 <= count < 1 << 53 else None


def _seconds(text: str | None) -> float:
    """What Retry-After says: seconds, or the day and time."""
    if not text:
        return 0.0
    try:
        told = float(text)
    except ValueError:
        try:
            told = parsedate_to_datetime(text).timestamp() - time.time()
        except (ValueError, OverflowError):
            return 0.0
    return max(0.0, told) if math.isfinite(told) else 0.0
