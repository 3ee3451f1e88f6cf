"""Our scores written for a shared task, and read back by the reader of that task's folder."""

from __future__ import annotations

import json
import shutil
import tarfile
from pathlib import Path

import pytest

from tertium.cli import main
from tertium.errors import InputError
from tertium.io.wmtscores import read_wmt_scores
from tertium.meta import Task, evaluate
from tertium.meta.writing import write_scores


@pytest.fixture(scope="module")
def folder(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("mtme")
    with tarfile.open(shared / "data" / "mtme" / "wmt23-en-de.tar.xz") as archive:
        archive.extractall(place, filter="data")
    shutil.rmtree(place / "wmt23" / "metric-scores")
    return place / "wmt23"


def test_an_mtme_folder_reads_what_we_write(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["meta", "run", "--layout", str(folder), "--human", "mqm", "-f", "json"]
    assert main([*command, "-m", "chrf", "ter", "--write-scores", str(folder), "--shape", "mtme"]) == 0
    shown = capsys.readouterr()
    direct = {own["level"]: own["metrics"] for own in json.loads(shown.out)["results"]}
    written = sorted(path.name for path in (folder / "metric-scores" / "en-de").iterdir())
    assert written == [f"{name}-refA.{level}.score" for name in ("TER", "chrF2") for level in ("seg", "sys")]
    # TER counts errors, which no file says: only its sign differs.
    assert main(command) == 0
    back = {own["level"]: own["metrics"] for own in json.loads(capsys.readouterr().out)["results"]}
    for level, metrics in direct.items():
        assert back[level]["chrF2-refA"]["value"] == metrics["chrF2"]["value"]
        assert back[level]["TER-refA"]["value"] == -metrics["TER"]["value"]


def test_names_of_references(tmp_path: Path) -> None:
    for name, text in {"gold.en": "a b c", "other.en": "a b d", "A.en": "a b c", "B.en": "a x"}.items():
        (tmp_path / name).write_text(f"{text}\n{text} e\n")
    (tmp_path / "documents").write_text("d1\nd2\n")
    (tmp_path / "human.tsv").write_text("system\tscore\nA\t1\nB\t0\n")
    task = Task(
        "mine",
        pairs=("de-en",),
        references=(tmp_path / "gold.en", tmp_path / "other.en"),
        systems={"A": tmp_path / "A.en", "B": tmp_path / "B.en"},
        human={"system": tmp_path / "human.tsv"},
        documents=tmp_path / "documents",
        metrics=("chrf",),
        significance="none",
    )
    found = evaluate(task)
    names = {path.name for path in write_scores(found, tmp_path / "out", "mtme")}
    assert names == {"chrF2-gold.other.sys.score", "chrF2-gold.other.seg.score"}
    for shape in ("wmt16", "wmt17", "wmt21", "wmt23"):
        for path in write_scores(found, tmp_path / shape, shape):
            back = read_wmt_scores(path).matrix()
            (metric,) = found.scores["de-en"]
            scores = metric.systems if ".sys." in path.name else metric.segments
            assert scores is not None
            assert back.cells() == scores.cells()
    assert "gold,other" in (tmp_path / "wmt21" / "chrF2.de-en.sys.score").read_text()


def test_some_segments_make_no_file(folder: Path, tmp_path: Path) -> None:
    task = Task(
        "x", layout=folder, human={"name": "mqm"}, metrics=("chrf",), segments="judged", levels=("system",)
    )
    with pytest.raises(InputError, match="mt-metrics-eval's files have all segments"):
        list(write_scores(evaluate(task), tmp_path, "mtme"))
