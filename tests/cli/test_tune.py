"""`tertium nbest tune`, `rerank` and `gather`: what they print, what they write, what they refuse."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tertium.io.nbestfeatures import read_weights
from tests.cli.conftest import LITERAL, R1, STRONG, Run
from tests.tuning.made import lists

Write = Callable[..., Path]


@pytest.fixture
def files(texts: Write) -> tuple[Path, Path]:
    found, references = lists(40, 6, 3)
    return texts("ref", *references), texts("list", *found.nbest.lines(range(240), [0.0] * 240))


def test_tune_then_rerank(run: Run, files: tuple[Path, Path], tmp_path: Path) -> None:
    reference, nbest = files
    weights, best = tmp_path / "weights.ini", tmp_path / "best"
    argv = (
        "nbest",
        "tune",
        reference,
        "-i",
        nbest,
        "-m",
        "bleu",
        "ter",
        "--held-out",
        "0",
        "--restarts",
        "2",
    )
    result = run(*argv, "-o", weights)
    assert (result.status, result.err) == (0, "")
    assert result.out.startswith("Tuned to BLEU by MERT: ")
    assert "3 beginnings led to" in result.out
    data = json.loads(run(*argv, "-f", "json").out)
    assert read_weights(weights) == {name: tuple(own) for name, own in data["weights"].items()}
    found = run(
        "nbest", "rerank", nbest, "--weights", weights, "--best", best, "--reranked", tmp_path / "new"
    )
    assert (found.status, found.err) == (0, "")
    assert "of 40 sentences have another first candidate (240 candidates)" in found.out
    scored = json.loads(run("score", reference, "-i", best, "-m", "bleu", "-w", "17", "-f", "json").out)
    assert scored["score"] == data["selected"]["tuned"]["tuning"]["bleu"]
    firsts = [line.split(" ||| ") for line in (tmp_path / "new").read_text().splitlines()][::6]
    assert [line[1] for line in firsts] == best.read_text().splitlines()


def test_tables_of_weights(run: Run, files: tuple[Path, Path], tmp_path: Path) -> None:
    reference, nbest = files
    for name in ("a.tsv", "b.ini"):
        run("nbest", "tune", reference, "-i", nbest, "--restarts", "0", "-o", tmp_path / name)
    assert (tmp_path / "a.tsv").read_text().startswith("feature\tweight\ngood\t")
    assert read_weights(tmp_path / "a.tsv") == read_weights(tmp_path / "b.ini")
    again = run("nbest", "tune", reference, "-i", nbest, "--restarts", "0", "--start", tmp_path / "a.tsv")
    assert f"weights at the beginning: {tmp_path / 'a.tsv'}" in again.out


@pytest.mark.parametrize("method", ["mert", "pro", "mira"])
def test_every_method_says_what_it_held_out(run: Run, files: tuple[Path, Path], method: str) -> None:
    reference, nbest = files
    result = run("nbest", "tune", reference, "-i", nbest, "-m", "chrf", "--method", method, "--steps", "3")
    assert (result.status, result.err) == (0, "")
    assert f"Tuned to chrF2 by {method.upper()}: " in result.out
    assert "30 sentences tuned on, 10 held out, 240 candidates" in result.out
    assert "On the part held out, " in result.out


def test_across_metrics(run: Run, files: tuple[Path, Path], tmp_path: Path) -> None:
    reference, nbest = files
    argv = ("nbest", "tune", reference, "-i", nbest, "-m", "bleu:PGBC4", "bleu:PABC4", "ter", "--cross")
    result = run(*argv, "--restarts", "1", "-o", tmp_path / "weights")
    assert (result.status, result.err) == (0, "")
    assert {path.name for path in (tmp_path / "weights").iterdir()} == {
        "bleu-PGBC4.ini",
        "bleu-PABC4.ini",
        "ter.ini",
    }
    for word in ("BLEU[PABC4] ↑", "TER ↓", "(before)", "length ratio", "terms 4", "p < 0.05 after Holm"):
        assert word in result.out
    tsv = run(*argv, "--restarts", "1", "-f", "tsv").out.splitlines()
    assert tsv[0] == "tuned to\tbleu:PGBC4\tbleu:PABC4\tter"


def test_gather(run: Run, tmp_path: Path) -> None:
    made = tmp_path / "list"
    result = run("nbest", "gather", "-i", STRONG, LITERAL, R1, "-m", "chrf", "ter", "-o", made)
    assert (result.status, result.out, result.err) == (0, "", "")
    first = made.read_text("utf-8").splitlines()[0]
    for word in ("system-strong= ", "system-literal= ", "reference1= ", "words= ", "chrf= ", "ter= "):
        assert word in first
    tuned = run(
        "nbest", "tune", R1, "-i", made, "-m", "ter", "--restarts", "3", "--held-out", "0", "-f", "json"
    )
    assert (
        json.loads(tuned.out)["selected"]["tuned"]["tuning"]["ter"] == 0
    )  # the reference is one of the systems


def test_no_name_means_score(run: Run, files: tuple[Path, Path]) -> None:
    reference, nbest = files
    assert run("nbest", reference, "-i", nbest) == run("nbest", "score", reference, "-i", nbest)
    assert run("nbest", "-i", nbest, reference) == run("nbest", "score", reference, "-i", nbest)
    result = run("nbest", "tnue", reference)
    assert (result.status, result.out) == (2, "")
    assert "no command 'tnue'; did you mean 'tune'?" in result.err


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("39 ||| x ||| good= 1 ||| 0", "list: line 241: the feature noise is missing"),
        ("39 ||| x ||| good= nan noise= 1 2 ||| 0", "list: line 241: the feature good 'nan'"),
        ("39 ||| x ||| good= 1 noise= 1 ||| 0", "list: line 241: the feature noise has 1 value, but 2"),
        ("39 ||| x ||| ||| 0", "list: line 241 has no features"),
        ("41 ||| x ||| good= 1 noise= 1 2 ||| 0", "list: line 241 belongs to sentence 41"),
        ("40 ||| x ||| good= 1 noise= 1 2 ||| 0", "has candidates of 41 sentences, but"),
        ("40 ||| x", "list: line 241 has 2 of 4 fields"),
    ],
)
def test_bad_lists(run: Run, files: tuple[Path, Path], line: str, message: str) -> None:
    reference, nbest = files
    with nbest.open("a") as file:
        file.write(line + "\n")
    result = run("nbest", "tune", reference, "-i", nbest)
    assert (result.status, result.out) == (2, "")
    assert message in result.err
    assert result.err.count("\n") == 1


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--method", "mart"], "unknown way to tune 'mart'"),
        (["--held-out", "1"], "the share held out must be from 0 to below 1"),
        (["--cross", "-m", "bleu", "chrf", "--held-out", "0"], "hold some out"),
        (["-m", "doc:chrf"], "scores whole documents"),
        (["--start", "/no/such/file"], "/no/such/file"),
        (["-o", "/no/such/folder/x"], "/no/such/folder/x"),
        (["--restarts", "-1"], "--restarts"),
        (["--interpolate", "nan"], "share of new weights"),
        (["-i", "-", "-"], "only once"),
    ],
)
def test_bad_options(run: Run, files: tuple[Path, Path], argv: list[str], message: str) -> None:
    reference, nbest = files
    result = run("nbest", "tune", reference, "-i", nbest, *argv)
    assert (result.status, result.out) == (2, "")
    assert message in result.err
    assert result.err.count("\n") == 1


def test_bad_gathering(run: Run, texts: Write, tmp_path: Path) -> None:
    short = texts("short", "one line")
    for argv, message in (
        (("-i", STRONG), "two systems or more"),
        (("-i", STRONG, short), "short has 1 lines"),
        (("-i", STRONG, STRONG), "given twice"),
    ):
        result = run("nbest", "gather", *argv, "-o", tmp_path / "list")
        assert (result.status, result.out) == (2, "")
        assert message in result.err
