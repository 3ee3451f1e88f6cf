"""Analyses worked by hand, and the numbers of the papers."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tertium.errors import InputError
from tertium.human.campaigns.agreements import agreement, monitored
from tertium.human.campaigns.analysis import analyse
from tertium.human.campaigns.conversions import comparisons
from tertium.human.campaigns.exports import exported
from tertium.human.campaigns.systemscores import question_rates, system_scores
from tertium.human.campaigns.wins import equivalence, win_matrix
from tertium.human.consistency import comparison_agreement
from tertium.human.directassessment import direct_assessment
from tertium.human.gold_files import read_gold
from tertium.stats.agreement import krippendorff_alpha
from tertium.stats.proportions import sign_test
from tests.human.campaigns.made import campaign, chosen, screen


def test_equivalence_of_forced_choices_as_in_the_report() -> None:
    """417 labels 1 and 283 labels 2: 134 of 417 and of 700 are equivalent (Simard 2019, section 1)."""
    judged = [
        chosen("a", str(i), "P", "S", "A" if i < 417 else "B", order=(0, 1) if i % 2 else (1, 0), position=i)
        for i in range(700)
    ]
    found = equivalence(campaign("pairwise", judged, options={"undecided": False}))
    assert found is not None
    assert (found.first, found.second) == (417, 283)
    assert found.of_first == pytest.approx(134 / 417)
    assert found.overall == pytest.approx(134 / 700)
    assert equivalence(campaign("pairwise", judged)) is None  # who could be undecided was not forced


def test_preferences_plain_and_by_length() -> None:
    """A wins two short segments, B a long one: more segments for A, more words for B."""
    judged = [
        chosen("a", "1", "A", "B", "A", tokens=3),
        chosen("a", "2", "B", "A", "B", tokens=4),
        chosen("a", "3", "A", "B", "B", tokens=20),
        chosen("a", "4", "A", "B", "undecided", tokens=3),
    ]
    (duel,) = win_matrix(campaign("pairwise", judged)).duels
    assert duel.systems == ("A", "B")
    assert (duel.first, duel.second, duel.tied) == (2, 1, 1)
    assert duel.plain is not None
    assert duel.weighted is not None
    assert (duel.plain.first, duel.plain.second, duel.plain.tied) == (0.5, 0.25, 0.25)
    assert duel.weighted.first == pytest.approx(7 / 30)
    assert duel.weighted.second == pytest.approx(20 / 30)


def test_the_order_on_the_screen_does_not_matter() -> None:
    straight = [chosen("a", str(i), "A", "B", "A") for i in range(5)]
    turned = [chosen("a", str(i), "A", "B", "B", order=(1, 0)) for i in range(5)]
    first, second = (win_matrix(campaign("pairwise", judged)).data() for judged in (straight, turned))
    assert first == second


def test_win_matrix_is_read_by_columns() -> None:
    """As in table 7: a cell says how often the system of the column beat that of the row."""
    judged = [screen("a", str(i), ["A", "B", "C"], {"ranks": [1, 2, 2]}) for i in range(3)]
    judged += [screen("a", "9", ["A", "B", "C"], {"ranks": [2, 1, 1]})]
    found = win_matrix(campaign("ranking", judged))
    assert found.share("B", "A") == 0.75
    assert found.share("A", "B") == 0.25
    assert found.share("B", "C") == 0.0
    table = found.table()
    assert (1, 1) in table.best  # column A beats row B
    assert (0, 2) not in table.best
    assert table.rows[0][1] is None  # nobody against itself


def test_sign_flips_by_segment() -> None:
    clear = [chosen("a", str(i), "A", "B", "A" if i % 10 else "B") for i in range(100)]
    even = [chosen("a", str(i), "A", "B", "AB"[i % 2]) for i in range(100)]
    assert win_matrix(campaign("pairwise", clear)).duels[0].p < 0.01
    assert win_matrix(campaign("pairwise", even)).duels[0].p == 1.0
    few = win_matrix(campaign("pairwise", clear[:5])).duels[0]  # four of five: exactly the sign test
    assert few.p == sign_test(few.first, few.second) == 0.375
    again = [chosen(name, str(i), "A", "B", "A") for name in "abc" for i in range(5)]
    assert win_matrix(campaign("pairwise", again)).duels[0].p == 2 / 32  # five segments, whoever judged them


def test_systems_with_one_output_win_and_lose_together() -> None:
    judged = [chosen("a", "1", "A+B", "C", "A"), chosen("a", "2", "A", "B+C", "B")]
    found = win_matrix(campaign("pairwise", judged))
    assert found.share("C", "B") == 1.0
    assert found.share("C", "A") == 0.5
    assert found.share("A", "B") == 1.0
    assert {duel.systems: duel.comparisons for duel in found.duels} == {
        ("A", "B"): 1,
        ("A", "C"): 2,
        ("B", "C"): 1,
    }


def test_kappa_with_a_third_by_chance() -> None:
    """Two judges agree on 7 of 10 pairs: (0.7 - 1/3) / (2/3) = 0.55."""
    judged = [chosen("a", str(i), "A", "B", "A") for i in range(10)]
    judged += [chosen("b", str(i), "A", "B", "B" if i < 7 else "A", order=(1, 0)) for i in range(10)]
    found = agreement(campaign("pairwise", judged))
    assert found is not None
    assert found.things == 10
    assert found.pairwise == pytest.approx(0.7)
    assert found.chance_third == pytest.approx(0.55)
    assert found.cohen == pytest.approx(0.4)  # read both ways round, either answer has one half by chance
    alone = campaign("pairwise", judged[:10])
    assert agreement(alone) is None


def test_self_agreement_filters_annotators() -> None:
    judged = []
    for i in range(6):
        judged.append(chosen("steady", str(i), "A", "B", "A"))
        judged.append(chosen("steady", str(i), "A", "B", "B", kind="repeat", position=20 + i, order=(1, 0)))
        judged.append(chosen("fickle", str(i), "A", "B", "A"))
        judged.append(chosen("fickle", str(i), "A", "B", "B", kind="repeat", position=20 + i))
    collected = campaign("pairwise", judged, controls={"repeat": 10})
    found = comparison_agreement(comparisons(collected))
    assert found is not None
    assert {name: share for name, _, share in found.annotators} == {"steady": 1.0, "fickle": 0.0}
    assert found.failed == ("fickle",)
    result = analyse(collected)
    assert result.wins is not None
    assert result.wins.duels[0].comparisons == 6  # only steady's, and no repeat
    assert "fickle" in " ".join(result.words())
    assert monitored(collected).control["steady"] == "repeats: 100% of 6 the same"
    with pytest.raises(InputError, match="better than chance"):
        analyse(campaign("pairwise", [one for one in judged if one.annotator == "fickle"]))


def direct(n: int = 12) -> list:
    """Two careful annotators on different scales; A is better than B. One careless one."""
    judged = []
    for name, low, high in (("harsh", 0, 50), ("mild", 50, 100)):
        for i in range(n):
            for system, share in (("A", 0.8), ("B", 0.4)):
                score = low + (high - low) * (share + 0.01 * (i % 5))
                judged.append(screen(name, str(i), [system], {"score": score}, position=i))
                judged.append(
                    screen(name, str(i), [system], {"score": score / 2}, kind="degraded", position=50 + i)
                )
    for i in range(n):
        for system in ("A", "B"):
            judged.append(screen("careless", str(i), [system], {"score": (i * 37) % 100}))
            judged.append(
                screen(
                    "careless",
                    str(i),
                    [system],
                    {"score": (i * 37 + 50) % 100},
                    kind="degraded",
                    position=50 + i,
                )
            )
    return judged


def test_direct_assessment_uses_the_one_quality_control() -> None:
    few = system_scores(campaign("direct-assessment", direct(19))).intervals["A"]
    assert (few.low, few.high) == (None, None)  # intervals of so few segments do not hold
    collected = campaign("direct-assessment", direct(20))
    found = system_scores(collected)
    assert found.quality is not None
    assert found.quality.kept == ("harsh", "mild")
    assert found.found.clusters() == [["A"], ["B"]]
    low, high = found.intervals["A"].low, found.intervals["A"].high
    z = found.found.z_systems.scores.system("A")
    assert low is not None
    assert high is not None
    assert low <= z <= high
    from tertium.human.campaigns.conversions import scores

    same = direct_assessment(scores(collected))
    assert same.data()["systems"]["A"]["ave_z"] == z
    result = analyse(collected)
    assert list(result.words())[1] == "Best: A."
    assert [table.title for table in result.tables()] == [
        "Systems",
        "Quality control",
        "Agreement between annotators",
    ]


def test_when_nobody_passes_it_is_said() -> None:
    careless = [one for one in direct() if one.annotator == "careless"]
    result = analyse(campaign("direct-assessment", careless))
    assert "No annotator passed quality control" in " ".join(result.words())
    assert result.data()["scores"]["nobody_passed"] is True


def test_challenge_questions() -> None:
    judged = [
        screen("a", "1", ["A", "B"], {"answers": ["yes", "no"]}, document="Lexical"),
        screen("a", "2", ["A", "B"], {"answers": ["na", "yes"]}, document="Syntactic"),
        screen("a", "3", ["A+B"], {"answers": ["yes"]}, document="Lexical"),
    ]
    rates = {row[:2]: row[2:] for row in question_rates(campaign("challenge", judged)).rows}
    assert rates["", "A"] == (2, 0, 1, 3)
    assert rates["", "B"] == (2, 1, 0, 3)
    assert rates["Lexical", "B"] == (1, 1, 0, 2)
    result = analyse(campaign("challenge", judged))
    assert result.wins is not None
    assert result.wins.share("B", "A") == 0.5


def test_semantic_units_and_error_spans_give_scores() -> None:
    marks = {"1": "good", "2": "green", "3": "orange", "4": "red"}
    one = screen("a", "1", ["A"], {"marks": marks})
    assert one.score == 62.5  # (1 + 1 + 0.5 + 0) / 4
    spans = [
        {"start": 0, "end": 2, "severity": "major", "category": "accuracy/omission"},
        {"start": 3, "end": 5, "severity": "minor", "category": "fluency/punctuation"},
    ]
    assert screen("a", "1", ["A"], {"spans": spans, "score": None}).score == pytest.approx(-5.1)
    assert screen("a", "1", ["A"], {"spans": spans, "score": 40.0}).score == 40.0
    analysed = analyse(
        campaign(
            "semantic-units",
            [
                screen("a", str(i), [s], {"marks": {"1": m}})
                for i in range(3)
                for s, m in (("A", "good"), ("B", "bad"))
            ],
        )
    )
    assert analysed.scores is not None
    assert analysed.scores.found.raw_systems.scores.system("A") == 100.0


def test_nothing_yet() -> None:
    with pytest.raises(InputError, match="no judgements yet"):
        analyse(campaign("pairwise", []))
    assert monitored(campaign("pairwise", [])).agreement == ()


def test_no_coefficient_depends_on_how_systems_are_called() -> None:
    """Whoever comes first in the alphabet: pairs have no first and second."""
    rng = random.Random(4)
    judged = []
    for i in range(60):
        a, b = rng.sample(["good", "fair", "poor"], 2)
        for who in ("ann", "bob", "eva"):
            choice = rng.choices(["A", "B", "undecided"], [5, 2, 1] if a == "good" else [2, 5, 1])[0]
            judged.append((who, str(i), a, b, choice))
    names = {"good": "x", "fair": "m", "poor": "a"}
    found, renamed = (
        agreement(campaign("pairwise", [chosen(who, i, name[a], name[b], c) for who, i, a, b, c in judged]))
        for name in ({own: own for own in names}, names)
    )
    assert found is not None
    assert renamed is not None
    for key in ("pairwise", "chance_third", "cohen", "fleiss", "krippendorff"):
        assert getattr(found, key) == pytest.approx(getattr(renamed, key), abs=1e-12), key


def test_agreement_of_marked_characters() -> None:
    """Ten characters: ann marks 0-4, bob 2-6 with another severity, eva nothing; worked by hand, and by definition."""
    span = {"severity": "minor", "category": ""}
    given = {
        "ann": [{"start": 0, "end": 4, **span}],
        "bob": [{"start": 2, "end": 6, **span, "severity": "major"}, {"start": None, "end": None, **span}],
        "eva": [],
    }
    judged = [
        screen(who, "1", ["A"], {"spans": spans, "score": 50.0}, text_A="0123456789")
        for who, spans in given.items()
    ]
    found = agreement(campaign("error-spans", judged))
    assert found is not None
    assert found.span_f1 == pytest.approx((2 * 2 / 8 + 0 + 0) / 3)
    rows: list[list[float | None]] = [
        [*map(float, row)] for row in zip("1111000000", "0022220000", "0" * 10, strict=True)
    ]
    assert found.span_alpha == pytest.approx(krippendorff_alpha(rows))
    assert any(
        "F1 of marked characters" in label
        for label, _ in monitored(campaign("error-spans", judged)).agreement
    )
    nothing = [screen(who, "1", ["A"], {"spans": [], "score": 50.0}) for who in ("ann", "bob")]
    empty = agreement(campaign("error-spans", nothing))
    assert empty is not None
    assert (empty.span_f1, empty.span_alpha) == (None, None)


def answered(design: str, seed: int = 2) -> list:
    """Three annotators, one of whom says the contrary when asked again."""
    rng = random.Random(seed)
    worth = {"A": 3.0, "B": 2.0, "C": 1.0}
    judged = []
    for who, noise in (("ann", 0.3), ("bob", 0.6), ("fickle", 5.0)):
        for i in range(15):
            systems = rng.sample(sorted(worth), 2 if design == "pairwise" else 3)
            first = [worth[name] + rng.gauss(0, noise) for name in systems]
            for kind in ("genuine", "repeat"):
                seen = [-value for value in first] if (who, kind) == ("fickle", "repeat") else first
                order = sorted(range(len(seen)), key=lambda k: -seen[k])
                answer = (
                    {"choice": "AB"[order[0]]}
                    if design == "pairwise"
                    else {"ranks": [order.index(k) + 1 for k in range(3)]}
                )
                judged.append(
                    screen(who, str(i), systems, answer, kind=kind, position=i + 20 * (kind == "repeat"))
                )
    return judged


@pytest.mark.parametrize("design", ["pairwise", "ranking"])
def test_files_of_comparisons_come_to_the_same_wins(design: str, tmp_path: Path) -> None:
    """One filter, one score: who contradicts themselves is left out of both."""
    collected = campaign(design, answered(design), controls={"repeat": 10})
    found = analyse(collected)
    assert found.repeats is not None
    assert found.repeats.failed == ("fickle",)
    path = tmp_path / "made.tsv"
    path.write_bytes(exported(collected, "judgements").data)
    gold = read_gold(path)
    assert found.expected == {name: gold.systems.scores.system(name) for name in gold.systems.scores.systems}
    assert gold.data()["self_agreement"]["failed"] == ["fickle"]


@pytest.mark.parametrize("options", [None, {"protocol": "esa"}, {"protocol": "mqm", "score": False}])
@pytest.mark.parametrize("shape", ["judgements", "appraise"])
def test_files_of_scores_come_to_the_same_scores(options: Any, shape: str, tmp_path: Path) -> None:
    """Direct assessment, ESA and MQM, each as its protocol has it."""
    if options is not None and options.get("score") is False and shape == "appraise":
        return  # Appraise's scores go from 0 to 100
    judged = direct()
    if options is not None:
        scored = options.get("score", True)
        span = {"start": 0, "end": 2, "severity": "minor", "category": "style/awkward"}
        judged = [
            replace(
                one,
                answer={
                    "spans": [span] * round(one.answer["score"] / 10),
                    "score": one.answer["score"] if scored else None,
                },
            )
            for one in judged
        ]
    collected = campaign("error-spans" if options else "direct-assessment", judged, options=options or {})
    found = analyse(collected)
    assert found.scores is not None
    path = tmp_path / ("made.csv" if shape == "appraise" else "made.tsv")
    path.write_bytes(exported(collected, shape).data)
    gold = read_gold(path)
    for system in ("A", "B"):
        mine = found.scores.found.gold.by_system().scores.system(system)
        assert gold.systems.scores.system(system) == pytest.approx(mine, abs=1e-9)
    assert found.scores.found.standardised == (options is None)
    assert found.data()["scores"]["systems"]["A"]["judgements"] == gold.systems.judgements // 2
