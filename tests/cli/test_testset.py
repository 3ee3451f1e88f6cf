"""`tertium testset`, and `-t`, `--echo`, `--list` of `tertium score`: sacrebleu's own command is the oracle."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.testsets import bundled_sets, served_table, serving

SETS = ("wmt16", "wmt17", "wmt17/tworefs", "wmt22", "mtnt2019")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """sacrebleu's folder, empty, and small test sets on loopback."""
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "sacrebleu"))
    with serving() as server:
        known = bundled_sets()
        table = served_table(server, {name: known[name] for name in SETS}, tmp_path / "table.json")
        monkeypatch.setenv("TERTIUM_TESTSETS", str(table))
        yield tmp_path


def sacrebleu(*argv: str) -> str:
    """sacrebleu's command, which must find everything in the folder."""
    done = subprocess.run(
        [sys.executable, "-m", "sacrebleu", *argv],
        capture_output=True,
        text=True,
        env=os.environ,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "words",
    ["-t wmt17 -l de-en", "-t wmt17/tworefs -l en-fi", "-t wmt22 -l cs-en", "-t wmt16,wmt17 -l de-en"],
)
def test_numbers_of_sacrebleu(run: Run, folder: Path, words: str) -> None:
    named = words.split()
    assert run("testset", "get", *named[1].split(","), "-f", "json").status == 0
    lines = run("score", *named, "--echo", "ref").out.splitlines()
    (folder / "out").write_text("".join(" ".join(line.split()[1:] or ["x"]) + "\n" for line in lines))
    got = json.loads(run("score", *named, "-i", folder / "out", "-m", "bleu", "-w", "9").out)
    want = json.loads(sacrebleu(*named, "-i", str(folder / "out"), "-m", "bleu", "-w", "9"))
    assert got["score"] == want["score"] < 100
    said = got["signature"].split("|")
    assert set(want["signature"].split("|")) - set(said) == {"version:2.6.0"}
    assert f"test:{named[1]}" in said
    assert f"lang:{named[3]}" in said


@pytest.mark.parametrize("fields", [["src"], ["ref"], ["src", "ref", "docid"], ["all"]])
def test_echo_is_that_of_sacrebleu(run: Run, folder: Path, fields: list[str]) -> None:
    assert run("testset", "get", "wmt17").status == 0
    got = run("score", "-t", "wmt17", "-l", "de-en", "--echo", *fields)
    assert got.out == sacrebleu("-t", "wmt17", "-l", "de-en", "--echo", *fields)
    assert "no 'nonsense'" in run("score", "-t", "wmt17", "-l", "de-en", "--echo", "nonsense").err


def test_a_folder_of_sacrebleu_is_read(run: Run, folder: Path) -> None:
    """Archives and texts that sacrebleu itself put there; nothing is asked of the server."""
    code = (
        "import json, os, sacrebleu.dataset as d\n"
        "table = json.load(open(os.environ['TERTIUM_TESTSETS']))['sets']['mtnt2019']\n"
        "own = d.DATASETS['mtnt2019']\n"
        "own.data, own.md5 = zip(*table['archives'])\n"
        "own.process_to_text('en-fr')\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, env=os.environ)
    os.environ["TERTIUM_TESTSETS"] = ""  # the bundled table: its addresses cannot be reached from tests
    assert run("score", "-t", "mtnt2019", "-l", "en-fr", "--echo", "src").out.count("\n") == 12
    listed = json.loads(run("testset", "list", "mtnt2019", "-f", "json").out)
    assert [own["name"] for own in listed["sets"]] == ["mtnt2019"]


def test_lists(run: Run, folder: Path) -> None:
    everything = json.loads(run("score", "--list", "-f", "json").out)
    assert [own["name"] for own in everything["sets"]] == list(SETS)
    assert not any(own["here"] for own in everything["sets"])
    assert run("score", "--download", "wmt17").status == 0
    table = run("score", "--list", "-t", "wmt17", "-f", "tsv").out
    assert table.splitlines()[1].startswith("wmt17\tyes\tcs-en de-en")
    got = json.loads(run("testset", "get", "wmt17", "-f", "json").out)
    assert [own["how"] for own in got["archives"]] == ["already here"]
    assert run("score", "-t", "wmt17", "--cite").out == "wmt17: http://www.aclweb.org/anthology/W17-4717\n"
