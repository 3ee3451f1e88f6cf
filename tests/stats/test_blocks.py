"""Tests of blocks against enumeration and scipy."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats as scipy_stats

from tertium.stats.blocks import block_permutation_p, sign_flip_p


def every_permutation(table: np.ndarray) -> float:
    """The exact p-value, by all ways to shuffle within blocks."""

    def spread(rows: list[tuple[float, ...]]) -> float:
        means = np.mean(rows, axis=0)
        return float(((means - means.mean()) ** 2).sum())

    observed = spread([tuple(row) for row in table])
    ways = list(itertools.product(*(itertools.permutations(row) for row in table)))
    return sum(spread(list(way)) >= observed - 1e-12 for way in ways) / len(ways)


@pytest.mark.parametrize("seed", range(5))
def test_shuffling_within_blocks(seed: int) -> None:
    table = np.random.default_rng(seed).normal(size=(4, 3)) + np.array([0.0, 0.4, 0.8])
    exact = every_permutation(table)
    assert block_permutation_p(table, permutations=20_000, seed=seed) == pytest.approx(exact, abs=0.02)


def test_the_seed_decides() -> None:
    table = np.random.default_rng(1).normal(size=(6, 4))
    first = block_permutation_p(table, permutations=500, seed=3)
    assert first == block_permutation_p(table, permutations=500, seed=3)
    assert first != block_permutation_p(table, permutations=500, seed=4)


def test_nothing_to_see() -> None:
    assert (
        block_permutation_p([[0.1, 0.2, 0.3]], permutations=200) == 1.0
    )  # one block: all shuffles are alike
    assert block_permutation_p(np.full((5, 3), 0.1), permutations=200) == 1.0


def test_p_values_are_even_where_there_is_no_effect() -> None:
    draw = np.random.default_rng(7)
    found = [block_permutation_p(draw.normal(size=(8, 4)), permutations=199, seed=i) for i in range(200)]
    assert 0.02 <= np.mean(np.array(found) <= 0.1) <= 0.2


@pytest.mark.parametrize("n", [3, 9, 13, 20])
def test_signs_as_scipy_turns_them(n: int) -> None:
    table = np.random.default_rng(n).normal(size=(n, 3)) + np.array([0.0, 0.3, 0.8])
    ours = sign_flip_p(table, trials=10_000)
    for j, p in enumerate(ours):
        theirs = scipy_stats.permutation_test(
            (table[:, j],), np.mean, permutation_type="samples", n_resamples=10_000, rng=1
        )
        assert p == pytest.approx(theirs.pvalue, abs=1e-12 if n < 14 else 0.02)


@pytest.mark.parametrize("bad", [[], [1.0, 2.0], [[np.nan, 1.0]]])
def test_no_table(bad: list[object]) -> None:
    for test in (block_permutation_p, sign_flip_p):
        with pytest.raises(ValueError, match="table of finite numbers"):
            test(bad)  # type: ignore[arg-type]
