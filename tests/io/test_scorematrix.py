"""Scores of systems side by side."""

from __future__ import annotations

import numpy as np
import pytest

from tertium.errors import InputError, SpecError
from tertium.io.scorematrix import ScoreMatrix, aligned

NAN = float("nan")


def segments(name: str, rows: dict[str, list[float | None]]) -> ScoreMatrix:
    return ScoreMatrix.of_segments(name, rows, origin=f"{name}.seg.score")


def test_means_leave_out_what_is_not_there() -> None:
    scores = segments("chrF", {"A": [1.0, None, 2.0], "B": [None, None, None]})
    assert scores.system("A") == 1.5
    assert scores.system("B") is None
    assert scores.system_means().values[0, 0] == 1.5
    assert scores.data()["systems"]["A"] == [1.0, None, 2.0]


def test_shapes_and_names_are_checked() -> None:
    with pytest.raises(InputError, match=r"different numbers of segments \(A: 1, B: 2\)"):
        segments("chrF", {"A": [1.0], "B": [1.0, 2.0]})
    with pytest.raises(InputError, match=r"no system 'C'; did you mean|no system 'C'"):
        segments("chrF", {"A": [1.0]}).row("C")
    with pytest.raises(InputError, match="infinite"):
        ScoreMatrix.of_systems("BLEU", {"A": float("inf")})
    with pytest.raises(InputError, match="two columns of system 'A'"):
        ScoreMatrix("x", "system", ("A", "A"), ("all",), np.zeros((2, 1)))
    with pytest.raises(SpecError, match="no level 'seg'"):
        ScoreMatrix("x", "seg", ("A",), ("1",), np.zeros((1, 1)))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="need as many scores"):
        ScoreMatrix("x", "system", ("A",), ("all",), np.zeros((2, 1)))


def test_side_by_side_in_the_order_of_the_first() -> None:
    people = segments("human", {"B": [1.0, None, 3.0], "A": [4.0, None, 6.0]})
    metric = segments("chrF", {"A": [0.4, 0.5, 0.6], "B": [0.1, 0.2, 0.3]})
    (human, chrf), coverage = aligned(people, metric)
    assert human.systems == chrf.systems == ("B", "A")
    assert human.items == chrf.items == ("1", "3")  # nobody judged segment 2
    assert chrf.values.tolist() == [[0.1, 0.3], [0.4, 0.6]]
    assert "1 of 3 segments have no score in human.seg.score" in str(coverage)
    assert not coverage.left_out


def test_where_the_first_is_open_all_are_open() -> None:
    people = segments("human", {"A": [1.0, None], "B": [1.0, 2.0]})
    metric = segments("chrF", {"A": [0.1, 0.2], "B": [0.3, 0.4]})
    (human, chrf), _ = aligned(people, metric)
    assert np.array_equal(human.defined, chrf.defined)
    assert not chrf.defined[0, 1]


def test_what_is_missing_is_named_or_left_out() -> None:
    people = segments("human", {"A": [1.0, 2.0], "B": [3.0, 4.0]})
    fewer = segments("chrF", {"A": [0.1, 0.2]})
    with pytest.raises(InputError, match=r"^human\.seg\.score: system 'B' is not in chrF\.seg\.score"):
        aligned(people, fewer)
    (human, _), coverage = aligned(people, fewer, missing="leave out")
    assert human.systems == ("A",)
    assert coverage.left_out[0].reason == "system B is not in chrF.seg.score"
    more = segments("TER", {"A": [0.1, 0.2], "B": [0.1, 0.2], "C": [0.1, 0.2]})
    with pytest.raises(InputError, match=r"^TER\.seg\.score: system 'C' is not in human\.seg\.score"):
        aligned(people, more)
    short = segments("BEER", {"A": [0.1], "B": [0.1]})
    with pytest.raises(InputError, match=r"segment '2' is not in BEER"):
        aligned(people, short)
    hole = segments("BLEU", {"A": [0.1, 0.2], "B": [0.3, None]})
    with pytest.raises(
        InputError, match=r"^BLEU\.seg\.score: there is no score for system 'B', segment 2, which"
    ):
        aligned(people, hole)
    (human, bleu), coverage = aligned(people, hole, missing="leave out")
    assert np.array_equal(human.defined, bleu.defined)
    assert int(human.defined.sum()) == 3
    assert coverage.left_out[0].rows == 1


def test_nothing_in_common() -> None:
    with pytest.raises(InputError, match="no system in common"):
        aligned(
            ScoreMatrix.of_systems("x", {"A": 1}), ScoreMatrix.of_systems("y", {"B": 1}), missing="leave out"
        )
    with pytest.raises(InputError, match="at segment level"):
        aligned(ScoreMatrix.of_systems("x", {"A": 1}), segments("y", {"A": [1.0]}))
    with pytest.raises(SpecError, match="'refuse' or 'leave out'"):
        aligned(ScoreMatrix.of_systems("x", {"A": 1}), missing="skip")  # type: ignore[arg-type]
