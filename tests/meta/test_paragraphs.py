"""Metrics against people who prefer one of two paragraphs: counts by hand, a simulation of known shares, bad files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tertium import TestSet
from tertium.errors import InputError
from tertium.io.comparisons import Comparisons, read_comparisons
from tertium.meta.paragraphs import judge_paragraphs
from tests.cli.conftest import DOCUMENTS, LITERAL, R1, STRONG, Run, run

__all__ = ["run"]  # a fixture
GOOD, BAD = "one two three four five six", "six five four three two"
WORDS = ("first", "first", "second")


def two_systems(paragraphs: int, first_better: list[bool], tied: int = 0) -> TestSet:
    """Paragraphs of one line each, of which one system's translation is the reference; the last ones are equal."""
    other = [GOOD if i >= paragraphs - tied else BAD for i in range(paragraphs)]
    texts = [(GOOD, low) if better else (low, GOOD) for better, low in zip(first_better, other, strict=True)]
    first, second = ([pair[i] for pair in texts] for i in (0, 1))
    return TestSet.of(
        [GOOD] * paragraphs, {"A": first, "B": second}, documents=[f"p{i}" for i in range(paragraphs)]
    )


def test_counts_by_hand() -> None:
    """Four pairs: as the majority, against it, a tie of the metric (wrong), undecided people (left out)."""
    testset = two_systems(4, [True, True, True, True], tied=2)
    signs = {"p0": (1, 1, 1), "p1": (-1, -1, 0), "p2": (1, 0, 1), "p3": (0, 0, 0)}
    rows = [
        (who, p, "A", "B", sign) for p, own in signs.items() for who, sign in zip("abc", own, strict=True)
    ]
    found = judge_paragraphs(testset, Comparisons.of(rows), ["bleu", "ter"], good=())
    [group] = found.groups
    assert [(one.metric, one.right, one.ties, one.pairs) for one in group.decided] == [
        ("BLEU", 1, 1, 3),
        ("TER", 1, 1, 3),  # lower is better
    ]
    assert group.votes.agreement == 0.5
    assert group.votes.ceiling == pytest.approx(0.5**0.5)
    assert group.votes.kappa == pytest.approx(0.25)
    [_, *metrics] = found.table().rows
    assert metrics[0][1] == pytest.approx(1 / 3)


def test_groups_by_quality() -> None:
    """Good pairs are those whose paragraphs both reach the threshold; mean quality and difference are theirs."""
    testset = two_systems(3, [True, False, True], tied=1)
    rows = [(who, f"p{i}", "A", "B", 1) for who in "abc" for i in range(3)]
    found = judge_paragraphs(testset, Comparisons.of(rows), ["bleu"], good=(30, 101))
    everything, good = found.groups
    assert (everything.name, everything.pairs, good.name, good.pairs) == ("all", 3, "BLEU ≥ 30", 1)
    assert (good.quality, good.difference) == pytest.approx((100, 0))
    low = min(min(own.values) for own in testset.score("bleu", level="document"))
    assert everything.quality == pytest.approx((4 * 100 + 2 * low) / 6)
    assert everything.difference == pytest.approx(2 * (100 - low) / 3)
    assert found.notes == ("no pair has two paragraphs with BLEU of 101 or more",)


def test_simulated_shares_come_back() -> None:
    """Annotators as the paper models them (a second agrees with probability a, and so does the third), and a metric
    that is right with probability q: the ceiling is a, the proportion q."""
    rng = np.random.default_rng(7)
    n, a, q = 4000, 0.75, 0.62
    truth = rng.choice([1, -1], n)
    rows = []
    for i in range(n):
        pair_agrees, third_agrees = rng.random(2) < a
        second = truth[i] if pair_agrees else 0
        third = truth[i] if third_agrees or not pair_agrees else 0
        rows += [
            (who, f"p{i}", "A", "B", int(s)) for who, s in zip("abc", (truth[i], second, third), strict=True)
        ]
    as_people = rng.random(n) < q
    testset = two_systems(n, ((truth > 0) == as_people).tolist())
    [group] = judge_paragraphs(testset, Comparisons.of(rows), ["bleu"], good=()).groups
    assert group.votes.ceiling == pytest.approx(a, abs=0.02)
    [decided] = group.decided
    assert (decided.pairs, decided.share) == (n, pytest.approx(as_people.mean()))
    assert decided.low is not None
    assert decided.high is not None
    assert decided.low < q < decided.high
    assert decided.high - decided.low < 0.04
    assert group.ceiling_interval is not None
    assert group.ceiling_interval[0] < a < group.ceiling_interval[1]


def test_a_metric_that_is_never_right_is_outperformed() -> None:
    """The reference is short: BLEU without a brevity penalty likes what is cut, and people do not."""
    cut = TestSet.of(
        [GOOD] * 20,
        {"A": [GOOD + " x"] * 20, "B": ["one two three four"] * 20},
        documents=map(str, range(20)),
    )
    rows = [(who, str(i), "A", "B", 1) for who in "abc" for i in range(20)]
    [group] = judge_paragraphs(cut, Comparisons.of(rows), ["chrf", "bleu:PG4"], good=()).groups
    assert [(one.right, one.leads) for one in group.decided] == [(20, True), (0, False)]


def test_votes_in_three_forms(tmp_path: Path, run: Run) -> None:
    """A vote a line, a pair a line, JSON Lines: the same table; lines of the test set are paragraphs without ids."""
    one = tmp_path / "one.tsv"
    one.write_text(
        "annotator\tsegment\tfirst\tsecond\tchoice\n"
        + "".join(f"{i}\tnews-harbour\ts\tl\t{word}\n" for i, word in enumerate(WORDS, 1))
    )
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text(f"segment\tfirst\tsecond\tvotes\nnews-harbour\ts\tl\t{' '.join(WORDS)}\n")
    lines = tmp_path / "pairs.jsonl"
    record = {"segment": "news-harbour", "first": "s", "second": "l", "votes": WORDS}
    lines.write_text(json.dumps(record) + "\n")
    texts = [tmp_path / "s.en", tmp_path / "l.en"]
    for path, source in zip(texts, (STRONG, LITERAL), strict=True):
        path.write_bytes(source.read_bytes())
    call = ["meta", "paragraphs", R1, "-i", *texts, "--documents", DOCUMENTS, "-f", "json", "--votes"]
    found = [run(*call, path) for path in (one, pairs, lines)]
    assert [own.status for own in found] == [0, 0, 0], found
    data = [
        json.loads(own.out.replace(path.name, ""))
        for own, path in zip(found, (one, pairs, lines), strict=True)
    ]
    groups = [own["groups"][0] for own in data]
    assert groups[0]["metrics"] == groups[1]["metrics"] == groups[2]["metrics"]
    assert (groups[0]["decided"], groups[0]["agreement"]) == (1, 0.0)
    assert run("meta", "gold", pairs, "-nc").status == 0


BROKEN = [
    ("p1\tA\tB\tfirst both\n", "line 2: the choice 'both' is unknown"),
    ("p1\tA\tB\t\n", "line 2: there are no votes on 'A' and 'B'"),
    ("p1\tA\tB\tfirst\np1\tB\tA\tfirst\n", "line 3: 'B' and 'A' in 'p1' again (first on line 2)"),
    ("p1\tA\tA\tfirst\n", "line 2: system 'A' is compared with itself"),
    ("p1\tA\tB\n", "line 2: has 3 fields, but the header names 4 columns"),
    ("", "there are no comparisons in this file"),
]


@pytest.mark.parametrize(("rows", "message"), BROKEN)
def test_broken_votes(tmp_path: Path, rows: str, message: str) -> None:
    path = tmp_path / "votes.tsv"
    path.write_text("segment\tfirst\tsecond\tvotes\n" + rows)
    with pytest.raises(InputError) as refused:
        read_comparisons(path)
    assert message in str(refused.value)


def test_broken_json_votes(tmp_path: Path) -> None:
    path = tmp_path / "votes.jsonl"
    path.write_text('{"segment": "p1", "first": "A", "second": "B", "vote": ["first"]}\n')
    with pytest.raises(InputError, match="line 1: vote: unknown key; did you mean 'votes'"):
        read_comparisons(path)


def test_paragraphs_and_systems_must_be_known() -> None:
    testset = two_systems(2, [True, True])
    with pytest.raises(InputError, match="comparison 1: the test set has no paragraph 'p9'"):
        judge_paragraphs(testset, Comparisons.of([("a", "p9", "A", "B", 1)]))
    with pytest.raises(InputError, match="comparison 1: the test set has no system 'C'"):
        judge_paragraphs(testset, Comparisons.of([("a", "p1", "A", "C", 1)]))
