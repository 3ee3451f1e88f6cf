"""What the pages' commands meet beside files: servers that they start or ask, each on a free port of loopback."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests.judgeserver import judging, length_score
from tests.testsets import LINES, bundled_sets, served_table, serving

MODEL = "http://localhost:8000/v1"  # where the pages say that a language model is
PORTS = {"annotate": 8765, "serve": 8766, "memory": 8766, "adapt": 8767}  # what the commands take by default
PRINTED = {  # keys that a command prints, by how it is called
    r"monitor init": ("ADMIN", r"administrator \(shown only once\): ([\w-]{43})"),
    r"monitor key .*--system": ("KEY", r"^([\w-]{43})$"),
    r"monitor key .*--scope read": ("READ", r"^([\w-]{43})$"),
}


def answer(body: dict[str, Any]) -> str:
    """What a model says to each kind of question: that nothing is wrong, that none is better, a score."""
    said = json.dumps(body)
    if '\\"better\\"' in said:
        return '{"better": "tie"}'
    return '{"errors": []}' if '\\"errors\\"' in said else length_score(body)


def judge_all(path: Path) -> None:
    """Answers of all annotators to all screens of direct assessment."""
    from sqlalchemy import select

    from tertium.app import schema
    from tertium.app.database import CampaignDatabase
    from tertium.app.working import Work

    database = CampaignDatabase(path)
    for row in database.rows(select(schema.annotators.c.id, schema.annotators.c.campaign)):
        work = Work(database, row.campaign, row.id)
        for position in range(1, work.progress().total + 1):
            work.save(
                position, f"key-{row.id}-{position:06d}", {"score": position * 7 % 100}, 3.0, complete=True
            )
    database.close()


class Surroundings:
    """Servers that run while a page is read, and what was printed that later commands need (`$KEY`)."""

    def __init__(self) -> None:
        self.known: dict[str, str] = {}
        self.moved: dict[str, str] = {}  # addresses that the page names, and where they are here
        self._stack = ExitStack()

    def here(self, line: str) -> str:
        """A command with the addresses of this place; what it asks for is there."""
        if (MODEL in line or " judge" in line or "llm:" in line) and MODEL not in self.moved:
            self.moved[MODEL] = self._stack.enter_context(judging(answer)).address
            os.environ["TERTIUM_LLM_ENDPOINT"] = self.moved[MODEL]
        if re.search(r" testset get| -t wmt", line) and "TERTIUM_TESTSETS" not in os.environ:
            server, known = self._stack.enter_context(serving()), bundled_sets()
            table = served_table(server, {"wmt17": known["wmt17"]}, Path("table.json").resolve())
            Path("output.txt").write_text("one zwei\n" * LINES, "utf-8")  # as long as the small test set is
            os.environ.update(TERTIUM_TESTSETS=str(table), SACREBLEU=str(Path("sacrebleu").resolve()))
        if " annotate analyse" in line:
            judge_all(Path("campaigns.db"))
        for named, real in self.moved.items():
            line = line.replace(named, real)
        return line

    def start(self, words: list[str]) -> None:
        """A server of ours, in a process of its own; ready when it answers."""
        kind = "serve" if words[0] == "serve" else words[0]
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self._stack.enter_context(_process([*words, "--port", str(port)], f"http://127.0.0.1:{port}"))
        self.moved[f"http://localhost:{PORTS[kind]}"] = f"http://127.0.0.1:{port}"

    def heard(self, line: str, printed: str) -> None:
        """Keep a key that a command printed."""
        for called, (name, pattern) in PRINTED.items():
            if re.search(called, line) and (found := re.search(pattern, printed, re.M)):
                self.known[name] = found[1]

    def curl(self, line: str) -> str:
        """A call of a server, in a shell; a problem in its answer is an error."""
        call = line.replace("curl ", "curl -sS --fail-with-body ", 1)
        done = subprocess.run(
            ["bash", "-c", call],
            capture_output=True,
            text=True,
            env={**os.environ, **self.known},
            check=False,
        )
        assert done.returncode == 0, (line, done.stdout, done.stderr)
        assert done.stdout, line
        return done.stdout

    def close(self) -> None:
        """End all servers."""
        self._stack.close()


@contextmanager
def _process(words: list[str], url: str) -> Iterator[None]:
    code = "import sys; from tertium.cli import main; sys.exit(main(sys.argv[1:]))"
    log = Path("server.log")
    with log.open("w") as out:
        process = subprocess.Popen([sys.executable, "-c", code, *words], stdout=out, stderr=out)
    try:
        until = time.monotonic() + 120
        while not _answers(url):
            assert process.poll() is None, f"{' '.join(words)}: {log.read_text('utf-8')}"
            assert time.monotonic() < until, f"{' '.join(words)} does not answer"
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait(60)


def _answers(url: str) -> bool:
    try:
        urllib.request.urlopen(url, timeout=10).close()
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
    return True
