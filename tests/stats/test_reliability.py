"""Rising curves and calibration errors against slow twins; bounds of shares against their definition."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.stats.proportions import highest_share, rarely
from tertium.stats.reliability import equal_bins, isotonic, reliability

VALUES = st.lists(st.integers(-20, 20), min_size=1, max_size=30)


@given(VALUES)
def test_isotonic_is_what_maxima_of_minima_say(values: list[int]) -> None:
    """The known form of the solution: for each place the greatest, over beginnings, of the least mean, over ends."""
    n = len(values)
    slow = [max(min(np.mean(values[a : b + 1]) for b in range(i, n)) for a in range(i + 1)) for i in range(n)]
    assert isotonic(values) == pytest.approx(slow)


def test_weights_are_repetitions() -> None:
    draw = np.random.default_rng(3)
    values, weights = draw.normal(size=40), draw.integers(1, 5, 40)
    often = isotonic(np.repeat(values, weights))
    assert np.repeat(isotonic(values, weights), weights) == pytest.approx(often)
    assert isotonic([]).tolist() == []


@given(VALUES, st.integers(1, 12))
def test_bins_hold_everything_once_and_equal_values_together(values: list[int], number: int) -> None:
    bins = equal_bins(values, number)
    assert sorted(int(place) for own in bins for place in own) == list(range(len(values)))
    assert len(bins) <= number
    for one, other in pairwise(bins):
        assert max(values[i] for i in one) < min(values[i] for i in other)


def test_what_is_right_is_off_by_chance_alone() -> None:
    draw = np.random.default_rng(5)
    errors, chances = [], []
    for _ in range(200):
        said = draw.uniform(20, 80, 500)
        found = reliability(said, said + draw.normal(0, 15, 500))
        errors.append(found.error)
        chances.append(found.chance)
        assert [own.number for own in found.bins] == [50] * 10
    assert np.mean(errors) == pytest.approx(np.mean(chances), rel=0.05)
    assert reliability([50.0] * 4, [40.0] * 4).error == 10.0
    with pytest.raises(ValueError, match="2 values said, 1 true"):
        reliability([1, 2], [1])


@pytest.mark.parametrize(("successes", "total"), [(0, 10), (3, 40), (20, 400), (40, 40), (0, 0)])
def test_shares(successes: int, total: int) -> None:
    most = highest_share(successes, total)
    if successes == total:
        assert most == 1.0
        return
    terms = [
        math.comb(total, k) * most**k * (1 - most) ** (total - k) for k in range(successes + 1)
    ]  # what defines the bound
    assert math.fsum(terms) == pytest.approx(0.05)
    assert rarely(successes, total, most) == pytest.approx(0.05)


def test_shares_that_cannot_be() -> None:
    with pytest.raises(ValueError, match="3 successes in 2 trials"):
        rarely(3, 2, 0.5)
    with pytest.raises(ValueError, match="confidence"):
        highest_share(1, 2, confidence=1.0)
