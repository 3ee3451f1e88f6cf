"""Matching against a memory of a million units: time of a query, growth, recall, beside rapidfuzz over all units.

    python -m benchmarks.matching [UNITS]

The units are those of ../shared/data/memory, repeated with changed words; queries are units of 2023 whose source the
older ones do not have. Times are CPU times of one core.
"""

from __future__ import annotations

import json
import lzma
import os
import random
import sys
import tempfile
import time
from pathlib import Path

from tertium import _native
from tertium.matching.matching import match_document
from tertium.memory.importing import import_memory

SHARED = Path(os.environ.get("TERTIUM_SHARED", Path(__file__).resolve().parents[2] / "shared"))
DATA = SHARED / "data" / "memory" / "en-fr.jsonl.xz"
CUT = "2023-01-01"
QUERIES, COMPARED = 1000, 50


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


def measured(old: list[str], queries: list[str], units: int) -> None:
    known = repeated(old, units)
    begin = time.process_time()
    index = _native.TextIndex()
    for at in range(0, len(known), 4096):
        index.add(known[at : at + 4096])
    parts = index.parts()
    building = time.process_time() - begin
    size, length = sum(map(len, parts)), sum(len(text.encode()) for text in known)
    times = []
    for query in queries:
        begin = time.process_time()
        index.find(query, 0.5, 10)
        times.append(time.process_time() - begin)
    times.sort()
    print(
        f"{units:>9,} units: index {units / building:,.0f} units/s, {size / length:.1f} x the sources;"
        f" query {1e3 * times[len(times) // 2]:.2f} ms median, {1e3 * times[len(times) * 99 // 100]:.2f} ms at 99%"
    )


def compared(old: list[str], queries: list[str], units: int) -> None:
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import extractOne

    known = repeated(old, units)
    index = _native.TextIndex()
    index.add(known)
    spent = [0.0, 0.0]
    found = right = 0
    for query in queries[:COMPARED]:
        begin = time.process_time()
        ours = index.find(query, 0.6, 1)
        middle = time.process_time()
        theirs = extractOne(query, known, scorer=Levenshtein.normalized_similarity, score_cutoff=0.6)
        spent[0] += middle - begin
        spent[1] += time.process_time() - middle
        if theirs is not None:
            found += 1
            right += bool(ours) and abs(ours[0][1] - theirs[1]) < 1e-9
    print(
        f"{units:>9,} units, {COMPARED} queries: ours {1e3 * spent[0] / COMPARED:.2f} ms,"
        f" rapidfuzz over all {1e3 * spent[1] / COMPARED:.1f} ms ({spent[1] / spent[0]:.0f} x);"
        f" the same best match of 60% or more in {right} of {found}"
    )


def documents(old: list[str], queries: list[str], units: int) -> None:
    """A document of 500 segments end to end, from a memory on disk."""
    with tempfile.TemporaryDirectory() as folder:
        source, path, document = (os.path.join(folder, name) for name in ("m.jsonl", "m.db", "new.txt"))
        with open(source, "w", encoding="utf-8") as file:
            for text in repeated(old, units):
                record = {"source": text, "target": text, "source_language": "en", "target_language": "fr"}
                file.write(json.dumps(record) + "\n")
        import_memory([source], path)
        Path(document).write_text("".join(text + "\n" for text in queries[:500]), "utf-8")
        for name in ("first time, index made", "again"):
            begin, cpu = time.perf_counter(), time.process_time()
            match_document(document, path)
            print(
                f"{units:>9,} units, 500 segments, {name}: {time.perf_counter() - begin:.1f} s,"
                f" CPU {time.process_time() - cpu:.1f} s"
            )


def main() -> None:
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    old, queries = texts()
    for units in (100_000, 1_000_000, 4_000_000):
        if units <= most:
            measured(old, queries, units)
    compared(old, queries, min(most, 265_000))
    documents(old, queries, min(most, 1_000_000))


if __name__ == "__main__":
    main()
