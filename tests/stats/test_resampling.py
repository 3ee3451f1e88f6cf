"""Draws: the same as numpy's, as the twin's, in any blocks; counts are full-size resamples, coins are fair."""

from __future__ import annotations

import numpy as np
import pytest

from tertium import _native
from tertium.stats import resampling
from tertium.stats.resampling import Draws, fresh_seed
from tests.twins.resampling import Stream

SIZES = [1, 2, 3, 7, 8, 9, 31, 32, 33, 63, 64, 65, 100, 3000, 3001]


def counts(n: int, resamples: int, seed: int = 5) -> np.ndarray:
    return np.concatenate(list(Draws(seed).counts(n, resamples)))


def bits(draws: Draws, n: int, trials: int) -> np.ndarray:
    packed = np.concatenate(list(draws.swaps(n, trials)))
    return np.unpackbits(packed, axis=1, count=n, bitorder="little")


@pytest.mark.parametrize("n", SIZES)
def test_draws_are_numpys(n: int) -> None:
    drawn = np.random.default_rng(5).choice(n, (40, n))
    expected = np.stack([np.bincount(row, minlength=n) for row in drawn])
    assert np.array_equal(counts(n, 40), expected)
    assert np.array_equal(np.concatenate(list(Draws(5).indices(n, 40))), drawn)
    coins = np.random.default_rng(5).integers(2, size=(40, n), dtype=bool)
    assert np.array_equal(bits(Draws(5), n, 40), coins)


@pytest.mark.parametrize("n", SIZES)
def test_one_stream_goes_on_from_coins_to_counts(n: int) -> None:
    generator, draws = np.random.default_rng(7), Draws(7)
    for _ in range(2):
        expected = generator.integers(2, size=(11, n), dtype=bool)
        assert np.array_equal(bits(draws, n, 11), expected)
        drawn = generator.choice(n, (5, n))
        found = np.concatenate(list(draws.counts(n, 5)))
        assert np.array_equal(found, np.stack([np.bincount(row, minlength=n) for row in drawn]))


@pytest.mark.parametrize("n", [1, 5, 33, 300])
def test_blocks_change_nothing(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, coins = counts(n, 50), bits(Draws(5), n, 50)
    monkeypatch.setattr(resampling, "BLOCK", 7 * n)
    assert len(list(Draws(5).counts(n, 50))) > 1
    assert np.array_equal(counts(n, 50), whole)
    assert np.array_equal(bits(Draws(5), n, 50), coins)


def test_the_twin_draws_the_same() -> None:
    start = np.random.PCG64(99).state["state"]
    state, increment = int(start["state"]), int(start["inc"])
    native, twin = _native.Pcg64(*divmod(state, 2**64), *divmod(increment, 2**64)), Stream(state, increment)
    for n in (1, 2, 3, 17, 40):
        assert np.asarray(native.draws(n, 6)).ravel().tolist() == [twin.below(n) for _ in range(6 * n)]
        packed = np.asarray(native.coins(n, 6))
        coins = np.unpackbits(packed, axis=1, count=n, bitorder="little")
        assert coins.ravel().tolist() == [twin.coin() for _ in range(6 * n)]
        assert np.asarray(native.subsets(n, n // 2, 6)).tolist() == [twin.subset(n, n // 2) for _ in range(6)]


def test_resamples_have_the_size_of_the_whole() -> None:
    assert (counts(200, 100).sum(axis=1) == 200).all()
    assert counts(200, 2000).mean(axis=0) == pytest.approx(np.ones(200), abs=0.15)
    assert bits(Draws(1), 999, 2000).mean() == pytest.approx(0.5, abs=0.002)


def test_subsets_are_all_equally_likely() -> None:
    drawn = np.concatenate(list(Draws(3).subsets(5, 3, 20_000)))
    assert (drawn.sum(axis=1) == 3).all()
    seen, times = np.unique(drawn, axis=0, return_counts=True)
    assert len(seen) == 10
    assert times == pytest.approx(np.full(10, 2000), abs=200)
    with pytest.raises(ValueError, match="not larger than the whole"):
        list(Draws(3).subsets(5, 6, 1))


def test_nothing_is_drawn_of_nothing() -> None:
    assert list(Draws(1).counts(10, 0)) == []
    assert [block.shape for block in Draws(1).swaps(10, 1)] == [(1, 2)]


def test_seeds() -> None:
    assert not np.array_equal(counts(50, 5, seed=1), counts(50, 5, seed=2))
    assert 0 <= fresh_seed() < 2**32
    assert fresh_seed() != fresh_seed()
