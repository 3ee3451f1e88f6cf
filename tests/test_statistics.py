"""Rows add, exactly; columns are found by name; types have their table."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium.statistics import (
    DenseStatistics,
    StatisticColumn,
    TypeCounts,
    TypeStatistics,
    columns,
    weighted_scores,
)
from tertium.testing import content

REAL = columns("x", real=["x"])
MIXED = columns("n", "x", "m", real=["x"])


def reals(values: list[float]) -> DenseStatistics:
    return DenseStatistics.build(REAL, np.array(values, dtype=float)[:, None])


def type_rows(hypotheses: list[str], references: list[str], spec: str = "macrof:tok=none") -> TypeStatistics:
    rows = tertium.metric(spec).statistics(hypotheses, references)
    assert isinstance(rows, TypeStatistics)
    return rows


# Real columns


def test_a_million_tenths_in_any_grouping() -> None:
    n = 10**6
    rows = reals([0.1] * n)
    expected = math.fsum([0.1] * n)
    assert expected == 100000.0
    assert np.add.accumulate([0.1] * n)[-1] != expected  # what adding one by one gives
    assert rows.total().only("x") == expected
    for size in (7, 1000, 333333):
        groups = np.arange(n) // size
        assert rows.grouped(groups, int(groups[-1]) + 1).total().only("x") == expected
    assert (rows.take(range(n // 3)).total() + rows.take(range(n // 3, n)).total()).only("x") == expected
    assert rows.take(np.random.default_rng(1).permutation(n)).total().only("x") == expected


def test_wide_ranges_are_summed_as_fsum_does() -> None:
    draw = random.Random(5)
    values = [draw.choice([1, -1]) * draw.random() * 2.0 ** draw.randint(-20, 40) for _ in range(5000)]
    values += [2.0**45, 1.0, -(2.0**45), 2.0**-40, 1e13, 0.1, -1e13]
    for _ in range(5):
        draw.shuffle(values)
        assert reals(values).total().only("x") == math.fsum(values)
    assert reals([2.0**45, 2.0**-40, -(2.0**45)]).total().only("x") == 2.0**-40


@settings(max_examples=200, derandomize=True, deadline=None)
@given(st.lists(st.floats(-1e6, 1e6), max_size=40), st.integers(1, 5))
def test_any_grouping_of_any_reals_gives_the_same_bits(values: list[float], n_groups: int) -> None:
    rows = reals(values)
    total = rows.total().only("x")
    parts = rows.grouped([i % n_groups for i in range(len(values))], n_groups)
    assert parts.total().only("x") == total
    # What is rounded away on the way in is less than 2**-81 a value.
    exact = sum((Fraction(value) for value in values), Fraction(0))
    assert abs(Fraction(total) - exact) <= len(values) * Fraction(1, 2**81) + abs(exact) / 2**53


@settings(max_examples=200, derandomize=True, deadline=None)
@given(st.floats(-(2.0**46), 2.0**46, exclude_min=True, exclude_max=True))
def test_a_real_comes_back_as_it_went_in(value: float) -> None:
    assert abs(reals([value])["x"][0] - value) <= 2.0**-81
    if value == 0 or abs(value) >= 2.0**-28:  # all its bits are above 2**-81
        assert reals([value])["x"][0] == value


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 2.0**46, -(2.0**46), 1e300])
def test_reals_that_do_not_fit_are_refused(value: float) -> None:
    with pytest.raises(ValueError, match="not a finite number"):
        reals([1.0, value])


def test_large_totals_are_right_or_refused() -> None:
    """2**46 is the limit of a value; a sum of such values may not silently leave the range."""
    for n in (2, 3, 4, 5, 1000):
        rows = reals([2.0**45] * n)
        try:
            total = rows.total().only("x")
        except (ValueError, OverflowError):
            continue
        assert total == n * 2.0**45


# Dense rows


def test_columns_have_names_and_widths() -> None:
    assert (StatisticColumn("n"), StatisticColumn("x", real=True), StatisticColumn("m")) == MIXED
    rows = DenseStatistics.build(MIXED, [[1, 0.5, 10], [2, 0.25, 20]])
    assert rows.array.shape == (2, 1 + 4 + 1)
    assert rows["n"].tolist() == [1, 2]
    assert rows["x"].tolist() == [0.5, 0.25]
    assert rows["m"].tolist() == [10, 20]
    assert (rows.total().only("n"), rows.total().only("x"), rows.total().only("m")) == (3, 0.75, 30)
    with pytest.raises(KeyError, match="y"):
        rows["y"]
    with pytest.raises(ValueError, match="expected one row, found 2"):
        rows.only("n")


def test_rows_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="rows need 3 columns"):
        DenseStatistics.build(MIXED, [[1, 2]])
    for value in (0.5, math.nan, math.inf, 1e300):
        with pytest.raises(ValueError, match="'n' counts, but not all values are whole"):
            DenseStatistics.build(columns("n"), [[value]])
    one, other = DenseStatistics.build(columns("a"), [[1]]), DenseStatistics.build(columns("b"), [[1]])
    with pytest.raises(ValueError, match="different columns"):
        one + other
    with pytest.raises(ValueError, match="different columns"):
        one.concat(other)
    with pytest.raises(ValueError, match="different shapes"):
        one + one.concat(one)
    with pytest.raises(TypeError):
        one + type_rows(["a"], ["a"])  # type: ignore[operator]


def test_no_rows() -> None:
    none = DenseStatistics.build(MIXED, [])
    assert len(none) == 0
    assert none.total().array.tolist() == [[0] * 6]
    assert none.grouped([], 2).array.tolist() == [[0] * 6] * 2
    assert len(none.concat(none)) == 0


def test_groups_and_indices_out_of_range_are_refused() -> None:
    for rows in (DenseStatistics.build(columns("n"), [[1], [2]]), type_rows(["a", "b"], ["a", "b"])):
        with pytest.raises((ValueError, IndexError)):
            rows.grouped([0, 2], 2)
        with pytest.raises(ValueError, match="differ in number"):
            rows.grouped([0], 1)
        for index in ([2], [-1]):
            with pytest.raises(IndexError):
                rows.take(index)


def test_counts_beyond_32_bits_add() -> None:
    rows = DenseStatistics.build(columns("n"), [[2**40], [2**61], [-1]])
    assert rows.total().only("n") == 2**61 + 2**40 - 1


def test_statistics_never_share_memory_with_their_results() -> None:
    rows = DenseStatistics.build(columns("n"), [[1], [2]])
    for made in (rows.take([0, 1]), rows.concat(rows.take([])), rows + rows, rows.grouped([0, 1], 2)):
        made.array[0, 0] = 99
        assert rows["n"].tolist() == [1, 2]


# Types


def test_entries_are_compressed_sparse_rows() -> None:
    rows = type_rows(["a b a", "", "c"], ["a d", "", "c c"])
    starts, types, counts = rows.entries
    assert starts.tolist() == [0, 3, 3, 4]
    named = [
        {rows.types[t]: tuple(c) for t, c in zip(types[b:e], counts[b:e].tolist(), strict=True)}
        for b, e in [(0, 3), (3, 4)]
    ]
    assert named == [{"a": (2, 1, 1), "b": (1, 0, 0), "d": (0, 1, 0)}, {"c": (1, 2, 1)}]


def test_table_is_sorted_and_has_precision_recall_f() -> None:
    table = type_rows(["a b a c", "a"], ["a d d c", "a a"]).table(beta=2.0)
    assert [row.type for row in table] == [
        "a",
        "d",
        "c",
        "b",
    ]  # by reference, then predicted count, then name
    a, d, c, b = table
    assert (a.predicted, a.reference, a.matched) == (3, 3, 2)
    assert (a.precision, a.recall) == (2 / 3, 2 / 3)
    assert a.f == pytest.approx(2 / 3)
    assert (d.precision, d.recall, d.f) == (None, 0.0, 0.0)
    assert (b.precision, b.recall, b.f) == (0.0, None, 0.0)
    assert (c.precision, c.recall, c.f) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0, 3.7])
def test_f_of_a_type_follows_from_precision_and_recall(beta: float) -> None:
    row = TypeCounts("word", predicted=7, reference=4, matched=3, beta=beta)
    p, r = 3 / 7, 3 / 4
    assert row.f == pytest.approx((1 + beta**2) * p * r / (beta**2 * p + r), rel=1e-14)


def test_mean_of_the_table_is_the_score() -> None:
    metric = tertium.metric("macrof:beta=2")
    rows = metric.statistics(["the cat sat on the mat .", "a dog"], ["the cat sat on a mat .", "the dog"])
    assert isinstance(rows, TypeStatistics)
    table = rows.table(beta=2.0)
    assert metric.score_total(rows) == pytest.approx(
        100 * sum(row.f for row in table) / len(table), rel=1e-14
    )
    assert metric.components(rows.total()) == {
        "types": len(table),
        "types_predicted": sum(row.predicted > 0 for row in table),
        "types_in_references": sum(row.reference > 0 for row in table),
        "types_matched": sum(row.matched > 0 for row in table),
    }


def test_types_keep_every_character() -> None:
    odd = [
        "\0",
        "a\0",
        "é",
        "e\u0301",
        "\ud800",
        "\U0001f600",
        "x" * 100,
        "ab",
        "abcdefgh",
        "abcdefghi",
        "abcdefg\0",
    ]
    table = type_rows([" ".join(odd)], [" ".join(odd)]).table()
    assert sorted(row.type for row in table) == sorted(odd)
    assert all((row.predicted, row.reference, row.matched) == (1, 1, 1) for row in table)


def test_many_types_survive_growth() -> None:
    words = [f"w{i}" for i in range(20000)]
    rows = type_rows(
        [" ".join(words[i : i + 100]) for i in range(0, 20000, 100)], [" ".join(words[:3])] * 200
    )
    table = {row.type: (row.predicted, row.reference, row.matched) for row in rows.table()}
    assert len(table) == 20000
    assert table["w0"] == (1, 200, 1)
    assert table["w19999"] == (1, 0, 0)


# Weighted scores


@pytest.mark.parametrize("left_out", [0, 1, 9, 40, 60])
def test_subsets_of_types_score_as_their_sums(left_out: int) -> None:
    """Most segments, each once, are summed from the other end."""
    sample, metric = tertium.TestSet.sample(), tertium.metric("macrof1")
    rows = metric.statistics(sample.systems["smooth"], sample.references)
    weights = np.ones((3, len(rows)), dtype=np.int16)
    for row in weights:
        row[np.random.default_rng(left_out).permutation(len(rows))[:left_out]] = 0
    weights[2, 0] = 2  # no subset
    assert metric.score_weighted(rows, weights).tolist() == metric.score_rows(rows.weighted(weights)).tolist()


def test_weighted_scores_are_means() -> None:
    rows = weighted_scores([0.1, 0.2, 0.7])
    total = rows.total()
    assert total.only("weight") == 3.0
    assert total.only("weighted") == math.fsum([0.1, 0.2, 0.7])
    longer = weighted_scores([1.0, 0.0], weights=[1, 3])
    assert longer.total().only("weighted") / longer.total().only("weight") == 0.25
    with pytest.raises(ValueError, match="not a finite number"):
        weighted_scores([0.5, math.nan])
    with pytest.raises(ValueError, match="broadcast"):
        weighted_scores([0.5, 0.6, 0.7], [1, 2])


# Subtracting


def test_a_total_less_a_row_is_the_total_of_the_others() -> None:
    for spec in ("bleu", "ter", "chrf", "macrof:order=2", "microf"):
        metric = tertium.metric(spec)
        rows = metric.statistics(["a b c", "b c d e", "x", ""], ["a c", "b d e", "y z", "q"])
        total = rows.total()
        for i in range(4):
            others = [j for j in range(4) if j != i]
            left = total - rows.take([i])
            expected = rows.take(others).total()
            assert metric.score_total(left) == metric.score_total(expected)
            assert content(left.total()) == content(expected.total()) or spec.startswith("m")
        assert metric.score_rows((rows + rows) - rows, "segment").tolist() == pytest.approx(
            metric.score_rows(rows, "segment").tolist(), nan_ok=True
        )


def test_types_of_which_nothing_is_left_are_gone() -> None:
    rows = type_rows(["a b", "c"], ["a", "c d"])
    left = rows.total() - rows.take([1])
    assert {(t.type, t.predicted, t.reference, t.matched) for t in left.table()} == {
        ("a", 1, 1, 1),
        ("b", 1, 0, 0),
    }
    reverse = rows - type_rows(["b a", "c"], ["a", "d c"])
    assert len(reverse) == 2
    assert reverse.table() == []


def test_subtracting_needs_as_many_rows_of_the_same_kind() -> None:
    dense, sparse = reals([1.0, 2.0]), type_rows(["a", "b"], ["a", "b"])
    for rows in (dense, sparse):
        with pytest.raises(ValueError, match="cannot subtract 1 rows from 2"):
            rows - rows.take([0])
    with pytest.raises(ValueError, match="from a sum that holds them"):
        sparse - type_rows(["a", "b c"], ["a", "b"])
    with pytest.raises(TypeError):
        dense - sparse  # type: ignore[operator]
    with pytest.raises(ValueError, match="different columns"):
        dense - DenseStatistics.build(columns("n"), [[1], [2]])
    assert (dense - reals([0.5, 4.0]))["x"].tolist() == [0.5, -2.0]
