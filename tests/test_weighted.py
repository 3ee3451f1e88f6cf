"""Weighted and swapped sums: exact integers whatever their size, the same as adding rows one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium as tt
from tertium.statistics import (
    DenseStatistics,
    Statistics,
    TypeStatistics,
    WeightedTogether,
    columns,
    mask_weights,
)
from tests.conftest import each_metric
from tests.twins import resampling as twin

HYPOTHESES = ["the cat sat on the mat .", "a dog", "", "the the the", "one two three four", "x y", "a b a"]
REFERENCES = ["the cat sat on a mat .", "the dog", "nothing", "the", "one two three five", "x z", "a a b"]


def dense(rows: Any) -> DenseStatistics:
    width = np.asarray(rows).shape[1]
    return DenseStatistics(columns(*map(str, range(width))), np.array(rows, dtype=np.int64))


def packed(masks: Any) -> Any:
    return np.packbits(np.asarray(masks, dtype=np.uint8), axis=1, bitorder="little")


SIZES = [2**4, 2**14, 2**15, 2**16, 2**30, 2**31, 2**33, 2**45, 2**46]


@st.composite
def problems(draw: st.DrawFn) -> tuple[list[list[int]], list[list[int]]]:
    n, k, m = draw(st.integers(1, 9)), draw(st.integers(1, 20)), draw(st.integers(1, 5))
    size = draw(st.sampled_from(SIZES))
    value = st.one_of(st.integers(-size, size), st.just(0))
    rows = draw(st.lists(st.lists(value, min_size=k, max_size=k), min_size=n, max_size=n))
    heavy = draw(st.sampled_from([1, 3, 200, 32767]))
    weight = st.integers(-heavy, heavy)
    weights = draw(st.lists(st.lists(weight, min_size=n, max_size=n), min_size=m, max_size=m))
    return rows, weights


@settings(max_examples=300, derandomize=True, deadline=None)
@given(problems())
def test_weighted_sums_are_exact(problem: tuple[list[list[int]], list[list[int]]]) -> None:
    rows, weights = problem
    assert dense(rows).weighted(weights).array.tolist() == twin.weighted(rows, weights)


@pytest.mark.parametrize("n", [3, 2999, 3000])
@pytest.mark.parametrize("size", [50, 40_000, 2**40])
def test_many_resamples(n: int, size: int) -> None:
    rng = np.random.default_rng(n)
    rows, weights = rng.integers(-size, size, (n, 21)), rng.integers(0, 40, (150, n))
    expected = weights @ rows  # of 64-bit integers, and none overflows
    for threads in (1, 3):
        assert (dense(rows).weighted(weights, threads=threads).array == expected).all()


@pytest.mark.parametrize("n", [1, 2, 130, 3001])
def test_columns_that_others_say(n: int) -> None:
    """Lengths that all systems share, one less in nearly all rows, nothing in nearly all: summed as others are."""
    rng = np.random.default_rng(n)
    length, matches = rng.integers(0, 400, (2, n))
    shorter = [np.maximum(0, length - order) for order in range(4)]
    rare = np.where(np.arange(n) % 97 == 5, 2**40, 0)
    tables = [
        np.column_stack([*shorter, own, length[::-1], rare, np.full(n, -3)])
        for own in (matches, matches[::-1], matches)
    ]
    tables.append(np.column_stack([length, matches]))
    for low in (0, -40):
        weights = rng.integers(low, 40, (70, n))
        for threads in (1, 3):
            sums = WeightedTogether([dense(rows) for rows in tables])(weights, threads=threads)
            for rows, found in zip(tables, sums, strict=True):
                assert (found.array == weights @ rows).all()
    with pytest.raises(ValueError, match="number of rows"):
        WeightedTogether([dense(np.zeros((n, 2))), dense(np.zeros((n + 1, 2)))])


def test_extremes_do_not_overflow() -> None:
    """The largest values with the largest weights, far beyond what 32 bits of a partial sum hold."""
    n = 70_001
    for value in (-32768, 32767, 2**30 - 1, -(2**30)):
        for weight in (32767, -32767):
            rows, weights = np.full((n, 3), value), np.full((2, n), weight)
            assert (dense(rows).weighted(weights).array == n * value * weight).all()
    with pytest.raises(OverflowError, match="64 bits"):
        dense([[2**61], [2**61]]).weighted([[2, 3]])
    assert dense([[2**61], [2**61]]).weighted([[1, 2]]).array.tolist() == [[3 * 2**61]]


@settings(max_examples=150, derandomize=True, deadline=None)
@given(
    st.integers(1, 40), st.integers(1, 26), st.integers(1, 6), st.sampled_from(SIZES), st.integers(0, 2**32)
)
def test_swapped_sums_are_exact(n: int, k: int, m: int, size: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    ours, theirs = rng.integers(-size, size, (2, n, k))
    masks = rng.integers(0, 2, (m, n))
    first, second = dense(ours).swapped(dense(theirs), packed(masks))
    expected = twin.swapped(ours.tolist(), theirs.tolist(), masks.tolist())
    assert (first.array.tolist(), second.array.tolist()) == expected


def test_swaps_in_threads_and_blocks() -> None:
    rng = np.random.default_rng(2)
    ours, theirs = rng.integers(0, 90, (2, 77, 13))
    masks = rng.integers(0, 2, (9000, 77))
    one, three = (dense(ours).swapped(dense(theirs), packed(masks), threads=t) for t in (1, 3))
    assert (one[0].array == masks @ theirs + (1 - masks) @ ours).all()
    assert (one[1].array == masks @ ours + (1 - masks) @ theirs).all()
    assert (one[0].array == three[0].array).all()
    assert (one[1].array == three[1].array).all()


@pytest.mark.parametrize(
    "spec", each_metric("macrof:beta=2.5,order=2", "microf:k=0.5", "outside:aggregate=median")
)
def test_every_metric_scores_weighted_sums(supply: Any, spec: str) -> None:
    """A resample as weights, as rows taken several times, and scored without being held: the same bits."""
    metric = supply(tt.metric(spec))
    rows = metric.statistics(HYPOTHESES, REFERENCES, sources=REFERENCES)
    other = metric.statistics(REFERENCES[::-1], REFERENCES, sources=REFERENCES)
    rng = np.random.default_rng(1)
    weights = rng.integers(0, 3, (20, len(rows)))
    weights[0] = 1
    expected = [metric.score_total(rows.take(np.repeat(np.arange(len(rows)), w))) for w in weights]
    wanted = np.array([np.nan if value is None else value for value in expected])
    for threads in (1, 3):
        found = metric.score_weighted(rows, weights, threads=threads)
        assert np.array_equal(found, wanted, equal_nan=True)
    assert np.array_equal(metric.score_rows(rows.weighted(weights)), wanted, equal_nan=True)
    masks = rng.integers(0, 2, (20, len(rows)))
    swapped = metric.score_swapped(rows, other, packed(masks))
    plain = Statistics.swapped(rows, other, packed(masks))
    for i, mask in enumerate(masks):
        both = rows.concat(other)
        sides = [[*(1 - mask), *mask], [*mask, *(1 - mask)]]
        for scores, statistics, side in zip(swapped, plain, sides, strict=True):
            total = both.take(np.flatnonzero(side)).total()
            value = metric.score_total(total)
            assert np.array_equal(scores[i], np.nan if value is None else value, equal_nan=True)
            assert metric.score_total(statistics.take([i])) == metric.score_total(total)


def type_rows(hypotheses: list[str], references: list[str]) -> TypeStatistics:
    rows = tt.metric("macrof:tok=none").statistics(hypotheses, references)
    assert isinstance(rows, TypeStatistics)
    return rows


def test_weighted_types() -> None:
    rows = type_rows(["a b", "b c", "d"], ["a", "b b", "e"])
    weighted = rows.weighted([[2, 1, 0], [0, 0, 0], [1, 1, 1]])
    assert len(weighted) == 3
    table = {row.type: (row.predicted, row.reference, row.matched) for row in weighted.take([0]).table()}
    assert table == {"a": (2, 2, 2), "b": (3, 2, 1), "c": (1, 0, 0)}
    assert weighted.take([1]).table() == []
    assert weighted.take([2]).table() == rows.table()


def test_types_that_come_to_nothing_are_gone() -> None:
    """The whole without a segment: minus its row."""
    rows = type_rows(["a b", "c"], ["a", "c"])
    both = rows.concat(rows.take([0]))
    assert both.weighted([[1, 1, -1]]).table() == rows.take([1]).table()
    metric = tt.metric("macrof")
    assert metric.score_weighted(both, [[1, 1, -1]])[0] == metric.score_total(rows.take([1]))
    with pytest.raises(OverflowError, match="below 0"):
        rows.weighted([[-1, 0]])
    with pytest.raises(OverflowError, match="below 0"):
        metric.score_weighted(rows, [[-1, 0]])


def test_large_counts_of_types() -> None:
    """Beyond 16 and beyond 21 bits the fast tables end; the scores go on."""
    metric = tt.metric("microf:tok=none")
    rows = metric.statistics(["a " * 40 + "b", "c a", "b"], ["a " * 35 + "b", "c", "d"])
    weights = [[1, 1, 1], [30000, 1, 2], [32767, 32767, 32767], [5, 0, 0]]
    assert metric.score_weighted(rows, weights).tolist() == metric.score_rows(rows.weighted(weights)).tolist()


def test_wrong_weights_are_refused() -> None:
    for rows in (dense([[1], [2]]), type_rows(["a", "b"], ["a", "b"])):
        for wrong, message in (
            ([[1]], "a row with 2 numbers"),
            ([1, 2], "a row with 2 numbers"),
            ([[0.5, 1.0]], "whole numbers"),
            ([[1, 40000]], "lie between"),
        ):
            with pytest.raises(ValueError, match=message):
                rows.weighted(wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="different columns"):
        dense([[1]]).swapped(DenseStatistics(columns("y"), np.array([[1]])), packed([[1]]))
    with pytest.raises(ValueError, match="different shapes"):
        dense([[1], [2]]).swapped(dense([[1]]), packed([[1, 0]]))
    with pytest.raises(ValueError, match="a bit for each row"):
        dense([[1]] * 9).swapped(dense([[1]] * 9), packed([[1]]))
    assert dense([[1], [2]]).weighted(np.array([[True, False]])).array.tolist() == [[1]]
    assert dense([[1], [2]]).weighted(np.empty((0, 2), dtype=int)).array.shape == (0, 1)


def test_mask_weights() -> None:
    ours, theirs = mask_weights(packed([[1, 0, 1], [0, 0, 0]]), 3)
    assert ours.tolist() == [[0, 1, 0, 1, 0, 1], [1, 1, 1, 0, 0, 0]]
    assert theirs.tolist() == [[1, 0, 1, 0, 1, 0], [0, 0, 0, 1, 1, 1]]


@pytest.mark.parametrize("spec", ["macrof:tok=none", "macrof:tok=none,beta=2", "microf:tok=none,k=0.3"])
@pytest.mark.parametrize("heaviest", [1, 7, 31, 40, 32767])
def test_types_of_any_frequency_by_any_weights(spec: str, heaviest: int) -> None:
    """Counts share a lane while they are small; words a hundred times in a line and heavy weights do not fit there."""
    rng = np.random.default_rng(heaviest)
    words = [f"w{i}" for i in range(60)]
    lines = [[" ".join(rng.choice(words[:size], size)) for size in rng.integers(1, 60, 90)] for _ in "hr"]
    lines[0][3], lines[1][3], lines[1][4] = "w0 " * 100 + "w1", "w0 " * 31 + "w2 " * 64, "w0 w0 " * 40
    metric = tt.metric(spec)
    rows = metric.statistics(*lines)
    weights = rng.integers(0, heaviest + 1, (70, 90)).astype(np.int16)
    weights[1] = 0
    found = metric.score_weighted(rows, weights, threads=2)
    assert np.array_equal(found, metric.score_rows(rows.weighted(weights)), equal_nan=True)
    assert np.isnan(found[1])


@pytest.mark.parametrize("how", ["order=1", "order=2", "order=4", "order=3,unit=char"])
def test_totals_of_types_are_sums_of_rows(how: str) -> None:
    """n-grams of all orders are counted in one table, without a row for each segment."""
    metric = tt.metric(f"macrof:{how}")
    rows = metric.statistics(HYPOTHESES, REFERENCES)
    assert isinstance(rows, TypeStatistics)
    for threads in (1, 3):
        assert metric.total(HYPOTHESES, REFERENCES, threads=threads).to_bytes() == rows.total().to_bytes()
    other = metric.total(HYPOTHESES[::-1], REFERENCES)
    assert isinstance(other, TypeStatistics)
    matched = {one.type: one.matched for one in other.table()}
    own = rows.total()
    found = np.asarray(own.rows.matched_in(other.rows))[:, 0]
    assert found.tolist() == [matched.get(own.types[i], 0) for i in own.entries[1]]
    types, counts = map(np.asarray, own.rows.counted())
    assert types[:, 0].tolist() == own.entries[1].tolist()
    assert counts.tolist() == own.entries[2].tolist()


def test_taken_rows_are_scored_without_the_types_of_others() -> None:
    metric = tt.metric("macrof1")
    rows = metric.statistics(HYPOTHESES, REFERENCES)
    taken, apart = (
        rows.take([1, 5]),
        metric.statistics([HYPOTHESES[i] for i in (1, 5)], [REFERENCES[i] for i in (1, 5)]),
    )
    assert taken.to_bytes() == apart.to_bytes()
    assert metric.score_total(taken) == metric.score_total(apart)
    weights = [[1, 1], [2, 0], [0, 1]]
    assert metric.score_weighted(taken, weights).tolist() == metric.score_weighted(apart, weights).tolist()
    assert (
        metric.score_rows(taken.without_each()).tolist() == metric.score_rows(apart.without_each()).tolist()
    )
