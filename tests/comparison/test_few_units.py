"""Tests and intervals of few segments, documents or runs keep what they promise: a small, fixed part of the grid of
`python -m tools.simulate_few`, whose tables stand in docs/evidence/tests.md."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import tertium as tt
from tertium.comparison.significance import pair_tests
from tertium.statistics import weighted_scores
from tertium.stats.distributions import student_quantile
from tertium.stats.pvalues import resample_interval, run_permutation_p
from tertium.stats.resampling import Draws
from tools.simulate_few import (
    HOLDS,
    SPECS,
    TEXTS,
    buckets_alarmed,
    held,
    most,
    rejected,
    runs_rejected,
)

NULLS = 300


@pytest.fixture(scope="module")
def files(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    return TEXTS.supply(tmp_path_factory.mktemp("few"))


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("n", [5, 10, 20])
def test_true_nulls_are_rejected_as_rarely_as_promised(spec: str, n: int, files: Any) -> None:
    metric = files(tt.metric(spec))
    assert rejected(metric, TEXTS.rows(metric, 2_000), n, NULLS) <= most(NULLS)


def test_the_bootstrap_rejects_too_many(files: Any) -> None:
    """Why it is not the usual test of few segments; where it is asked for, the notes say so."""
    metric = tt.metric("bleu")
    rows = TEXTS.rows(metric, 2_000)
    assert rejected(metric, rows, 5, NULLS, method="bootstrap") > most(NULLS)
    few = {"a": rows[0].take(range(30)), "b": rows[1].take(range(30))}
    notes = list(pair_tests(few, metric, method="bootstrap", resamples=50).notes())
    assert any("with 30 segments the bootstrap rejects more true nulls" in note for note in notes)
    like = pair_tests(few, metric, like="sacrebleu", method="bootstrap", resamples=50)
    assert any("sacrebleu's bootstrap rejects more than 10%" in note for note in like.notes())


@pytest.mark.parametrize(("spec", "n"), [("chrf", 5), ("ter", 5), ("bleu", 20), ("macrof", 20)])
def test_intervals_hold(spec: str, n: int, files: Any) -> None:
    """At least 93%, but for chance (99.9%)."""
    metric, times = files(tt.metric(spec)), 300
    found = held(metric, TEXTS.rows(metric, 2_000)[0], n, times)
    assert found is not None
    assert found >= stats.binom.ppf(0.001, times, HOLDS) / times
    assert n == metric.fewest_for_interval
    assert held(metric, TEXTS.rows(metric, 2_000)[0], n - 1, 3) is None


def test_buckets_are_corrected_together(files: Any) -> None:
    """20 documents of 10 segments: any significant one is a false alarm."""
    metric, times = tt.metric("chrf"), 60
    assert buckets_alarmed(metric, TEXTS, documents=20, size=10, times=times) <= most(times)


def test_runs_are_no_more_segments(files: Any) -> None:
    metric = tt.metric("chrf")
    assert runs_rejected(metric, TEXTS.rows(metric, 2_000), 30, 5, 200) <= most(200)


def test_every_swap_by_hand() -> None:
    """All 2^n ways to choose sides, with scores computed one by one."""
    metric = tt.metric("bleu")
    first, second = (rows.take(range(40, 46)) for rows in TEXTS.rows(metric, 100))
    [pair] = pair_tests({"a": first, "b": second}, metric).pairs
    large, both = 0, first.concat(second)
    for swap in product((0, 1), repeat=6):
        sides = [[i + 6 * (s ^ side) for i, s in enumerate(swap)] for side in (0, 1)]
        scores = [metric.score_total(both.take(side)) or 0.0 for side in sides]
        large += abs(scores[1] - scores[0]) >= abs(pair.difference or 0.0) - 1e-9
    assert pair.p == large / 64


def test_five_segments_never_show_a_difference() -> None:
    better = weighted_scores([50.0, 60.0, 70.0, 80.0, 90.0]), weighted_scores([0.0, 1.0, 2.0, 3.0, 4.0])
    from tests.comparison.test_significance import _Mean

    found = pair_tests({"a": better[0], "b": better[1]}, _Mean())
    assert found.pairs[0].p == 0.0625
    assert "nothing can be significant with 5 segments: p is at least .063" in found.notes()
    assert found.pairs[0].smallest_detectable is None


def test_all_swaps_are_there_once() -> None:
    for n in (1, 2, 8, 9, 16):
        masks = np.unpackbits(Draws.every_swap(n), axis=1, count=n, bitorder="little")
        assert len(masks) == 2 ** (n - 1)
        assert len(np.unique(np.vstack([masks, 1 - masks]), axis=0)) == 2**n


def test_students_quantiles() -> None:
    for share, degrees in product((0.025, 0.5, 0.8, 0.975, 0.9995), (1, 4, 30, 2_000)):
        assert student_quantile(share, degrees) == pytest.approx(
            stats.t.ppf(share, degrees), abs=1e-9, rel=1e-9
        )


def test_an_interval_of_few_units_is_students() -> None:
    scores = np.random.default_rng(3).normal(50, 2, 1000)
    found = resample_interval(scores, 51.0, 12)
    half = stats.t.ppf(0.975, 11) * scores.std(ddof=1) * np.sqrt(12 / 11)
    assert (found.low, found.high, found.half_width) == pytest.approx((51 - half, 51 + half, half))
    many = resample_interval(scores, 51.0, 100)
    assert (many.low, many.high) == pytest.approx(tuple(np.quantile(scores, [0.025, 0.975])))
    assert resample_interval(scores, None, 12).low is None


def test_runs_are_permuted() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        first, second = rng.normal(size=4), rng.normal(0.5, 1, size=3)
        theirs = stats.permutation_test(
            (first, second), lambda a, b: abs(a.mean() - b.mean()), alternative="greater", n_resamples=np.inf
        )
        assert run_permutation_p(first.tolist(), second.tolist(), seed=1) == pytest.approx(theirs.pvalue)
    many = run_permutation_p(list(range(12)), [x + 0.5 for x in range(12)], seed=1)
    assert 0.5 < many < 1
