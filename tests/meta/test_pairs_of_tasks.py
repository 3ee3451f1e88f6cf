"""Better-worse pairs of a task: from raw direct assessment, by consensus of judges, pooled over language pairs; and
levels that nothing was judged at."""

from __future__ import annotations

import json
import tarfile
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tertium.cli import main
from tertium.errors import InputError
from tertium.human import consensus, pairwise
from tertium.human.wmttasks import chosen_tasks
from tertium.io.mtme import read_mtme_scores
from tertium.io.wmtjudgements import read_wmt_judgements
from tertium.meta import Task, evaluate
from tertium.meta.materials import task_of_files


@pytest.fixture(scope="module")
def wmt12(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("wmt12")
    with tarfile.open(shared / "data" / "wmt12" / "wmt12-to-en.tar.xz") as archive:
        archive.extractall(place, filter="data")
    return place / "wmt12"


@pytest.fixture(scope="module")
def wmt23(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("wmt23")
    with tarfile.open(shared / "data" / "mtme" / "wmt23-en-de.tar.xz") as archive:
        archive.extractall(place, filter="data")
    return place / "wmt23"


def test_raw_scores_become_pairs(wmt23: Path) -> None:
    """DARR of WMT23's raw da-sqm scores: in plain loops, with identical outputs as one translation."""
    task = Task("WMT23", layout=wmt23, human={"name": "da-sqm"}, metrics=("chrf",), levels=("pairs",))
    found = evaluate(task)
    gold = read_mtme_scores(wmt23 / "human-scores" / "en-de.da-sqm.seg.score")
    systems = [
        path.name.removesuffix(".txt")
        for path in sorted((wmt23 / "system-outputs" / "en-de").iterdir())
        if path.name not in ("refA.txt", "synthetic_ref.txt")
    ]
    outputs = {
        name: (wmt23 / "system-outputs" / "en-de" / f"{name}.txt")
        .read_bytes()
        .removeprefix(b"\xef\xbb\xbf")
        .decode()
        .split("\n")
        for name in systems
    }
    pairs = 0
    for place in range(len(gold.items)):
        scores: dict[str, list[float]] = {}
        for name in systems:
            if not np.isnan(score := gold.row(name)[place]):
                scores.setdefault(outputs[name][place].rstrip(), []).append(float(score))
        means = [sum(own) / len(own) for own in scores.values()]
        pairs += sum(abs(a - b) > 25 for a, b in combinations(means, 2))
    (judged,) = found.of("pairs")
    assert judged.n == pairs > 5000
    assert judged.notes[0].startswith(f"DARR: {pairs:,} of ")
    assert 0.4 < (judged["chrF2"].value or 0) < 0.7


def test_raw_judgements_become_pairs(shared: Path, wmt23: Path) -> None:
    folder = shared / "data" / "appraise"
    human = {
        "judgements": folder / "240315rc5ESA.scores.csv.gz",
        "batches": folder / "batches_wmt23_en-de_esa.json.xz",
    }
    settings: dict[str, Any] = {"layout": wmt23, "human": human, "metrics": ("chrf",)}
    (judged,) = evaluate(Task("ESA", levels=("pairs",), **settings)).judged
    assert judged.n > 2000
    assert "raw scores differ by more than 25 points" in judged.notes[0]
    assert evaluate(Task("ESA", **settings)).levels == ["system", "segment"]  # pairs only if asked for


def test_a_level_without_judgements_is_refused(wmt23: Path, wmt12: Path) -> None:
    mqm = Task("WMT23", layout=wmt23, human={"name": "mqm"}, metrics=("chrf",), levels=("system", "pairs"))
    with pytest.raises(
        InputError, match=r"at the level 'pairs': en-de: the segment scores \(-138 to -0\) are not raw"
    ):
        evaluate(mqm)
    human = {"judgements": wmt12 / "rankings.csv"}
    ranked = Task(
        "WMT12", layout=wmt12, human=human, metrics=("chrf",), pairs=("cs-en",), levels=("segment",)
    )
    with pytest.raises(InputError, match="at the level 'segment': cs-en: people gave no scores of segments"):
        evaluate(ranked)


def test_scores_that_no_judge_gave_to_two_translations(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("one\ntwo\n")
    (tmp_path / "a").write_text("one\ntwo\n")
    (tmp_path / "b").write_text("une\ndeux\n")
    (tmp_path / "people.tsv").write_text("system\tsegment\tscore\na\t1\t90\nb\t1\t66\n")
    task = Task(
        "close",
        references=(tmp_path / "ref",),
        systems={"a": tmp_path / "a", "b": tmp_path / "b"},
        human={"segment": tmp_path / "people.tsv"},
        metrics=("chrf",),
        levels=("pairs",),
    )
    with pytest.raises(InputError, match=r"differ by more than 25 points \(1 pairs of judged translations\)"):
        evaluate(task)


def test_consensus_by_one_command(wmt12: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The numbers of docs/metrics/bleu_family.md, from the published files as they are."""
    command = ["meta", "run", "--layout", str(wmt12), "--human", str(wmt12 / "rankings.csv")]
    command += ["-m", "bleu:RAC1", "bleu:PGBC4", "--levels", "pairs", "--judges", "2", "--agreement", "0.6"]
    assert main([*command, "-f", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    values = {
        own["pair"]: (
            own["n"],
            *(round(own["metrics"][f"BLEU[{name}]"]["value"], 3) for name in ("RAC1", "PGBC4")),
        )
        for own in (*data["results"], *data["pooled"])
    }
    assert values["cs-en"] == (1294, 0.294, 0.254)
    assert values["de-en"] == (1707, 0.336, 0.27)
    assert values["pooled"][0] == 3001
    assert main([*command, "-f", "table"]) == 0
    shown = capsys.readouterr().out
    assert "pairs of translations compared by at least 2 judges, at least 60% of whom agree (P(A) 0." in shown
    assert "pooled" in shown


def test_the_pooled_tau_is_that_of_all_pairs(wmt12: Path) -> None:
    rankings = read_wmt_judgements(wmt12 / "rankings.csv")
    task = task_of_files(
        wmt12 / "rankings.csv",
        layout=wmt12,
        metrics=("bleu:RAC1",),
        levels=("pairs",),
        judges=3,
        agreement=0.75,
    )
    found = evaluate(task)
    agree = counted = 0
    for pair in ("cs-en", "de-en"):
        pairs = consensus(
            pairwise(chosen_tasks(rankings, pair).tasks[0].rankings), judges=3, agreement=0.75
        ).pairs
        (metric,) = found.scores[pair]
        assert metric.segments is not None
        for segment, better, worse in zip(pairs.segment, pairs.better, pairs.worse, strict=True):
            first, second = (
                metric.segments.row(pairs.systems[code])[segment - 1] for code in (better, worse)
            )
            agree += int(first > second) - int(first < second)
            counted += first != second
    (pooled,) = found.pooled
    assert pooled.n == sum(own.n for own in found.of("pairs"))
    assert pooled["BLEU[RAC1]"].value == pytest.approx(agree / counted, abs=1e-12)
    assert [row["pair"] for row in found.records()] == ["cs-en", "de-en", "pooled"]


def test_a_majority_decides_without_a_consensus(wmt12: Path) -> None:
    human = {"judgements": wmt12 / "rankings.csv"}
    task = Task("WMT12", layout=wmt12, human=human, metrics=("bleu:RAC1",), pairs=("cs-en",))
    (judged,) = evaluate(task).of("pairs")
    assert judged.n == 7905
    assert "more than half of the judges agree (one judge is enough)" in judged.notes[0]
    assert "counts as half right" in judged.notes[1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--agreement", "0"], "--agreement"),
        (["--judges", "0"], "--judges"),
        (["--judges", "9"], "no pair of translations fulfils the rule"),
    ],
)
def test_bad_rules(wmt12: Path, capsys: pytest.CaptureFixture[str], options: list[str], message: str) -> None:
    command = ["meta", "run", "--layout", str(wmt12), "--human", str(wmt12 / "rankings.csv"), "-m", "chrf"]
    assert main([*command, "--levels", "pairs", "--pairs", "cs-en", *options]) == 2
    assert message in capsys.readouterr().err


def test_scores_have_no_consensus(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "da.tsv").write_text("system\tsegment\tscore\tannotator\nA\t1\t70\tann\nB\t1\t40\tann\n")
    command = ["meta", "gold", str(tmp_path / "da.tsv"), "--judges", "2"]
    assert main(command) == 2
    assert (
        "judges and agreement are for rankings and comparisons, not for the kind table"
        in capsys.readouterr().err
    )
    with pytest.raises(InputError, match=r"agreement must be above 0 and at most 1, not 1\.5"):
        Task("x", metrics=("chrf",), human={"segment": tmp_path / "da.tsv"}, agreement=1.5)
