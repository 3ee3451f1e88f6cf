"""Texts come in as people have them; references of a wrong shape are refused in one clear line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tertium
from tertium._native import Lines
from tertium.errors import InputError, TertiumWarning
from tertium.text.segments import References, as_lines


def texts(lines: Lines) -> list[str | None]:
    return [lines[i] for i in range(len(lines))]


ODD = [
    "",
    "a",
    "é",
    "東京",
    "\U0001f600",
    "\0",
    "a\0b",
    "\ud800",
    "\u2028",
    "x" * 1000,
    "é" * 1000,
    " a ",
    "\n",
]


def test_lines_keep_every_text() -> None:
    assert texts(Lines(ODD)) == ODD
    assert texts(Lines([None, "", None, "a"])) == [None, "", None, "a"]
    assert (Lines(["", None, "a"]).count_missing(), Lines(["", "a"]).count_missing()) == (1, 0)
    assert texts(Lines(ODD).slice(2, 5)) == ODD[2:5]
    assert Lines(ODD)[-1] == ODD[-1]
    with pytest.raises(IndexError):
        Lines(ODD)[len(ODD)]


@pytest.mark.parametrize("first", ["", "A", "É", None])
def test_lower_is_pythons(first: str | None) -> None:
    given = [first, "", "ABC xyz [@]", "İ", "ΟΔΥΣΣΕΥΣ ΣΑΣ", "ẞ ß", "K", "\ud800A", "Ǆ", None, "A\0B"]
    assert texts(Lines(given).lower()) == [None if text is None else text.lower() for text in given]


def test_texts_outlive_their_owner() -> None:
    lines = Lines(["".join(["asc", "ii"]), "".join(["ünï", "code"])])
    part, lowered = lines.slice(0, 2), lines.lower()
    del lines
    assert texts(part) == texts(lowered) == ["ascii", "ünïcode"]


@pytest.mark.parametrize(
    "make",
    [list, tuple, iter, np.array, lambda t: np.array(t, dtype=object), lambda t: (x for x in t), Lines],
    ids=["list", "tuple", "iterator", "numpy", "object", "generator", "Lines"],
)
def test_columns_of_texts(make: Callable[[list[str]], Any]) -> None:
    assert texts(as_lines(make(["a", "b c"]))) == ["a", "b c"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("a b", "texts must be a list of strings, not one string"),
        (3, "texts must be a list of strings, not int"),
        (None, "texts must be a list of strings, not NoneType"),
        ({"a": 1}, "texts must be one column of texts, not a table"),
        ({"a", "b"}, "texts must be a list of strings, not a set: it has no order"),
        (np.array([["a", "b"]]), "texts must be one column of texts, not a table"),
        (np.array("a"), "texts must be one column of texts, not a table"),
        (["a", 3], "texts: segment 2 is of type int, not a string"),
        (["a", ["b"]], "texts: segment 2 is of type list, not a string"),
        (["a", b"b"], "texts: segment 2 is of type bytes, not a string"),
        (["a", float("nan")], "texts: segment 2 is of type float, not a string"),
        (["a", "b", None], r"texts: segment 3 is missing \(None\)"),
        (np.array(["a", None], dtype=object), "segment 2 is missing"),
        (np.array(["a", np.float64(0.5)], dtype=object), "segment 2 is of type numpy.float64"),
    ],
)
def test_other_things_are_refused(given: Any, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        as_lines(given)
    assert "\n" not in str(caught.value)


# References


def test_shapes_that_are_references() -> None:
    assert len(References.of(["a", "b"], 2).streams) == 1
    assert len(References.of(("a", "b"), 2).streams) == 1
    assert len(References.of([["a", "b"], ["c", "d"]], 2).streams) == 2
    assert len(References.of([["a", "b"], ("c", None), np.array(["e", "f"])], 2).streams) == 3
    assert len(References.of(np.array(["a", "b"]), 2).streams) == 1
    assert len(References.of(Lines(["a", "b"]), 2).streams) == 1
    ready = References.of(["a"])
    assert References.of(ready) is ready
    assert len(References.of([["a"], ["b"], ["c"]], 1).streams) == 3


def test_number_of_references() -> None:
    assert References.of(["a", "b"]).number == 1
    assert References.of([["a", "b"], ["c", "d"]]).number == 2
    assert References.of([["a", "b"], ["c", None]]).number is None
    assert References.of([["a", None], [None, "b"]]).number == 1
    assert References.per_segment([["a"], ["b", "c"]]).number is None


@pytest.mark.parametrize(
    ("references", "n", "message"),
    [
        (
            [["a", "b"], ["c", "d"], ["e", "f"]],
            3,
            r"look transposed: 3 lists for 3 segments.*references_per_segment=",
        ),
        ([["a"], ["b"], ["c", "d"]], 3, "look transposed"),
        ([["a"]] * 100, 100, "look transposed: 100 lists for 100 segments"),
        (["a", "b"], 3, "the reference has 2 segments, the hypotheses have 3"),
        (["a", "b", "c"], 2, "the reference has 3 segments, the hypotheses have 2"),
        ([["a", "b", "c"], ["d"]], 3, "reference stream 2 has 1 segments, the hypotheses have 3"),
        ([["a", "b", "c"], ["d"]], None, "reference stream 2 has 1 segments"),
        ("a b", 1, "not one string"),
        ([], 2, "there are no references"),
        (["a", ["b"]], 2, r"mix strings and lists \(1 of 2 entries are strings\)"),
        (["a", None], 2, r"segment 2 has no reference at all"),
        ([["a", None], ["b", None]], 2, "segment 2 has no reference at all"),
        ([[None, "a"]], 2, "segment 1 has no reference at all"),
        ([[1, 2]], 2, "segment 1 is of type int, not a string"),
        ({"a": ["b"]}, 1, "one column of texts, not a table"),
        (3, 1, "must be a list of strings, not int"),
    ],
)
def test_wrong_references_are_refused_in_one_line(references: Any, n: int | None, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        References.of(references, n)
    assert "\n" not in str(caught.value)


def test_lists_per_segment() -> None:
    made = References.per_segment([["a", "b"], ["c"], ("d", "e", "f")])
    assert [texts(stream) for stream in made.streams] == [
        ["a", "c", "d"],
        ["b", None, "e"],
        [None, None, "f"],
    ]
    for wrong, message in (
        (["a", "b"], "entry 1 must be a list of references, not str"),
        ([["a"], 3], "entry 2 must be a list of references, not int"),
        ([], "holds no reference"),
        ([[], []], "holds no reference"),
        ([["a"], []], "segment 2 has no reference at all"),
    ):
        with pytest.raises(InputError, match=message):
            References.per_segment(wrong)


def test_transposed_references_never_give_a_number() -> None:
    hypotheses = ["one two three four five", "six seven eight nine ten", "eleven twelve"]
    transposed = [[text] for text in hypotheses]
    for spec in ("bleu", "chrf", "ter", "macrof", "microf"):
        with pytest.raises(InputError, match="transposed"):
            tertium.score(hypotheses, transposed, spec)
        with pytest.raises(InputError, match="transposed"):
            tertium.metric(spec).statistics(hypotheses, transposed)
    right = tertium.score(hypotheses, references_per_segment=transposed, metrics="bleu:eff=always")
    assert right["bleu:eff=always"].value == pytest.approx(100.0)


def test_square_lists_draw_a_warning() -> None:
    square = [["a b", "c d"], ["a", "c"]]
    with pytest.warns(TertiumWarning, match=r"2 lists of 2.*references_per_segment="):
        given = tertium.score(["a b", "c d"], square, metrics=["chrf"])
    with pytest.warns(TertiumWarning, match="2 streams"):
        tertium.TestSet.of(square)
    with pytest.warns(TertiumWarning, match="2 streams"):
        tertium.metric("chrf").score(["a b", "c d"], np.array(square))
    other = tertium.score(["a b", "c d"], references_per_segment=square, metrics=["chrf"])
    assert next(iter(given)).value != next(iter(other)).value


def test_shapes_that_are_clear_draw_no_warning() -> None:
    tertium.score(["a b"], [["a"]], metrics=["chrf"])
    tertium.score(["a b", "c"], [["a", "c"]], metrics=["chrf"])
    tertium.score(["a b", "c"], [["a", "c"], ["b", "d"], ["e", "f"]], metrics=["chrf"])
    tertium.score(["a b", "c"], ["a", "c"], metrics=["chrf"])


def test_list_columns_are_references_of_segments() -> None:
    pa, pl, pd = (pytest.importorskip(name) for name in ("pyarrow", "polars", "pandas"))
    rows = [["a b", "x"], ["c d"]]
    columns = [pa.array(rows), pa.chunked_array([rows[:1], rows[1:]]), pl.Series(rows), pd.Series(rows)]
    expected = next(iter(tertium.score(["a b", "c"], references_per_segment=rows, metrics=["chrf"]))).value
    for column in columns:
        assert next(iter(tertium.score(["a b", "c"], column, metrics=["chrf"]))).value == expected
        assert len(tertium.TestSet.of(column)) == 2
    with pytest.raises(InputError, match="segment 2 has no reference at all"):
        tertium.TestSet.of(pl.Series([["a"], None]))


def test_rows_of_an_array_are_streams() -> None:
    array = np.array([["a b", "c d", "e"], ["a", "c", "e f"]])
    assert len(tertium.TestSet.of(array).references.streams) == 2
    with pytest.raises(InputError, match="references look transposed"):
        tertium.score(["a", "b", "c"], array.T, metrics=["chrf"])
