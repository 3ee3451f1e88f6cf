"""WMT's tau: all tie matrices against the golden values, orientation, bootstrap intervals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tertium.errors import InputError
from tertium.stats import taulike
from tertium.stats.pvalues import Interval
from tertium.stats.taulike import TauLike, tau_intervals, tau_like, verdict_counts, verdicts
from tertium.stats.wins import interval_wins, not_outperformed

NAMES = {"wmt12": taulike.WMT12, "wmt13": taulike.WMT13, "wmt14": taulike.WMT14, "xties": taulike.WMT14_TIES}


@pytest.mark.golden
@pytest.mark.parametrize("name", NAMES)
def test_variants(golden: Any, name: str) -> None:
    data = golden("stats/stats_wmt_tau_variants.json")
    human, metric = (["<=>".index(pair[side]) for pair in data["pairs_human_metric"]] for side in (0, 1))
    found, expected = tau_like(verdict_counts(human, metric), NAMES[name]), data["variants"][name]
    assert (found.numerator, found.denominator) == (expected["num"], expected["den"])
    assert found.value == pytest.approx(expected["tau"], abs=1e-15)
    assert found.denominator + found.left_out == len(human)
    assert set(data["variants"]) == set(NAMES)


def test_ties_as_the_erratum_says() -> None:
    """A metric's tie counts 0 in the numerator and 1 in the denominator; ties of people are left out."""
    one_tie = verdict_counts([0, 0, 2, 1], [0, 1, 2, 0])
    assert tau_like(one_tie) == TauLike(2.0, 3, 1)
    assert tau_like(one_tie, taulike.WMT12).value == pytest.approx(1 / 3)
    assert tau_like(one_tie, taulike.TIES_IGNORED).value == 1.0
    assert tau_like(np.zeros((3, 3))).value is None


def test_orientation() -> None:
    good, bad = [30.0, 20.0, 5.0], [20.0, 30.0, 5.0]
    assert verdicts(good, bad).tolist() == [0, 2, 1]
    assert verdicts(good, bad, higher_is_better=False).tolist() == [2, 0, 1]
    counts = verdict_counts([0, 2, 0], verdicts(good, bad))
    assert tau_like(counts).value == pytest.approx(2 / 3)
    turned = verdict_counts([0, 2, 0], verdicts(good, bad, higher_is_better=False))
    assert tau_like(turned).value == pytest.approx(-2 / 3)


def test_intervals_follow_the_binomial() -> None:
    """80% right of 1,000: tau is .6, its standard deviation 2 sqrt(.8 .2 / 1000) = .0253."""
    human = np.zeros(1000, dtype=int)
    metrics = np.zeros((2, 1000), dtype=int)
    metrics[0, :200] = 2
    metrics[1, :400] = 2
    found = tau_intervals(human, metrics, resamples=2000)
    assert found.taus == pytest.approx([0.6, 0.2])
    assert found.intervals[0].spread == pytest.approx(0.0253, rel=0.1)
    assert found.intervals[0].low == pytest.approx(0.6 - 1.96 * 0.0253, abs=0.006)
    wins = interval_wins(found.intervals)
    assert wins.tolist() == [[False, True], [False, False]]
    assert not_outperformed(wins).tolist() == [True, False]
    again = tau_intervals(human, metrics, resamples=2000)
    assert again.intervals == found.intervals
    assert tau_intervals(human, metrics, resamples=2000, seed=1).intervals != found.intervals


def test_whole_sentences_give_wider_intervals() -> None:
    units = np.repeat(np.arange(50), 20)
    metric = np.where(units < 10, 2, 0)  # all comparisons of a sentence go the same way
    human = np.zeros(1000, dtype=int)
    alone, together = tau_intervals(human, [metric]), tau_intervals(human, [metric], units=units)
    assert together.n_units == 50
    assert together.taus.tolist() == alone.taus.tolist() == [0.6]
    assert (together.intervals[0].spread or 0) > 3 * (alone.intervals[0].spread or 1)


def test_undefined_taus_win_nothing() -> None:
    found = tau_intervals([1, 1], [[0, 2]])
    assert np.isnan(found.taus[0])
    assert found.intervals[0] == Interval(undefined=1000)
    assert not interval_wins([*found.intervals, Interval(low=0.1, high=0.2)]).any()


def test_bad_comparisons() -> None:
    with pytest.raises(InputError, match="comparison 2 of 2"):
        verdicts([1.0, math.nan], [1.0, 2.0])
    with pytest.raises(InputError, match="3 first and 2 second"):
        verdicts([1, 2, 3], [1, 2])
    with pytest.raises(InputError, match="verdicts are 0"):
        verdict_counts([0, 3], [0, 1])
    with pytest.raises(InputError, match="2 verdicts of people and 1"):
        verdict_counts([0, 1], [0])
    with pytest.raises(InputError, match="3 x 3"):
        tau_like([[1, 2], [3, 4]])
    with pytest.raises(InputError, match="no comparisons"):
        tau_intervals([], [[]])
    with pytest.raises(InputError, match="2 comparisons, but 3 units"):
        tau_intervals([0, 0], [[0, 2]], units=[1, 2, 3])
