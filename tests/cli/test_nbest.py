"""`tertium nbest`: what it prints, what it writes, what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import sacrebleu

from tests.cli.conftest import R1, R2, Run

Write = Callable[..., Path]

LIST = (
    "0 ||| the cat ||| LM= -1 ||| -1",
    "0 ||| the cat sat on the mat ||| LM= -2 ||| -2",
    "1 ||| hello ||| LM= -1 ||| -0.5",
    "1 ||| hello you world ||| LM= -3 ||| -4",
)
REFERENCE = ("the cat sat on the mat", "hello world")


@pytest.fixture
def files(texts: Write) -> tuple[Path, Path]:
    return texts("ref", *REFERENCE), texts("list", *LIST)


def test_the_table(run: Run, files: tuple[Path, Path]) -> None:
    reference, nbest = files
    result = run("nbest", reference, "-i", nbest, "-m", "chrf", "ter", "-f", "table")
    assert (result.status, result.err) == (0, "")
    assert "2 sentences, 4 candidates" in result.out
    for word in ("first", "oracle", "corpus oracle", "reranked", "chrF2 ↑", "TER ↓", "nrefs:1|"):
        assert word in result.out


def test_numbers_are_those_of_score(run: Run, files: tuple[Path, Path], tmp_path: Path) -> None:
    reference, nbest = files
    out = run(
        "nbest", reference, "-i", nbest, "-m", "chrf", "bleu", "-f", "json", "--oracle", tmp_path / "o"
    ).out
    oracle = json.loads(out)["selections"]["oracle"]["scores"]
    scores = json.loads(
        run("score", reference, "-i", tmp_path / "o", "-m", "chrf", "bleu", "-w", "17", "-f", "json").out
    )
    assert [entry["score"] for entry in scores] == [oracle["chrf"], oracle["bleu"]]


def test_the_files(run: Run, files: tuple[Path, Path], tmp_path: Path) -> None:
    reference, nbest = files
    names = ("scores", "oracle", "corpus-oracle", "reranked", "best")
    written = [word for name in names for word in (f"--{name}", tmp_path / name)]
    result = run("nbest", reference, "-i", nbest, "-m", "chrf", "ter", "-w", "1", *written)
    assert (result.status, result.err) == (0, "")
    assert (tmp_path / "oracle").read_text() == "the cat sat on the mat\nhello you world\n"
    assert (tmp_path / "best").read_text() == (tmp_path / "oracle").read_text()
    assert (tmp_path / "scores").read_text().splitlines()[:3] == [
        "sentence\trank\tmodel\tchrf\tter",
        f"0\t1\t-1\t{sacrebleu.sentence_chrf('the cat', [REFERENCE[0]]).score:.1f}\t66.7",
        "0\t2\t-2\t100.0\t0.0",
    ]
    assert (tmp_path / "reranked").read_text().splitlines()[0] == (
        "0 ||| the cat sat on the mat ||| LM= -2 ||| 100"
    )
    assert len((tmp_path / "reranked").read_text().splitlines()) == 4


def test_weights(run: Run, files: tuple[Path, Path], tmp_path: Path) -> None:
    reference, nbest = files
    best = tmp_path / "best"
    argv = ("nbest", reference, "-i", nbest, "-m", "chrf", "ter", "--best", best, "--weights")
    run(*argv, "0", "0", "--model-weight", "1")
    assert best.read_text() == "the cat\nhello\n"
    run(*argv, "0", "1")
    assert best.read_text() == "the cat sat on the mat\nhello\n"


def test_two_references_and_threads(run: Run, texts: Write) -> None:
    lines = [
        f"{i} ||| {text} ||| f ||| 0"
        for i, pair in enumerate(zip(R1.read_text().splitlines(), R2.read_text().splitlines(), strict=True))
        for text in pair
    ]
    nbest = texts("list", *lines)
    one = run("nbest", R1, R2, "-i", nbest, "-f", "tsv")
    assert one == run("nbest", R1, R2, "-i", nbest, "-f", "tsv", "--threads", "3")
    assert "oracle\t100.00" in one.out


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["-m", "bleu", "ter", "--weights", "1"], "--weights has 1 numbers for 2 metrics"),
        (["-m", "blue"], "did you mean 'bleu'?"),
        (["--weights", "inf"], "--weights must be finite"),
        (["--model-weight", "nan"], "--model-weight must be a finite"),
        (["--oracle", "/no/such/folder/x"], "/no/such/folder/x"),
    ],
)
def test_bad_options(run: Run, files: tuple[Path, Path], argv: list[str], message: str) -> None:
    reference, nbest = files
    result = run("nbest", reference, "-i", nbest, *argv)
    assert (result.status, result.out) == (2, "")
    assert message in result.err
    assert result.err.count("\n") == 1


def test_bad_files(run: Run, files: tuple[Path, Path], texts: Write) -> None:
    reference, nbest = files
    for argv, message in (
        ((R1, "-i", nbest), "has candidates of 2 sentences, but"),
        (("-i", nbest), "no references"),
        ((reference, "-i", texts("bad", LIST[0], "0 ||| x")), "bad: line 2 has 2 of 4 fields"),
        ((reference, "-i", texts("worse", LIST[0], "1 ||| x ||| f ||| y")), "worse: line 2: the score 'y'"),
        ((reference, "-i", "/no/such/list"), "/no/such/list"),
        (("-",), "standard input can be read only once"),
    ):
        result = run("nbest", *argv)
        assert (result.status, result.out) == (2, ""), argv
        assert message in result.err
        assert result.err.count("\n") == 1
