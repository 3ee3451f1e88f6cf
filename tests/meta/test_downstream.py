"""Runs measured as trec_eval measures them, the protocol of translated retrieval, correlations with tasks."""

from __future__ import annotations

import sys
from itertools import product

import numpy as np
import pytest
import pytrec_eval

import tertium as tt
from tertium.errors import InputError, MissingExtraError, SpecError
from tertium.io.trec import Qrels, Run, ranked
from tertium.meta.downstream import (
    best_query_weighted_value,
    evaluate_run,
    measure_runs,
    overlap_with,
    pseudo_relevance,
    query_weighted_value,
    retrieve,
)
from tertium.meta.downstream_correlations import correlate_downstream
from tertium.stats.kendall import tau_b
from tertium.stats.retrieval import rank_biased_overlap
from tertium.stats.swapping import swap_test


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
    assert found.table().best == set()  # two are equal: none is the best
    assert "no metric is significantly better than all others" in found.table().notes
    assert "MAP, flat: undefined, because all metric scores are equal" in found.table().notes
    assert found.data()["measures"]["MAP"]["flat"]["value"] is None
    two = correlate_downstream({"BLEU": [1, 2]}, {"MAP": [1, 2]})
    assert "with two systems tau is 1 or -1 by construction" in two.table().notes[0]
    with pytest.raises(InputError, match="BLEU has 2 scores, MAP 3"):
        correlate_downstream({"BLEU": [1, 2]}, {"MAP": [1, 2, 3]})


def test_a_star_needs_significance() -> None:
    """Significant itself, and significantly better than every other metric; seven systems suffice."""
    task = list(range(8))
    close = {"BLEU": task, "chrF": [1, 0, 2, 3, 4, 5, 6, 7]}
    assert correlate_downstream(close, {"MAP": task}).best == set()
    clear = {"BLEU": task, "noise": [3, 6, 1, 7, 2, 5, 4, 0]}
    found = correlate_downstream(clear, {"MAP": task})
    assert found.best == {("MAP", "BLEU")}
    assert found.table().best == {(0, 1)}
    assert found.data()["best"] == {"MAP": ["BLEU"]}


@pytest.mark.parametrize("metrics", [2, 4])
def test_stars_among_equals_are_rare(metrics: int) -> None:
    """Metrics that are the task's scores with equal noise: no more than 5% of tables have a star."""
    rng = np.random.default_rng(metrics)
    rounds, stars = 400, 0
    for _ in range(rounds):
        task = rng.normal(size=9)
        scores = {f"m{i}": (task + rng.normal(size=9)).tolist() for i in range(metrics)}
        stars += len(correlate_downstream(scores, {"MAP": task.tolist()}).best)
    assert stars <= 0.05 * rounds + 3.1 * (rounds * 0.05 * 0.95) ** 0.5


def test_swaps_are_all_there_are() -> None:
    """The p-value of few systems by plain loops; that of many is near it."""
    rng = np.random.default_rng(2)
    task, one, other = (rng.normal(size=7) for _ in range(3))
    first, second = ((own - own.mean()) / own.std() for own in (one, other))
    differences = []
    for swapped in product((False, True), repeat=7):
        mask = np.array(swapped)
        left, right = np.where(mask, second, first), np.where(mask, first, second)
        differences.append((tau_b(task, left).value or 0) - (tau_b(task, right).value or 0))
    expected = np.mean(np.abs(differences) >= abs(differences[0]) - 1e-12)
    assert swap_test(task, one, other) == pytest.approx(expected)
    many = rng.normal(size=20)
    assert swap_test(many, many + rng.normal(size=20) * 0.1, rng.normal(size=20)) < 0.01


@pytest.mark.parametrize("seed", range(4))
def test_the_best_cutoff(seed: int) -> None:
    """Against AQWV of the run cut at every rank; never below 0, since nothing need be returned."""
    run, qrels = made(seed)
    found = best_query_weighted_value(run, qrels, 60, beta=2.0)
    values = [
        query_weighted_value(
            Run("cut", {q: own[:k] for q, own in run.queries.items()}), qrels, 60, beta=2.0
        ).mean
        for k in range(31)
    ]
    assert found.mean == pytest.approx(max(value or 0.0 for value in values))
    assert found.cutoff == int(np.argmax(np.round(values, 12)))
    assert best_query_weighted_value(run, qrels, 60, beta=1e6).cutoff == 0
    assert best_query_weighted_value(run, qrels, 60, beta=1e6).mean == 0.0
    assert found.nothing_retrieved == ("q3",)
    assert found.queries["q3"] == 0.0


def test_queries_that_retrieve_nothing() -> None:
    """They count as 0, also where both runs have nothing, and are counted."""
    one, human = Run("a", {"q": (("x", 2.0),), "r": ()}), Run("human", {"q": (("x", 2.0),), "r": ()})
    found = overlap_with(one, human)
    assert found.queries == {"q": pytest.approx(1.0), "r": 0.0}
    assert found.nothing_retrieved == ("r",)
    runs = measure_runs(
        [one], Qrels("j", {"q": {"x": 1}, "r": {"y": 1}, "s": {}}), ("map", "aqwv"), n_documents=10
    )
    assert [column.label for column in runs.table().columns] == [
        "run",
        "map",
        "aqwv(beta=40, best cut-off)",
        "cut-off",
    ]
    assert runs.table().rows == (("a", 0.5, 0.5, 1),)
    assert "queries that retrieve nothing count as 0: a 1" in runs.table().notes
    assert "1 queries without a relevant document are left out" in runs.table().notes
    data = runs.data()
    assert (data["nothing_retrieved"], data["without_relevant"]) == ({"a": 1}, {"a": 1})


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
