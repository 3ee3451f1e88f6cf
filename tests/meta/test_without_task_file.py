"""`tertium meta run --human people.tsv --metric mine.tsv`: a first table without any task file."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tertium.cli import main
from tertium.meta import evaluate, task_of_files
from tertium.stats.correlation import pearson

RNG = np.random.default_rng(3)
SYSTEMS = ("A", "B", "C", "D", "E")
PEOPLE = RNG.normal(size=(5, 8)) + np.arange(5)[:, None]
MINE = PEOPLE + RNG.normal(size=PEOPLE.shape)


def table(path: Path, values: np.ndarray, *extra: str) -> Path:
    rows = [
        f"{name}\t{i}\t{value!r}"
        for name, row in zip(SYSTEMS, values, strict=True)
        for i, value in enumerate(row.tolist(), 1)
    ]
    path.write_text("\n".join(["system\tsegment\tscore", *rows, *extra]) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    table(tmp_path / "people.tsv", PEOPLE)
    table(tmp_path / "mine.tsv", MINE)
    return tmp_path


def test_both_levels_from_segments(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["meta", "run", "--human", "people.tsv", "--metric", "mine.tsv", "-f", "json"]) == 0
    results = {own["level"]: own for own in json.loads(capsys.readouterr().out)["results"]}
    for level, wanted in (
        ("system", pearson(PEOPLE.mean(axis=1), MINE.mean(axis=1))),
        ("segment", pearson(PEOPLE.ravel(), MINE.ravel())),
    ):
        assert results[level]["metrics"]["mine"]["value"] == pytest.approx(wanted.value, abs=1e-12)
    found = evaluate(task_of_files(here / "people.tsv", [here / "mine.tsv"]))
    assert [own.level for own in found.judged] == ["system", "segment"]


def test_tables_of_systems(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, values in (("p.tsv", PEOPLE), ("m.tsv", MINE), ("n.tsv", -MINE)):
        rows = [f"{system}\t{float(row.mean())!r}" for system, row in zip(SYSTEMS, values, strict=True)]
        (here / name).write_text("\n".join(["system\tscore", *rows]) + "\n")
    assert main(["meta", "run", "--human", "p.tsv", "--metric", "m.tsv", "n.tsv", "-f", "table"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("System level, xx-yy: ")
    assert "Ranks backwards, although tables show absolute values: n on xx-yy" in shown
    assert shown.count("‡") == 2  # beside its value, and what the sign means
    assert main(["meta", "run", "--human", "people.tsv", "--metric", "m.tsv", "-f", "json"]) == 0
    (only,) = json.loads(capsys.readouterr().out)["results"]
    assert only["level"] == "system"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("A\t3\t0.5", "people.tsv: line 42 scores system 'A', segment 3 again (first on line 4)"),
        ("A\t9\tx", "people.tsv: line 42: the score 'x' is not a number"),
        ("A\t9", "people.tsv: line 42: has 2 fields"),
    ],
)
def test_a_wrong_row_is_named(
    here: Path, capsys: pytest.CaptureFixture[str], line: str, message: str
) -> None:
    table(here / "people.tsv", PEOPLE, line)
    assert main(["meta", "run", "--human", "people.tsv", "--metric", "mine.tsv"]) == 2
    assert message in capsys.readouterr().err
    table(here / "mine.tsv", MINE, "A\t3\t0.5")
    table(here / "people.tsv", PEOPLE)
    assert main(["meta", "run", "--human", "people.tsv", "--metric", "mine.tsv"]) == 2
    assert "mine.tsv: line 42 scores system 'A', segment 3 again" in capsys.readouterr().err


def test_one_message_a_system(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """However many metrics lack a system, or have one that people did not see."""
    for name in ("mine", "yours", "theirs"):
        table(here / f"{name}.tsv", MINE, *(f"F\t{i}\t1" for i in range(1, 9)))
    files = ["mine.tsv", "yours.tsv", "theirs.tsv"]
    assert main(["meta", "run", "--human", "people.tsv", "--metric", *files]) == 2
    assert "mine.tsv: system 'F' is not in " in capsys.readouterr().err
    assert (
        main(
            [
                "meta",
                "run",
                "--human",
                "people.tsv",
                "--metric",
                *files,
                "--missing",
                "leave out",
                "--provenance",
                "-f",
                "table",
            ]
        )
        == 0
    )
    shown = capsys.readouterr().out
    assert shown.count("system F is not in") == 2  # one at each level
    assert (
        "1 left out: system F is not in human" in shown
        or "1 left out: system F is not in people.tsv" in shown
    )


def test_raw_judgements_of_people(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With annotators the scores are judgements: standardised, as `meta gold` does it."""
    rows = [
        f"{name}\t{i}\t{50 + 10 * value + shift!r}\t{who}"
        for who, shift in (("ann", 0.0), ("bob", 20.0))
        for name, row in zip(SYSTEMS, PEOPLE, strict=True)
        for i, value in enumerate(row.tolist(), 1)
    ]
    (here / "raw.tsv").write_text("\n".join(["system\tsegment\tscore\tannotator", *rows]) + "\n")
    assert main(["meta", "run", "--human", "raw.tsv", "--metric", "mine.tsv", "-f", "json"]) == 0
    results = {own["level"]: own for own in json.loads(capsys.readouterr().out)["results"]}
    assert results["segment"]["metrics"]["mine"]["value"] == pytest.approx(
        pearson(PEOPLE.ravel(), MINE.ravel()).value, abs=1e-9
    )


def test_what_cannot_be(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["meta", "run", "--metric", "mine.tsv"]) == 2
    assert "give human scores: --human FILE" in capsys.readouterr().err
    assert main(["meta", "run", "--human", "people.tsv"]) == 2
    assert "there are no metrics to judge" in capsys.readouterr().err
    assert main(["meta", "run", "task.toml", "--human", "people.tsv"]) == 2
    assert "not from both" in capsys.readouterr().err


def test_a_metric_alone_is_not_the_best(here: Path) -> None:
    found = list(evaluate(task_of_files(here / "people.tsv", [here / "mine.tsv"])).words())
    assert "mine has |r| 0.8" in found[1]
    assert found[1].endswith(" with people on xx-yy; there is no other metric to compare it with.")
    assert not any("best" in sentence for sentence in found)


@pytest.mark.parametrize(
    ("noise", "said"),
    [
        (0.6, "no metric is significantly better than another"),
        (
            9.0,
            "mine (|r| 0.970) agrees significantly better with people than every other metric",
        ),
    ],
)
def test_a_metric_is_best_only_if_a_test_says_so(here: Path, noise: float, said: str) -> None:
    draw = np.random.default_rng(1)
    table(here / "mine.tsv", PEOPLE + draw.normal(size=PEOPLE.shape) * 0.5)
    table(here / "other.tsv", PEOPLE + draw.normal(size=PEOPLE.shape) * noise)
    task = task_of_files(here / "people.tsv", [here / "mine.tsv", here / "other.tsv"])
    found = [sentence for sentence in evaluate(task).words() if sentence.startswith("Segment level")]
    test = "one-sided permutation test of segments, with all their systems, all 256 permutations"
    assert found == [f"Segment level, xx-yy: {said} ({test})."]
