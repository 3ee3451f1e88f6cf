"""Sums and scores in single precision, as sacrebleu's resamples have them."""

from __future__ import annotations

import numpy as np
import pytest

import tertium as tt
from tertium.comparison.single_precision import resample_scores, resampled_sums
from tertium.stats import resampling
from tertium.stats.resampling import Draws


@pytest.mark.parametrize("scale", [1.0, 2.0**20, 1 / 3])
def test_sums_are_single_precision(scale: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small counts, counts too large for single precision, and fractions, as float32 rows add up."""
    rows = np.random.default_rng(1).integers(0, 50, (300, 3)) * scale
    draws = np.random.default_rng(5).choice(300, (40, 300))
    expected = np.array([part.sum(0) for part in rows.astype("float32")[draws]])
    monkeypatch.setattr(resampling, "BLOCK", 300 * 7)  # several pieces
    assert np.array_equal(resampled_sums([rows], lambda: Draws(5), 40)[0], expected)


def test_tables_of_both_kinds_get_the_same_draws() -> None:
    whole = np.random.default_rng(1).integers(0, 50, (30, 2)).astype(float)
    one, other = resampled_sums([whole, whole / 4], lambda: Draws(5), 10)
    assert np.array_equal(one / 4, other)


@pytest.mark.parametrize("spec", ["macrof", "ter:like=moses", "chrf:like=popovic", "wer"])
def test_metrics_that_sacrebleu_lacks_are_summed_exactly(spec: str) -> None:
    metric = tt.metric(spec)
    rows = metric.statistics(["a b", "c", "d e"], ["a x", "c", "d f"])
    [scores] = resample_scores([metric], [rows], lambda: Draws(5), 20)[metric]
    draws = np.random.default_rng(5).choice(3, (20, 3))
    assert scores.tolist() == [metric.score_total(rows.take(picked)) for picked in draws]
