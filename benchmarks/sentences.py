"""How the alignment of sentences grows with the length of a document: units of ../shared/data/memory in a row, every
twentieth dropped from one side or the other.

python -m benchmarks.sentences
"""

from __future__ import annotations

import json
import lzma
import os
import resource
import time
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path

from tertium.text.beads import Document, align

SHARED = Path(os.environ.get("TERTIUM_SHARED", Path(__file__).resolve().parents[2] / "shared"))
SIZES = (12_500, 25_000, 50_000)
LEAST = 5  # words of a source
HEADER = f"{'sentences':>10}{'seconds':>10}{'us a sentence':>15}{'MB more':>10}{'found':>8}"


def document(size: int) -> tuple[list[str], list[str], int]:
    """Both sides, and how many pairs are whole."""
    sources: list[str] = []
    targets: list[str] = []
    whole = 0
    with lzma.open(SHARED / "data" / "memory" / "en-fr.jsonl.xz", "rt", encoding="utf-8") as file:
        for n, line in enumerate(
            unit for unit in map(json.loads, file) if len(unit["source"].split()) >= LEAST
        ):
            if len(sources) >= size:
                break
            if n % 40 != 10:
                sources.append(line["source"])
            if n % 40 != 30:
                targets.append(line["target"])
            whole += n % 20 != 10
    return sources, targets, whole


def timed(size: int) -> tuple[float, float, float]:
    """CPU seconds, megabytes more than before, and the share of whole pairs that are a bead."""
    sources, targets, whole = document(size)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin = time.process_time()
    [beads] = align([Document(sources, targets)])
    spent = time.process_time() - begin
    more = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    pairs = [
        bead for bead in beads if bead.source[1] - bead.source[0] == bead.target[1] - bead.target[0] == 1
    ]
    expected = set()
    i = j = n = 0
    while i < len(sources) and j < len(targets):
        here = n % 40
        if here not in (10, 30):
            expected.add((i, j))
        i += here != 10
        j += here != 30
        n += 1
    right = sum((bead.source[0], bead.target[0]) in expected for bead in pairs)
    return spent, more, right / whole


def run() -> Iterator[str]:
    if not (SHARED / "data" / "memory").exists():
        yield "  (no ../shared/data/memory)"
        return
    for size in SIZES:
        with get_context("spawn").Pool(1) as pool:
            spent, more, right = pool.apply(timed, (size,))
        yield f"{size:>10,}{spent:>10.2f}{1e6 * spent / size:>15.1f}{more:>10.0f}{right:>8.1%}"


if __name__ == "__main__":
    print(HEADER)
    for line in run():
        print(line, flush=True)
