"""Score files of two columns, a system and a score, wherever score files are taken; scores printed with few digits."""

from __future__ import annotations

import json
import tarfile
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from tertium.cli import main
from tertium.human.plaintables import read_plain_scores
from tertium.meta import Task, evaluate
from tertium.stats.kendall import rounded_decimals, tau_b, tie_bounds

HUMAN = {"A": 0.4, "B": 0.3, "C": 0.2, "D": 0.1}
METRIC = {"A": 0.9, "B": 0.5, "C": 0.5, "D": 0.25}


def written(path: Path, scores: dict[str, float], *, header: bool = False) -> str:
    rows = [f"{name}\t{score}" for name, score in scores.items()]
    path.write_text("\n".join([*(["system\tscore"] if header else []), *rows]) + "\n")
    return str(path)


def values(capsys: pytest.CaptureFixture[str], *command: str) -> dict[str, dict[str, float]]:
    assert main(["meta", "run", *command, "-f", "json"]) == 0
    results = json.loads(capsys.readouterr().out)["results"]
    return {own["level"]: {name: cell["value"] for name, cell in own["metrics"].items()} for own in results}


def test_with_and_without_a_header(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bare = [written(tmp_path / name, own) for name, own in (("people.tsv", HUMAN), ("mine.tsv", METRIC))]
    headed = [
        written(tmp_path / name, own, header=True) for name, own in (("h.tsv", HUMAN), ("mine.txt", METRIC))
    ]
    expected = {"system": {"mine": float(np.corrcoef(list(HUMAN.values()), list(METRIC.values()))[0, 1])}}
    for people in (bare[0], headed[0]):
        for metric in (bare[1], headed[1]):
            found = values(capsys, "--human", people, "--metric", metric)
            assert found["system"]["mine"] == pytest.approx(expected["system"]["mine"])
            assert list(found) == ["system"]


def test_in_a_task_file(tmp_path: Path) -> None:
    written(tmp_path / "people.tsv", HUMAN)
    written(tmp_path / "mine.tsv", METRIC)
    (tmp_path / "task.toml").write_text(
        '[human]\nsystem = "people.tsv"\n[[outside]]\nfiles = ["mine.tsv"]\nname = "Mine"\n'
    )
    (found,) = evaluate(Task.load(tmp_path / "task.toml")).judged
    assert (found.n, found.names) == (4, ("Mine",))


def test_segments_are_counted_by_system(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """mt-metrics-eval's files under any name: lines of a system are the segments in order, at both levels."""
    with tarfile.open(shared / "data" / "mtme" / "wmt23-en-de.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    folder = tmp_path / "wmt23"
    people = folder / "human-scores" / "en-de.mqm.seg.score"
    metric = folder / "metric-scores" / "en-de" / "COMET-refA.seg.score"
    layout = values(capsys, "--layout", str(folder), "--human", "mqm")
    leave = ("--missing", "leave out")
    by_name = values(capsys, "--human", str(people), "--metric", str(metric), *leave)
    (tmp_path / "p.tsv").write_bytes(people.read_bytes())
    (tmp_path / "COMET-refA.tsv").write_bytes(metric.read_bytes())
    renamed = values(
        capsys, "--human", str(tmp_path / "p.tsv"), "--metric", str(tmp_path / "COMET-refA.tsv"), *leave
    )
    assert read_plain_scores(tmp_path / "p.tsv").values.shape[1] == 557
    for level in ("system", "segment"):
        assert by_name[level]["COMET-refA"] == pytest.approx(layout[level]["COMET-refA"], abs=1e-9)
        assert renamed[level]["COMET-refA"] == pytest.approx(layout[level]["COMET-refA"], abs=1e-9)
    both = [str(metric), str(metric.with_name("COMET-refA.sys.score"))]
    assert values(capsys, "--human", str(people), "--metric", *both, *leave)["segment"] == by_name["segment"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A\t0.5\nA\t0.4\nB\t0.3\n", "system 'B' has 1 segments, but there must be 2"),
        ("A\t0.5\nB\tx\n", "line 2: the score 'x' is not a number"),
        ("A\t0.5\nB\n", "line 2 has 1 fields"),
        ("system\tscore\nA\t1\nA\t2\nB\t3\n", "the systems have different numbers of segments (A: 2, B: 1)"),
    ],
)
def test_damaged_files(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, message: str) -> None:
    (tmp_path / "mine.tsv").write_text(text)
    people = written(tmp_path / "people.tsv", HUMAN)
    assert main(["meta", "run", "--human", people, "--metric", str(tmp_path / "mine.tsv")]) == 2
    shown = capsys.readouterr().err
    assert message in shown
    assert shown.count("\n") == 1


def test_rho_takes_two_columns(shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = shared / "data" / "wmt-rankings" / "wmt08-human-judgments.csv.xz"
    scores = {
        f"{name}": i / 10 for i, name in enumerate(("limsi", "uedin", "lium-systran", "cmu-xfer", "saar"))
    }
    found = []
    for name, header in (("bare.tsv", False), ("headed.tsv", True)):
        metric = written(tmp_path / name, scores, header=header)
        assert (
            main(["meta", "rho", str(path), metric, "--task", "French-English Europarl", "-f", "json"]) == 0
        )
        found.append(json.loads(capsys.readouterr().out)["tasks"])
    assert found[0] == found[1]


def test_how_far_kendall_could_move() -> None:
    """Against every order in which the ties of a metric could be broken."""
    rng = np.random.default_rng(5)
    for _ in range(20):
        human, metric = rng.integers(0, 5, 6).astype(float), np.round(rng.random(6), 1)
        orders = []
        for noise in permutations(np.arange(6) * 1e-4):
            broken = tau_b(human, metric + np.array(noise)).value
            if broken is not None:
                orders.append(broken)
        bounds = tie_bounds(human, metric)
        if bounds is not None:
            assert bounds == pytest.approx((min(orders), max(orders)), abs=1e-12)
    assert rounded_decimals([31.25, 30.0]) == 2
    assert rounded_decimals([31.2, 30.0]) == 1
    assert rounded_decimals([31.251, 30.0]) is None


def test_rounded_scores_are_named(shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The published chrF of WMT17 has two digits: tau on cs-en could be anything from .667 to 1."""
    path = shared / "data" / "macroavg" / "wmt-scores-2017.tsv"
    command = ["meta", "summary", str(path), "--human", "Human", "--group", "Langs", "--missing", "leave out"]
    assert main([*command, "-m", "CHRF1", "BLEU_m"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert (
        "CHRF1 has scores of two decimals or fewer, and ties: broken, they would give a tau of .667 to 1.000"
        in shown
    )
    people, mine = written(tmp_path / "people.tsv", HUMAN), written(tmp_path / "mine.tsv", METRIC)
    run = ["meta", "run", "--human", people, "--metric", mine, "-f", "table"]
    assert main([*run, "--statistic", "kendall"]) == 0
    assert "would give a tau of .667 to 1.000" in " ".join(capsys.readouterr().out.split())
    assert main(run) == 0
    assert "would give a tau" not in capsys.readouterr().out  # Pearson's r hardly depends on the digits
