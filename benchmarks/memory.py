"""Translation memories: reading TMX, importing it, checking it, and how these grow.

    python -m benchmarks.memory
    python -m benchmarks.memory --checks
    python -m benchmarks.memory --millions 1 2 4     (make bench-memory)

Real catalogues (../shared/data/memory, English and French), repeated with changed words: each copy gives the longest
word of each text an ending of its own. Peers read the same file in the same run: ElementTree's iterparse, which gives
the two texts and nothing else, and a plain import, iterparse into an SQLite table with a unique index.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from xml.etree import ElementTree

from benchmarks.measure import HEADER, Line, seconds
from tertium.io.memories.formats import open_units
from tertium.io.memories.notes import Notes
from tertium.io.memories.tmxwriting import TmxWriter
from tertium.io.memories.unit import Unit
from tertium.memory.checking import check_memory
from tertium.memory.importing import import_memory

SHARED = Path(os.environ.get("TERTIUM_SHARED", Path(__file__).resolve().parents[2] / "shared"))
DATA = SHARED / "data" / "memory" / "en-fr.jsonl.xz"
GOAL = 20_000  # units checked a second
LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


def units(number: int) -> Iterator[Unit]:
    """So many units: the catalogues as they are, then again and again with changed words, which differ in each copy."""
    made = copy = 0
    while True:
        ending = (
            "".join("bdfgklmnprstvz"[int(digit)] + "aeiou"[copy % 5] for digit in str(copy)) if copy else ""
        )
        with lzma.open(DATA, "rt", encoding="utf-8") as lines:
            for line in lines:
                if made == number:
                    return
                made += 1
                own = json.loads(line)
                about = {key: own[key] for key in ("client", "translator", "document", "date")}
                texts = (own["source"], own["target"])
                if copy:
                    texts = (changed(texts[0], ending), changed(texts[1], ending))
                    about["document"] = f"{copy} {about['document']}"
                yield Unit(*texts, "en", "fr", **about)
        copy += 1


def changed(text: str, ending: str) -> str:
    """A text whose longest word has another ending: the same word, in the same copy, always the same."""
    found = max(_LONG.finditer(text), key=lambda own: len(own.group()), default=None)
    return text if found is None else text[: found.end()] + ending + text[found.end() :]


_LONG = re.compile(r"(?<![\w%&{<$])[^\W\d_]{4,}(?![\w}>])")


def write(path: Path, number: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        writer = TmxWriter(file, Notes(str(path)))
        for unit in units(number):
            writer.write(unit)
        writer.finish()


def ours(path: Path) -> int:
    return sum(len(unit.source) > 0 for unit in open_units(str(path)))


def pairs(path: Path) -> Iterator[tuple[str, str]]:
    """What iterparse gives of the same file."""
    for _, element in ElementTree.iterparse(path, events=("end",)):
        if element.tag == "tu":
            found = {own.get(LANGUAGE): "".join(own.find("seg").itertext()) for own in element.iter("tuv")}  # type: ignore[union-attr]
            yield found["en"], found["fr"]
            element.clear()


def plain_import(path: Path, database: Path) -> None:
    database.unlink(missing_ok=True)
    connection = sqlite3.connect(database)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE units (source, target, UNIQUE (source, target))")
    connection.executemany("INSERT OR IGNORE INTO units VALUES (?, ?)", pairs(path))
    connection.commit()
    connection.close()


def our_import(path: Path, database: Path) -> None:
    database.unlink(missing_ok=True)
    import_memory([str(path)], str(database))


def our_check(path: Path) -> int:
    return check_memory(str(path)).units


def run(number: int = 100_000, repeats: int = 3) -> Iterator[Line]:
    """Reading and importing, beside peers."""
    with tempfile.TemporaryDirectory() as folder:
        path, database = Path(folder) / "memory.tmx", Path(folder) / "memory.db"
        write(path, number)
        assert ours(path) == sum(1 for _ in pairs(path)) == number
        read = seconds(lambda: ours(path), repeats)
        yield Line(
            "reading TMX", number, read, "iterparse", seconds(lambda: sum(1 for _ in pairs(path)), repeats)
        )
        first = seconds(lambda: our_import(path, database), repeats)
        plain = seconds(lambda: plain_import(path, Path(folder) / "plain.db"), repeats)
        yield Line("importing into a new memory", number, first, "plain import", plain)
        our_import(path, database)
        again = seconds(lambda: import_memory([str(path)], str(database)), repeats)
        yield Line("importing it again", number, again, "plain import", plain)
        checked = seconds(lambda: our_check(path), 1)
        yield Line("all checks, two passes", number, checked, f"goal: {GOAL:,}/s", number / GOAL)


def each_check(number: int = 100_000, repeats: int = 3) -> None:
    """What every check costs by itself, in microseconds of CPU time for a unit, and how many units it doubts."""
    from tertium.vetting.batches import UnitBatch
    from tertium.vetting.checks.base import CHECKS, LearningCheck, looked_through

    read = list(real_units(number))
    batches = [UnitBatch(read[begin : begin + 1024]) for begin in range(0, len(read), 1024)]
    start = time.process_time()
    for batch in batches:
        batch.signs, batch.plain_sources, batch.plain_targets, batch.hashes  # noqa: B018  (made once for all checks)
    shared = (time.process_time() - start) / len(read) * 1e6
    print(f"\n{'check':<16}{'learn us':>10}{'look us':>10}{'doubts':>10}   ({len(read):,} units)")
    total = shared
    print(f"{'signs of all':<16}{'':>10}{shared:>10.2f}")
    for name in CHECKS:
        check = CHECKS[name]()
        learnt = 0.0
        if isinstance(check, LearningCheck):
            start = time.process_time()
            for batch in batches:
                check.learn(batch)
            learnt = (time.process_time() - start) / len(read) * 1e6
        taken = []
        for _ in range(repeats):
            start = time.process_time()
            doubts = sum(1 for batch in batches for _ in looked_through(check, batch))
            taken.append((time.process_time() - start) / len(read) * 1e6)
        total += learnt + min(taken)
        print(f"{name:<16}{learnt:>10.2f}{min(taken):>10.2f}{doubts:>10,}", flush=True)
    print(f"{'all':<16}{'':>10}{total:>10.2f}   {1e6 / total:,.0f} units a second")


def real_units(number: int) -> Iterator[Unit]:
    """Units of the catalogues as they are, spread over all of them."""
    step = max(307_901 // number, 1)
    with lzma.open(DATA, "rt", encoding="utf-8") as lines:
        for own in map(json.loads, islice(lines, 0, None, step)):
            about = {key: own[key] for key in ("client", "translator", "document", "date")}
            yield Unit(own["source"], own["target"], "en", "fr", **about)


READ = "import sys; from pathlib import Path; from benchmarks import memory; memory.ours(Path(sys.argv[1]))"
COMMAND = "import sys; from tertium.cli import main; sys.exit(main())"


def used(*arguments: str) -> tuple[float, float]:
    """The seconds of CPU time of a Python program, its start included, and its greatest memory in MB."""
    process = subprocess.Popen([sys.executable, "-W", "ignore", "-c", *arguments], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{arguments[1:]} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def growth(millions: list[float]) -> None:
    """The commands as people type them: units a second of CPU time, and the greatest memory."""
    print(
        f"{'units':>12}{'file MB':>10}{'read/s':>12}{'MB':>6}{'import/s':>12}{'MB':>6}{'check/s':>12}{'MB':>6}"
    )
    for million in millions:
        number = int(million * 1_000_000)
        with tempfile.TemporaryDirectory() as folder:
            path, database = str(Path(folder) / "memory.tmx"), str(Path(folder) / "memory.db")
            write(Path(path), number)
            line = f"{number:>12,}{os.path.getsize(path) / 2**20:>10.0f}"
            for call in (
                (READ, path),
                (COMMAND, "memory", "import", path, "-o", database, "-q"),
                (COMMAND, "memory", "check", path, "-q"),
            ):
                taken, peak = used(*call)
                line += f"{number / taken:>12,.0f}{peak:>6.0f}"
            print(line, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--millions", type=float, nargs="*", default=[], help="only growth: how many units")
    parser.add_argument("--checks", action="store_true", help="only what each check costs")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if options.checks:
        each_check()
        return
    if options.millions:
        growth(options.millions)
        return
    print(f"translation memories ({time.strftime('%d %B %Y')})\n{HEADER}")
    for line in run():
        print(line.text(), flush=True)
    each_check()
    growth([0.1])


if __name__ == "__main__":
    main()
