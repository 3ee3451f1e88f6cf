"""The table of phrases (`memory match --parts`) of a large memory: time and memory to make it, its size, and questions.

    python -m benchmarks.matching_parts [UNITS...]

The units are those of ../shared/data/memory, repeated with changed words (benchmarks/matching.py); the questions are
new sources of 2023. Times are CPU times of one core; memory is the most that the process held, above what it held
with the texts.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time

from benchmarks.matching import repeated, texts
from tertium.matching.parts import LOOKED_AT
from tertium.matching.phrases import PhraseTable
from tertium.text.keyed import KeyedWords

UNITS = (100_000, 300_000, 1_000_000)
QUESTIONS = 500


def main(units: int) -> None:
    """One size, in a process of its own, so that the most memory is its own."""
    old, new = texts(QUESTIONS)
    sources = repeated(old, units)
    KeyedWords.of(new)  # tables of characters are made once
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin = time.process_time()
    table = PhraseTable.of(sources)
    made = time.process_time() - begin
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "phrases")
        table.save(path, {})
        size = os.path.getsize(path)
    cut = KeyedWords.of(new)
    begin = time.process_time()
    runs = table.runs(cut)
    for number, own in enumerate(runs):
        longest = max(own, key=lambda run: run.size, default=None)
        if longest is not None:
            at = int(cut.starts[number]) + longest.begin
            table.sources(cut.keys[at : at + longest.size], LOOKED_AT)
    asked = time.process_time() - begin
    length = sum(map(len, sources))
    print(
        f"| {units:,} | {len(table.words):,} | {made:.1f} s | {held / 1e6:.2f} GB | {size / 1e6:.0f} MB,"
        f" {size / length:.1f} | {1000 * asked / len(new):.2f} ms |",
        flush=True,
    )


if __name__ == "__main__":
    sizes = [int(own) for own in sys.argv[1:]] or list(UNITS)
    if len(sizes) == 1:
        main(sizes[0])
    else:
        print("| units | words | made in | memory | file, times the text | a question |")
        print("|--:|--:|--:|--:|--:|--:|", flush=True)
        for own in sizes:
            subprocess.run([sys.executable, "-m", "benchmarks.matching_parts", str(own)], check=True)
