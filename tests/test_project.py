"""The project file: read, checked by key, and enough for commands without arguments."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import tertium as tt
from tertium.cli import main
from tertium.project import Project
from tests.conftest import SAMPLE

GOOD = """
name = "harbour"
source = "source.de"
references = ["reference1.en", "reference2.en"]
documents = "documents.txt"
metrics = ["bleu", "chrf++"]
baseline = "smooth"
seed = 7

[systems]
strong = "system-strong.en"
smooth = "system-smooth.en"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path in SAMPLE.iterdir():
        shutil.copy(path, tmp_path)
    (tmp_path / "tertium.toml").write_text(GOOD, encoding="utf-8")
    return tmp_path


def test_reads_what_is_there(folder: Path, sample: dict[str, list[str]]) -> None:
    project = Project.load(folder / "tertium.toml")
    assert project.baseline == "smooth"
    assert project.seed == 7
    assert list(project.systems) == ["strong", "smooth"]
    testset = project.testset()
    assert testset.name == "harbour"
    assert len(testset) == len(sample["source.de"])
    assert testset.score("bleu")["strong", "bleu"].value == pytest.approx(64.24171166027553)


def test_runs_of_one_system(folder: Path) -> None:
    text = GOOD.replace('smooth = "system-smooth.en"', 'smooth = ["system-smooth.en", "system-literal.en"]')
    (folder / "tertium.toml").write_text(text, encoding="utf-8")
    project = Project.load(folder / "tertium.toml")
    assert project.runs == {"smooth": ("smooth.1", "smooth.2")}
    assert list(project.systems) == ["strong", "smooth.1", "smooth.2"]


def test_score_needs_no_arguments(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    assert main(["score", "-f", "json", "-w", "6"]) == 0
    found = [(e["system"], e["name"], e["score"]) for e in json.loads(capsys.readouterr().out)]
    assert found[0] == ("strong", "BLEU", 64.241712)
    assert [(system, name) for system, name, _ in found] == [
        ("strong", "BLEU"),
        ("strong", "chrF2++"),
        ("smooth", "BLEU"),
        ("smooth", "chrF2++"),
    ]
    assert main(["score", "-m", "ter", "--level", "document", "-f", "tsv"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + 2 * 8
    monkeypatch.chdir("/")
    assert main(["score", "--project", str(folder / "tertium.toml"), "-b", "-m", "bleu"]) == 0
    assert capsys.readouterr().out.split() == ["64.2", "20.8"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("seed = 7", "sead = 7"), "line 8: sead: unknown key; did you mean 'seed'?"),
        (("seed = 7", 'seed = "x"'), "seed must be a whole number"),
        (("seed = 7", "seed = true"), "seed must be a whole number"),
        (("references = [", "references = [3, "), "line 4: references[1] must be a file name, not 3"),
        (("[systems]", "[system]"), "line 10: system: unknown key; did you mean 'systems'?"),
        (
            ('baseline = "smooth"', 'baseline = "smoth"'),
            "line 7: baseline: 'smoth' is not a system; did you mean",
        ),
        (("system-strong.en", "nowhere.en"), "line 11: systems.strong: there is no file"),
        (("chrf++", "chfr"), "line 6: metrics[2]: unknown metric 'chfr'"),
        (("seed = 7", "seed = "), "is not TOML"),
        (
            ('strong = "system-strong.en"', "strong = []"),
            "systems.strong must be a file name or a list of file names",
        ),
        (("references", "# references"), "references is missing"),
    ],
)
def test_what_is_wrong_is_named(folder: Path, change: tuple[str, str], message: str) -> None:
    assert change[0] in GOOD
    (folder / "tertium.toml").write_text(GOOD.replace(*change, 1), encoding="utf-8")
    with pytest.raises(tt.TertiumError) as error:
        Project.load(folder / "tertium.toml")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_bad_projects_exit_with_2(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(*arguments: Any) -> str:
        assert main(list(map(str, arguments))) == 2
        found = capsys.readouterr()
        assert found.out == ""
        assert found.err.count("\n") == 1
        return found.err

    assert "no such project file" in refused("score", "--project", folder / "none.toml")
    named_twice = refused("score", folder / "reference1.en", "--project", folder / "tertium.toml")
    assert "texts are given twice" in named_twice
    monkeypatch.chdir(folder)
    (folder / "tertium.toml").unlink()
    assert "there are no references" in refused("score")
