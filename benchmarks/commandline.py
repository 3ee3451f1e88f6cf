"""The whole command-line process against sacrebleu's, on files; and its memory."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.measure import Line
from benchmarks.texts import Corpus

BIN = Path(sys.executable).parent


def _process(command: list[str], repeats: int) -> tuple[float, str]:
    """The least CPU time (user and system) of the process, and what it printed."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    best, output = float("inf"), ""
    for _ in range(repeats):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        output = done.stdout
    return best, output


def _write(folder: Path, text: Corpus, copies: int = 1) -> tuple[Path, Path]:
    """Copies are numbered, so that no cache sees a line twice."""
    paths = folder / f"ref{copies}.txt", folder / f"hyp{copies}.txt"
    for path, lines in zip(paths, (text.references, text.hypotheses), strict=True):
        with path.open("w", encoding="utf-8", newline="\n") as file:
            for copy in range(copies):
                tail = f" {copy}" if copy else ""
                file.writelines(f"{line.rstrip()}{tail}\n" for line in lines)
    return paths


def run(small: Corpus, large: Corpus) -> Iterator[Line]:
    with tempfile.TemporaryDirectory() as folder:
        for text, copies, target in ((small, 1, 6), (large, 10, 60)):
            reference, hypothesis = _write(Path(folder), text, copies)
            arguments = [str(reference), "-i", str(hypothesis), "-m", "bleu", "-w", "6", "-b"]
            ours, our_score = _process([str(BIN / "tertium"), "score", *arguments], 5)
            theirs, their_score = _process([str(BIN / "sacrebleu"), *arguments], 3 if copies == 1 else 1)
            if our_score.strip() != their_score.strip():
                raise SystemExit(f"command line: ours prints {our_score!r}, sacrebleu {their_score!r}")
            yield Line("whole process, BLEU", len(text) * copies, ours, "sacrebleu command", theirs, target)


_COST = (
    "import re, sys, time; from tertium.cli import main\n"
    "assert main(sys.argv[1:]) == 0\n"
    "status = open('/proc/self/status').read()\n"  # the peak of getrusage counts the parent's memory too
    "print(int(re.search(r'VmHWM:\\s+(\\d+)', status)[1]) / 1024, time.process_time(), file=sys.stderr)"
)


def cost(arguments: Sequence[str]) -> tuple[float, float]:
    """Megabytes at the peak, and seconds of CPU, of the command in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", _COST, *arguments], capture_output=True, text=True, check=True
    )
    peak, cpu = map(float, done.stderr.split()[-2:])
    return peak, cpu


def memory(text: Corpus, millions: float) -> Iterator[str]:
    """Peak memory of scoring very long files, BLEU and chrF in one pass."""
    with tempfile.TemporaryDirectory() as folder:
        for copies in (1, max(2, round(millions * 1e6 / len(text)))):
            reference, hypothesis = _write(Path(folder), text, copies)
            arguments = ["score", str(reference), "-i", str(hypothesis), "-m", "bleu", "chrf", "-b", "-q"]
            peak, cpu = cost(arguments)
            yield f"{len(text) * copies:>12,} segments: {peak:7.0f} MB peak memory, {cpu:6.1f} s CPU"


def progress(text: Corpus, repeats: int = 3) -> str:
    """What a bar on the terminal costs: CPU time of a comparison whose standard error is a terminal, and a pipe."""
    import pty
    from threading import Thread

    least = {"pipe": float("inf"), "terminal": float("inf")}
    with tempfile.TemporaryDirectory() as folder:
        reference, hypothesis = _write(Path(folder), text)
        other = Path(folder, "other.txt")
        other.write_text("".join(f"{line}\n" for line in reversed(text.hypotheses)), encoding="utf-8")
        command = [str(BIN / "tertium"), "compare", str(reference), "-i", str(hypothesis), str(other)]
        command += ["-m", "bleu", "macrof1", "-n", "20000"]
        for _ in range(repeats):
            for kind in least:
                ours, theirs = pty.openpty()
                reader = Thread(target=_drain, args=(ours,))
                reader.start()
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                beside = theirs if kind == "terminal" else subprocess.DEVNULL
                subprocess.run(command, stdout=subprocess.DEVNULL, stderr=beside, check=True)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                os.close(theirs)
                reader.join()
                spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
                least[kind] = min(least[kind], spent)
    ratio = least["terminal"] / least["pipe"]
    cost = f"{100 * (ratio - 1):+.1f}% (target at most 1%)"
    return f"{least['pipe']:.2f} s in a pipe, {least['terminal']:.2f} s on a terminal: {cost}"


def _drain(terminal: int) -> None:
    try:
        while os.read(terminal, 65536):
            pass
    except OSError:  # the other side has gone
        os.close(terminal)
