"""Ctrl-C ends any kernel soon, also within one very long segment and with several threads.

Soon is told by the processor's time that a program still uses, not by a clock: a machine may have other things to do.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

START = """
import os, random
import numpy as np
import tertium as tt
from tertium import _native
rng = random.Random(1)
words = [str(n) for n in range(300)]
def text(n): return " ".join(rng.choice(words) for _ in range(n))
def metric(spec, lines, length, threads=1):
    m = tt.metric(spec)
    some, others = [text(length) for _ in range(10)], [text(length) for _ in range(10)]
    many = some * (lines // 10), others * (lines // 10)
    prepared = m.prepare(many[1])
    return lambda: m.statistics(many[0], prepared, threads=threads)
{made}
print("ready", flush=True)
try:
    while True:  # the fastest may be done in a second
        work()
except KeyboardInterrupt:
    os._exit(130)  # giving memory back takes its time
"""
# Each would take seconds, most of them many.
LONG = {
    "bleu": "work = metric('bleu', 1_500_000, 20)",
    "prepare": "m, lines = tt.metric('bleu'), [text(20)] * 3_000_000\nwork = lambda: m.prepare(lines)",
    "chrf": "work = metric('chrf', 2_000_000, 30)",
    "ter": "work = metric('ter', 200_000, 60, threads=3)",
    "a long line": "work = metric('eed', 10, 60_000)",
    "long lines": "work = metric('character', 40, 4_000, threads=2)",
    "meteor": "work = metric('meteor:modules=exact', 400_000, 40)",
    "macrof": "work = metric('macrof1', 2_000_000, 20)",
    "weighted": "from tertium.statistics import DenseStatistics, columns\n"
    "rows = DenseStatistics(columns(*'abcdefghijklmnopqrstuvwx'), np.full((200_000, 24), 10**9))\n"
    "weights = np.ones((4000, 200_000), dtype=np.int16)\nwork = lambda: rows.weighted(weights)",
    "draws": "stream = _native.Pcg64(1, 2, 3, 5)\nwork = lambda: stream.counts(30_000, 100_000)",
    "pairs": "a = np.arange(60_000) % 977 / 7\nstarts, ones = np.array([0, len(a)]), np.ones(1, dtype=np.int64)\n"
    "work = lambda: _native.calibrate_ties(a, a[::-1].copy(), starts, ones)",
}


SOON = 0.5  # seconds of a processor
pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs Linux's /proc")


def used(process: int) -> float:
    """The processor's seconds that a process has used, all its threads together."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def interrupted(command: list[str], ready: bool) -> float:
    """The processor's seconds that a program uses after Ctrl-C. It must end with status 130."""
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        preexec_fn=lambda: signal.signal(
            signal.SIGINT, signal.SIG_DFL
        ),  # a shell's background jobs ignore it
    ) as process:
        assert process.stdout is not None
        if ready:
            assert process.stdout.readline() == "ready\n"
        begun = used(process.pid)
        while used(process.pid) < begun + (0.2 if ready else 1.5):  # it is at work
            assert process.poll() is None, "it was over before it could be interrupted"
            time.sleep(0.02)
        before = used(process.pid)
        process.send_signal(signal.SIGINT)
        process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 130
        return usage.ru_utime + usage.ru_stime - before


def soonest(command: list[str], ready: bool) -> float:
    """The least of five interrupts."""
    took: list[float] = []
    while len(took) < 5 and min(took, default=SOON) >= SOON:
        took.append(interrupted(command, ready))
    return min(took)


@pytest.mark.parametrize("name", LONG)
def test_an_interrupt_ends_a_kernel(name: str) -> None:
    assert soonest([sys.executable, "-c", START.format(made=LONG[name])], ready=True) < SOON


def test_an_interrupt_ends_the_command(tmp_path: Path) -> None:
    rng = random.Random(1)
    words = [str(n) for n in range(6_000)]
    for name in ("ref", "hyp"):
        with open(tmp_path / name, "w") as file:
            for _ in range(40):
                rng.shuffle(words)
                file.write(" ".join(words) + "\n")
    main = "import sys; from tertium.cli import main; sys.exit(main())"
    command = [
        sys.executable,
        "-c",
        main,
        "score",
        os.fspath(tmp_path / "ref"),
        "-i",
        os.fspath(tmp_path / "hyp"),
    ]
    assert soonest([*command, "-m", "eed"], ready=False) < SOON
