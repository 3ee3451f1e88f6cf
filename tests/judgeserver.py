"""A language model on loopback that answers by rule, and can behave badly or slowly."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tertium.families.llm import LLMJudge

Answer = (
    str | dict[str, Any] | tuple[int, Any] | None
)  # text; a message; status and body; None: close the connection
Rule = Callable[[dict[str, Any]], Answer]


def shown(body: dict[str, Any], head: str) -> str:
    """The text that a prompt shows under a head."""
    said = "\n".join(message["content"] for message in body["messages"] if message["role"] == "user")
    found = re.search(rf"{head}[^\n]*:\n---\n(.*?)\n---", said, re.DOTALL)
    return found[1] if found else ""


def length_score(body: dict[str, Any]) -> str:
    """A score by the length of the translation."""
    text = shown(body, "Translation to be judged") or shown(body, "Translation")
    return json.dumps({"score": min(100, 7 * len(text.split()))})


class JudgeServer:
    """Answers by `rule`; `habits` come first, one a request."""

    def __init__(self, rule: Rule = length_score) -> None:
        self.rule = rule
        self.habits: list[Rule | Answer] = []
        self.bodies: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.address = ""
        self.dribble = 0.0  # seconds between the bytes of an answer
        self.headers: dict[str, str] = {}
        self._lock = threading.Lock()

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        body = json.loads(request.rfile.read(int(request.headers["Content-Length"])))
        with self._lock:
            self.bodies.append(body)
            self.keys.append(request.headers.get("Authorization"))
            habit = self.habits.pop(0) if self.habits else self.rule
        said = habit(body) if callable(habit) else habit
        if said is None:
            request.close_connection = True
            request.connection.close()
            return
        status, data = said if isinstance(said, tuple) else (200, self._completion(said, body))
        text = data if isinstance(data, bytes) else json.dumps(data).encode()
        request.send_response(status)
        for name, value in self.headers.items():
            request.send_header(name, value)
        request.send_header("Content-Length", str(len(text)))
        request.end_headers()
        if not self.dribble:
            request.wfile.write(text)
            return
        for byte in text:
            request.wfile.write(bytes([byte]))
            request.wfile.flush()
            time.sleep(self.dribble)

    @staticmethod
    def _completion(said: str | dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
        message = said if isinstance(said, dict) else {"content": said}
        return {
            "model": f"{body['model']}-2026",
            "choices": [{"message": message, "finish_reason": message.get("finish_reason", "stop")}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 10},
        }


def started(rule: Rule = length_score) -> tuple[JudgeServer, ThreadingHTTPServer]:
    """A server that runs until it is shut down, or with this process."""
    own = JudgeServer(rule)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            with suppress(OSError):  # whoever asked is gone
                own.answer(self)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.block_on_close = False
    own.address = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    return own, server


@contextmanager
def judging(rule: Rule = length_score) -> Iterator[JudgeServer]:
    """A server for the time of a test."""
    own, server = started(rule)
    try:
        yield own
    finally:
        server.shutdown()
        server.server_close()


def judge(server: JudgeServer, **options: Any) -> LLMJudge:
    """The metric that asks it."""
    return LLMJudge(judge="small", endpoint=server.address, **options)
