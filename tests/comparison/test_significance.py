"""Paired tests: what they say of known differences, of none, of errors, of runs, and of input that makes no sense."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy.stats import t

import tertium as tt
from tertium.comparison.confidence import confidence_interval
from tertium.comparison.pair_results import PairTests
from tertium.comparison.significance import ResamplingPlan, pair_tests, pair_tests_by_metric
from tertium.errors import InputError, SpecError
from tertium.io.tables import p_text
from tertium.statistics import DenseStatistics, WeightedTogether, weighted_scores

SAMPLE = tt.TestSet.sample()
METHODS = ("bootstrap", "randomisation")
SPECS = ("bleu", "chrf", "ter", "macrof", "microf")


def rows(spec: str, systems: Any = None) -> dict[str, Any]:
    metric = tt.metric(spec)
    prepared = metric.prepare(SAMPLE.references)
    chosen = SAMPLE.systems if systems is None else systems
    return {name: metric.statistics(texts, prepared) for name, texts in chosen.items()}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("spec", SPECS)
def test_a_clear_winner_is_found_by_every_metric(spec: str, method: str) -> None:
    found = pair_tests(rows(spec), spec, method=method, resamples=300)
    assert len(found) == 3
    for name in ("literal", "smooth"):
        pair = found.pair("strong", name)
        assert pair.better == "strong"
        assert pair.p == 1 / 301
        assert pair.significant()
        assert (pair.difference or 0) > 0 if tt.metric(spec).higher_is_better else (pair.difference or 0) < 0
    assert found.clusters is not None
    assert found.clusters[0] == ("strong",)
    assert json.loads(json.dumps(found.data()))["seed"] == 12345


def test_differences_and_intervals_are_those_of_the_scores() -> None:
    metric = tt.metric("bleu")
    statistics = rows("bleu")
    found = pair_tests(statistics, metric)
    for system in found.systems:
        assert system.value == metric.score_total(statistics[system.name])
        assert None not in (system.low, system.high, system.mean, system.half_width)
        assert system.low < system.mean < system.high  # type: ignore[operator]
        alone = confidence_interval(statistics[system.name], metric)
        assert (alone.mean, alone.low, alone.high) == (system.mean, system.low, system.high)
    pair = found.pair("literal", "smooth")
    assert pair.difference == found.system("smooth").value - found.system("literal").value  # type: ignore[operator]


def test_bootstrap_by_hand() -> None:
    """All of it once more, with numpy's own draws and rows taken one by one."""
    metric, statistics = tt.metric("ter"), rows("ter")
    draws = np.random.default_rng(5).choice(len(SAMPLE), (200, len(SAMPLE)))
    one, other = (
        np.array([metric.score_total(statistics[name].take(picked)) for picked in draws])
        for name in ("literal", "smooth")
    )
    found = pair_tests(statistics, metric, method="bootstrap", resamples=200, seed=5)
    pair = found.pair("literal", "smooth")
    differences = other - one
    extreme = (np.abs(differences - differences.mean()) >= abs(pair.difference or 0)).sum()
    assert pair.p == (extreme + 1) / 201
    assert found.system("literal").mean == pytest.approx(one.mean())
    n = len(SAMPLE)
    error = differences.std(ddof=1) * np.sqrt(n / (n - 1))
    assert pair.smallest_detectable == pytest.approx(error * (t.ppf(0.975, n - 1) + t.ppf(0.8, n - 1)))


def test_randomisation_by_hand() -> None:
    metric, statistics = tt.metric("chrf"), rows("chrf")
    coins = np.random.default_rng(5).integers(2, size=(200, len(SAMPLE)), dtype=bool)
    found = pair_tests(statistics, metric, method="randomisation", resamples=200, seed=5, intervals=0)
    one, other = statistics["literal"], statistics["smooth"]
    extreme = 0
    for swap in coins:
        first = other.take(np.flatnonzero(swap)).concat(one.take(np.flatnonzero(~swap)))
        second = one.take(np.flatnonzero(swap)).concat(other.take(np.flatnonzero(~swap)))
        difference = (metric.score_total(second) or 0) - (metric.score_total(first) or 0)
        extreme += abs(difference) >= abs(found.pair("literal", "smooth").difference or 0)
    assert found.pair("literal", "smooth").p == (extreme + 1) / 201
    assert found.system("literal").low is None
    assert found.pair("literal", "smooth").smallest_detectable is None


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("spec", SPECS)
def test_equal_systems(spec: str, method: str) -> None:
    statistics = rows(spec, {"A": SAMPLE.systems["strong"], "B": SAMPLE.systems["strong"]})
    found = pair_tests(statistics, spec, method=method, resamples=100)
    [pair] = found.pairs
    assert (pair.difference, pair.p, pair.p_holm, pair.p_bh, pair.better) == (0.0, 1.0, 1.0, 1.0, None)
    assert pair.identical
    assert not pair.significant()
    assert "A and B are the same to" in str(found)
    assert found.clusters == (("A", "B"),)


def test_baseline_and_corrections() -> None:
    found = pair_tests(rows("bleu"), "bleu", baseline="smooth")
    assert [(pair.first, pair.second) for pair in found] == [("smooth", "literal"), ("smooth", "strong")]
    assert found.clusters is None
    everything = pair_tests(rows("bleu"), "bleu")
    raw = sorted(pair.p or 0 for pair in everything)
    assert everything.pair("literal", "smooth").p_holm == raw[2]
    assert everything.pair("literal", "strong").p_holm == 3 * raw[0]
    assert everything.pair("literal", "strong").p_bh == 1.5 * raw[0]


def test_documents_are_drawn_whole() -> None:
    """Many copies of one segment in a document are no evidence, unless segments are drawn one by one."""
    rng = np.random.default_rng(3)
    documents = np.repeat([f"d{i}" for i in range(10)], 50).tolist()
    effects = np.repeat(rng.normal(0.3, 1.0, 10), 50)
    base = rng.uniform(40, 60, 500)
    statistics = {"A": weighted_scores(base), "B": weighted_scores(base + effects)}
    metric = _Mean()
    naive = pair_tests(statistics, metric)
    clustered = pair_tests(statistics, metric, documents=documents)
    assert (naive.units, naive.n_units) == ("segments", 500)
    assert (clustered.units, clustered.n_units, clustered.n_segments) == ("documents", 10, 500)
    assert naive.pairs[0].p < 0.05 < clustered.pairs[0].p  # type: ignore[operator]
    assert clustered.pairs[0].smallest_detectable > 3 * naive.pairs[0].smallest_detectable  # type: ignore[operator]
    assert "exact paired randomisation, all 512 swaps of 10 documents" in str(clustered)
    assert "no 95% intervals: with fewer than 20 documents" in str(clustered)
    each = pair_tests(statistics, metric, documents=[str(i) for i in range(500)])
    assert each.pairs == naive.pairs


class _Mean(tt.Metric):
    """The mean of segment scores; undefined without any weight."""

    name, title, formula, paper = "mean", "mean", "mean", "none"
    undefined = "no weight at all"

    def _prepare(self, references: Any, threads: int) -> Any:
        raise NotImplementedError

    def _rows(self, *_: Any) -> Any:
        raise NotImplementedError

    def _scores(self, statistics: Any, level: str) -> Any:
        weights = statistics["weight"]
        return np.divide(
            statistics["weighted"], weights, out=np.full(len(weights), np.nan), where=weights > 0
        )

    def signature_items(self, level: str = "corpus") -> dict[str, str]:
        return {}

    @classmethod
    def from_signature_items(cls, items: dict[str, str]) -> Any:
        return cls()


@pytest.mark.parametrize("method", METHODS)
def test_undefined_resamples_are_counted(method: str) -> None:
    """Three segments, two without weight: a third of the resamples holds nothing."""
    one, other = weighted_scores([1.0, 2.0, 3.0], [0, 0, 1]), weighted_scores([1.0, 2.0, 5.0], [0, 0, 1])
    found = pair_tests({"A": one, "B": other}, _Mean(), method=method)
    [pair] = found.pairs
    assert 200 < pair.undefined < 400
    assert found.systems[0].undefined == pair.undefined
    assert found.systems[0].low is None  # three segments are too few for an interval
    assert "undefined in up to" in str(found)
    assert "nan" not in json.dumps(found.data()).lower()
    assert pair.p is not None
    assert pair.p > 0.2  # nothing is significant here


@pytest.mark.parametrize("method", METHODS)
def test_an_undefined_score_is_said_in_words(method: str) -> None:
    nothing, something = weighted_scores([1.0, 2.0], [0, 0]), weighted_scores([1.0, 2.0])
    found = pair_tests({"A": nothing, "B": something, "C": something}, _Mean(), method=method, resamples=50)
    pair = found.pair("A", "B")
    assert (pair.difference, pair.p, pair.p_holm, pair.better) == (None, None, None, None)
    assert found.sentence(pair) == "A and B: undefined, because mean has no value here: no weight at all"
    assert found.pair("B", "C").p == 1.0
    assert found.clusters is None
    assert "nan" not in (str(found) + json.dumps(found.data())).lower()


# Runs


def shifted(seed: int, by: float) -> Any:
    rng = np.random.default_rng(seed)
    return weighted_scores(np.random.default_rng(0).uniform(0, 100, 80) + by + rng.normal(0, 1, 80))


@pytest.mark.parametrize("method", METHODS)
def test_runs_of_a_system(method: str) -> None:
    runs = {"A": [shifted(i, 0) for i in range(4)], "B": [shifted(10 + i, 2) for i in range(4)]}
    found = pair_tests(runs, _Mean(), method=method)
    a, metric = found.system("A"), _Mean()
    values = [metric.score_total(run) or 0 for run in runs["A"]]
    assert a.value == pytest.approx(np.mean(values))
    assert a.run_spread == pytest.approx(np.std(values, ddof=1))
    spreads = [confidence_interval(run, metric).spread or 0 for run in runs["A"]]
    assert a.spread == pytest.approx(np.mean(spreads))
    assert a.runs == 4
    pair = found.pairs[0]
    assert (pair.p, pair.p_runs) == (
        2 / 70,
        2 / 70,
    )  # of all ways to divide eight runs, only these and their mirror
    assert (pair.p_units or 1) < 0.002
    assert found.pairs[0].better == "B"
    assert found.pairs[0].significant()
    assert "s_opt" in str(found)


def test_the_runs_of_a_segment_change_sides_together() -> None:
    """Runs that repeat each other are no evidence: their p-value over segments is that of one run. MultEval, where
    every segment of every run is a stratum, would take them for three times as many segments."""
    one, other = shifted(1, 0), shifted(2, 0.1)
    runs = {"A": [one] * 3, "B": [other] * 3}
    how: dict[str, Any] = {"method": "randomisation", "resamples": 500}
    alone = pair_tests({"A": one, "B": other}, _Mean(), **how).pairs[0]
    assert pair_tests(runs, _Mean(), **how).pairs[0].p_units == alone.p
    assert alone.p_runs is None


def test_three_runs_cannot_show_a_difference() -> None:
    runs = {"A": [shifted(i, 0) for i in range(3)], "B": [shifted(10 + i, 20) for i in range(3)]}
    found = pair_tests(runs, _Mean())
    assert found.pairs[0].p == 0.1
    assert not found.pairs[0].significant()
    assert "nothing can be significant with 3 against 3 runs: p is at least .100" in found.notes()


def test_unequal_runs() -> None:
    runs = {"A": [shifted(1, 0)], "B": [shifted(2, 0), shifted(3, 0)]}
    found = pair_tests(runs, _Mean())
    assert found.system("B").runs == 2
    assert (found.pairs[0].p or 0) >= 1 / 3
    with pytest.raises(InputError, match="too different numbers of runs"):
        pair_tests({f"S{n}": [shifted(1, 0)] * n for n in (5, 7, 3)}, _Mean(), method="randomisation")


@pytest.mark.golden
@pytest.mark.parametrize(
    ("file", "reference", "systems"),
    [
        ("multeval_ted.txt", "ted/ref.eng", ["ted/sys1.eng", "ted/sys2.eng"]),
        (
            "multeval_challenge.txt",
            "tok13a/challenge.ref.fr",
            [f"tok13a/challenge.{name}.fr" for name in ("PBMT-1", "NMT", "Google")],
        ),
    ],
)
def test_multevals_scores_and_spreads(
    file: str, reference: str, systems: list[str], shared: Any, golden_lines: Any
) -> None:
    """Scores to the printed digit, and s_sel, the bootstrap's standard deviation, but for the draws."""
    lines = (shared / "golden" / file).read_text(encoding="utf-8").splitlines()[1 : 1 + len(systems)]
    for place, spec in enumerate(("bleu:tok=none", "ter")):
        metric = tt.metric(spec)
        statistics = {
            name: metric.statistics(golden_lines(name), golden_lines(reference)) for name in systems
        }
        found = pair_tests(statistics, metric, method="randomisation", resamples=10)
        for line, system in zip(lines, found.systems, strict=True):
            value, spread = re.findall(r"(\d+\.\d) \((\d+\.\d)/", line)[place]
            assert system.value == pytest.approx(float(value), abs=0.0501)
            assert system.spread == pytest.approx(float(spread), abs=0.05 + 0.05 * float(spread))


# As sacrebleu computes it


def test_like_sacrebleu_on_all_pairs_is_symmetric() -> None:
    found = pair_tests(rows("bleu"), "bleu", like="sacrebleu")
    turned = pair_tests(dict(reversed(rows("bleu").items())), "bleu", like="sacrebleu")
    assert {pair.p for pair in found} == {pair.p for pair in turned}
    assert ", as sacrebleu computes it" in found.settings()
    assert pair_tests(rows("macrof"), "macrof", like="sacrebleu").pairs[0].p is not None


# Seeds, threads


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("spec", SPECS)
def test_threads_change_nothing(spec: str, method: str) -> None:
    one, three = (
        pair_tests(rows(spec), spec, method=method, resamples=100, threads=threads) for threads in (1, 3)
    )
    assert one == three


def test_seeds() -> None:
    assert pair_tests(rows("ter"), "ter", seed=1) != pair_tests(rows("ter"), "ter", seed=2)
    drawn = pair_tests(rows("ter"), "ter", seed=None)
    assert f"seed {drawn.seed}" in str(drawn)
    assert pair_tests(rows("ter"), "ter", seed=drawn.seed) == drawn


# Bad input


def refused(
    message: str, statistics: Any = None, error: type[Exception] = InputError, **options: Any
) -> None:
    with pytest.raises(error, match=message) as caught:
        pair_tests(
            rows("chrf") if statistics is None else statistics, options.pop("metric", "chrf"), **options
        )
    assert "\n" not in str(caught.value)


def test_bad_input() -> None:
    good = rows("chrf")
    strong = good["strong"]
    refused("at least two systems", {"A": strong})
    refused("at least two systems", {})
    refused(
        r"differ in their number of segments \(A: 69, B: 68\)", {"A": strong, "B": strong.take(range(68))}
    )
    refused(r"A: 5 and 69, B: 69", {"A": [strong, strong.take(range(5))], "B": strong})
    refused("two systems are called 'A'", [("A", strong), ("A", strong)])
    refused("system 'B' has no runs", {"A": strong, "B": []})
    refused("there is one segment", {"A": strong.take([0]), "B": strong.take([1])})
    refused("there is no segment", {"A": strong.take([]), "B": strong.take([])})
    refused("no system 'stron' to use as the baseline; did you mean 'strong'", baseline="stron")
    refused("69 segments, but 3 document ids", documents=["a", "b", "c"])
    refused("all segments belong to one document", documents=["a"] * 69)
    refused("unknown test 'bootstarp'; did you mean 'bootstrap'", error=SpecError, method="bootstarp")
    refused("cannot compare like 'moses'", error=SpecError, like="moses")
    refused("at least one resample", error=SpecError, resamples=0)
    refused("intervals must be", error=SpecError, method="randomisation", intervals=-1)
    refused("alpha must be between 0 and 1", error=SpecError, alpha=0)
    refused("power must be between 0 and 1", error=SpecError, power=1)
    refused("unknown metric", error=SpecError, metric="chfr")


def test_bad_intervals() -> None:
    strong = rows("chrf")["strong"]
    with pytest.raises(InputError, match="there is one segment"):
        confidence_interval(strong.take([0]), "chrf")
    with pytest.raises(SpecError, match="at least one resample"):
        confidence_interval(strong, "chrf", resamples=0)
    with pytest.raises(SpecError, match="like 'moses'"):
        confidence_interval(strong, "chrf", like="moses")
    assert confidence_interval(strong, "chrf").low is not None
    assert confidence_interval(strong.take([0, 1, 2]), "chrf").low is None


# Printing


def test_words() -> None:
    found = pair_tests(rows("bleu"), "bleu")
    assert found.sentence(found.pair("literal", "smooth")) == (
        "smooth is better than literal by 4.18 BLEU, which is not significant (p = .084, Holm)"
    )
    found = pair_tests(rows("ter"), "ter", baseline="literal")
    assert found.sentence(found.pair("literal", "strong")).startswith(
        "strong is significantly better than literal by 34.17 TER"
    )
    values = (None, 0.0001, 0.0009994, 0.04999, 0.05, 0.0500001)
    assert [p_text(p) for p in values] == ["undefined", ".0001", ".0010", ".04999", ".050", ".051"]


def test_tables() -> None:
    found = pair_tests(rows("bleu"), "bleu", method="randomisation", resamples=1000)
    text = str(found)
    assert "BLEU: paired approximate randomisation, 1,000 trials of 69 segments, seed 12345" in text
    assert "clusters, best first: strong | " in text
    assert "(smooth?)" in text
    assert "detectable" in text
    assert found._repr_html_().count("<table") == 2
    assert "| literal | smooth |" in found.table().markdown()
    bare = pair_tests(rows("bleu"), "bleu", method="randomisation", resamples=100, intervals=0)
    assert "detectable" not in str(bare)
    assert isinstance(bare, PairTests)


@pytest.mark.parametrize("how", [{}, {"resamples": 200}, {"like": "sacrebleu"}])
def test_metrics_that_share_rows_share_sums(monkeypatch: pytest.MonkeyPatch, how: dict[str, Any]) -> None:
    """The numbers of each metric alone, from sums that are made once for all."""
    specs = ["bleu", "bleu:smooth=none", "bleu:order=2", "bleu:smooth=floor"]
    measured = tt.measure(tt.TestSet.sample(), specs)
    alone = {
        metric: pair_tests({name: measured[name, metric] for name in measured.systems}, metric, **how)
        for metric in measured.metrics
    }
    made = Counter[str]()

    def counted(room: type, name: str) -> None:
        own = getattr(room, name)

        def counting(*args: Any, **kwargs: Any) -> Any:
            made[name] += 1
            return own(*args, **kwargs)

        monkeypatch.setattr(room, name, counting)

    counted(WeightedTogether, "__call__")
    counted(DenseStatistics, "swapped")
    shared = {name: measured.rows[name, measured.metrics[0]] for name in measured.systems}
    together = pair_tests_by_metric([(measured.metrics, shared)], ResamplingPlan(**how))
    assert together == alone
    assert made == ({"__call__": 1} if "like" in how else {"__call__": 1, "swapped": 3})
