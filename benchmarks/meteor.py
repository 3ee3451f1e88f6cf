"""METEOR against its jar: both on n and on 2n lines, and the difference between the two.

The difference takes away what starting costs: Java's start and the jar's reading of its paraphrases (seconds), our
mapping of ours. Whole processes, wall clock and CPU time of children; the jar is as fast as its own threads make it.

    python -m benchmarks.meteor [--lines 20000]

The jar comes from the package index (pycocoevalcap 1.2) into a cache, as for the tests.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.texts import corpus

OURS = """
import sys, tertium as tt
hypotheses, references, spec, threads = sys.argv[1:]
print(tt.score_files([references], [hypotheses], [spec], threads=int(threads)).scores[0].value)
"""


@dataclass(frozen=True)
class Taken:
    """What a process took, and the score it found."""

    wall: float
    cpu: float
    score: float


def taken(command: list[str], environment: dict[str, str], scale: float) -> Taken:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Taken(wall, cpu, scale * float(done.stdout.split()[-1]))


def slope(
    command: list[str], environment: dict[str, str], scale: float, n: int
) -> tuple[float, float, Taken]:
    """Seconds of wall clock and CPU that each line beyond the first n takes, and the run on 2n lines."""
    runs = []
    for lines in (n, 2 * n):
        filled = [
            {"HYPOTHESES": f"hyp{lines}", "REFERENCES": f"ref{lines}"}.get(part, part) for part in command
        ]
        tries = [taken(filled, environment, scale) for _ in range(3)]
        runs.append(Taken(min(t.wall for t in tries), min(t.cpu for t in tries), tries[0].score))
    short, long = runs
    return (long.wall - short.wall) / n, (long.cpu - short.cpu) / n, long


def measure(home: Path, n: int) -> None:
    java = shutil.which("java")
    if java is None:
        raise SystemExit("there is no Java to run METEOR's jar with")
    text = corpus(2 * n, target="en", systems=8)
    environment = os.environ | {"TERTIUM_METEOR": str(home)}
    variants = {
        "exact, stem, synonym, paraphrase": ("meteor", []),
        "exact, stem, synonym": ("meteor:modules=exact+stem+synonym", ["-m", "exact stem synonym"]),
    }
    print(
        f"{'modules':<36}{'who':<11}{'start s':>9}{'us/segment wall':>17}{'us/segment CPU':>16}{'score':>12}"
    )
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # the jar writes nothing, but it might
        for lines in (n, 2 * n):
            for name, part in (("hyp", text.hypotheses), ("ref", text.references)):
                content = "".join(f"{line}\n" for line in part[:lines])
                Path(folder, f"{name}{lines}").write_text(content, encoding="utf-8")
        for what, (spec, options) in variants.items():
            ours = [sys.executable, "-c", OURS, "HYPOTHESES", "REFERENCES", spec]
            cores = str(os.cpu_count() or 1)
            jar = [
                java,
                "-Xmx2G",
                "-jar",
                str(home / "meteor-1.5.jar"),
                "HYPOTHESES",
                "REFERENCES",
                "-l",
                "en",
                "-norm",
            ]
            found = {
                "tertium": slope([*ours, "1"], environment, 1.0, n),
                f"{cores} threads": slope([*ours, cores], environment, 1.0, n),
                "jar": slope([*jar, *options], environment, 100.0, n),
            }
            for who, (wall, cpu, run) in found.items():
                start = run.wall - 2 * n * wall
                print(
                    f"{what:<36}{who:<11}{start:>9.2f}{wall * 1e6:>17.1f}{cpu * 1e6:>16.1f}{run.score:>12.6f}"
                )
            scores = [run.score for *_, run in found.values()]
            if max(scores) - min(scores) > 1e-6:
                raise SystemExit(f"{what}: the scores are {scores}: no ratio for different numbers")
            wall, cpu = (found["jar"][k] / found["tertium"][k] for k in range(2))
            print(
                f"{'':<36}one thread: {wall:.0f}x by wall clock, {cpu:.0f}x by CPU (target 20x)", flush=True
            )


def main() -> None:
    from tests.conftest import METEOR_FILES, fetch_meteor

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=20_000, help="n; 2n is measured too")
    options = parser.parse_args()
    home = Path(os.environ.get("TERTIUM_TEST_CACHE", Path.home() / ".cache" / "tertium-tests")) / "meteor-1.5"
    if not all((home / name).is_file() for name in METEOR_FILES):
        fetch_meteor(home)
    measure(home, options.lines)


if __name__ == "__main__":
    main()
