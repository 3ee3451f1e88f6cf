"""Verdicts, rates and agreement, worked by hand on the small set."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tertium.challenge.decisions import decide, decisions, differences
from tertium.challenge.items import ChallengeSet
from tertium.challenge.judgements import ChallengeJudgements, Judgement, Place
from tertium.challenge.outputs import Outputs
from tertium.challenge.report import ChallengeReport
from tertium.challenge.results import OVERALL, Group, evaluate
from tertium.challenge.tables import (
    agreement_table,
    differences_table,
    fine_table,
    metric_scores,
    rates_table,
    read_scores,
    summary_table,
)
from tertium.errors import InputError, SpecError
from tertium.stats.proportions import wilson_interval
from tests.challenge.conftest import A, B, judged

PLACE = Place("L1", A)


@pytest.mark.parametrize(
    ("answers", "negative", "excluded"),
    [
        (("yes", "yes", "no"), True, True),
        (("yes", "no", "no"), False, False),
        (("yes", "yes", "na"), True, True),
        (("yes", "na", "na"), False, True),
        (("yes", "no", "na"), False, False),
        (("na", "na", "na"), False, None),
        (("yes", "no"), False, False),
        (("yes",), True, True),
        (("no",), False, False),
    ],
)
def test_two_of_three(answers: tuple[str, ...], negative: bool, excluded: bool | None) -> None:
    assert decide(PLACE, answers).right is negative  # type: ignore[arg-type]
    assert decide(PLACE, answers, "excluded").right is excluded  # type: ignore[arg-type]


def test_a_policy_has_a_name() -> None:
    with pytest.raises(SpecError, match="unknown policy 'drop'"):
        decide(PLACE, ("yes",), "drop")  # type: ignore[arg-type]


def test_rates_by_hand(items: ChallengeSet, outputs: Outputs, judgements: ChallengeJudgements) -> None:
    # A: L1 yyy, L2 yyn, L3 nnn, S1 nyy, S2 aay; B: L1 yyy, L2 nna, L3 yyy, S1 yny, S2 yyy
    results = evaluate(items, judgements, outputs)
    lexical, idioms = results.rate(Group("Lexical"), A), results.rate(Group("Lexical", "Idioms"), A)
    assert (lexical.positive, lexical.judgements, lexical.right, lexical.items) == (5, 9, 2, 3)
    assert (idioms.positive, idioms.judgements, idioms.right, idioms.items) == (5, 6, 2, 2)
    syntactic = results.rate(Group("Syntactic"), A)
    assert (syntactic.positive, syntactic.judgements, syntactic.right) == (3, 6, 1)
    assert syntactic.not_applicable == 2
    overall = results.rate(OVERALL, B)
    assert (overall.positive, overall.judgements, overall.right, overall.items) == (11, 15, 4, 5)
    assert overall.item_interval == wilson_interval(4, 5)
    assert overall.interval == pytest.approx(wilson_interval(11 / 3, 5))
    without = evaluate(items, judgements, outputs, na="excluded")
    assert without.rate(Group("Syntactic"), A).judgements == 4
    assert without.rate(Group("Syntactic"), A).right == 2
    assert without.rate(OVERALL, B).judgements == 14


def test_what_nobody_could_judge_does_not_count_when_excluded(items: ChallengeSet) -> None:
    results = evaluate(items, ChallengeJudgements(tuple(judged("ann", A, "yaaaa"))), na="excluded")
    rate = results.rate(OVERALL, A)
    assert (rate.right, rate.items, rate.not_applicable) == (1, 1, 4)
    empty = results.rate(Group("Syntactic"), A)
    assert (empty.share, empty.item_share, empty.interval) == (None, None, None)
    assert fine_table(results).rows[2][-1] is None
    assert "undefined" in fine_table(results).tsv()
    assert results.rate(OVERALL, A).item_share == 1
    counted = evaluate(items, ChallengeJudgements(tuple(judged("ann", A, "yaaaa"))))
    assert counted.rate(OVERALL, A).item_share == pytest.approx(1 / 5)


def test_agreement_by_hand(items: ChallengeSet, judgements: ChallengeJudgements, outputs: Outputs) -> None:
    results = evaluate(items, judgements, outputs)
    found = results.agreement()
    # all equal: A L1, L3; B L1, L3, S2
    assert (found.all_agree, found.outputs, found.share) == (5, 10, 0.5)
    assert results.agreement(Group("Syntactic")).all_agree == 1
    # pairs: five outputs agree fully, five in one of three pairs
    assert found.pairwise == pytest.approx((5 + 5 / 3) / 10)
    # 19 yes, 8 no, 3 n/a of 30
    chance = (19**2 + 8**2 + 3**2) / 900
    assert found.fleiss == pytest.approx(((5 + 5 / 3) / 10 - chance) / (1 - chance))
    assert set(found.cohen) == {("ann", "ben"), ("ann", "eve"), ("ben", "eve")}
    # ann and ben agree on 8 of 10; ann: 6 yes, 3 no, 1 n/a; ben: 6 yes, 3 no, 1 n/a
    assert found.cohen["ann", "ben"] == pytest.approx((0.8 - 0.46) / 0.54)
    excluded = evaluate(items, judgements, outputs, na="excluded").agreement()
    # A S2 keeps one answer and drops out, B L2 keeps two equal ones
    assert (excluded.all_agree, excluded.outputs, excluded.fleiss_outputs) == (6, 9, 8)


def test_even_numbers_tie(items: ChallengeSet) -> None:
    both = ChallengeJudgements((*judged("ann", A, "yynnn"), *judged("ben", A, "ynnnn")))
    results = evaluate(items, both)
    assert results.ties == 1
    assert results.rate(OVERALL, A).right == 1
    assert any("1 ties" in note for note in summary_table(results).notes)


def test_unjudged_outputs_are_said(items: ChallengeSet, outputs: Outputs) -> None:
    results = evaluate(items, ChallengeJudgements(tuple(judged("ann", A, "yy..."))), outputs)
    assert results.systems == (A,)
    assert results.unjudged == 8
    assert any(note.startswith("8 outputs have not been judged") for note in summary_table(results).notes)
    assert results.rate(Group("Syntactic"), A).share is None


def test_tables_and_data(items: ChallengeSet, outputs: Outputs, judgements: ChallengeJudgements) -> None:
    results = evaluate(items, judgements, outputs)
    summary = results.table()
    assert [column.label for column in summary.columns] == ["category", "#", "A", "B", "all agree"]
    assert summary.rows[0][:2] == ("Lexical", 3)
    assert summary.rows[-1] == ("Overall", 5, pytest.approx(800 / 15), pytest.approx(1100 / 15), 50.0)
    assert (2, 3) in summary.best
    assert rates_table(results).rows[0][:5] == ("Lexical", "", "A", 5, 9)
    assert agreement_table(results).rows[-1][1:4] == (10, 5, 50.0)
    data = json.loads(json.dumps(results.data(), allow_nan=False))
    assert data["systems"][0] == {"label": "A", "name": "A", "version": ""}
    assert data["rates"][-1]["right"] == 4


def test_metrics_beside_the_rates(
    items: ChallengeSet, outputs: Outputs, judgements: ChallengeJudgements, tmp_path: Path
) -> None:
    import tertium as tt

    results = evaluate(items, judgements, outputs)
    found = metric_scores(items, outputs, ["bleu", "ter"])
    expected = tt.score([f"Phrase {i.id} de A." for i in items], [i.reference for i in items], "bleu")
    assert found[0].scores[A] == expected.scores[0].value
    assert found[1].higher_is_better is False
    path = tmp_path / "scores.tsv"
    path.write_text("metric\tsystem\tscore\nWMT BLEU\tA\t34.2\nWMT BLEU\tB\t36.5\n", encoding="utf-8")
    elsewhere = read_scores(path, results.systems)
    rows = summary_table(results, [*elsewhere, *found]).rows
    assert rows[3] == ("WMT BLEU", "", 34.2, 36.5, "")
    assert rows[4][0] == "BLEU ↑"
    assert ChallengeReport(results, tuple(elsewhere)).data()["metrics"][0]["scores"] == {"A": 34.2, "B": 36.5}
    partial = Outputs({A: dict(outputs.texts[A]), B: {"L1": "x"}})
    assert metric_scores(items, partial, ["bleu"])[0].scores[B] is None
    for line, words in (
        ("BLEU\tC\t1", "unknown system 'C'"),
        ("BLEU\tA\tnan", "line 2: the score 'nan' is not a finite number"),
        ("BLEU\tA\t", "line 2: the score is empty"),
        ("BLEU\tA\t1\nBLEU\tA\t2", "line 3: a second BLEU score for A"),
    ):
        path.write_text(f"metric\tsystem\tscore\n{line}\n", encoding="utf-8")
        with pytest.raises(InputError, match=words):
            read_scores(path, results.systems)


def checked(check: str, settle: str = "") -> ChallengeJudgements:
    return ChallengeJudgements(
        (
            *judged("first", A, "yynnn"),
            *judged("second", A, check, "check"),
            *(judged("both", A, settle, "settle") if settle else []),
        )
    )


def test_one_judges_and_another_checks(items: ChallengeSet) -> None:
    found = evaluate(items, checked("ynyn.", ".ny.."))
    assert found.checked
    assert [(d.place.item, d.first, d.second, d.settled) for d in found.differences] == [
        ("L2", "yes", "no", "no"),
        ("L3", "no", "yes", "yes"),
    ]
    rate = found.rate(OVERALL, A)
    assert (rate.right, rate.items, rate.judgements) == (2, 5, 5)  # L1 and the settled L3
    assert found.annotators == ("first", "second")
    agreement = found.agreement()
    assert (agreement.outputs, agreement.all_agree) == (4, 2)
    assert list(agreement.cohen) == [("first", "second")]
    assert differences_table(found).rows[0] == ("L2", "A", "yes", "no", "no", "")
    assert any("2 differences, all settled" in note for note in summary_table(found).notes)


@pytest.mark.parametrize(
    ("judgements", "words"),
    [
        (
            checked("ynyn.", ".n..."),
            "1 of 2 differences between judge and checker are not settled, the first at item 'L3'",
        ),
        (checked("yynnn", "n...."), "judge and checker agree on yes, but no was settled"),
        (
            ChallengeJudgements((*judged("ann", A, "y...."), *judged("ann", A, "n....", "check"))),
            "ann checks their own judgement",
        ),
        (
            ChallengeJudgements((*judged("ann", A, "y...."), *judged("ben", A, ".n...", "check"))),
            "item 'L2', system A: was checked, but nobody judged it first",
        ),
        (
            ChallengeJudgements(
                (*judged("a", A, "y...."), *judged("b", A, "n...."), *judged("c", A, "n....", "check"))
            ),
            "has answers of a, b; where judgements are checked, each is made by one person",
        ),
    ],
)
def test_checked_judging_has_its_order(judgements: ChallengeJudgements, words: str) -> None:
    with pytest.raises(InputError, match=words.replace("(", r"\(")):
        decisions(judgements)


def test_differences_keep_their_notes() -> None:
    settled = Judgement("L1", A, "both", "no", "settle", note="we talked")
    found = differences(
        ChallengeJudgements((*judged("a", A, "y...."), *judged("b", A, "n....", "check"), settled))
    )
    assert found[0].note == "we talked"


def test_results_need_judgements_of_this_set(items: ChallengeSet) -> None:
    with pytest.raises(InputError, match="there are no judgements"):
        evaluate(items, ChallengeJudgements(()))
    with pytest.raises(InputError, match="unknown item 'X'"):
        evaluate(items, ChallengeJudgements((Judgement("X", A, "ann", "yes"),)))
    with pytest.raises(InputError, match="the system 'B' has no outputs"):
        evaluate(items, ChallengeJudgements(tuple(judged("ann", B, "y...."))), Outputs({A: {"L1": "x"}}))
