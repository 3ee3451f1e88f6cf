"""Metrics that read parses from files need those of judged segments only, where nothing but segments is judged.

WMT17's Czech to English with direct assessment of 560 translations; the parses are made up (each word hangs on the one
before), the texts are real.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tertium as tt
from tertium.errors import TertiumError
from tertium.human import open_wmt
from tertium.io.wmtlayout import read_wmt_human
from tertium.meta import MetricEntry, Task, evaluate
from tertium.stats.correlation import pearson

JUDGED = 30  # the first rows of the published table: parsing by hand is not what is tested


@pytest.fixture
def judged(shared: Path, tmp_path: Path) -> tuple[Path, list[tuple[str, int, float]]]:
    """A folder with the published texts, and a table of some of the judgements."""
    folder = tmp_path / "wmt17"
    folder.mkdir()
    for name in ("references", "sources", "system-outputs"):
        (folder / name).symlink_to((shared / "data" / "wmt17" / name).resolve())
    lines = (shared / "data" / "wmt17" / "DA-seglevel.csv").read_text().splitlines()
    rows = [line for line in lines[1:] if line.startswith("cs-en")][:JUDGED]
    (folder / "DA-seglevel.csv").write_text("\n".join([lines[0], *rows]) + "\n")
    table = [
        (system.split("+")[0], int(place), float(score))
        for _, _, system, place, score in map(str.split, rows)
    ]
    return folder, table


def conllu(path: Path, texts: list[str]) -> str:
    lines = []
    for text in dict.fromkeys(texts):
        for number, word in enumerate(text.split(), 1):
            lines.append(f"{number}\t{word}\t{word.lower()}\tX\t_\t_\t{number - 1}\tdep\t_\t_")
        lines.append("")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def test_only_what_people_judged(judged: tuple[Path, list[tuple[str, int, float]]], tmp_path: Path) -> None:
    folder, table = judged
    texts = open_wmt(folder, "cs-en")
    references = [texts.references.streams[0][place - 1] or "" for _, place, _ in table]
    outputs = [texts.systems[system][place - 1] or "" for system, place, _ in table]
    parses = conllu(tmp_path / "parses.conllu", [*references, *outputs])
    spec = f"treeaggreg:parser=conllu:{parses}"
    task = Task(
        "parsed",
        layout=folder,
        pairs=("cs-en",),
        metrics=(MetricEntry("trees", spec), "chrf"),
        human={"segment": Path(folder / "DA-seglevel.csv")},
        levels=("segment",),
    )
    (found,) = evaluate(task).judged
    metric = tt.metric(spec)
    scores = metric.score_rows(metric.statistics(outputs, references), "segment")
    people = read_wmt_human(
        folder / "DA-seglevel.csv", "cs-en", texts=None, shared="first", missing="refuse"
    ).scores
    assert int(people.defined.sum()) == JUDGED == found.n
    expected = pearson(np.array([score for _, _, score in table]), scores)
    assert found["trees"].value == pytest.approx(expected.value, abs=1e-12)
    assert found.names == ("trees", "chrF2")


def test_systems_need_all(judged: tuple[Path, list[tuple[str, int, float]]], tmp_path: Path) -> None:
    folder, _ = judged
    spec = f"treeaggreg:parser=conllu:{conllu(tmp_path / 'none.conllu', ['Nothing of this .'])}"
    task = Task(
        "parsed",
        layout=folder,
        pairs=("cs-en",),
        metrics=(spec,),
        human={"segment": Path(folder / "DA-seglevel.csv")},
        levels=("segment", "hybrids"),
    )
    with pytest.raises(
        TertiumError, match="parses of all segments; at the levels segment and pairs alone, those of"
    ):
        evaluate(task)
