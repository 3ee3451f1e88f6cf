"""Raw exports of a real Appraise campaign (ESA, ESA with spans filled in, MQM), and made ones of the same kind."""

from __future__ import annotations

import csv
import gzip
import json
import lzma
import random
from pathlib import Path
from typing import Any

import pytest

from tertium.cli import main
from tertium.errors import InputError
from tertium.human.judgement import segment_gold
from tertium.human.quality import quality_control
from tertium.io.appraise import read_appraise
from tertium.io.judgementtable import Judgements

EXPORTS = (("ESA", "ESA", "ESA", 398), ("GEMBA", "ESAAI", "ESA", 397), ("MQM", "MQM", "MQM", 399))
BATCHES = "batches_wmt23_en-de_esa.json.xz"


@pytest.fixture
def folder(shared: Path) -> Path:
    return shared / "data" / "appraise"


def cells(text: str) -> dict[tuple[str, int], float]:
    """A file of segment scores by system and line."""
    found: dict[tuple[str, int], float] = {}
    count: dict[str, int] = {}
    for line in text.splitlines():
        system, score = line.split("\t")
        count[system] = count.get(system, 0) + 1
        if score != "None":
            found[system, count[system]] = float(score)
    assert set(count.values()) == {557}
    return found


def genuine(judgements: Judgements) -> dict[tuple[str, str], float]:
    return segment_gold(judgements.of_kind("genuine"), "x").scores.cells()


@pytest.mark.parametrize(("export", "scores", "protocol", "bad"), EXPORTS)
def test_an_export_is_gold_by_one_command(
    folder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    export: str,
    scores: str,
    protocol: str,
    bad: int,
) -> None:
    """All scores that the campaign's authors published, and no others."""
    path = folder / f"240315rc5{export}.scores.csv.gz"
    command = ["meta", "gold", str(path), "--batches", str(folder / BATCHES), "--output", str(tmp_path)]
    assert main([*command, "--pair", "en-de", "--segments", "557", "-f", "json"]) == 0
    data = json.loads(capsys.readouterr().out)["assessment"]
    with gzip.open(folder / f"en-de.{scores}-1.seg.score.gz", "rt") as file:
        published = cells(file.read())
    written = (tmp_path / "human-scores" / f"en-de.{protocol}.seg.score").read_text()
    assert len(published) == 2691
    assert cells(written) == published
    assert data["protocol"] == protocol
    assert not any("tutorial" in system for system in data["systems"])
    assert data["systems"]["refA"]["ave_raw"] == pytest.approx(
        sum(value for (system, _), value in published.items() if system == "refA") / 207
    )
    assert sum(one["degraded"] for one in data["quality"]["annotators"]) == 397
    everything = read_appraise(path, batches=folder / BATCHES, duplicates="keep").judgements
    assert everything.counts()["degraded"] == bad


def test_spans_of_mqm_are_kept(folder: Path) -> None:
    found = read_appraise(folder / "240315rc5MQM.scores.csv.gz", batches=folder / BATCHES).judgements
    assert found.spans is not None
    marked = [span for own in found.spans for span in own]
    assert len(marked) > 1500
    assert {span.weight for span in marked} == {0.1, 1.0, 5.0}
    assert "Accuracy/Mistranslation" in {span.category for span in marked}
    assert {span.weight for span in marked if span.category.endswith("Punctuation")} == {0.1}


@pytest.mark.parametrize("export", ["ESA", "GEMBA", "MQM"])
def test_without_the_batch_file(folder: Path, export: str) -> None:
    """Documents and places: control items find their counterparts, and parts of documents are said."""
    path = folder / f"240315rc5{export}.scores.csv.gz"
    alone, known = read_appraise(path), read_appraise(path, batches=folder / BATCHES)
    assert quality_control(alone.judgements) == quality_control(known.judgements)
    assert alone.judgements.counts() == known.judgements.counts()
    assert sorted(alone.judgements.score) == sorted(known.judgements.score)
    assert len(genuine(alone.judgements)) > 0.98 * len(
        genuine(known.judgements)
    )  # parts of a document may clash
    assert "cbsnews.120102:1" in alone.judgements.segment.names
    assert "documents were shown in parts of different lengths" in str(alone.coverage)


def test_the_order_of_the_file_does_not_matter(folder: Path, tmp_path: Path) -> None:
    with gzip.open(folder / "240315rc5ESA.scores.csv.gz", "rt", newline="") as file:
        rows = list(csv.reader(file))
    random.Random(5).shuffle(rows)
    with open(tmp_path / "shuffled.csv", "w", newline="") as file:
        csv.writer(file).writerows(rows)
    for batches in (None, folder / BATCHES):
        shuffled = read_appraise(tmp_path / "shuffled.csv", batches=batches).judgements
        straight = read_appraise(folder / "240315rc5ESA.scores.csv.gz", batches=batches).judgements
        assert genuine(shuffled) == genuine(straight)
        assert shuffled.counts() == straight.counts()


def test_a_batch_file_that_says_no_lines(folder: Path, tmp_path: Path) -> None:
    """Then a segment is a source text of a document: nearly the same as by lines."""
    with lzma.open(folder / BATCHES, "rt") as file:
        batches = json.load(file)
    for batch in batches:
        for item in batch["items"]:
            item.pop("_item", None)
    (tmp_path / "batches.json").write_text(json.dumps(batches))
    path = folder / "240315rc5ESA.scores.csv.gz"
    by_text = read_appraise(path, batches=tmp_path / "batches.json")
    by_line = read_appraise(path, batches=folder / BATCHES)
    pairs = set(zip(by_text.judgements.segment, by_line.judgements.segment, strict=True))
    assert len({line for _, line in pairs}) == 207
    assert len(pairs) <= 208  # a document has one sentence twice, and shown in part nothing tells which it is
    assert "identified by document and source" in str(by_text.coverage)


# ---- made exports


def row(user: str, item: int, document: str, score: float, *, kind: str = "TGT", at: float = 0.0) -> str:
    return f"{user},wmt.A,{item},{kind},eng,deu,{score},{document},False,{at},{at + 5}"


def written(folder: Path, *lines: str) -> Path:
    path = folder / "da.csv"
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


def test_the_latest_answer_counts(tmp_path: Path) -> None:
    rows = [row("ann", 1, "x#A", 70, at=50), row("ann", 1, "x#A", 30, at=10), row("ann", 2, "y#A", 60)]
    again = [row("ann", 3, "x#A#duplicate1", 71, at=90), row("bob", 1, "z#A#duplicate1", 5)]
    path = written(tmp_path, *rows, *again)
    found = read_appraise(path)
    assert list(found.judgements.score) == [70.0, 60.0, 71.0, 5.0]
    assert found.judgements.counts()["repeat"] == 1  # bob saw z for the first time
    assert found.judgements.segment[0] == found.judgements.segment[2] == "x:1"
    assert "1 left out: answered again, the latest answer counts, first on line 2" in str(found.coverage)
    assert len(read_appraise(path, duplicates="keep").judgements) == 5


def test_bad_references_pair_by_place(tmp_path: Path) -> None:
    rows = [row("ann", i, "x#A", 70 + i) for i in (1, 2, 3)] + [row("bob", 1, "y#A", 50)]
    rows += [row("ann", 7 + i, "x#A#bad4", 20, kind="BAD") for i in (1, 2, 3)]
    found = quality_control(read_appraise(written(tmp_path, *rows)).judgements)
    assert (found.checks[0].degraded, found.checks[0].drop, found.unpaired) == (3, 52.0, 0)


def test_an_item_that_is_a_segment_stays_one(tmp_path: Path) -> None:
    """Two systems or kinds under one number of one document: it is the segment's own."""
    rows = [row("ann", 17, "x#A", 70), row("ann", 17, "x#A", 20, kind="BAD"), row("bob", 18, "x#A", 50)]
    assert read_appraise(written(tmp_path, *rows)).judgements.segment.names == ("17", "18")
    apart = [row("ann", 40, "x#A", 70), row("ann", 12, "y#A", 20)]
    assert read_appraise(written(tmp_path, *apart)).judgements.segment.names == ("40", "12")


def batch(*items: Any) -> str:
    return json.dumps([{"items": list(items)}])


@pytest.mark.parametrize(
    ("batches", "message"),
    [
        (
            batch({"itemID": 2, "documentID": "x#A", "targetID": "wmt.A"}),
            r"line 1: item 1, 'x#A' of 'wmt\.A' is in no batch",
        ),
        ('{"tasks": []}', r"batches\.json: batch 1 has no list of items"),
        (batch({"documentID": "x#A", "targetID": "wmt.A"}), r"batch 1 has an item without itemID"),
        (batch({"itemID": 1, "targetID": "wmt.A"}), r"batch 1: item 1 has no documentID"),
        ("[]", r"there are no items"),
        ("[", r"not valid JSON"),
    ],
)
def test_wrong_batch_files(tmp_path: Path, batches: str, message: str) -> None:
    (tmp_path / "batches.json").write_text(batches)
    with pytest.raises(InputError, match=message):
        read_appraise(written(tmp_path, row("ann", 1, "x#A", 70)), batches=tmp_path / "batches.json")


def test_an_unknown_severity_is_refused_with_its_line(tmp_path: Path) -> None:
    spans = '"[{""start_i"": 0, ""end_i"": 2, ""severity"": ""awful"", ""error_type"": [""Style""]}]"'
    line = f"ann,A,1,TGT,eng,deu,0,x#A,False,{spans},1,2"
    with pytest.raises(InputError, match=r"da\.csv: line 1: there is no weight for severity 'awful'"):
        read_appraise(written(tmp_path, line))
    assert read_appraise(written(tmp_path, line), weights={"Awful": 7}).judgements.score.tolist() == [-7.0]
