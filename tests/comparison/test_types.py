"""Curves of word types, types that one system misses, n-grams out of proportion."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import pytest

import tertium as tt
from tertium.comparison import compare_ngrams, count_ngrams, type_buckets, type_curve, type_differences
from tertium.comparison.types import Turn
from tertium.errors import InputError, SpecError
from tertium.measured import Measured
from tertium.measuring import measure
from tests.comparison.test_favouritism import german_english


def small() -> Measured:
    """A is better at frequent words, B at rare ones."""
    references = ["the the the cat", "the the a dog", "a a bird fish"]
    a = ["the the the x", "the the a y", "a a z w"]
    b = ["the q q cat", "the q q dog", "q q bird fish"]
    return measure(tt.TestSet.of(references, {"A": a, "B": b}), "macrof:tok=none")


def test_curve_by_hand() -> None:
    curve = type_curve(small(), "macrof:tok=none")
    assert curve.types.names[:2] == ("the", "a")
    assert curve.n_ranked == 6
    assert curve.f("A").tolist() == [100, 100, 0, 0, 0, 0]
    assert curve.cumulative("B").tolist()[-1] == pytest.approx((100 * 4 / 7 + 400) / 6)
    assert curve.turning_point("A", "B") == Turn(2, 3, "A", "B")
    assert curve.turning_point("B", "A") == Turn(2, 3, "A", "B")
    assert curve.crossover("A", "B") == Turn(2, 3, "A", "B")
    assert (curve.only_predicted("A"), curve.only_predicted("B")) == (4, 1)
    assert curve.data()["curves"]["A"][0] == 100
    assert any("turning point: A is better on types of rank 1 to 2" in note for note in curve.table().notes)


def test_equal_systems_do_not_cross() -> None:
    testset = tt.TestSet.of(["a b", "c"], {"A": ["a x", "c"], "B": ["a x", "c"]})
    curve = type_curve(measure(testset, "macrof"))
    assert curve.crossover("A", "B") is None
    assert curve.turning_point("A", "B") is None
    assert curve.data()["turns"] == []


def test_empty_texts_have_no_curve() -> None:
    curve = type_curve(measure(tt.TestSet.of([""], {"A": [""], "B": [""]}), "macrof"))
    assert curve.table().rows == ()
    assert curve.data()["ranks"] == []


def test_differences() -> None:
    found = type_differences(small(), "macrof:tok=none")
    assert [pair[0].type for pair in found.found[0]] == ["a"]
    assert [pair[1].type for pair in found.found[1]] == ["bird", "cat", "dog", "fish"]
    assert len(found.table(2).rows) == 3
    assert found.data()["types"]["A"][0]["predicted"] == {"A": 3, "B": 0}
    with pytest.raises(SpecError, match="does not count word types"):
        type_differences(small(), "bleu")


def test_macro_average_figure_1(shared: Path) -> None:
    """The unsupervised system is better on frequent types, the supervised one on the rest; they cross before 500."""
    curve = type_curve(german_english(shared), "macrof1", ["S", "U"])
    s, u = curve.cumulative("S"), curve.cumulative("U")
    for rank in (10, 50, 100, 200, 300):
        assert u[rank - 1] > s[rank - 1]
    assert s[499] > u[499]
    assert curve.crossover("S", "U") == Turn(422, 13, "U", "S")
    assert curve.turning_point("S", "U") == Turn(194, 24, "U", "S")
    n = {name: curve.n_ranked + curve.only_predicted(name) for name in "SU"}
    assert n == {"S": 10335, "U": 10883}  # the authors' type tables
    assert s[-1] * curve.n_ranked / n["S"] == pytest.approx(38.5, abs=0.05)


def test_ngrams_by_hand() -> None:
    references, outputs = ["a b c", "a b d"], ["a b b", "b b d"]
    found = count_ngrams(measure(tt.TestSet.of(references, {"A": outputs}), "bleu"), order=2, tok="none")["A"]
    expected: Counter[str] = Counter()
    for texts, sign in ((outputs, 1), (references, -1)):
        for text in texts:
            words = text.split()
            for n in (1, 2):
                for i in range(len(words) - n + 1):
                    expected[" ".join(words[i : i + n])] += sign
    over = {one.text: one.surplus for one in found.over_by_count}
    under = {one.text: one.surplus for one in found.under_by_count}
    assert over == {text: n for text, n in expected.items() if n > 0}
    assert under == {text: n for text, n in expected.items() if n < 0}
    assert found.over_by_count[0].text == "b"
    assert {one.text for one in found.over_by_odds} == set(over)
    b = found.over_by_count[0]
    assert b.log_odds == pytest.approx(math.log(4.5 / 2.5) - math.log(2.5 / 4.5))
    assert b.z == pytest.approx(b.log_odds / math.sqrt(2 / 4.5 + 2 / 2.5))
    assert len(found.table().rows) == 2 * (len(over) + len(under))
    assert found.data()["over_by_count"][0]["produced"] - found.data()["over_by_count"][0]["reference"] == 2
    with pytest.raises(SpecError, match="from 1 to 9"):
        count_ngrams(small(), order=0)


def test_matched_ngrams_by_hand() -> None:
    references = ["a b c d", "a b x y"]
    systems = {"A": ["a b c e", "a b z y"], "B": ["c d a", "x y"], "C": ["q", "q"]}
    measured = measure(tt.TestSet.of(references, systems), "bleu")
    counted, (ab, ac) = compare_ngrams(measured, [("A", "B"), ("A", "C")], order=2, tok="none")
    assert counted == count_ngrams(measured, order=2, tok="none")
    more = [(one.text, one.matched) for one in ab.found[0]]
    assert more == [("a b", (2, 0)), ("b", (2, 0)), ("b c", (1, 0)), ("a", (2, 1))]
    assert {(one.text, one.matched) for one in ab.found[1]} == {
        *(("c d", (0, 1)), ("d", (0, 1)), ("x", (0, 1)), ("x y", (0, 1))),
    }
    assert ab.found[0][0].share == 3 / 4
    assert ac.found[1] == ()
    assert ab.data()["ngrams"]["A"][0]["matched"] == [2, 0]
    assert [row[:2] for row in ab.table(1).rows] == [("A", "a b"), ("B", "c d")]


def test_type_buckets_by_training_frequency() -> None:
    found = type_buckets(small(), {"the": 100, "a": 7}, [1, 10], metric="macrof:tok=none")
    assert [(b.name, b.types, b.words) for b in found.buckets] == [("0", 9, 4), ("1-9", 1, 3), ("10+", 1, 5)]
    a, b = (found.buckets[0].scores[name] for name in "AB")
    assert (a.recall, b.recall) == (0.0, 100.0)
    assert b.precision == pytest.approx(100 * 4 / 10)
    assert a.macro_f == 0.0
    assert b.macro_f == pytest.approx(100 * 4 / 5)
    by_references = type_buckets(small(), metric="macrof:tok=none")
    assert by_references.by == "frequency in the references"
    assert by_references.buckets[0].name == "0"
    assert by_references.buckets[0].scores["A"].recall is None
    assert found.table().rows[0][:4] == ("0", 9, pytest.approx(100 * 4 / 12), "A")
    with pytest.raises(InputError, match="increasing numbers"):
        type_buckets(small(), {}, [5, 2])
