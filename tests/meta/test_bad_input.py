"""Bad input of a task, through the command line: one line that names file and line, status 2, nothing printed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tertium.cli import main

WORDS = [f"word{i}" for i in range(17)]
SYSTEMS = ("good", "fair", "poor", "bad")
SEGMENTS = 12


def sentence(i: int) -> list[str]:
    return [WORDS[(i * 3 + j) % len(WORDS)] for j in range(9)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small metrics task in WMT's layout: four systems, each worse than the last."""
    (tmp_path / "references").mkdir()
    (tmp_path / "sources").mkdir()
    outputs = tmp_path / "system-outputs" / "cs-en"
    outputs.mkdir(parents=True)
    lines = [" ".join(sentence(i)) for i in range(SEGMENTS)]
    (tmp_path / "references" / "newstest2017-csen-ref.en").write_text("\n".join(lines) + "\n")
    (tmp_path / "sources" / "newstest2017-csen-src.cs").write_text("\n".join(lines) + "\n")
    system_rows, segment_rows = ["LP HUMAN SYSTEM"], ["LP DATA SYSTEM SID HUMAN"]
    for worse, name in enumerate(SYSTEMS):
        made = [" ".join(["oops"] * (worse + i % 3) + sentence(i)[worse + i % 3 :]) for i in range(SEGMENTS)]
        (outputs / f"newstest2017.{name}.1.cs-en").write_text("\n".join(made) + "\n")
        system_rows.append(f"cs-en {0.5 - 0.3 * worse:.3f} {name}.1")
        segment_rows += [
            f"cs-en newstest2017 {name}.1 {i + 1} {1.0 - 0.3 * worse - 0.1 * (i % 3):.4f}"
            for i in range(SEGMENTS)
        ]
    (tmp_path / "DA-syslevel.csv").write_text("\n".join(system_rows) + "\n")
    (tmp_path / "DA-seglevel.csv").write_text("\n".join(segment_rows) + "\n")
    write_task(tmp_path)
    return tmp_path


def write_task(folder: Path, text: str = "", *, levels: str = '["system", "segment"]') -> None:
    (folder / "task.toml").write_text(
        f'name = "made"\nlayout = "."\nmetrics = ["bleu", "ter"]\nlevels = {levels}\n{text}\n'
        '[human]\nsystem = "DA-syslevel.csv"\nsegment = "DA-seglevel.csv"\n'
    )


def changed(path: Path, change: Callable[[list[str]], list[str]]) -> None:
    path.write_text("\n".join(change(path.read_text().splitlines())) + "\n")


def refused(folder: Path, capsys: pytest.CaptureFixture[str], *messages: str) -> None:
    assert main(["meta", "run", str(folder / "task.toml"), "-f", "table"]) == 2
    shown = capsys.readouterr()
    for message in messages:
        assert message in shown.err
    assert shown.err.count("\n") == 1
    assert "Traceback" not in shown.err
    assert shown.out == ""


def ran(folder: Path, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    assert main(["meta", "run", str(folder / "task.toml"), "-f", "table", *options]) == 0
    return capsys.readouterr().out


def test_the_made_task_runs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = ran(folder, capsys, "--provenance")
    assert "4 systems used" in shown
    assert "48 scores used" in shown


def test_several_references_of_a_wmt_folder_are_named_first(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "several references" not in ran(folder, capsys)
    first = folder / "references" / "newstest2017-csen-ref.en"
    (folder / "references" / "newstest2017-csen-refB.en").write_text(first.read_text())
    shown = " ".join(ran(folder, capsys).split())
    assert shown.startswith(
        "cs-en: there are several references (ref and refB) and none is known as the standard"
    )


def test_a_system_that_only_people_scored(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed(folder / "DA-syslevel.csv", lambda rows: [*rows, "cs-en 0.100 stranger.1"])
    refused(folder, capsys, "DA-syslevel.csv: line 6", "'stranger.1'")
    write_task(folder, 'missing = "leave out"')
    assert "cs-en, reading: 1 left out (--provenance says what and why)." in ran(folder, capsys)
    shown = ran(folder, capsys, "--provenance")
    assert "stranger.1" in shown
    assert "line 6" in shown


def test_a_system_that_people_did_not_score(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed(folder / "DA-syslevel.csv", lambda rows: rows[:-1])
    refused(folder, capsys, "'bad.1'", "DA-syslevel.csv")
    write_task(folder, 'missing = "leave out"')
    assert "cs-en, system level: 1 left out (--provenance says what and why)." in ran(folder, capsys)
    assert "system bad.1 is not in" in ran(folder, capsys, "--provenance")


def test_a_missing_segment_of_an_output(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed(folder / "system-outputs" / "cs-en" / "newstest2017.poor.1.cs-en", lambda lines: lines[:-1])
    refused(folder, capsys, "newstest2017.poor.1.cs-en", "11", "12")


def test_a_missing_segment_of_an_outside_metric(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        f"BEER\tcs-en\tnewstest2017\t{name}.1\t{i}\t{0.5 - 0.1 * w + 0.01 * i}"
        for w, name in enumerate(SYSTEMS)
        for i in range(1, SEGMENTS + 1)
    ]
    (folder / "BEER.seg.score").write_text("\n".join(rows[:20] + rows[21:]) + "\n")
    write_task(folder, '[[outside]]\nfiles = ["BEER.seg.score"]\n', levels='["segment"]')
    refused(folder, capsys, "BEER.seg.score", "'fair.1'", "segment 9")


@pytest.mark.parametrize("bad", ["nan", "NaN", "inf", "x", ""])
def test_scores_that_are_no_numbers(folder: Path, capsys: pytest.CaptureFixture[str], bad: str) -> None:
    changed(
        folder / "DA-seglevel.csv", lambda rows: [*rows[:4], f"cs-en newstest2017 good.1 4 {bad}", *rows[5:]]
    )
    refused(folder, capsys, "DA-seglevel.csv: line 5")


def test_nan_of_an_outside_metric(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [f"BEER\tcs-en\tnewstest2017\t{name}.1\t{'nan' if name == 'fair' else 0.5}" for name in SYSTEMS]
    (folder / "BEER.sys.score").write_text("\n".join(rows) + "\n")
    write_task(folder, '[[outside]]\nfiles = ["BEER.sys.score"]\n', levels='["system"]')
    refused(folder, capsys, "BEER.sys.score: line 2")


def two_systems(folder: Path) -> None:
    for name in ("poor", "bad"):
        (folder / "system-outputs" / "cs-en" / f"newstest2017.{name}.1.cs-en").unlink()
    for file in ("DA-syslevel.csv", "DA-seglevel.csv"):
        changed(folder / file, lambda rows: [row for row in rows if "poor" not in row and "bad" not in row])


def test_two_systems_say_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    two_systems(folder)
    write_task(folder, levels='["system"]')
    shown = ran(folder, capsys)
    assert "two systems: every correlation is 1 or -1 by construction and tells nothing" in shown
    write_task(folder, levels='["system", "hybrids"]')
    refused(
        folder,
        capsys,
        "nothing was judged at the level 'hybrids': cs-en: no hybrids, because people scored 2 systems: it takes 3",
    )


def test_constant_metrics_are_undefined(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [f"FLAT\tcs-en\tnewstest2017\t{name}.1\t0.5" for name in SYSTEMS]
    (folder / "FLAT.sys.score").write_text("\n".join(rows) + "\n")
    write_task(folder, '[[outside]]\nfiles = ["FLAT.sys.score"]\n', levels='["system"]')
    shown = ran(folder, capsys)
    assert "FLAT is undefined, because all metric scores are equal" in shown
    assert main(["meta", "run", str(folder / "task.toml"), "-f", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["results"][0]["metrics"]["FLAT"]
    assert found["value"] is None


def test_duplicated_rows(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed(folder / "DA-syslevel.csv", lambda rows: [*rows, rows[1]])
    refused(folder, capsys, "DA-syslevel.csv: line 6", "good.1")
    changed(folder / "DA-syslevel.csv", lambda rows: rows[:-1])
    changed(folder / "DA-seglevel.csv", lambda rows: [*rows, rows[3]])
    refused(folder, capsys, "DA-seglevel.csv: line 50", "good.1")


@pytest.mark.parametrize("number", ["0", "13", "-1", "1.5", "x"])
def test_wrong_line_numbers(folder: Path, capsys: pytest.CaptureFixture[str], number: str) -> None:
    changed(folder / "DA-seglevel.csv", lambda rows: [*rows, f"cs-en newstest2017 good.1 {number} 0.5"])
    refused(folder, capsys, "DA-seglevel.csv: line 50")


def test_rows_with_too_few_fields(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed(folder / "DA-syslevel.csv", lambda rows: [*rows[:2], "cs-en 0.3", *rows[3:]])
    refused(folder, capsys, "DA-syslevel.csv: line 3")


def test_files_that_are_not_there(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "DA-syslevel.csv").unlink()
    refused(folder, capsys, "DA-syslevel.csv")


def test_a_page_is_refused_before_the_work(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["meta", "run", str(folder / "task.toml"), "--html", str(folder / "no" / "page.html")]) == 2
    assert "the folder to write to does not exist" in capsys.readouterr().err


def test_pages_and_figures_of_a_task(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, figures = folder / "page.html", folder / "figures"
    ran(folder, capsys, "--html", str(page), "--figures", str(figures), "--png", "--summary")
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert {path.suffix for path in figures.iterdir()} == {".svg", ".png"}
