"""Measures of retrieval against trec_eval (through pytrec_eval) and by hand; RBO against its golden values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import pytrec_eval

from tertium.errors import InputError
from tertium.stats.retrieval import (
    average_precision,
    ndcg,
    precision_at,
    query_weighted_value,
    rank_biased_overlap,
    recall_at,
    weight_of_top,
)


@pytest.mark.golden
def test_rank_biased_overlap(golden: Any) -> None:
    cases = golden("stats/stats_rbo.json")["cases"]
    assert len(cases) >= 15
    for case in cases:
        numbers = {name: i for i, name in enumerate(dict.fromkeys(case["S"] + case["T"]))}
        lists = [numbers[name] for name in case["S"]], [numbers[name] for name in case["T"]]
        for first, second in (lists, lists[::-1]):
            p = case["p"]
            assert rank_biased_overlap(first, second, p=p) == pytest.approx(case["rbo"], abs=1e-9)
            assert rank_biased_overlap(first, second, p=p, depth=2) == pytest.approx(case["rbo_k2"], abs=1e-9)
            if "rbo_ext" in case:
                found = rank_biased_overlap(first, second, p=p, extrapolate=True)
                assert found == pytest.approx(case["rbo_ext"], abs=1e-9)
                depth = min(len(first), len(second))
                assert weight_of_top(p, depth) == pytest.approx(case["top_weightness"], abs=1e-9)


def test_overlap_of_nothing_and_bad_rankings() -> None:
    assert rank_biased_overlap([], []) == 1.0
    assert rank_biased_overlap([1], []) == 0.0
    assert rank_biased_overlap([1, 2], [1, 2], extrapolate=True) == pytest.approx(1.0)
    with pytest.raises(InputError, match="twice"):
        rank_biased_overlap([1, 1], [1, 2])
    for p in (0.0, 1.1):
        with pytest.raises(InputError, match="persistence"):
            rank_biased_overlap([1], [1], p=p)
    with pytest.raises(InputError, match="for extrapolation below 1"):
        rank_biased_overlap([1], [1], p=1.0, extrapolate=True)
    with pytest.raises(InputError, match="persistence"):
        weight_of_top(1.0, 5)


@pytest.mark.parametrize("seed", range(10))
def test_measures_are_trec_evals(seed: int) -> None:
    rng = np.random.default_rng(seed)
    judged = {f"d{i}": int(rng.integers(-1, 4)) for i in rng.choice(60, 40, replace=False)}
    judged["d60"] = 2
    order = [f"d{i}" for i in rng.permutation(70)[: rng.integers(5, 60)]]
    run = {document: float(len(order) - rank) for rank, document in enumerate(order)}
    names = {"map", "ndcg", "ndcg_cut.5,10", "P.5,10", "recall.5,10"}
    expected = pytrec_eval.RelevanceEvaluator({"q": judged}, names).evaluate({"q": run})["q"]
    relevant = [gain for gain in judged.values() if gain > 0]
    gains = [max(0, judged.get(document, 0)) for document in order]
    assert average_precision(gains, len(relevant)) == pytest.approx(expected["map"])
    assert ndcg(gains, relevant) == pytest.approx(expected["ndcg"])
    for k in (5, 10):
        assert ndcg(gains, relevant, k) == pytest.approx(expected[f"ndcg_cut_{k}"])
        assert precision_at(gains, k) == pytest.approx(expected[f"P_{k}"])
        assert recall_at(gains, len(relevant), k) == pytest.approx(expected[f"recall_{k}"])


def test_query_weighted_value() -> None:
    assert query_weighted_value([0.0], [0.0]) == 1.0
    assert query_weighted_value([1.0, 1.0], [0.0, 0.0]) == 0.0
    assert query_weighted_value([0.2, 0.4], [0.001, 0.003]) == pytest.approx(1 - 0.3 - 40 * 0.002)
    assert query_weighted_value([0.2], [0.001], beta=10) == pytest.approx(0.79)
    with pytest.raises(InputError, match="2 rates of misses and 1"):
        query_weighted_value([0.1, 0.2], [0.1])


def test_queries_without_relevant_documents_are_refused() -> None:
    with pytest.raises(InputError, match="no relevant document"):
        average_precision([0, 0], 0)
    with pytest.raises(InputError, match="2 relevant documents were retrieved, but there are only 1"):
        average_precision([1, 1], 1)
    with pytest.raises(InputError, match="needs a relevant document"):
        ndcg([0], [0])
    with pytest.raises(InputError, match="rank 1 or later"):
        precision_at([1], 0)
