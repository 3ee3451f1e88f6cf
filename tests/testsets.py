"""Small archives in place of every test set by name, and a server on loopback that has them and can misbehave."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import random
import tarfile
import threading
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tertium.io.testsets.table import BUNDLED

LINES = 12
WORDS = (
    "one",
    "zwei",
    "три",
    "四",
    "cinq",
    "&amp;",
    "&lt;6&gt;",
    "a  b",
    "R&D",
    '"seven"',
    "ثمانية",
    "<b>",
    "n\u00a0euf",
)
FEED = "\x0c"  # not in XML
HARD = (*WORDS, "t\tab", "c\rr", "x\u2028y\x85z", FEED, "b\ufeffom")  # what some take for the end of a line
Text = Callable[[str, int], str]  # a file and the number of a line: its text


def made_up(path: str, line: int) -> str:
    """A text that is the same each time, with what gives readers trouble."""
    draw = random.Random(f"{path}{line}")
    return " ".join(draw.choices(WORDS, k=draw.randint(1, 9)))


def hard(path: str, line: int) -> str:
    """The same, with more of what gives trouble."""
    draw = random.Random(f"{path}{line}")
    return " ".join(draw.choices(HARD, k=draw.randint(1, 9)))


def content(name: str, facts: Mapping[str, Any], path: str, text: Text) -> bytes:
    """A file of a test set."""
    if path.endswith(".gz"):
        return gzip.compress(_lines(path, text), mtime=0)
    if facts["kind"] == "columns":
        rows = ("\t".join(text(f"{i}:{path}", line) for i in range(5)) + "\n" for line in range(LINES))
        return "".join(rows).encode()
    if facts["kind"] == "xml":
        return _xml(facts, path, text)
    marked = facts["kind"] == "sgml" or path.endswith(".sgm")
    return _sgml(path, text, [*facts.get("tags", ())]) if marked else _lines(path, text)


def _lines(path: str, text: Text) -> bytes:
    return "".join(f"{text(path, line)} \n" for line in range(LINES)).encode()


def _sgml(path: str, text: Text, known: Sequence[str]) -> bytes:
    """Documents of five segments; some are called as those that a test set has tags of."""
    parts = ['<srcset setid="s" srclang="any">\n']
    for line in range(LINES):
        if line % 5 == 0:
            genre = ' genre="news"' if line % 2 else ""
            name = known[line] if known and line else f"doc.{line}"
            parts.append(
                f'<doc sysid="ref" docid="{name}"{genre} origlang="{"de" if line % 2 else "en"}">\n<p>\n'
            )
        parts.append(f'<seg id="{line + 1}"> {text(path, line)}</seg>\n')
    return "".join([*parts, "</p>\n</doc>\n</srcset>\n"]).encode()


def _xml(facts: Mapping[str, Any], path: str, text: Text) -> bytes:
    from xml.sax.saxutils import escape

    pair = next(own for own in facts["pairs"].values() if path in own["files"])
    labels = list(dict.fromkeys([*pair.get("references", facts["references"]), "C"]))
    if "newstest2021" in path:  # shared by test sets that differ in which of them count
        labels = list("ABCD")
    if "wmttest2022.liv-en" in path:
        labels = [""]
    parts = ['<?xml version="1.0" encoding="UTF-8"?>\n<dataset id="s">\n']
    for document in range(3):
        suite = ' testsuite="t"' if document == 1 else ""
        domain = ' domain="news"' if "2024" in path else ""
        parts.append(f'<doc id="d{document}" origlang="cs"{domain}{suite}>')
        numbers = range(document * 10 + 1, document * 10 + 7)
        sides = [("src", 'lang="cs"')] + [
            ("ref", f'lang="en" translator="{label}"' if label else 'lang="en"') for label in labels
        ]
        sides += [("hyp", 'lang="en" system="online-A"')]
        for element, attributes in sides:
            own = "".join(
                f'<seg id="{number}">{escape(text(path + element + attributes, number).replace(FEED, "f"))}</seg>'
                for number in numbers
                if number % 5 or element != "ref"  # one without any reference
            )
            parts.append(f"<{element} {attributes}><p>{own}</p></{element}>\n")
        parts.append("</doc>\n")
    return "".join([*parts, "</dataset>\n"]).encode()


def archives(sets: Mapping[str, Any], text: Text = made_up) -> dict[str, bytes]:
    """For each address a file with what the test sets look for in it."""
    found: dict[str, dict[str, bytes]] = {}
    for name, facts in sets.items():
        paths = dict.fromkeys(
            path.rpartition(":")[2] for pair in facts["pairs"].values() for path in pair["files"]
        )
        held = {path: content(name, facts, path, text) for path in paths}
        called = {
            f"{name.replace('/', '_')}.{address.rpartition('/')[2]}" for address, _ in facts["archives"]
        }
        for address, _ in facts["archives"]:
            base = address.rpartition("/")[2]
            own = {path for path in held if path.endswith(f".{base}")} or held.keys() - called
            found.setdefault(address, {}).update({path: held[path] for path in paths if path in own})
    return {address: _packed(address, held) for address, held in found.items()}


def _packed(address: str, held: Mapping[str, bytes]) -> bytes:
    base = address.rpartition("/")[2]
    alone = [data for path, data in held.items() if path.endswith(f".{base}")]
    if alone:  # a text that is no archive
        return alone[0]
    whole = io.BytesIO()
    if address.endswith(".zip"):
        with zipfile.ZipFile(whole, "w") as packed:
            for path, data in held.items():
                packed.writestr(zipfile.ZipInfo(path), data)
        return whole.getvalue()
    with tarfile.open(fileobj=whole, mode="w:gz") as tar:
        for path, data in held.items():
            member = tarfile.TarInfo(path)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return whole.getvalue()


class Server:
    """Files by path on loopback. `habits` say how the next answers go: "cut", "500", "404", "no range" (it is ignored),
    "other range" (it begins elsewhere), "stall" (the second half comes when `go_on` is set), "to ADDRESS"."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.habits: list[str] = []
        self.asked: list[tuple[str, str]] = []  # path and range
        self.address = ""
        self.go_on = threading.Event()

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        asked, habit = request.headers.get("Range", ""), self.habits.pop(0) if self.habits else ""
        self.asked.append((request.path, asked))
        data = self.files.get(request.path)
        if data is None or habit in ("404", "500"):
            request.send_error(int(habit or 404))
            return
        begin = int(asked.removeprefix("bytes=").rstrip("-")) if asked and habit != "no range" else 0
        if begin > len(data):
            request.send_error(416)
            return
        if habit.startswith("to "):
            request.send_response(302)
            request.send_header("Location", habit.removeprefix("to "))
            request.end_headers()
            return
        begin = begin // 2 if habit == "other range" else begin
        request.send_response(206 if begin else 200)
        request.send_header("Content-Length", str(len(data) - begin))
        if begin:
            request.send_header("Content-Range", f"bytes {begin}-{len(data) - 1}/{len(data)}")
        request.end_headers()
        middle = begin + (len(data) - begin) // 2
        request.wfile.write(data[begin:middle])
        if habit == "stall":
            request.wfile.flush()
            self.go_on.wait(60)
        if habit != "cut":
            with suppress(OSError):  # whoever asked may be gone
                request.wfile.write(data[middle:])
        request.close_connection = True


@contextmanager
def serving() -> Iterator[Server]:
    """A server for the time of a test."""
    own = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            own.answer(self)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    own.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield own
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def bundled_sets() -> dict[str, Any]:
    """The bundled table, as its file has it."""
    sets: dict[str, Any] = json.loads(BUNDLED.read_bytes())["sets"]
    return sets


@cache
def _usual_archives() -> dict[str, bytes]:
    return archives(bundled_sets())


def served_table(server: Server, sets: Mapping[str, Any], path: Path, text: Text = made_up) -> Path:
    """Put small archives of test sets on a server, and write the table that points there."""
    there: dict[str, tuple[str, str]] = {}
    held = _usual_archives() if text is made_up and sets == bundled_sets() else archives(sets, text)
    for number, (address, data) in enumerate(held.items()):
        place = f"/{number}/{address.rpartition('/')[2]}"
        server.files[place] = data
        there[address] = server.address + place, hashlib.md5(data, usedforsecurity=False).hexdigest()
    moved = {
        name: {**facts, "archives": [there[address] for address, _ in facts["archives"]]}
        for name, facts in sets.items()
    }
    path.write_text(json.dumps({"sets": moved}), encoding="utf-8")
    return path
