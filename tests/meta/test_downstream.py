"""Runs measured as trec_eval measures them, the protocol of translated retrieval, correlations with tasks."""

from __future__ import annotations

import sys

import numpy as np
import pytest
import pytrec_eval

import tertium as tt
from tertium.errors import InputError, MissingExtraError, SpecError
from tertium.io.trec import Qrels, Run, ranked
from tertium.meta.downstream import (
    correlate_downstream,
    evaluate_run,
    overlap_with,
    pseudo_relevance,
    query_weighted_value,
    retrieve,
)
from tertium.stats.retrieval import rank_biased_overlap


def made(seed: int) -> tuple[Run, Qrels]:
    """Scores with ties, so that the order of names matters; queries that only one of the two has."""
    rng = np.random.default_rng(seed)
    runs, judged = {}, {}
    for query in range(8):
        documents = {f"d{i}": float(rng.integers(0, 12)) for i in rng.choice(60, 30, replace=False)}
        if query != 3:
            runs[f"q{query}"] = ranked(documents)
        if query != 5:
            judged[f"q{query}"] = {
                f"d{i}": int(rng.integers(0, 3)) for i in rng.choice(60, 25, replace=False)
            }
    judged["q6"] = dict.fromkeys(judged["q6"], 0)
    return Run("made", runs), Qrels("made", judged)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("measure", "theirs"),
    [("map", "map"), ("ndcg", "ndcg"), ("ndcg@5", "ndcg_cut_5"), ("p@10", "P_10"), ("r@10", "recall_10")],
)
def test_measures_are_trec_evals(seed: int, measure: str, theirs: str) -> None:
    run, qrels = made(seed)
    evaluator = pytrec_eval.RelevanceEvaluator(
        {query: dict(documents) for query, documents in qrels.queries.items()},
        {"map", "ndcg", "ndcg_cut.5", "P.10", "recall.10"},
    )
    expected = evaluator.evaluate({query: dict(documents) for query, documents in run.queries.items()})
    found = evaluate_run(run, qrels, measure)
    assert found.queries["q3"] == 0.0  # judged, nothing retrieved
    assert set(found.queries) == set(qrels.queries) - {"q6"}
    for query in set(found.queries) - {"q3"}:
        assert found.queries[query] == pytest.approx(expected[query][theirs])
    assert (found.without_relevant, found.without_judgements) == (("q6",), ("q5",))
    assert found.mean == pytest.approx(sum(found.queries.values()) / 6)
    assert len(found.table().rows) == 7
    assert found.data()["left_out"]["not judged"] == ["q5"]


@pytest.mark.parametrize("measure", ["map@5", "p", "r@0", "recall", "ndcg@x", ""])
def test_unknown_measures(measure: str) -> None:
    with pytest.raises(SpecError, match="unknown measure"):
        evaluate_run(*made(1), measure)


def test_overlap_says_which_form_it_is() -> None:
    one, other = (
        Run("a", {"q": (("x", 2.0), ("y", 1.0))}),
        Run("b", {"q": (("y", 2.0), ("x", 1.0)), "r": (("z", 1.0),)}),
    )
    base, further = overlap_with(one, other, extrapolate=False), overlap_with(one, other)
    assert (base.measure, further.measure) == ("rbo(p=0.98)", "rbo_ext(p=0.98)")
    assert base.queries["q"] == rank_biased_overlap([1, 2], [2, 1], p=0.98)
    assert further.queries["q"] == rank_biased_overlap([1, 2], [2, 1], p=0.98, extrapolate=True)
    assert further.queries["r"] == 0.0
    with pytest.raises(InputError, match="without a query"):
        overlap_with(Run("a", {}), Run("b", {}))


def test_query_weighted_value_counts_documents() -> None:
    run = Run("a", {"q": (("x", 2.0), ("y", 1.0)), "r": ()})
    qrels = Qrels("j", {"q": {"x": 1, "z": 1, "w": 0}, "r": {"x": 1}, "s": {"x": 0}})
    found = query_weighted_value(run, qrels, 102)
    assert found.queries == {"q": pytest.approx(1 - 0.5 - 40 * 0.01), "r": 0.0}
    assert found.without_relevant == ("s",)
    assert query_weighted_value(run, qrels, 102, beta=10).queries["q"] == pytest.approx(0.4)
    with pytest.raises(InputError, match="too small for query 'q'"):
        query_weighted_value(run, qrels, 2)
    with pytest.raises(InputError, match="no query has a relevant document"):
        query_weighted_value(run, Qrels("j", {"q": {"x": 0}}), 10)


def test_bm25_by_its_formula() -> None:
    """idf tf / (tf + k1 (1 - b + b |d| / mean |d|)), idf = ln(1 + (N - n + .5) / (n + .5)): Lucene's."""
    documents = {"a": "cat cat dog", "b": "dog bird", "c": "cat bird bird fish fish"}
    found = retrieve("x", documents, {"q": "Cat zebra", "none": "zebra"}, k1=1.2, b=0.75)
    idf = np.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    expected = {
        name: idf * tf / (tf + 1.2 * (0.25 + 0.75 * length / (10 / 3)))
        for name, tf, length in (("a", 2, 3), ("c", 1, 5))
    }
    assert dict(found.queries["q"]) == pytest.approx(expected)
    assert found.documents("q") == ("a", "c")
    assert found.documents("none") == ()
    assert retrieve("x", documents, {"q": "cat"}, depth=1).documents("q") == ("a",)


def test_the_protocol_finds_the_better_translations() -> None:
    """Documents are the sample's segments; retrieval on the reference is the truth; the strong system comes nearest."""
    testset = tt.TestSet.sample()
    reference = {f"d{i}": testset.references.streams[0][i] or "" for i in range(len(testset))}
    queries = {f"q{i}": " ".join(reference[f"d{i}"].split()[2:6]) for i in range(0, len(testset), 3)}
    human = retrieve("human", reference, queries)
    relevant = pseudo_relevance(human, depth=5)
    overlap, precision, bleu = {}, {}, {}
    metric = tt.metric("bleu")
    for name, lines in testset.systems.items():
        run = retrieve(name, {f"d{i}": lines[i] or "" for i in range(len(testset))}, queries)
        overlap[name], precision[name] = overlap_with(run, human).mean, evaluate_run(run, relevant).mean
        bleu[name] = metric.score_total(metric.statistics(lines, testset.references))
    assert (
        max(overlap, key=lambda name: overlap[name]) == max(precision, key=lambda n: precision[n]) == "strong"
    )
    assert overlap_with(human, human).mean == pytest.approx(1.0)
    found = correlate_downstream(
        {"BLEU": list(bleu.values())}, {"RBO": list(overlap.values()), "MAP": list(precision.values())}
    )
    assert found.cells["RBO", "BLEU"].n == 3
    assert "not significant" in found.table().text(terminal=False)


def test_correlations_with_a_task() -> None:
    found = correlate_downstream(
        {"BLEU": [1, 2, 3, 4, 5, 6], "TER": [6, 5, 4, 3, 2, 1], "flat": [1] * 6},
        {"MAP": [1, 2, 3, 4, 5, 6]},
        errors=["TER"],
    )
    assert found.cells["MAP", "TER"].value == found.cells["MAP", "BLEU"].value == 1.0
    assert found.table().best == {(0, 1), (0, 2)}
    assert "MAP, flat: undefined, because all metric scores are equal" in found.table().notes
    assert found.data()["measures"]["MAP"]["flat"]["value"] is None
    two = correlate_downstream({"BLEU": [1, 2]}, {"MAP": [1, 2]})
    assert "with two systems tau is 1 or -1 by construction" in two.table().notes[0]
    with pytest.raises(InputError, match="BLEU has 2 scores, MAP 3"):
        correlate_downstream({"BLEU": [1, 2]}, {"MAP": [1, 2, 3]})


def test_bad_collections(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="documents and queries"):
        retrieve("x", {}, {"q": "a"})
    with pytest.raises(InputError, match="x: all documents are empty"):
        retrieve("x", {"d": ""}, {"q": "a"})
    with pytest.raises(InputError, match="at least one document"):
        pseudo_relevance(Run("x", {}), depth=0)
    monkeypatch.setitem(sys.modules, "bm25s", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'tertium\[retrieval\]'"):
        retrieve("x", {"d": "a"}, {"q": "a"})
