"""Rows as files: bytes a segment, and how fast they are written, joined and scored.

    python -m benchmarks.rows [SEGMENTS]

A shard of 100,000 segments (WMT17's outputs, or sentences made of the sample) is scored and its rows are written; then
copies of that file, as many as it takes for 10 million segments, are joined, and scores, documents and intervals come
from the whole. Times are CPU times of one core, the least of three runs; joining, which moves bytes, also by the clock.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator

from benchmarks import texts
from tertium import registry
from tertium.comparison.sacrebleu_tests import scores_with_intervals
from tertium.io.door import Files
from tertium.measuring import measure
from tertium.rowfiles.reading import read_rows
from tertium.rowfiles.writing import merge_rows, write_rows
from tertium.scoring import scores_of

SEGMENTS, SHARD, RUNS = 10_000_000, 100_000, 3
METRICS = (("bleu",), ("chrf",), ("ter",), ("bleu", "chrf", "ter"))
DOCUMENT = 20  # segments
HEADER = f"{'':<52}{'':>18}{'target':>14}"


def row(what: str, value: str, target: str = "") -> str:
    return f"{what:<52}{value:>18}{target:>14}".rstrip()


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """CPU time and time by the clock, the least of some runs."""
    cpu = clock = float("inf")
    for _ in range(RUNS):
        begin, spent = time.perf_counter(), time.process_time()
        work()
        clock, cpu = min(clock, time.perf_counter() - begin), min(cpu, time.process_time() - spent)
    return cpu, clock


def shard(folder: str) -> tuple[Files, int, str]:
    """A shard on disk, its number of segments, and where they come from."""
    corpus = texts.corpus(SHARD, systems=4)
    sides = {
        "ref": corpus.references,
        "out": corpus.hypotheses,
        "ids": [f"d{n // DOCUMENT}" for n in range(len(corpus))],
    }
    for name, lines in sides.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)
    ref, out, ids = (os.path.join(folder, name) for name in sides)
    return Files([ref], [out], documents=ids), len(corpus), corpus.name


def run(segments: int = SEGMENTS) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        files, n, name = shard(folder)
        copies = max(1, segments // n)
        yield f"{name}: {n:,} segments; {copies} times that are {copies * n:,}"
        for specs in METRICS:
            one, whole = (os.path.join(folder, f"{kind}.rows") for kind in ("one", "all"))
            chosen = [registry.metric(spec) for spec in specs]

            def scored(level: str = "corpus", chosen: list = chosen) -> object:  # type: ignore[type-arg]
                return measure(files.open(), chosen, level, force=True)  # type: ignore[arg-type]

            def written(chosen: list = chosen, one: str = one) -> object:  # type: ignore[type-arg]
                return write_rows(files.open(), chosen, one, force=True)

            scoring, _ = timed(scored)
            writing, _ = timed(written)
            paths = [os.path.join(folder, f"{copy}.rows") for copy in range(copies)]
            for path in paths:
                shutil.copyfile(one, path)
            cpu, clock = timed(lambda paths=paths, whole=whole: merge_rows(paths, whole))  # type: ignore[misc]
            made = merge_rows(paths, whole)
            for path in paths:
                os.unlink(path)
            total, _ = timed(lambda whole=whole: scores_of(read_rows(whole, "corpus")))  # type: ignore[misc]
            small = specs == ("bleu",)
            yield row(
                f"{' '.join(specs)}: bytes a segment", f"{made.bytes / made.segments:.2f}", "16" * small
            )
            yield row("  scored, rows forgotten", f"{n / scoring:,.0f}/s")
            yield row("  scored, rows written", f"{n / writing:,.0f}/s")
            yield row("  joined, CPU", f"{made.segments / cpu / 1e6:,.1f} M/s", "10 M/s")
            yield row("  joined, by the clock", f"{made.segments / clock / 1e6:,.1f} M/s", "10 M/s")
            yield row("  corpus score from the rows", f"{made.segments / total / 1e6:,.1f} M/s")
            if small:
                by, _ = timed(lambda whole=whole: scores_of(read_rows(whole, "document")))  # type: ignore[misc]
                yield row("  document scores from the rows", f"{made.segments / by / 1e6:,.1f} M/s")
                spent = time.process_time()
                scores_with_intervals(read_rows(one), chosen, resamples=1000)
                spent = time.process_time() - spent
                yield row(f"  interval of {n:,} segments, 1000 resamples", f"{spent:.2f} s")
            os.unlink(whole)
    yield row("load of the machine, of the last minute", f"{os.getloadavg()[0]:.1f}")


def main() -> None:
    print(HEADER)
    for line in run(int(sys.argv[1]) if len(sys.argv) > 1 else SEGMENTS):
        print(line, flush=True)


if __name__ == "__main__":
    main()
