"""`tertium challenge`: the whole protocol from the command line, and bad input in one line."""

from __future__ import annotations

import csv
import fcntl
import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tertium.challenge.judgements import read_judgements, write_judgements
from tertium.challenge.outputs import write_outputs
from tertium.challenge.setfiles import read_set, write_set
from tests.challenge.conftest import small_outputs, small_set, three_annotators
from tests.cli.conftest import Run
from tests.cli.test_bad_input import refused


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with set.jsonl, out.jsonl and j.jsonl, where we are."""
    monkeypatch.chdir(tmp_path)
    write_set("set.jsonl", small_set())
    write_outputs("out.jsonl", small_outputs())
    write_judgements("j.jsonl", three_annotators())
    return tmp_path


ALL = ("set.jsonl", "-i", "out.jsonl", "-j", "j.jsonl")


def test_help(run: Run) -> None:
    found = run("challenge")
    assert found.status == 0
    for name in ("check", "sheet", "read", "judge", "report", "compare", "convert"):
        assert f"  {name} " in found.out
        assert run("challenge", name, "--help").status == 0
    refused(run("challenge", "sheets"), "no command 'sheets'; did you mean 'sheet'?")


def test_check(run: Run, folder: Path) -> None:
    found = run("challenge", "check", *ALL)
    assert found.status == 0
    assert re.search(r"Overall +5 +5 +1 +1 *\n", found.out.replace("│", ""))
    assert "note: 30 judgements by ann, ben, eve" in found.out
    with open("set.jsonl", "a", encoding="utf-8") as file:
        file.write('{"id": "L1"}\n{"no": 1}\n')
    found = run("challenge", "check", "set.jsonl")
    assert (found.status, found.out) == (2, "")
    assert [line.split(": ")[2] for line in found.err.splitlines()] == ["line 6"] * 2 + ["line 7"] * 2
    assert "set.jsonl: line 6: category, question and source are missing" in found.err
    assert "set.jsonl: line 6: the id 'L1' occurs twice (first at line 1)" in found.err


def test_check_holds_the_frequency_control(run: Run, folder: Path) -> None:
    """Words of sources and references against a corpus of each; status 1 where one is too rare."""
    (folder / "train.en").write_text(
        "it RAINS cats and dogs sentence\nl1 l2 l3 s1 s2\n" * 99, encoding="utf-8"
    )
    (folder / "train.fr").write_text("Phrase, l1 l2 l3 s2 N’est ce pas\n" * 100, encoding="utf-8")
    found = run("challenge", "check", "set.jsonl", "--training", "train.en", "train.fr", "--least", "99")
    assert (found.status, found.err) == (0, "")
    assert "note: every word occurs at least 99 times in the training corpus" in found.out
    found = run("challenge", "check", "set.jsonl", "--training", "train.en", "train.fr")
    assert found.status == 1
    told = found.out.replace("│", "").partition("Words that occur fewer than 100 times")[2].splitlines()
    assert next(line.split()[:3] for line in told if "source" in line or "reference" in line) == [
        "and",
        "source",
        "99",
    ]
    assert "n'" not in "".join(told)
    found = run("challenge", "check", "set.jsonl", "--training", "train.en", "train.fr", "train.de")
    assert found.status == 2
    assert "one file, for the sources, or two" in found.err


def test_check_lists_everything_wrong_in_one_run(run: Run, folder: Path) -> None:
    with open("set.jsonl", "a", encoding="utf-8") as file:
        file.write(
            '{"id": "P", "category": "c", "question": "q?", "source": "s", "judge": {"accept": ["(a+)+"]}}\n'
        )
    with open("out.jsonl", "a", encoding="utf-8") as file:
        file.write('{"item": "L9", "system": "A", "output": "x"}\n{not json\n{"item": "L1", "system": "A"}\n')
    with open("j.jsonl", "a", encoding="utf-8") as file:
        file.write('{"item": "L1", "system": "A", "annotator": "zoe", "answer": "perhaps"}\n[]\n')
        file.write('{"item": "L9", "system": "A", "annotator": "zoe", "answer": "yes"}\n')
    found = run("challenge", "check", *ALL)
    assert (found.status, found.out) == (2, "")
    places = [line.split(": ")[1:3] for line in found.err.splitlines()]
    wrong = [("out.jsonl", (11, 12, 13)), ("j.jsonl", (31, 32, 33))]
    assert places == [["item 'P'", "judge"], *([name, f"line {n}"] for name, lines in wrong for n in lines)]


@pytest.mark.parametrize("form", ["table", "tsv", "markdown", "latex"])
def test_report_in_every_format(run: Run, folder: Path, form: str) -> None:
    found = run("challenge", "report", *ALL, "-f", form, "--tables", "all")
    assert found.status == 0
    assert found.out.count("53.3") >= 1  # 8 of 15 judgements of A
    assert "73.3" in found.out


def test_report_as_json(run: Run, folder: Path) -> None:
    data = json.loads(run("challenge", "report", "-f", "json", *ALL, "-m", "bleu").out)
    overall = [rate for rate in data["rates"] if rate["category"] is None]
    assert [(rate["system"], rate["positive"], rate["right"]) for rate in overall] == [
        ("A", 8, 3),
        ("B", 11, 4),
    ]
    assert data["metrics"][0]["metric"] == "BLEU"
    excluded = json.loads(run("challenge", "report", "-f", "json", *ALL, "--na", "excluded").out)
    assert excluded["rates"][-2]["judgements"] == 13


def test_report_writes_a_page(run: Run, folder: Path) -> None:
    found = run("challenge", "report", *ALL, "--html", "page.html", "-f", "tsv")
    assert found.status == 0
    assert found.err == "page.html: 5 items\n"
    assert (folder / "page.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_compare(run: Run, folder: Path) -> None:
    data = json.loads(run("challenge", "compare", "-f", "json", *ALL).out)
    assert data["pairs"][0]["only_second"] == ["L3", "S2"]
    assert "Systems compared" in run("challenge", "compare", *ALL, "-f", "table").out
    steps = json.loads(run("challenge", "compare", "-f", "json", *ALL, "--versions", "A", "B").out)
    assert steps["pairs"] == []
    assert steps["versions"][0][0]["error_reduction"] == 0.5
    refused(run("challenge", "compare", *ALL, "--baseline", "C"), "unknown system 'C'", "(known: A, B)")


def test_convert(run: Run, folder: Path) -> None:
    assert run("challenge", "convert", "set.jsonl", "-o", "set.tsv").out == "set.tsv: 5 items\n"
    assert read_set("set.tsv").items == small_set().items
    assert (
        run("challenge", "convert", *ALL, "--write-judgements", "j.tsv", "--write-outputs", "o.tsv").status
        == 0
    )
    assert read_judgements(["j.tsv"]) == three_annotators()
    refused(run("challenge", "convert", "set.jsonl"), "nothing to write")
    refused(run("challenge", "convert", "set.jsonl", "--write-outputs", "x"), "there are no system outputs")


def test_sheets_out_and_in(run: Run, folder: Path) -> None:
    made = run(
        "challenge", "sheet", *ALL[:3], "-a", "ann", "ben/2", "--form", "csv", "-o", "sheets", "--seed", "3"
    )
    assert made.status == 0
    assert "sheets/ann.csv: 9 rows" in made.out
    assert "sheets-key.json: the key (seed 3)" in made.out
    again = run("challenge", "sheet", *ALL[:3], "-a", "ann", "--form", "csv", "-o", "sheets")
    refused(again, "already exists, and may hold answers")
    path = folder / "sheets" / "ben_2.csv"
    rows = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline="")))
    for row in rows[1:5]:
        row[5] = "Y "
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    found = run(
        "challenge", "read", "sheets/ann.csv", "sheets/ben_2.csv", "--key", "sheets-key.json",
        "-o", "read.jsonl", "--set", "set.jsonl", "-i", "out.jsonl",
    )  # fmt: skip
    assert found.status == 0
    assert "sheets/ann.csv: 0 judgements, 9 rows unanswered" in found.out
    assert {j.annotator for j in read_judgements(["read.jsonl"])} == {"ben/2"}
    rows[4][5] = "perhaps"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    bad = run("challenge", "read", path, "--key", "sheets-key.json", "-o", "new.jsonl")
    refused(bad, "ben_2.csv cell F5: 'perhaps' is not an answer: write yes, no or n/a")
    assert not (folder / "new.jsonl").exists()


def test_xlsx_needs_its_extra(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    found = run("challenge", "sheet", *ALL[:3], "-a", "ann")
    refused(found, "pip install 'tertium[sheets]'")


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (("report", "set.jsonl"), ["there are no judgements", "-j"]),
        (("report", "none.jsonl", "-j", "j.jsonl"), ["none.jsonl"]),
        (("report", "set.txt", "-j", "j.jsonl"), ["set.txt"]),
        (("judge", "set.jsonl", "-a", "x"), ["there are no system outputs", "-i"]),
        (
            ("sheet", "set.jsonl", "-i", "out.jsonl", "-a", "x", "--role", "check"),
            ["needs the judgements", "-j"],
        ),
        (("sheet", "set.jsonl", "-i", "out.jsonl", "-a", "x", "x"), ["the same name"]),
        (("report", *ALL, "-m", "blue"), ["blue"]),
        (("report", *ALL, "--na", "drop"), ["drop"]),
    ],
)
def test_one_line_for_what_is_missing(
    run: Run, folder: Path, argv: tuple[str, ...], words: list[str]
) -> None:
    refused(run("challenge", *argv), *words)


JUDGE = [
    sys.executable,
    "-m",
    "tertium",
    "challenge",
    "judge",
    "set.jsonl",
    "-i",
    "out.jsonl",
    "-a",
    "zoe",
]


def piped(keys: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(JUDGE, input=keys, capture_output=True, text=True, check=False)


def test_judging_by_keys(folder: Path) -> None:
    done = piped("ynu?s c too long\na")
    assert done.returncode == 0
    assert "zoe.jsonl: 2 judged, 7 to go" in done.stdout
    assert "Sentence" in done.stdout
    assert "System(" not in done.stdout
    found = read_judgements(["zoe.jsonl"])
    assert [j.answer for j in found if j.note == "too long"] == ["na"] * sum(j.note != "" for j in found)
    assert {j.answer for j in found} == {"yes", "na"}
    done = piped("n" * 20)
    assert "zoe.jsonl: 9 judged, 0 to go" in done.stdout
    assert len(read_judgements(["zoe.jsonl"], small_set(), small_outputs())) == 10


def _read_until(terminal: int, words: str, seconds: float = 20) -> str:
    import select

    text, end = "", time.monotonic() + seconds
    while words not in text and time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                text += os.read(terminal, 4096).decode("utf-8", "replace")
            except OSError:  # the other side is closed
                break
    assert words in text, text
    return text


@pytest.fixture
def terminal(folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The command on a terminal of its own, and our end of it."""
    ours, theirs = pty.openpty()

    def owns_the_terminal() -> None:  # so that Ctrl-C reaches it, even if whoever runs the tests ignores it
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    process = subprocess.Popen(
        JUDGE,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=owns_the_terminal,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(theirs)
    yield process, ours
    process.kill()
    process.wait()
    os.close(ours)


def given(path: str) -> list[tuple[str, str]]:
    """Answers and notes, one for each text."""
    outputs = small_outputs()
    found = {(j.item, outputs.text(j.system, j.item)): (j.answer, j.note) for j in read_judgements([path])}
    return list(found.values())


def test_ctrl_c_on_a_terminal_loses_nothing(terminal: tuple[subprocess.Popen[bytes], int]) -> None:
    """One key an answer, no Enter; Ctrl-C in the middle."""
    process, ours = terminal
    _read_until(ours, "y/n/a ?")
    os.write(ours, b"y")
    _read_until(ours, "y/n/a ?")
    os.write(ours, b"\x1b[A\x1bOBn")  # arrows are no answers, though their sequences hold letters
    _read_until(ours, "y/n/a ?")
    assert given("zoe.jsonl") == [("yes", ""), ("no", "")]
    os.write(ours, b"\x03")
    assert process.wait(20) == 130  # its last words may be lost: Ctrl-C empties what the terminal holds
    assert "2 judged already, 7 to go" in piped("q").stdout


def test_typing_ahead_and_comments_on_a_terminal(terminal: tuple[subprocess.Popen[bytes], int]) -> None:
    process, ours = terminal
    _read_until(ours, "y/n/a ?")
    os.write(ours, b"yncpas mal\naq")
    _read_until(ours, "zoe.jsonl: 3 judged, 6 to go")
    assert process.wait(20) == 0
    assert given("zoe.jsonl") == [("yes", ""), ("no", ""), ("na", "pas mal")]


def test_killed_in_the_middle_loses_nothing(folder: Path) -> None:
    process = subprocess.Popen(JUDGE, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    assert process.stdin is not None
    process.stdin.write(b"yny")
    process.stdin.flush()
    log = folder / "zoe.jsonl"
    for _ in range(400):
        if log.exists() and log.read_bytes().count(b"\n") >= 3:
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdin.close()
    answered = given("zoe.jsonl")
    assert answered[:2] == [("yes", ""), ("no", "")]
    assert f"{len(answered)} judged already, {9 - len(answered)} to go" in piped("").stdout
