"""Relative ranking, WMT08's tasks, paragraph votes, HUME, and whole folders."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from tertium.errors import InputError, SpecError
from tertium.human import (
    Judgements,
    consensus,
    expected_wins,
    human_ceiling,
    hume_gold,
    majority_votes,
    mean_rho,
    open_mtme,
    open_wmt,
    pairwise,
    win_rate,
    wmt08_gold,
)
from tertium.human.ranking import win_counts
from tertium.io.comparisons import Comparisons
from tertium.io.hume import UnitMark
from tertium.io.rankings import Ranking
from tertium.io.scorematrix import ScoreMatrix


def rankings(seed: int, n: int = 60) -> list[Ranking]:
    rng = np.random.default_rng(seed)
    systems = np.array(list("ABCDEF"))
    return [
        Ranking(
            f"judge{rng.integers(4)}",
            str(rng.integers(1, 20)),
            tuple(rng.choice(systems, 5, replace=False).tolist()),
            tuple(rng.integers(1, 6, 5).tolist()),
        )
        for _ in range(n)
    ]


@pytest.mark.parametrize("seed", range(3))
def test_ranks_to_pairs_to_scores(seed: int) -> None:
    given = rankings(seed)
    found = pairwise(given)
    assert len(found) == 10 * len(given)
    win: dict[tuple[str, str], int] = {}
    tie: dict[tuple[str, str], int] = {}
    for ranking in given:
        for (a, x), (b, y) in combinations(zip(ranking.systems, ranking.ranks, strict=True), 2):
            if x == y:
                for pair in ((a, b), (b, a)):
                    tie[pair] = tie.get(pair, 0) + 1
            else:
                pair = (a, b) if x < y else (b, a)
                win[pair] = win.get(pair, 0) + 1
    wins, ties = win_counts(found)
    for i, a in enumerate(found.systems):
        for j, b in enumerate(found.systems):
            assert wins[i, j] == win.get((a, b), 0)
            assert ties[i, j] == tie.get((a, b), 0)
    for a in found.systems:
        others = [b for b in found.systems if b != a]
        shares = [
            win.get((a, b), 0) / (win.get((a, b), 0) + win.get((b, a), 0))
            for b in others
            if win.get((a, b), 0) + win.get((b, a), 0)
        ]
        assert expected_wins(found).scores.system(a) == pytest.approx(np.mean(shares))
        won, lost = sum(win.get((a, b), 0) for b in others), sum(win.get((b, a), 0) for b in others)
        equal = sum(tie.get((a, b), 0) for b in others)
        for name, share in (
            ("ignore", won / (won + lost)),
            ("lose", won / (won + lost + equal)),
            ("half", (won + equal / 2) / (won + lost + equal)),
            ("win", (won + equal) / (won + lost + equal)),
        ):
            assert win_rate(found, ties=name).scores.system(a) == pytest.approx(share)  # type: ignore[arg-type]


def test_a_system_that_only_tied_has_no_expected_wins() -> None:
    gold = expected_wins(Comparisons.of([("a", "1", "A", "B", 1), ("a", "1", "A", "C", 0)]))
    assert gold.scores.system("C") is None
    assert gold.scores.system("A") == 1
    with pytest.raises(SpecError, match="a tie must be ignored"):
        win_rate(Comparisons.of([("a", "1", "A", "B", 1)]), ties="count")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="no rankings of two systems"):
        pairwise([])


def test_consensus_of_two_judges_and_60_percent() -> None:
    rows = []
    for segment, signs in enumerate(
        ([1, 1, 1], [1, 1, -1], [1, 1, -1, -1, 0], [1, -1], [1], [0, 0], [1, 1, 1, 0, 0])
    ):
        rows += [(f"judge{k}", str(segment + 1), "A", "B", sign) for k, sign in enumerate(signs)]
    found = consensus(Comparisons.of(rows))
    assert found.pairs.segment.tolist() == [1, 2, 7]  # 3/3, 2/3, 3/5
    assert found.ties == 1  # segment 6
    assert [(left.reason, left.rows) for left in found.coverage.left_out] == [
        ("fewer than 60% of the judges agree", 2),
        ("fewer than 2 judges", 1),
    ]
    # Agreeing pairs of judges: 3/3, 1/3, 1/1, 4/10
    assert found.agreement == pytest.approx((1 + 1 / 3 + 1 + 0.4) / 4)
    assert found.kappa == pytest.approx((found.agreement - 1 / 3) / (2 / 3))
    json.dumps(found.data(), allow_nan=False)
    assert consensus(Comparisons.of(rows), agreement=1.0).pairs.segment.tolist() == [1]
    with pytest.raises(SpecError, match="between 0 and 1"):
        consensus(Comparisons.of(rows), agreement=60)


def test_three_tasks_of_2008() -> None:
    ranking = Comparisons.of(
        [("a", "1", "A", "B", 1), ("a", "2", "B", "C", 1), ("a", "3", "A", "C", 1), ("a", "4", "C", "D", 1)]
    )
    constituent = Comparisons.of([("a", "1", "A", "B", -1), ("a", "1", "C", "D", 1), ("a", "2", "A", "D", 1)])
    answers = Judgements.of(
        system=["A", "A", "B", "B", "C", "D"],
        segment=["1", "2", "1", "2", "1", "1"],
        score=[1, 1, 1, 0, 0, 0],
    )
    golds = wmt08_gold(ranking, constituent, answers)
    assert golds["ranking"].scores.cells() == {
        ("A", "all"): 1.0,
        ("B", "all"): 0.5,
        ("C", "all"): pytest.approx(1 / 3),
        ("D", "all"): 0.0,
    }
    assert golds["constituent"].scores.system("A") == 0.5
    assert golds["yes/no"].scores.cells() == {
        ("A", "all"): 1.0,
        ("B", "all"): 0.5,
        ("C", "all"): 0.0,
        ("D", "all"): 0.0,
    }
    metric = ScoreMatrix.of_systems("BLEU", {"A": 40, "C": 35, "B": 30, "D": 20})
    found = mean_rho(golds, metric)
    # Ranks by people 1 2 3 4 and by the metric 1 3 2 4: 1 - 6 * 2 / (4 * 15), seed 001's eq. 4
    assert found.by_task["ranking"] == pytest.approx(0.8)
    assert found.mean == pytest.approx(sum(found.by_task.values()) / 3)  # type: ignore[arg-type]
    errors = ScoreMatrix.of_systems("TER", {system: -metric.row(system)[0] for system in metric.systems})
    assert mean_rho(golds, errors, lower_is_better=True).mean == pytest.approx(found.mean)
    fewer = mean_rho(golds, metric.selected(["A", "B", "C"]))
    assert "system D is not in BLEU" in str(fewer.coverages[0])
    assert "mean" in found.table().text(terminal=False)
    with pytest.raises(InputError, match="1 or 0"):
        wmt08_gold(ranking, constituent, Judgements.of(system=["A"], segment=["1"], score=[0.5]))


@pytest.mark.parametrize(
    ("agreed", "agreement", "kappa", "ceiling"),
    [(149, 0.37, 0.06, 0.610), (221, 0.55, 0.33, 0.743), (232, 0.58, 0.37, 0.762)],
)
def test_agreement_and_ceiling_of_seed_004(
    agreed: int, agreement: float, kappa: float, ceiling: float
) -> None:
    """Tables 3 and 4: en-de good, en-de all, en-fr all, with as many of 400 pairs agreed on as the figures imply."""
    rows = []
    for pair in range(400):
        for judge in range(3):
            sign = 1 if pair < agreed or judge < 2 else -1
            rows.append((f"judge{judge}", f"p{pair}", "A", "B", sign))
    found = majority_votes(Comparisons.of(rows))
    assert len(found.decided) == 400
    assert found.agreement == agreed / 400
    assert round(found.agreement, 2) == agreement
    assert found.kappa is not None
    assert found.ceiling is not None
    assert round(found.kappa, 2) == kappa
    assert round(found.ceiling, 3) == ceiling


def test_votes_without_majority() -> None:
    rows = [(f"judge{k}", "p1", "A", "B", sign) for k, sign in enumerate((1, 0, -1))]
    rows += [(f"judge{k}", "p2", "A", "B", sign) for k, sign in enumerate((0, 0, -1))]
    rows += [("judge0", "p3", "A", "B", 1), ("judge1", "p3", "B", "A", 1)]
    rows += [("judge0", "p4", "B", "A", 1), ("judge1", "p4", "B", "A", 1)]
    found = majority_votes(Comparisons.of(rows))
    assert [(vote.segment, vote.sign, vote.votes, vote.for_it) for vote in found.votes] == [
        ("p2", 0, 3, 2),
        ("p4", -1, 2, 2),
    ]
    assert [vote.segment for vote in found.decided] == ["p4"]
    assert str(found.coverage) == (
        "comparisons: 2 pairs used; 2 left out: no majority; in 1 of them the majority is undecided"
    )
    assert found.agreement == 0.25
    assert found.ceiling is None  # not all pairs have three votes
    json.dumps(found.data(), allow_nan=False)
    assert "human ceiling" in found.table().text(terminal=False)
    with pytest.raises(InputError, match="between 0 and 1"):
        human_ceiling(1.5)


def test_hume_from_units_to_systems() -> None:
    marks = [
        *(
            UnitMark("ann", "A", "1", str(i), mark)
            for i, mark in enumerate(("green", "orange", "good", "bad"))
        ),
        *(
            UnitMark("bob", "A", "1", str(i), mark)
            for i, mark in enumerate(("green", "green", "good", "good"))
        ),
        UnitMark("ann", "A", "2", "0", "red"),
        UnitMark("ann", "B", "1", "0", "orange"),
    ]
    gold = hume_gold(marks)
    assert gold.scores.cells() == {("A", "1"): (0.625 + 1) / 2, ("A", "2"): 0.0, ("B", "1"): 0.5}
    assert gold.counts.tolist() == [[2, 1], [1, 0]]
    assert gold.by_system().scores.system("A") == 0.8125 / 2
    assert str(gold.coverage) == "HUME: 10 marks of semantic units used; 4 judgements"
    with pytest.raises(InputError, match="no marks"):
        hume_gold([])
    with pytest.raises(InputError, match="no mark 'blue'"):
        UnitMark("ann", "A", "1", "1", "blue")


def test_folders_as_test_sets(shared: Path, tmp_path: Path) -> None:
    found = open_wmt(shared / "data" / "wmt17", "cs-en")
    assert (len(found), len(found.systems)) == (3005, 4)
    assert found.sources is not None
    for folder in ("sources", "references", "documents", "system-outputs/en-de"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "sources" / "en-de.txt").write_text("one\n")
    (tmp_path / "references" / "en-de.refA.txt").write_text("eins\n")
    (tmp_path / "references" / "en-de.refB.txt").write_text("1\n")
    (tmp_path / "documents" / "en-de.docs").write_text("news\tbbc\n")
    (tmp_path / "system-outputs" / "en-de" / "A.txt").write_text("eins\n")
    made = open_mtme(tmp_path, "en-de")
    assert (made.references.number, made.documents, made.metadata) == (1, ("bbc",), {"domain": ("news",)})
    assert open_mtme(tmp_path, "en-de", references=None).references.number == 2
    with pytest.raises(InputError, match="no reference 'refC'; did you mean"):
        open_mtme(tmp_path, "en-de", references=["refC"])
