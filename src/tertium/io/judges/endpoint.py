"""Questions to an OpenAI-compatible endpoint over HTTP, with the standard library alone.

A busy or broken server (429, 5xx, time-outs, lost connections) is asked again, later each time; what cannot get better
(a wrong key, an unknown model) is told in one line at once. The key comes from the environment, goes to this server
only (redirections are not followed), and is struck out of whatever the server says.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import threading
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from email.message import Message
from typing import IO, Any
from urllib.parse import urlsplit

from tertium import __version__
from tertium.errors import InputError

LARGEST = 4 << 20  # bytes of an answer
LONGEST_WAIT = 60.0  # seconds before the next try, whatever the server says
LOOPBACK = ("localhost", "127.0.0.1", "::1")
WAIT = 1.0  # seconds before the second try, twice as many before each further one


@dataclass(frozen=True)
class Reply:
    """What a model said. `refused` is why it would not answer."""

    text: str
    refused: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    model: str = ""


class _Stay(urllib.request.HTTPRedirectHandler):
    """Follows no redirection: the key would go along."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> None:
        return None


class Endpoint:
    """A server that is asked. `again` counts how often it had to be asked again."""

    def __init__(self, address: str, key_name: str, *, timeout: float = 60.0, tries: int = 5) -> None:
        self.address = address.rstrip("/")
        parts = urlsplit(self.address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InputError(f"endpoint {address!r} is not an address, such as http://localhost:8000/v1")
        if parts.username or parts.password or parts.query:
            raise InputError("an endpoint must not hold a key or a query: keys come from the environment")
        self._key = os.environ.get(key_name, "")
        if self._key and parts.scheme == "http" and parts.hostname not in LOOPBACK:
            raise InputError(f"{self.address}: the key of {key_name} would travel in the clear: use https")
        if not self._key.isprintable() or not self._key.isascii():
            raise InputError(f"{key_name} does not hold a key: it has characters that no key has")
        self.key_name, self.timeout, self.tries = key_name, timeout, tries
        self.again = 0
        self._lock = threading.Lock()
        self._opener = urllib.request.build_opener(_Stay())

    def chat(self, body: dict[str, Any]) -> Reply:
        """Ask once, and again where that may help."""
        problem, wait = "", 0.0
        for attempt in range(self.tries):
            if attempt:
                with self._lock:
                    self.again += 1
                time.sleep(
                    min(LONGEST_WAIT, max(wait, WAIT * 2 ** (attempt - 1) * random.uniform(0.75, 1.25)))
                )
            try:
                return self._read(self._asked(body))
            except urllib.error.HTTPError as error:
                said = self._said(error)
                if error.code not in (408, 409, 425, 429) and error.code < 500:
                    raise InputError(
                        f"{self.address}: the server says {error.code}{said}{self._hint(error)}"
                    ) from None
                problem, wait = (
                    f"the server says {error.code}{said}",
                    _seconds(error.headers.get("Retry-After")),
                )
            except (OSError, http.client.HTTPException) as error:
                reason = getattr(error, "reason", None) or error
                problem = (
                    "no answer in time"
                    if isinstance(reason, TimeoutError)
                    else str(reason) or type(error).__name__
                )
                wait = 0.0
        raise InputError(
            f"{self.address}: asked {self.tries} times in vain: {self._struck(problem)}; answers so far are kept, and "
            "the next run goes on behind them"
        )

    def _asked(self, body: dict[str, Any]) -> bytes:
        headers = {"Content-Type": "application/json", "User-Agent": f"tertium/{__version__}"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        data = json.dumps(body).encode("ascii")
        request = urllib.request.Request(f"{self.address}/chat/completions", data, headers, method="POST")
        end = time.monotonic() + self.timeout
        with self._opener.open(request, timeout=self.timeout) as answer:
            blocks, size = [], 0
            while block := answer.read1(1 << 16):
                blocks.append(block)
                size += len(block)
                if size > LARGEST:
                    raise InputError(f"{self.address}: an answer is longer than {LARGEST >> 20} MB")
                if time.monotonic() > end:
                    raise TimeoutError
            length = answer.headers.get("Content-Length")
            if length and length.isdigit() and size < int(length):
                raise http.client.IncompleteRead(b"")
            return b"".join(blocks)

    def _read(self, data: bytes) -> Reply:
        """The reply in what a server sent; a server that sends something else is asked again."""
        try:
            found = json.loads(data)
            choice = found["choices"][0]
            message, usage = choice["message"], found.get("usage") or {}
            text, refused = message.get("content") or "", message.get("refusal") or ""
            if choice.get("finish_reason") == "content_filter":
                refused = refused or "content filter"
            counts = [int(usage.get(key) or 0) for key in ("prompt_tokens", "completion_tokens")]
            if not isinstance(text, str):
                raise TypeError
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
            raise http.client.HTTPException("the answer is not a chat completion in JSON") from None
        return Reply(
            text, " ".join(str(refused).split()), counts[0], counts[1], str(found.get("model") or "")
        )

    def _said(self, error: urllib.error.HTTPError) -> str:
        """What the body of an error says, short and without the key."""
        try:
            text = error.read(1 << 14).decode("utf-8", "replace")
        except (OSError, http.client.HTTPException):
            return ""
        try:
            text = json.loads(text)["error"]["message"]
        except (ValueError, TypeError, KeyError):
            text = text if not text.lstrip().startswith("<") else ""
        flat = " ".join(self._struck(str(text)).split())
        return f": {flat[:200]}" if flat else ""

    def _struck(self, text: str) -> str:
        """Without the key."""
        return text.replace(self._key, "***") if self._key else text

    def _hint(self, error: urllib.error.HTTPError) -> str:
        if error.code == 401:
            return f" (the key comes from the environment variable {self.key_name})"
        return " (redirections are not followed)" if 300 <= error.code < 400 else ""


def _seconds(text: str | None) -> float:
    """What Retry-After says, if it is a number."""
    try:
        return max(0.0, float(text or 0))
    except ValueError:
        return 0.0
