"""WMT12: rankings and texts as they were published, and the table of BLEU's family that they give."""

from __future__ import annotations

import re
import tarfile
from pathlib import Path

import numpy as np
import pytest

from tertium.human import open_wmt
from tertium.human.wmttasks import chosen_tasks
from tertium.io.coverage import Coverage
from tertium.io.rankings import Ranking
from tertium.io.wmtjudgements import TaskJudgements, WMTJudgements
from tertium.meta import Task, evaluate
from tests.conftest import ROOT
from tools.bleu_family_page import PAPER, judged, lead


@pytest.fixture(scope="module")
def folder(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("wmt12")
    with tarfile.open(shared / "data" / "wmt12" / "wmt12-to-en.tar.xz") as archive:
        archive.extractall(place, filter="data")
    return place / "wmt12"


def test_the_table_on_the_page(folder: Path) -> None:
    page = (ROOT / "docs" / "metrics" / "bleu_family.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"<!-- wmt12 -->\n(.*?)<!-- end -->", page, re.DOTALL)
    rows = [[cell.strip(" *") for cell in line.strip("| ").split("|")] for line in block.strip().split("\n")]
    cells = {row[0]: row[1:] for row in rows[3:]}
    assert set(cells) == set(PAPER)
    chosen = ("PGBC4", "RAC1", "PABC4")
    for place, (sentences, systems, _) in enumerate(judged(folder, chosen)):
        for name in chosen:
            assert f"{sentences[name].value:.3f}" == cells[name][place]
            assert f"{systems[name].value:.3f}" == cells[name][place + 4]


def test_texts_and_rankings_by_one_task(folder: Path) -> None:
    """Names without a language pair, outputs called TESTSET.PAIR.SYSTEM, one file of rankings for all pairs."""
    assert len(open_wmt(folder, "de-en").systems) == 16
    human = {"judgements": folder / "rankings.csv"}
    task = Task(
        "WMT12", layout=folder, human=human, metrics=("bleu:RAC1",), statistic="spearman", significance="none"
    )
    found = evaluate(task)
    assert [own.n for own in found.of("system")] == [6, 16]
    assert all((own["BLEU[RAC1]"].value or 0) > 0.2 for own in found.of("pairs"))


def test_tasks_by_language_pair() -> None:
    ranking = (Ranking("ann", "1", ("A", "B"), (1, 2)),)
    names = ("German-English News", "German-English Europarl", "Czech-English")
    found = WMTJudgements(
        tuple(TaskJudgements(name, "RANK", ranking) for name in names), Coverage("x", "y", 3)
    )
    assert chosen_tasks(found, "cs-en").names == ("Czech-English",)
    assert chosen_tasks(found, "de-en").names == names[:2]


def test_a_lead_is_paired() -> None:
    apart = np.array([[1.0, 1.0, 1.0, -1.0] * 50, [1.0, 1.0, -1.0, -1.0] * 50])
    assert lead(apart, 2000).startswith("0.500 [0.3")
    assert lead(apart[[0, 0]], 100) == "0.000 [0.000, 0.000]"
