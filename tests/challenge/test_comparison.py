"""Pairs of systems and versions of one, worked by hand."""

from __future__ import annotations

import json

import pytest

from tertium.challenge.comparison import (
    Contests,
    contests,
    contests_table,
    progress,
    progress_table,
    versions,
)
from tertium.challenge.items import ChallengeSet
from tertium.challenge.judgements import ChallengeJudgements
from tertium.challenge.results import OVERALL, Group, evaluate
from tertium.errors import InputError
from tertium.stats.multiple import holm
from tests.challenge.conftest import NEW, OLD, A, B, item, judged


def test_only_one_gets_it_right(items: ChallengeSet, judgements: ChallengeJudgements) -> None:
    # by majority A: L1, L2, S1; B: L1, L3, S1, S2
    found = contests(evaluate(items, judgements))
    overall, lexical, syntactic = found
    assert (overall.group, lexical.group, syntactic.group) == (OVERALL, Group("Lexical"), Group("Syntactic"))
    assert (overall.only_first, overall.only_second) == (("L2",), ("L3", "S2"))
    assert (overall.both, overall.neither, overall.items, overall.right) == (2, 0, 5, (3, 4))
    assert overall.p == 1
    assert overall.error_reduction == pytest.approx(1 / 2)
    assert (lexical.only_first, lexical.only_second) == (("L2",), ("L3",))
    assert (syntactic.only_first, syntactic.only_second) == ((), ("S2",))
    assert contests_table(found).rows[0][:4] == ("Overall", "A", "B", 5)
    json.dumps(Contests(found, ()).data(), allow_nan=False)


def many(systems: dict[str, str]) -> ChallengeSet:
    length = len(next(iter(systems.values())))
    return ChallengeSet(tuple(item(f"i{i}", "one" if i % 2 else "two") for i in range(length)))


def test_holm_in_two_families() -> None:
    from tertium.challenge.judgements import Judgement
    from tertium.challenge.outputs import System

    marks = {"A": "y" * 12, "B": "n" * 12, "C": "y" * 6 + "n" * 6}
    items = many(marks)
    answers = [
        Judgement(i.id, System(name), "ann", "yes" if letter == "y" else "no")
        for name, letters in marks.items()
        for i, letter in zip(items, letters, strict=True)
    ]
    found = contests(evaluate(items, ChallengeJudgements(tuple(answers))))
    overall = [contest for contest in found if contest.group == OVERALL]
    assert [contest.p for contest in overall] == [2 / 2**12, 2 / 2**6, 2 / 2**6]
    assert [contest.adjusted for contest in overall] == [6 / 2**12, 4 / 2**6, 4 / 2**6]
    parts = [contest for contest in found if contest.group != OVERALL]
    assert len(parts) == 6
    assert [contest.adjusted for contest in parts] == holm([contest.p for contest in parts])
    rows = contests_table(found).rows
    assert rows[0][-1] == "A"
    assert rows[1][-1] == ""
    with_baseline = contests(evaluate(items, ChallengeJudgements(tuple(answers))), baseline=System("B"))
    assert [(c.first.label, c.second.label) for c in with_baseline[:2]] == [("B", "A"), ("B", "C")]


def test_two_dates_of_one_system(items: ChallengeSet) -> None:
    results = evaluate(
        items, ChallengeJudgements((*judged("ann", NEW, "ynyyn"), *judged("ann", OLD, "yynnn")))
    )
    assert versions(results) == [(OLD, NEW)]
    found = progress(results, OLD, NEW)
    assert (found[0].only_second, found[0].only_first) == (("L3", "S1"), ("L2",))
    assert found[0].error_reduction == pytest.approx(1 / 3)
    by_group = {contest.group: contest for contest in found}
    assert by_group[Group("Lexical", "Compounds")].only_second == ("L3",)
    assert by_group[Group("Lexical")].error_reduction == 0
    row = progress_table(found).rows[0]
    assert row[:7] == ("Overall", "", 5, 40.0, 60.0, 2, 1)


def test_without_errors_there_is_nothing_to_reduce(items: ChallengeSet) -> None:
    results = evaluate(
        items, ChallengeJudgements((*judged("ann", OLD, "yyyyy"), *judged("ann", NEW, "yyyyn")))
    )
    found = progress(results, OLD, NEW)[0]
    assert found.error_reduction is None
    assert progress_table([found]).rows[0][7] is None


def test_only_items_of_both_are_compared(items: ChallengeSet) -> None:
    results = evaluate(items, ChallengeJudgements((*judged("ann", A, "yy..."), *judged("ann", B, "n.yyy"))))
    found = contests(results)
    assert found[0].items == 1
    assert found[2].items == 0
    assert found[2].shares == (None, None)
    assert contests_table(found).rows[2][4] is None


def test_one_system_is_no_comparison(items: ChallengeSet) -> None:
    results = evaluate(items, ChallengeJudgements(tuple(judged("ann", A, "yyyyy"))))
    with pytest.raises(InputError, match="needs two"):
        contests(results)
    with pytest.raises(InputError, match="B was not judged"):
        progress(results, A, B)
