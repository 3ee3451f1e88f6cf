"""The real process: start-up, imports, signals, pipes."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import R1, STRONG

TERTIUM = [sys.executable, "-m", "tertium"]
SCORE = [*TERTIUM, "score", str(R1), "-i", str(STRONG)]
HEAVY = ("numpy", "rich", "tertium.published", "tertium.io.tables", "tertium.io.sgml", "tempfile")


def _environment() -> dict[str, str]:
    """Ours, with compiled modules allowed: without them every import is three times as slow."""
    unwanted = ("PYTHONDONTWRITEBYTECODE", "SACREBLEU_FORMAT", "TERTIUM_DEBUG")
    return {key: value for key, value in os.environ.items() if key not in unwanted}


def _cpu(argv: list[str], times: int = 7) -> float:
    """The least CPU time of several runs, in seconds."""
    found = []
    for _ in range(times):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(argv, env=_environment(), stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(found)


def _imported(argv: list[str]) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *argv[1:]],
        env=_environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    return {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}


def test_demo_names_what_the_shell_finds() -> None:
    done = subprocess.run(
        [*TERTIUM, "demo"], env=_environment() | {"PATH": ""}, capture_output=True, text=True
    )
    assert f"{Path(sys.executable).name} -m tertium metrics" in done.stdout


@pytest.mark.parametrize("flag", ["--help", "--version"])
def test_answers_within_a_tenth_of_a_second(flag: str) -> None:
    assert _cpu([*TERTIUM, flag]) < 0.1


def test_help_imports_click_and_the_standard_library_only() -> None:
    ours = {name for name in _imported([*TERTIUM, "--help"]) if name.startswith("tertium")}
    assert ours == {"tertium", "tertium.cli", "tertium.errors", "tertium.exports", "tertium.cli.group"}
    assert not _imported([*TERTIUM, "--help"]) & set(HEAVY)


def test_plain_scoring_imports_nothing_heavy() -> None:
    assert not _imported(SCORE) & set(HEAVY)
    for metric in ("chrf", "ter", "macrof"):
        assert not _imported([*SCORE, "-m", metric, "bleu"]) & {"numpy", "rich"}


def test_broken_pipe_is_silent(tmp_path: Path) -> None:
    many = tmp_path / "many"
    many.write_text("The cat sat on the mat.\n" * 20_000, encoding="utf-8")
    argv = [*TERTIUM, "score", str(many), "-i", str(many), "-sl"]
    with subprocess.Popen(
        argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=_environment()
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 141


def test_interruption_is_one_line() -> None:
    argv = [*TERTIUM, "score", str(R1)]  # waits for standard input
    with subprocess.Popen(
        argv,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=_environment(),
        preexec_fn=lambda: signal.signal(
            signal.SIGINT, signal.SIG_DFL
        ),  # a shell's background jobs ignore it
    ) as process:
        assert process.stdin is not None
        process.stdin.write(b"The cat.\n")
        process.stdin.flush()
        time.sleep(1.0)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, b"", b"tertium: interrupted\n")


def test_file_names_that_are_no_unicode(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/h\xff"
    with open(name, "wb") as file:
        file.write(STRONG.read_bytes())
    argv = [*map(os.fsencode, TERTIUM), b"score", os.fsencode(R1), b"-i", name, os.fsencode(STRONG)]
    done = subprocess.run(argv, env=_environment(), capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"h\xff" in done.stdout


def test_memory_stays_flat(tmp_path: Path) -> None:
    """Three times the text, hardly more memory. (A child's peak counts what we hold when it starts.)"""

    def peak(times: int) -> int:
        path = tmp_path / f"text{times}"
        with path.open("wb") as file:
            for _ in range(times):
                file.write(R1.read_bytes())
        code = (
            "import resource, sys; from tertium.cli import main; "
            f"main(['score', {str(path)!r}, '-i', {str(path)!r}, '-b', '-q', '-m', 'bleu', 'chrf']); "
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        return int(done.stderr)

    few, many = peak(4_000), peak(12_000)  # 25 and 75 MB of text, on each side
    assert many < few * 1.25


def _shell(line: str, **settings: Any) -> tuple[int, str, str]:
    files = {"R": str(R1), "H": str(STRONG), "PY": sys.executable}
    done = subprocess.run(
        ["bash", "-c", line],
        env=_environment() | files,
        capture_output=True,
        text=True,
        check=False,
        **settings,
    )
    return done.returncode, done.stdout, done.stderr


def test_closed_streams(tmp_path: Path) -> None:
    """Nowhere to write to is said in one line; what goes to a file goes there."""
    score = 'exec "$PY" -m tertium score "$R" -i "$H" -b'
    for line in (
        f"{score} >&-",
        f"{score} -f tsv >&-",
        '"$PY" -m tertium metrics >&-',
        '"$PY" -m tertium --help >&-',
    ):
        status, _, err = _shell(line)
        assert (status, err) == (2, "tertium: standard output is closed: there is nowhere to print to\n"), (
            line
        )
    assert _shell(f"{score} 2>&-") == _shell(score)
    status, out, err = _shell('exec "$PY" -m tertium score "$R" -b 0<&-')
    assert (status, out, len(err.splitlines())) == (2, "", 1)
    made = tmp_path / "made"
    status, _, err = _shell(f'exec "$PY" -m tertium score "$R" -i "$H" -b -o "{made}" >&-')
    assert (status, err, made.read_text()) == (0, "", _shell(score)[1])
    assert _shell(f"{score} -m nothing >&- 2>&-") == (2, "", "")


def test_threads() -> None:
    score = 'exec "$PY" -m tertium score "$R" -i "$H" -b -m bleu chrf macrof'
    one = _shell(score)
    assert _shell(f"{score} --threads 0") == one
    assert _shell(f"{score} --threads 4096") == one
    for given in ("-1", "99999999", "99999999999999999999"):
        status, out, err = _shell(f"{score} --threads {given}")
        assert (status, out) == (2, "")
        assert err.startswith(
            f"tertium: Invalid value for '--threads': {given} is not in the range 0<=x<=4096."
        )
        assert len(err.splitlines()) == 1


@pytest.mark.parametrize("kilobytes", [60_000, 120_000, 200_000, 400_000])
@pytest.mark.parametrize(
    "command",
    [
        "score a -i b -m bleu chrf ter",
        "score a -i b -m macrof --threads 8",
        "compare a -i b c",
        "doctor a -i b",
    ],
)
def test_too_little_memory_is_one_line(tmp_path: Path, command: str, kilobytes: int) -> None:
    """Whatever it is too little for: the core, a library, threads, the texts."""
    for name in "abc":
        (tmp_path / name).write_bytes(R1.read_bytes() * 120)
    status, _, err = _shell(f'ulimit -v {kilobytes}; exec "$PY" -m tertium {command}', cwd=tmp_path)
    lines = err.splitlines()
    ends = ("OpenBLAS error: Memory allocation", "cannot allocate memory for thread-local data")
    if lines and lines[-1].startswith(ends):  # numpy's library, or C's, ends us itself
        return
    assert status == 0 or (status, *lines) in (
        (2, "tertium: out of memory: give it more (ulimit -v), fewer threads, or smaller files"),
        (1,),  # of the doctor: something is wrong with the texts
    )
