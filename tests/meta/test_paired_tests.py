"""Tests at every level of `meta run`, what they say of themselves, and language pairs pooled."""

from __future__ import annotations

import itertools
import json
import tarfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tertium.errors import SpecError
from tertium.io.pairs import BetterWorse
from tertium.io.scorematrix import ScoreMatrix
from tertium.meta.against_pairs import judge_pairs
from tertium.meta.against_people import judge_segments, judge_systems
from tertium.meta.by_document import judge_documents
from tertium.meta.correlations import Correlations
from tertium.meta.evaluation import evaluate
from tertium.meta.pooled import pooled
from tertium.meta.scored_metrics import ScoredMetric, outside_metric
from tertium.meta.task import Task

ITEMS = tuple(str(i) for i in range(1, 41))


def scored(
    seed: int, systems: int = 8, noise: tuple[float, ...] = (0.2, 3.0)
) -> tuple[ScoreMatrix, list[ScoredMetric]]:
    """People's segment scores and those of metrics "A", "B"... with so much noise, half of it by system."""
    rng = np.random.default_rng(seed)
    names = tuple(f"s{i}" for i in range(systems))
    people = rng.normal(size=(systems, len(ITEMS))) + rng.normal(size=(systems, 1))
    human = ScoreMatrix("human", "segment", names, ITEMS, people)
    metrics = []
    for name, size in zip("ABCDEF", noise, strict=False):
        values = people + size * (rng.normal(size=people.shape) + rng.normal(size=(systems, 1)))
        scores = ScoreMatrix(name, "segment", names, ITEMS, values)
        metrics.append(outside_metric([scores, scores.system_means()]))
    return human, metrics


@pytest.mark.parametrize("statistic", ["pearson", "spearman", "kendall", "accuracy", "soft accuracy"])
def test_every_statistic_of_systems_is_tested(statistic: str) -> None:
    human, metrics = scored(1)
    found = judge_systems(human.system_means(), metrics, "xx-yy", statistic=statistic, human_segments=human)
    assert found.wins is not None
    assert found.wins.tolist() == [[False, True], [False, False]]
    assert (
        "all 256 permutations; assumes that errors on different systems are independent" in found.significance
    )
    data = json.loads(json.dumps(found.data(), allow_nan=False))
    assert found.p_values is not None
    assert data["p_values"] == {"A": {"B": found.p_values[0, 1]}}
    assert data["wins"] == [["A", "B"]]
    untested = judge_systems(
        human.system_means(), metrics, "xx-yy", statistic=statistic, human_segments=human, significance="none"
    )
    assert (untested.wins, untested.p_values, untested.significance) == (None, None, "")


def test_soft_accuracy_counts_the_systems_that_are_judged() -> None:
    human, metrics = scored(2)
    fewer = human.system_means().selected(human.systems[:6])
    settings = {"statistic": "soft accuracy", "missing": "leave out"}
    found = judge_systems(fewer, metrics, "xx-yy", human_segments=human, **settings)
    expected = judge_systems(
        fewer, metrics, "xx-yy", human_segments=human.selected(human.systems[:6]), **settings
    )
    assert [cell.value for cell in found.cells] == [cell.value for cell in expected.cells]
    assert "all 64 permutations" in found.significance
    alone = judge_systems(
        fewer, metrics, "xx-yy", human_segments=human, significance="perm-both", resamples=100, **settings
    )
    assert "PERM-BOTH of segment scores" in alone.significance
    no_segments = outside_metric([metrics[1].systems.renamed({})]) if metrics[1].systems else metrics[1]
    mixed = judge_systems(fewer, [metrics[0], no_segments], "xx-yy", human_segments=human, **settings)
    assert mixed.cells[1].reason == "soft accuracy needs scores of segments"
    assert (mixed.wins, mixed.p_values) == (None, None)  # one metric is left: nothing to compare


@pytest.mark.parametrize("averaging", ["none", "item", "system"])
@pytest.mark.parametrize("statistic", ["pearson", "spearman", "kendall", "calibrated accuracy"])
def test_every_statistic_of_segments_is_tested(statistic: str, averaging: str) -> None:
    human, metrics = scored(3)
    settings = {"statistic": statistic, "averaging": averaging, "resamples": 100}
    found = judge_segments(human, metrics, "xx-yy", **settings)
    assert found.wins is not None
    assert found.wins.tolist() == [[False, True], [False, False]]
    assert "permutation test of segments, with all their systems" in found.significance
    assert "errors on different segments are independent" in found.significance
    alone = judge_segments(human, metrics, "xx-yy", significance="perm-both", **settings)
    assert "errors on the systems of a segment are independent" in alone.significance
    outcomes = statistic == "calibrated accuracy" and averaging == "item"
    assert ("comparisons of two systems" in alone.significance) == outcomes
    assert ("even so rejects too many true nulls" in alone.significance) == outcomes


def test_williams_where_it_is_asked_for() -> None:
    human, metrics = scored(4)
    found = judge_segments(human, metrics, "xx-yy", significance="williams")
    assert found.significance == "Williams' test; assumes independent scores"
    assert found.resampled is None
    assert found.p_values is not None
    assert found.p_values[0, 1] + found.p_values[1, 0] == pytest.approx(1)
    averaged = judge_segments(human, metrics, "xx-yy", significance="williams", averaging="item")
    assert averaged.wins is None
    with pytest.raises(SpecError, match="did you mean 'perm-both'"):
        judge_segments(human, metrics, "xx-yy", significance="permboth")


def test_documents_change_sides() -> None:
    human, metrics = scored(5)
    documents = [f"d{i // 4}" for i in range(40)]
    by_document = [metric.by_document(documents) for metric in metrics]
    found = judge_documents(human.document_means(documents), by_document, "xx-yy", resamples=1000)
    assert found.wins is not None
    assert found.wins.tolist() == [[False, True], [False, False]]
    assert "permutation test of documents, with all their systems" in found.significance
    three = [f"d{i // 15}" for i in range(40)]
    few = judge_documents(
        human.document_means(three), [metric.by_document(three) for metric in metrics], "xx-yy"
    )
    assert few.wins is None
    assert "no permutation test of 3 documents can give p < 0.125" in few.notes[0]


def test_better_worse_pairs_change_sides_by_segment() -> None:
    human, metrics = scored(6)
    rows = [
        (i, one, other)
        for i in range(40)
        for one, other in itertools.permutations(range(8), 2)
        if human.values[one, i] > human.values[other, i] + 1
    ]
    segment, better, worse = (np.array(column) for column in zip(*rows, strict=True))
    pairs = BetterWorse(segment + 1, better, worse, human.systems)
    found = judge_pairs(pairs, metrics, "xx-yy")
    assert found.wins is not None
    assert found.wins.tolist() == [[False, True], [False, False]]
    assert "segments, with all their comparisons" in found.significance
    assert found.resampled is not None
    assert found.resampled.units == 40
    official = judge_pairs(pairs, metrics, "xx-yy", significance="williams")
    assert "intervals that do not overlap" in official.significance
    assert official.p_values is None
    assert judge_pairs(pairs, metrics, "xx-yy", significance="none").wins is None


def judged(seed: int, systems: int, statistic: str = "pearson", pair: str = "xx-yy") -> Correlations:
    human, metrics = scored(seed, systems, (0.6, 0.8, 3.0))
    return judge_systems(human.system_means(), metrics, pair, statistic=statistic)


def test_pooled_over_pairs() -> None:
    parts = [judged(seed, 6, "accuracy", f"p{seed}-en") for seed in (11, 12, 13)]
    found = pooled(parts)
    assert found is not None
    assert found.pairs == ("p11-en", "p12-en", "p13-en")
    values = np.array([[cell.value for cell in part.cells] for part in parts])
    assert found.values == pytest.approx(values.mean(axis=0))
    # All 64 x 64 x 64 permutations together.
    for i, j in itertools.permutations(range(3), 2):
        if np.isnan(found.p_values[i, j]):
            continue
        moved = np.zeros(1)
        for part in parts:
            assert part.resampled is not None
            key, sign = ((i, j), 1) if (i, j) in part.resampled.differences else ((j, i), -1)
            moved = (moved[:, None] + sign * part.resampled.differences[key]).ravel()
        exact = float((moved >= (found.values[i] - found.values[j]) * 3 - 1e-9).mean())
        assert found.p_values[i, j] == pytest.approx(exact, abs=0.04)
    assert (~np.isnan(found.p_values)).sum() == 3
    data = json.loads(json.dumps(found.data(), allow_nan=False))
    assert data["p_values"]["A"]["C"] == found.p_values[0, 2]
    assert "mean of 3 language pairs" in found.table().text(terminal=False)


def test_pooled_pairs_weigh_as_much_as_they_have_pairs_of_systems() -> None:
    parts = [judged(21, 4, "accuracy"), judged(22, 8, "accuracy")]
    found = pooled(parts)
    assert found is not None
    agreeing = sum((part["A"].value or 0) * part.n * (part.n - 1) / 2 for part in parts)
    assert found.values[0] == pytest.approx(agreeing / (6 + 28))
    assert found.weights == pytest.approx([6 / 34, 28 / 34])


def test_two_weak_answers_make_a_stronger_one() -> None:
    human, metrics = scored(31, 4, (0.1, 2.0))
    one = judge_systems(human.system_means(), metrics, "aa-bb", statistic="kendall")
    assert one.wins is None  # four systems
    human, metrics = scored(32, 4, (0.1, 2.0))
    other = judge_systems(human.system_means(), metrics, "cc-dd", statistic="kendall")
    found = pooled([one, other])
    assert found is not None
    assert found.wins is not None
    assert one.p_values is not None
    assert found.p_values[0, 1] < one.p_values[0, 1]
    # The same pair twice has other coins each time: not the same coins, which would say no more than one pair does.
    again = pooled([one, one])
    assert again is not None
    assert again.p_values[0, 1] < one.p_values[0, 1]


def test_nothing_to_pool() -> None:
    one = judged(41, 6)
    assert pooled([one]) is None
    human, metrics = scored(42)
    by_williams = judge_systems(human.system_means(), metrics, "aa-bb", significance="williams")
    assert pooled([one, by_williams]) is None
    assert pooled([one, judged(43, 6, "kendall")]) is None


def test_one_metric_is_not_compared() -> None:
    human, metrics = scored(44)
    found = judge_systems(human.system_means(), metrics[:1], "xx-yy")
    assert (found.wins, found.leading, found.significance, found.notes) == (None, (), "", ())
    assert judge_segments(human, metrics[:1], "xx-yy").leading == ()


def test_the_default_of_a_task(shared: Path, tmp_path: Path) -> None:
    """mt-metrics-eval's own tests on the test sets that it knows; those that keep their level everywhere else."""
    with tarfile.open(shared / "data" / "mtme" / "wmt23-en-de.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    [folder] = {path.parent for path in tmp_path.rglob("metric-scores")}
    levels: dict[str, Any] = {"levels": ("segment",), "human": {"name": "mqm"}, "resamples": 100}
    known = evaluate(Task("wmt23", layout=folder, pairs=("en-de",), **levels))
    assert "PERM-BOTH" in known.judged[0].significance
    assert "--significance permutation does not" in known.judged[0].significance
    folder.rename(folder.with_name("mine"))
    blocked = evaluate(
        Task("x", layout=folder.with_name("mine"), pairs=("en-de",), significance="permutation", **levels)
    )
    assert "PERM-BOTH" not in blocked.judged[0].significance
