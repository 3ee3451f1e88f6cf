"""WMT24's raw ESA export: two language pairs in one file, tutorials, unfinished and doubled documents, and numbers that
do not count the canary, the first line of the texts."""

from __future__ import annotations

import tarfile
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from tertium.human.gold_files import read_gold
from tertium.io.mtme import read_documents
from tertium.meta import Task, evaluate
from tertium.meta.judged_segments import lines_behind
from tertium.meta.materials import pair_data

EXPORT = "esa_generalMT2024_wave2.csv"


@pytest.fixture(scope="module")
def folder(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("wmt24")
    with tarfile.open(shared / "data" / "wmt24" / "wmt24-en-cs-en-hi.tar.xz") as archive:
        archive.extractall(place, filter="data")
    return place / "wmt24"


@pytest.mark.parametrize("pair", ["en-cs", "en-hi"])
def test_the_workshops_averages(folder: Path, golden: Any, pair: str) -> None:
    """Macro averages over domains. The workshop takes the last answer of several annotators where we take their mean,
    which moves no system by more than .02 points; unfinished documents would move them by .3 and more."""
    gold = read_gold(folder / EXPORT, pair=pair)
    assert gold.segments is not None
    domains, _ = read_documents(folder / "documents" / f"{pair}.docs")
    for system in golden("wmt24-esa/rankings.json")[pair]:
        by_domain: dict[str, list[float]] = defaultdict(list)
        for (name, segment), score in gold.segments.scores.cells().items():
            if name == system["system"]:
                by_domain[domains[int(segment)]].append(score)  # behind the canary
        means = [sum(own) / len(own) for own in by_domain.values()]
        assert sum(map(len, by_domain.values())) == system["n"]
        assert sum(means) / len(means) == pytest.approx(system["esa_macro"], abs=0.02)
    shown = str(gold.coverages[0])
    assert "tutorials" in shown
    assert "of documents that were not finished" in shown


def test_judgements_meet_their_lines(folder: Path) -> None:
    human = {"judgements": folder / EXPORT}
    task = Task("WMT24", layout=folder, pairs=("en-cs",), human=human, metrics=("chrf",), missing="leave out")
    data = pair_data(task, "en-cs")
    gold = read_gold(folder / EXPORT, pair="en-cs")
    assert gold.segments is not None
    assert data.testset is not None
    assert data.testset.documents is not None
    for item, document in gold.documents.items():
        assert data.testset.documents[int(item)] == document
    (system, segment), score = next(iter(gold.segments.scores.cells().items()))
    assert data.human["segment"].cells()[system, str(int(segment) + 1)] == score
    found = evaluate(task)
    assert any("segment n is line n + 1 of the texts" in note for note in found.notes)
    assert (found.of("segment")[0]["chrF2"].value or 0) > 0.1


def test_where_nothing_need_be_moved() -> None:
    assert lines_behind({"1": "a", "2": "b"}, ["a", "b"]) == 0
    assert lines_behind({"1": "a", "2": "a"}, ["a", "a", "a"]) == 0  # both fit: as it stands
    assert lines_behind({"1": "x"}, ["canary", "a"]) == 0  # other names
    assert lines_behind({"doc:1": "a"}, ["canary", "a"]) == 0
    assert lines_behind({"3": "b"}, ["canary", "a", "b"]) == 0
    assert lines_behind({}, ["a"]) == lines_behind({"1": "a"}, None) == 0
