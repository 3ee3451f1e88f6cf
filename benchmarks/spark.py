"""A cluster of two workers on this machine against the local engine: what sending texts to workers costs.

    python -m benchmarks.spark [SEGMENTS]

BLEU, chrF and TER of 10 million segments (WMT17's outputs, again and again, in 16 Parquet files). In one run: the local
engine's work over the same texts; an identity `mapInArrow` over the same dataset, which reads it, carries it to Python
and back and does nothing; and our scoring of it. The target: ours takes at most 10% more than the two together.

CPU time is that of this process and everything it started (JVMs, Python workers); the clock depends on who else is at
work. Memory is the resident size of an executor's JVM and of a Python worker: the most in the first and last quarter.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks import texts
from benchmarks.rows import row, shard
from tertium import registry
from tertium.measuring import measure

SEGMENTS, FILES = 10_000_000, 16
MASTER = "local-cluster[2,1,2048]"
METRICS = ("bleu", "chrf", "ter")
TICK = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


def processes() -> dict[int, list[str]]:
    """What the system says of this process and all that come from it, by number."""
    found: dict[int, list[str]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                found[int(folder.name)] = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it ended
    ours = {os.getpid()}
    while more := {pid for pid, said in found.items() if int(said[1]) in ours} - ours:
        ours |= more
    return {pid: found[pid] for pid in ours}


def cpu() -> float:
    """Seconds that all of them took, and their children that have ended."""
    return sum(sum(map(int, said[11:15])) for said in processes().values()) / TICK


class Memory(threading.Thread):
    """Resident sizes of executors and their Python workers, every half second."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.seen: list[tuple[float, dict[str, int]]] = []
        self.over = threading.Event()

    def run(self) -> None:
        while not self.over.wait(0.5):
            most = {"executor": 0, "worker": 0}
            for pid, said in processes().items():
                try:
                    command = Path(f"/proc/{pid}/cmdline").read_bytes()
                except OSError:
                    continue
                kind = (
                    "executor"
                    if b"CoarseGrainedExecutorBackend" in command
                    else "worker"
                    if b"pyspark.daemon" in command
                    else ""
                )
                if kind:
                    most[kind] = max(most[kind], int(said[21]) * PAGE)
            self.seen.append((time.monotonic(), most))

    def quarters(self, kind: str) -> tuple[float, float]:
        """The most in the first quarter and in the last, in MB."""
        n = max(1, len(self.seen) // 4)
        return tuple(max(own[kind] for _, own in part) / 1e6 for part in (self.seen[:n], self.seen[-n:]))  # type: ignore[return-value]


def timed(work: Callable[[], Any]) -> tuple[float, float, Any]:
    """CPU time of all processes, time by the clock, and what was found."""
    begin, spent = time.perf_counter(), cpu()
    found = work()
    return cpu() - spent, time.perf_counter() - begin, found


def dataset(folder: str, copies: int) -> tuple[str, Any, int]:
    """The texts as Parquet, the shard as lines, and how many segments there are."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    files, n, _ = shard(folder)
    corpus = texts.corpus(100_000, systems=4)
    table = pa.table({"mt": corpus.hypotheses, "ref": corpus.references})
    path = os.path.join(folder, "all.parquet")
    os.mkdir(path)
    for number in range(FILES):
        own = copies // FILES + (number < copies % FILES)
        with pq.ParquetWriter(
            os.path.join(path, f"{number:02}.parquet"), table.schema, compression="none"
        ) as to:
            for _ in range(own):
                to.write_table(table)
    return path, files, n


def run(segments: int = SEGMENTS) -> Iterator[str]:
    from tertium.clusters.scoring import level_scores, planned
    from tertium.engines.spark import read_frame, session

    with tempfile.TemporaryDirectory(dir=os.environ.get("TERTIUM_BENCHMARK")) as folder:
        copies = max(1, round(segments / len(texts.corpus(100_000, systems=4))))
        path, files, n = dataset(folder, copies)
        total = copies * n
        chosen = [registry.metric(spec) for spec in METRICS]
        yield f"{total:,} segments: {' '.join(METRICS)}; {MASTER}; load {os.getloadavg()[0]:.1f}"
        yield f"{'':<44}{'CPU s':>10}{'clock s':>10}{'us/segment':>12}"

        def line(what: str, spent: float, clock: float) -> str:
            return f"{what:<44}{spent:>10.1f}{clock:>10.1f}{spent / total * 1e6:>12.2f}"

        def here() -> Any:
            for _ in range(copies - 1):
                measure(files.open(), chosen, "corpus", force=True)
            return measure(files.open(), chosen, "corpus", force=True)

        local = timed(here)
        yield line("the local engine", *local[:2])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            own = session(MASTER)
            frame = read_frame(own, path)
            few = frame.limit(2000)
            planned(few, "mt", "ref", chosen).sums()  # workers are started, and have us imported

            def identity() -> None:
                columns = frame.select("mt", "ref")
                same = columns.mapInArrow(lambda batches: batches, columns.schema)
                same.write.format("noop").mode("overwrite").save()

            nothing = timed(identity)
            yield line("an identity mapInArrow", *nothing[:2])
            memory = Memory()
            memory.start()
            ours = timed(lambda: level_scores(planned(frame, "mt", "ref", chosen), "corpus"))
            memory.over.set()
            memory.join()
            yield line("ours", *ours[:2])
            own.stop()
        both = [local[i] + nothing[i] for i in (0, 1)]
        yield row("ours against the two together, CPU", f"{ours[0] / both[0] - 1:+.1%}", "+10%")
        yield row("ours against the two together, by the clock", f"{ours[1] / both[1] - 1:+.1%}")
        for kind, said in (("executor", "an executor's JVM"), ("worker", "a Python worker")):
            first, last = memory.quarters(kind)
            yield row(f"most memory of {said}, first and last quarter", f"{first:.0f}, {last:.0f} MB")
        found = [score.value for score in ours[2]]
        expected = [local[2].corpus_score(local[2].systems[0], metric) for metric in chosen]
        yield row("scores are those of the local engine", _alike(found, expected))
        yield row("load of the machine, of the last minute", f"{os.getloadavg()[0]:.1f}")


def _alike(found: list[float | None], expected: list[float | None]) -> str:
    """Of so many copies of the same segments scores are those of one."""
    return (
        "yes" if all(abs((a or 0) - (b or 0)) < 1e-9 for a, b in zip(found, expected, strict=True)) else "NO"
    )


def main() -> None:
    for said in run(int(sys.argv[1]) if len(sys.argv) > 1 else SEGMENTS):
        print(said, flush=True)


if __name__ == "__main__":
    main()
