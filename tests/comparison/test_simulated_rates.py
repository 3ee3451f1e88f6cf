"""By every metric: tests reject true nulls as often as they promise, and intervals hold what they promise to hold.

1,000 nulls and 1,000 test sets each, made from real systems (`tools/simulate.py`), with fixed seeds.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium as tt
from tertium.comparison.confidence import confidence_interval
from tertium.comparison.significance import ResamplingPlan, pair_tests
from tertium.statistics import Statistics
from tertium.stats.pvalues import percentile_interval
from tertium.stats.resampling import Draws
from tertium.stats.subsampling import around, subset_size
from tests.conftest import each_metric
from tools.simulate import ALPHA, DOCUMENTS, TEXTS, expected, false_alarms, simulate

TYPES = ("macrof", "microf")


@pytest.fixture(scope="module")
def files(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What metrics need, made for these texts."""
    return TEXTS.supply(tmp_path_factory.mktemp("simulated"))


def test_the_binomial_interval() -> None:
    """Against scipy's binomial distribution: stats.binom.ppf([0.0005, 0.9995], 1000, p)."""
    assert expected(0.05) == (29, 74)
    assert expected(0.95) == (926, 971)


@pytest.mark.parametrize("spec", each_metric())
def test_error_rates(spec: str, files: Any) -> None:
    found = simulate(spec, files)
    low, high = expected(ALPHA)
    assert low <= found.alarms <= high
    fewest, most = expected(1 - ALPHA)
    if spec in DOCUMENTS:  # 120 documents of 600, in which few terms vary (docs/significance.md)
        fewest, most = 880, 1000
    assert fewest <= found.held <= most


def test_why_the_bootstrap_is_not_the_test_for_types(shared: Path) -> None:
    """It finds more than any chance would explain, and says so where it is asked for."""
    metric = tt.metric("macrof")
    first, second = TEXTS.rows(metric, 200)
    assert false_alarms(metric, first, second, "bootstrap", 300) > expected(ALPHA, 300)[1]
    asked = pair_tests({"A": first, "B": second}, metric, method="bootstrap", resamples=50)
    assert any("the bootstrap finds too many differences" in note for note in asked.notes())
    usual = pair_tests({"A": first, "B": second}, metric, resamples=50)
    assert usual.method == "randomisation"
    assert not usual.warning


def test_the_test_is_chosen_by_what_rows_are_like() -> None:
    """By a property of statistics, not by names of metrics: those of other packages are tested by randomisation."""
    assert Statistics.usual_test == "randomisation"
    text = tt.TestSet.sample()
    for spec, method in (("bleu", "bootstrap"), ("chrf", "bootstrap"), ("macrof", "randomisation")):
        rows = tt.metric(spec).statistics(text.systems["strong"], text.references)
        assert ResamplingPlan().chosen_method(rows.concat(rows)) == method  # 138 segments
        assert ResamplingPlan().chosen_method(rows) == "randomisation"  # 69: by any metric
        assert ResamplingPlan(like="sacrebleu").chosen_method(rows) == method
        assert ResamplingPlan(method="bootstrap").chosen_method(rows) == "bootstrap"


@pytest.mark.parametrize("spec", TYPES)
def test_a_score_lies_in_its_interval(spec: str, shared: Path) -> None:
    """In the middle of it; bootstrap resamples of a large set have so few types that it may lie outside."""
    metric = tt.metric(spec)
    rows, _ = TEXTS.rows(metric)
    score = metric.score_total(rows)
    found = confidence_interval(rows, metric, resamples=200)
    assert score is not None
    assert found.low is not None
    assert found.high is not None
    assert (score - found.low) / (found.high - found.low) == pytest.approx(0.5, abs=0.15)
    assert found.mean == pytest.approx(score)


def test_the_bootstrap_leaves_the_score_outside(shared: Path) -> None:
    metric = tt.metric("microf")
    rows, _ = TEXTS.rows(metric)
    [counts] = Draws(1).counts(len(rows), 200)
    found = percentile_interval(metric.score_weighted(rows, counts))
    assert (found.low or 0) > (metric.score_total(rows) or 0)


def test_subsets_vary_as_the_bootstrap_where_both_are_right() -> None:
    """Of a mean both know the standard error: s / sqrt(n)."""
    values = np.random.default_rng(1).normal(50, 10, 400)
    [taken] = Draws(3).subsets(400, subset_size(400), 4000)
    varied = around(float(values.mean()), taken @ values / subset_size(400), 400)
    assert varied.mean() == pytest.approx(values.mean())
    assert varied.std() == pytest.approx(values.std(ddof=1) / 20, rel=0.05)
