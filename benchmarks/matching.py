"""Matching against a memory of a million units: time of a query, growth, beside rapidfuzz over all units.

    python -m benchmarks.matching [UNITS...]

The units are those of ../shared/data/memory, repeated with changed words; queries are units of 2023 whose source the
older ones do not have. Times are CPU times of one core, but where a line says by the clock; a query's is the least of
three. The load of the machine is printed beside. What is missed, and tantivy: benchmarks/matching_recall.py.
"""

from __future__ import annotations

import json
import lzma
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path

from tertium import _native
from tertium.errors import many
from tertium.io.memories.pairs import Pair
from tertium.matching.indexing import index_memory
from tertium.matching.matching import match_document
from tertium.matching.training import train_policy
from tertium.memory.importing import import_memory
from tertium.memory.store import Memory

SHARED = Path(os.environ.get("TERTIUM_SHARED", Path(__file__).resolve().parents[2] / "shared"))
DATA = SHARED / "data" / "memory" / "en-fr.jsonl.xz"
PAIR = Pair("en", "fr")
CUT = "2023-01-01"
UNITS = 1_000_000
QUERIES, COMPARED, SEGMENTS, RUNS = 1000, 10, 500, 3
BATCH = 16384  # texts that are added at a time, as MemoryIndex does
LEARNT_FROM, LEARNT_BY = 20_000, 1000  # units and later segments that the policy learns from
LEAST, MOST = 0.5, 10  # likeness and number of what a query asks for
HEADER = f"{'':<58}{'':>16}{'target':>16}"


def records() -> list[dict[str, str]]:
    """The units before the cut."""
    with lzma.open(DATA, "rt", encoding="utf-8") as file:
        return [unit for unit in map(json.loads, file) if unit["date"] < CUT]


def texts(queries: int = QUERIES) -> tuple[list[str], list[str]]:
    """Sources before the cut, and new ones of four words and more after it."""
    old: list[str] = []
    new: list[str] = []
    with lzma.open(DATA, "rt", encoding="utf-8") as file:
        for line in file:
            unit = json.loads(line)
            (new if unit["date"] >= CUT else old).append(" ".join(unit["source"].split()))
    known = set(old)
    fresh = [text for text in dict.fromkeys(new) if text not in known and len(text.split()) >= 4]
    return old, random.Random(3).sample(fresh, min(queries, len(fresh)))


def repeated(old: list[str], units: int) -> list[str]:
    """The units, and again with a fifth of their words changed."""
    draws = random.Random(5)
    words = [word for text in old[::50] for word in text.split()]
    made = old[:units]
    while len(made) < units:
        for text in old[: units - len(made)]:
            made.append(
                " ".join(draws.choice(words) if draws.random() < 0.2 else word for word in text.split())
            )
    return made


def load() -> str:
    return row("  load of the machine, of the last minute", f"{os.getloadavg()[0]:.1f}")


def row(what: str, value: str, target: str = "") -> str:
    return f"{what:<58}{value:>16}{target:>16}"


def queried(old: list[str], queries: list[str], units: int) -> Iterator[str]:
    """The index in memory, and rapidfuzz over all units for a few of the same queries."""
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import extract

    known = repeated(old, units)
    begin = time.process_time()
    index = _native.TextIndex()
    for at in range(0, len(known), BATCH):
        index.add(known[at : at + BATCH])
    parts = index.parts()
    building = time.process_time() - begin
    size, length = sum(map(len, parts)), sum(len(text.encode()) for text in known)
    times = [float("inf")] * len(queries)
    for _ in range(RUNS):
        for n, query in enumerate(queries):
            begin = time.process_time()
            index.find(query, LEAST, MOST)
            times[n] = min(times[n], time.process_time() - begin)
    compared = sum(times[:COMPARED])
    times.sort()
    middle, late = (1e3 * times[len(times) * share // 100] for share in (50, 99))
    yield row(f"{units:,} units: index made", f"{units / building:,.0f}/s", "50,000/s")
    yield row("  index / sources", f"{size / length:.2f}", "3")
    yield row(f"  {len(queries):,} queries, median", f"{middle:.2f} ms", "5 ms")
    yield row("  at 99%", f"{late:.2f} ms", "20 ms")
    begin = time.process_time()
    for query in queries[:COMPARED]:
        extract(query, known, scorer=Levenshtein.normalized_similarity, score_cutoff=LEAST, limit=MOST)
    theirs = time.process_time() - begin
    yield row(
        f"  rapidfuzz process.extract over all, {COMPARED} queries",
        f"{1e3 * theirs / COMPARED:.0f} ms",
        f"{theirs / compared:.0f} x ours",
    )


def write(path: str, units: Iterable[dict[str, str]]) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(unit) + "\n" for unit in units)


def documents(old: list[str], queries: list[str], units: int) -> Iterator[str]:
    """A document of 500 segments end to end, from a memory on disk, by likeness and by a policy."""
    known = records()
    with tempfile.TemporaryDirectory() as folder:
        listed, path, few, document, policy = (
            os.path.join(folder, name) for name in ("m.jsonl", "m.db", "few.db", "new.txt", "policy.json")
        )
        write(listed, known[:: len(known) // LEARNT_FROM])
        import_memory([listed], few, pair=PAIR)
        train_policy(few, policy, since=date(2021, 1, 1), most=LEARNT_BY)
        changed = enumerate(repeated(old, units))
        write(listed, ({**known[n % len(known)], "source": text} for n, text in changed))
        import_memory([listed], path, pair=PAIR)
        Path(document).write_text("".join(text + "\n" for text in queries[:SEGMENTS]), "utf-8")
        begin, cpu = time.perf_counter(), time.process_time()
        made = index_memory(path, None)
        clock, spent = time.perf_counter() - begin, time.process_time() - cpu
        yield row(f"{made.units:,} units in a memory: index made and written", f"{spent:.1f} s")
        speeds = f"{made.units / spent:,.0f}/s", f"{made.units / clock:,.0f}/s"
        yield row("  units a second; by the clock", *speeds)
        sources, both = sizes(path)
        yield row("  index on disk / sources", f"{made.bytes / sources:.2f}", "3")
        yield row("  index on disk / sources and targets", f"{made.bytes / both:.2f}", "3")
        for with_policy in (None, policy):
            if with_policy is not None:
                match_document(document, path, policy=with_policy)  # learns words, and writes them
            for threads in (1, 2):
                runs = []
                for _ in range(RUNS):
                    begin, cpu = time.perf_counter(), time.process_time()
                    match_document(document, path, policy=with_policy, threads=threads)
                    runs.append((time.perf_counter() - begin, time.process_time() - cpu))
                clock, spent = (min(times) for times in zip(*runs, strict=True))
                how = f"{SEGMENTS} segments{', policy' if with_policy else ''}, {many(threads, 'thread')}"
                yield row(f"{how}: CPU; by the clock", f"{spent:.2f} s", f"{clock:.2f} s")
        yield row("  asked for: by the clock, two cores", "", "5 s")


def sizes(path: str) -> tuple[int, int]:
    """Bytes of the sources, and of the sources and targets, of a memory."""
    sources = targets = 0
    for unit in Memory.open(path):
        sources += len(unit.source.encode())
        targets += len(unit.target.encode())
    return sources, sources + targets


def run(units: int = UNITS) -> Iterator[str]:
    if not DATA.exists():
        yield f"{DATA} is not there: not measured"
        return
    old, queries = texts()
    yield from queried(old, queries, units)
    yield from documents(old, queries, units)


def main() -> None:
    asked = [int(own) for own in sys.argv[1:]] or [UNITS]
    print(HEADER)
    old, queries = texts()
    for units in asked:
        for line in queried(old, queries, units):
            print(line, flush=True)
        print(load(), flush=True)
    for line in documents(old, queries, min(UNITS, max(asked))):
        print(line, flush=True)
    print(load())


if __name__ == "__main__":
    main()
