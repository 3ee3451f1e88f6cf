"""How far long work is: what is told, what a terminal shows of it, and that pipes see nothing."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tertium as tt
from tertium.cli import progress
from tertium.progress import Stage, listening, parts, share, steps


def test_nothing_is_told_where_nobody_listens() -> None:
    items = [1, 2]
    assert steps(items, "reading") is items
    with parts(2) as part:
        part("reading")


def test_stages_stand_in_each_other() -> None:
    seen: list[tuple[str, float | None]] = []
    with listening(lambda stages: seen.append((", ".join(map(str, stages)), share(stages)))):
        for outer in steps(["a", "b"], str):
            for _ in steps(iter(range(2)), "lines", size=lambda n: n + 5) if outer == "b" else ():
                pass
    assert seen == [
        ("a 0 of 2", 0.0),
        ("b 1 of 2", 0.5),
        ("b 1 of 2, 0 lines", 0.5),
        ("b 1 of 2, 5 lines", 0.5),
        ("", None),
    ]


def test_work_that_fails_is_no_longer_told() -> None:
    seen: list[list[Stage]] = []
    with listening(lambda stages: seen.append(list(stages))):
        with pytest.raises(ZeroDivisionError):
            _ = [1 // n for n in steps([0], "dividing")]
        list(steps([1], "on"))
    assert [stage.what for stages in seen for stage in stages] == ["dividing", "on"]


def test_a_comparison_tells_every_part() -> None:
    seen: list[str] = []
    with listening(lambda stages: seen.append(stages[0].what if stages else "done")):
        tt.compare(tt.TestSet.sample(), ["bleu", "macrof1"], resamples=20)
    assert list(dict.fromkeys(seen)) == [
        "checking the input",
        "measuring",
        "testing differences",
        "dividing segments",
        "counting",
        "done",
    ]


def test_the_bar_waits_and_knows_the_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(progress.time, "monotonic", lambda: now)
    drawn: list[str] = []
    bar = progress._Bar()
    monkeypatch.setattr(
        bar, "_draw", lambda stages, done, seconds: drawn.append(f"{stages[0].what} {done} {seconds}")
    )
    for time, done in ((0.5, 1), (2.0, 2), (2.05, 3), (4.0, 5)):
        now = time
        bar([Stage("x", done, 10)])
    assert drawn == ["x 0.2 2.0", "x 0.5 4.0"]


WORK = """
import sys, time
from tertium.cli.progress import shown
from tertium.progress import steps
with shown(quiet=sys.argv[1] == "quiet"):
    for _ in steps(range(4), "counting"):
        time.sleep(0.6)
print("42")
"""


@pytest.mark.parametrize(("how", "expected"), [("loud", True), ("quiet", False)])
def test_a_terminal_sees_it_and_a_pipe_does_not(how: str, expected: bool) -> None:
    command = [sys.executable, "-c", WORK, how]
    ours, theirs = pty.openpty()
    work = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=theirs, env={**os.environ, "TERM": "xterm"}
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            block = os.read(ours, 4096)
        except OSError:  # the other side has gone
            break
        if not block:
            break
        shown += block
    assert work.communicate()[0] == b"42\n"
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode("utf-8", "replace"))
    assert (re.search(r"[57][05]% \d s left: counting", text) is not None) == expected, text
    assert bool(text) == expected
    piped = subprocess.run(command, capture_output=True, check=True)
    assert (piped.stdout, piped.stderr) == (b"42\n", b"")


def test_every_command_listens(tmp_path: Path) -> None:
    """It is in `Command.invoke`, which all commands share."""
    from tertium.cli import parsing

    assert parsing.shown is progress.shown
