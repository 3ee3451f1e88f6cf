"""A memory over HTTP: matching, searching, and edits that the next question finds, while others ask."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tertium.errors import InputError, TertiumError
from tertium.io.glossaries import read_terms
from tertium.io.memories.pairs import Pair
from tertium.io.memories.unit import Unit
from tertium.io.records import parsed_json
from tertium.matching.candidates import MatchJob
from tertium.matching.consistency import TermKeeper
from tertium.matching.index import MemoryIndex
from tertium.matching.matching import Matcher, matched
from tertium.matching.policy import Policy
from tertium.matching.searching import search_memory
from tertium.memory.importing import add_units
from tertium.results import plain

LARGEST = 1 << 24  # bytes of a question
TEXTS = ("source", "target", "source_language", "target_language", "client", "translator", "document", "date")


class LiveMemory:
    """A memory that many ask and add to at the same time."""

    def __init__(
        self,
        path: str,
        *,
        policy: str | None = None,
        pair: Pair | None = None,
        parts: bool = False,
        terms: bool = False,
        glossary: str | None = None,
        source: bool = True,
    ) -> None:
        self.path, self.pair = path, pair
        self.parts, self.terms = parts, terms or glossary is not None  # unless a question says otherwise
        learned = None if policy is None else Policy.load(policy)
        self._matcher = Matcher(MemoryIndex.open(path, pair), policy=learned, source=source)
        self._asking, self._adding = threading.Lock(), threading.Lock()
        first = next(iter(self._matcher.index.units()))
        self._languages = (first.source_language, first.target_language)
        self._glossary = None if glossary is None else read_terms(glossary, *self._languages)

    def match(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Proposals for segments, by all that anybody has added until now."""
        segments = given.get("segments")
        if not isinstance(segments, list) or not all(isinstance(own, str) for own in segments):
            raise InputError("segments: a list of texts is expected")
        targets = given.get("targets") or [""] * len(segments)
        if not isinstance(targets, list) or [type(own) for own in targets] != [str] * len(segments):
            raise InputError(
                "targets: a list of as many texts as segments is expected, empty where there is none"
            )
        parts, terms = _truth(given, "parts", self.parts), _truth(given, "terms", self.terms)
        names = {name: _text(given, name) for name in ("client", "translator", "domain")}
        most = _number(given, "most", self._matcher.most)
        with self._asking:
            self._matcher.index.refresh()
            self._matcher.most = most
            job = MatchJob(names["client"], names["translator"], str(date.today()), names["domain"])
            keeper = None
            if terms:
                keeper = TermKeeper(self._matcher.known_words, self._languages, self._glossary)
            found = matched(self._matcher, segments, targets, job, keeper, parts=parts)
        return {"segments": [plain(own) for own in found]}

    def add(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Units into the memory: on the disk when this returns."""
        listed = given.get("units")
        if not isinstance(listed, list) or not listed:
            raise InputError("units: a list of units is expected")
        units = [self._unit(own, number) for number, own in enumerate(listed, 1)]
        with self._adding:
            added = add_units(units, self.path)
        with self._asking:
            self._matcher.index.refresh()
            return {"added": added, "units": len(self._matcher.index)}

    def search(self, given: Mapping[str, Any]) -> dict[str, Any]:
        target = _truth(given, "target", False)
        most = _number(given, "most", 20)
        found: dict[str, Any] = plain(
            search_memory(_text(given, "text"), self.path, target=target, most=most)
        )
        return found

    def _unit(self, given: Any, number: int) -> Unit:
        if not isinstance(given, dict):
            raise InputError(f"unit {number}: an object is expected")
        for name in given:
            if name not in TEXTS:
                raise InputError(f"unit {number}: there is no {name!r}; known: {', '.join(TEXTS)}")
        values = {name: _text(given, name, f"unit {number}: ") for name in given}
        for name in ("source", "target"):
            if not values.get(name, "").strip():
                raise InputError(f"unit {number}: has no {name}")
        for name, language in zip(("source_language", "target_language"), self._languages, strict=True):
            values.setdefault(name, language)
        values.setdefault("date", str(date.today()))
        texts: dict[str, Any] = dict(values)
        return Unit(**texts)


def _text(given: Mapping[str, Any], name: str, where: str = "") -> str:
    value = given.get(name, "")
    if not isinstance(value, str):
        raise InputError(f"{where}{name}: a text is expected")
    return value


def _truth(given: Mapping[str, Any], name: str, usual: bool) -> bool:
    value = given.get(name, usual)
    if not isinstance(value, bool):
        raise InputError(f"{name}: true or false is expected")
    return value


def _number(given: Mapping[str, Any], name: str, usual: int) -> int:
    value = given.get(name, usual)
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 1000:
        raise InputError(f"{name}: a number from 1 to 1000 is expected")
    return value


class MemoryServer(ThreadingHTTPServer):
    """Listens when it is made; port 0 takes a free one."""

    daemon_threads = True

    def __init__(self, live: LiveMemory, host: str, port: int) -> None:
        self.verbs: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
            "/match": live.match,
            "/add": live.add,
            "/search": live.search,
        }
        try:
            super().__init__((host, port), _Handler)
        except OSError as error:
            raise InputError(f"{host}:{port}: {error.strerror or error}") from None


class _Handler(BaseHTTPRequestHandler):
    server: MemoryServer
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        size = self.headers.get("Content-Length", "")
        verb = self.server.verbs.get(self.path)
        if not size.isdecimal() or int(size) > LARGEST:
            self.close_connection = True
            self._answer(413, {"error": f"a length of up to {LARGEST:,} bytes is expected"})
            return
        data = self.rfile.read(int(size))
        if verb is None:
            known = ", ".join(self.server.verbs)
            self._answer(404, {"error": f"there is no {self.path!r}; known: {known}"})
            return
        try:
            given = parsed_json(data.decode("utf-8"), "question")
            if not isinstance(given, dict):
                raise InputError("question: an object is expected")
            self._answer(200, verb(given))
        except UnicodeDecodeError:
            self._answer(400, {"error": "question: is not valid UTF-8"})
        except TertiumError as error:
            self._answer(400, {"error": str(error)})

    def _answer(self, status: int, content: dict[str, Any]) -> None:
        body = json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass")
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_given: Any) -> None:
        """Nothing: texts of clients do not belong into a log."""
