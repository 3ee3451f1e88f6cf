"""An mt-metrics-eval folder (WMT23 English to German) against that tool's own numbers."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy

from tertium.cli import main
from tertium.io.mtme import read_mtme_scores
from tertium.meta import Evaluation, Task, evaluate

METRICS = ("BLEU-refA", "chrF-refA", "COMET-refA", "BLEURT-20-refA", "f200spBLEU-refA", "eBLEU-refA")


@pytest.fixture(scope="module")
def folder(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("mtme")
    with tarfile.open(shared / "data" / "mtme" / "wmt23-en-de.tar.xz") as archive:
        archive.extractall(place, filter="data")
    return place / "wmt23"


def judged(folder: Path, **settings: Any) -> Evaluation:
    return evaluate(Task("wmt23", layout=folder, human={"name": "mqm"}, significance="none", **settings))


@pytest.mark.parametrize("statistic", ["pearson", "kendall", "accuracy"])
def test_system_level(folder: Path, golden: Any, statistic: str) -> None:
    wanted = golden("mtme-wmt23-en-de.json")
    (found,) = judged(folder, levels=("system",), statistic=statistic).judged
    assert found.n == len(wanted["systems"]) == 12
    for name in METRICS:
        assert found[name].value == pytest.approx(wanted[name][f"sys_{statistic}"], abs=1e-9), name


def test_segment_level(folder: Path, golden: Any) -> None:
    wanted = golden("mtme-wmt23-en-de.json")
    (found,) = judged(folder, levels=("segment",)).judged
    for name in METRICS:
        assert found[name].value == pytest.approx(wanted[name]["seg_pearson_ungrouped"], abs=1e-9), name


@pytest.mark.parametrize("statistic", ["pearson", "spearman", "kendall"])
def test_systems_are_compared_as_that_tool_does(folder: Path, statistic: str) -> None:
    """Standardised system scores change sides; p is the share of differences at least as large (PermutationSigDiff).
    Here exchanges are made with scipy's correlations, for Pearson all 4,096; ours are 1,000 of them at random."""
    task = Task("wmt23", layout=folder, human={"name": "mqm"}, levels=("system",), statistic=statistic)
    (found,) = evaluate(task).judged
    assert "1,000 random permutations, seed 12345" in found.significance
    assert found.p_values is not None
    human = read_mtme_scores(folder / "human-scores" / "en-de.mqm.sys.score")
    left_out = ("refA", "synthetic_ref")
    used = [name for name in human.systems if name not in left_out and human.system(name) is not None]
    assert len(used) == found.n
    gold = np.array([human.system(name) for name in used], dtype=float)
    rows = []
    for name in found.names:
        scores = read_mtme_scores(folder / "metric-scores" / "en-de" / f"{name}.sys.score")
        rows.append(scipy.zscore([scores.system(system) for system in used]))
    function = {"pearson": scipy.pearsonr, "spearman": scipy.spearmanr, "kendall": scipy.kendalltau}[
        statistic
    ]
    masks = (np.arange(4096)[:, None] >> np.arange(12)) & 1 == 1
    some = np.random.default_rng(1).choice(4096, 600, replace=False)
    chosen = masks if statistic == "pearson" else masks[some]
    for i, j in (("COMET-refA", "BLEU-refA"), ("BLEURT-20-refA", "chrF-refA"), ("BLEU-refA", "chrF-refA")):
        first, second = rows[found.names.index(i)], rows[found.names.index(j)]
        if statistic == "pearson":
            ours, theirs = (
                scipy.pearsonr(np.where(chosen, a, b), gold, axis=1).statistic
                for a, b in ((second, first), (first, second))
            )
        else:
            ours, theirs = (
                np.array([function(np.where(mask, a, b), gold).statistic for mask in chosen])
                for a, b in ((second, first), (first, second))
            )
        observed = function(first, gold).statistic - function(second, gold).statistic
        share = float((ours - theirs >= observed - 1e-12).mean())
        p = found.p_values[found.names.index(i), found.names.index(j)]
        error = (share * (1 - share) * (1 / 1000 + 1 / len(chosen))) ** 0.5
        assert p == pytest.approx(share, abs=4 * error + 0.002), (i, j)


def calibrated(people: np.ndarray, metric: np.ndarray, chosen: np.ndarray) -> float:
    """The best mean over items of (right + tied by both) / pairs, over all thresholds of a tie; `chosen` pairs only."""
    i, j = np.triu_indices(people.shape[0], 1)
    human, difference = np.sign(people[i] - people[j]).T, (metric[i] - metric[j]).T
    pairs = chosen.sum(axis=1)
    weight = np.where(chosen, 1.0, 0.0) / np.maximum(pairs, 1)[:, None] / (pairs > 0).sum()
    untied = (human == np.sign(difference)) * weight
    gain = ((human == 0) * weight - untied).ravel()
    size = np.abs(difference).ravel()
    order = np.argsort(size, kind="stable")
    last = np.append(np.diff(size[order]) > 0, True)
    return float(max(untied.sum(), (untied.sum() + np.cumsum(gain[order]))[last].max()))


def test_calibrated_accuracy(folder: Path, golden: Any) -> None:
    """The tool draws a tenth of the pairs at random, unless told otherwise, and the golden numbers are one such draw:
    ours are those of all pairs (1e-9 from a plain twin), and a tenth of them comes where the golden ones are."""
    wanted = golden("mtme-wmt23-en-de.json")
    found = judged(
        folder, levels=("segment",), segment_statistic="calibrated accuracy", averaging="item"
    ).judged[0]
    human = read_mtme_scores(folder / "human-scores" / "en-de.mqm.seg.score").selected(wanted["systems"])
    rated = human.defined.all(axis=0)
    rng = np.random.default_rng(1)
    for name in METRICS:
        scores = read_mtme_scores(folder / "metric-scores" / "en-de" / f"{name}.seg.score")
        metric = scores.selected(wanted["systems"]).values[:, rated]
        people = human.values[:, rated]
        everything = np.ones((people.shape[1], 66), dtype=bool)
        assert found[name].value == pytest.approx(calibrated(people, metric, everything), abs=1e-9), name
        draws = [calibrated(people, metric, rng.random(everything.shape) <= 0.1) for _ in range(40)]
        assert abs(wanted[name]["acc_t"] - np.mean(draws)) < 4 * np.std(draws), name


def test_what_is_left_out_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By one command, without a task file; everything back with without = []."""
    call = ["meta", "run", "--layout", str(folder), "--human", "mqm", "--levels", "system", "-f", "table"]
    assert main(call) == 0
    shown = capsys.readouterr().out
    assert (
        "wmt23 en-de: metrics score against refA; human scores: mqm.\nen-de: left out as outliers: synthetic_ref."
        in shown
    )
    assert "0.917" in shown
    assert "What was used" not in shown
    assert main([*call, "--provenance"]) == 0
    assert "metrics score against refA" in capsys.readouterr().out.partition("What was used:")[2]
    everybody = judged(folder, levels=("system",), without=(), missing="leave out")
    assert "left out: refA" not in " ".join(everybody.notes)


def test_own_metrics_are_judged_beside_stored_ones(folder: Path) -> None:
    found = judged(folder, metrics=("chrf",), levels=("system",)).judged[0]
    assert {cell.name for cell in found.cells} == {"chrF2", *METRICS}
    assert found["chrF2"].value == pytest.approx(0.866, abs=0.003)


def test_a_name_that_is_not_there(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["meta", "run", "--layout", str(folder), "--human", "mqn"]) == 2
    assert "has human scores called da-sqm, mqm: no 'mqn'" in capsys.readouterr().err


def test_json_of_the_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["meta", "run", "--layout", str(folder), "--human", "mqm", "--levels", "system", "-f", "json"]
    assert main(command) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["results"][0]["n"] == 12


def test_the_raw_export_of_a_campaign_on_these_texts(folder: Path, shared: Path) -> None:
    """People's judgements from Appraise instead of the folder's own: lines of the same test set."""
    appraise = shared / "data" / "appraise"
    human = {
        "judgements": appraise / "240315rc5ESA.scores.csv.gz",
        "batches": appraise / "batches_wmt23_en-de_esa.json.xz",
    }
    metrics = ("chrf",)  # of ours; stored ones come by themselves
    task = Task(
        "esa", layout=folder, human=human, metrics=metrics, levels=("system", "segment"), significance="none"
    )
    systems, segments = evaluate(task).judged
    assert systems.n == 12
    assert segments.n == 12 * 207
    assert (systems["COMET-refA"].value or 0) > 0.9
    assert (segments["COMET-refA"].value or 0) > (segments["BLEU-refA"].value or 0) > 0


def test_metrics_of_our_own_without_a_task_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["meta", "run", "--layout", str(folder), "--human", "mqm", "--levels", "document"]
    assert main([*call, "-m", "chrf", "doc:chrf", "-f", "json"]) == 0
    [found] = json.loads(capsys.readouterr().out)["results"]
    assert (found["level"], found["n"]) == ("document", 2280)
    assert found["metrics"]["doc:chrF2"]["low"] < found["metrics"]["doc:chrF2"]["value"]
    assert {"chrF2", "BLEURT-20-refA"} <= set(found["metrics"])
