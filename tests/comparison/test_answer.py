"""The outcome in sentences: the sample's, and made-up tests."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import tertium as tt
from tertium.comparison.answer import fitted, outcome
from tertium.comparison.pair_results import PairResult, PairTests, SystemResult
from tertium.io.tables import sentences


def made_tests(metric: str, scores: dict[str, float | None], *pairs: PairResult) -> PairTests:
    systems = tuple(SystemResult(name, value) for name, value in scores.items())
    return PairTests(tt.metric(metric), "bootstrap", 100_000, 1, "segments", 9, 9, systems, pairs)


def pair(difference: float | None, better: str | None = None, **parts: Any) -> PairResult:
    return PairResult("A", "B", difference, better, **{"p": None, **parts})


def test_words_about_the_sample() -> None:
    found = tt.compare(
        tt.TestSet.sample(), ["bleu", "chrf", "ter", "macrof1"], baseline="literal", resamples=200
    )
    lines = list(outcome(found.tests, found.baseline))
    assert lines == [
        "strong has the best score by every metric (BLEU, chrF2, TER and MacroF1).",
        # 8 documents: one of the 128 ways to swap them is as extreme, and there are two pairs
        "Significantly better than the baseline, literal: strong (p ≤ .016, Holm).",
        "The metrics differ on smooth: significantly better by TER, significantly worse by chrF2 and MacroF1, "
        "not significantly different by BLEU.",
    ]
    assert list(found.words())[:3] == lines


def test_a_lead_comes_from_where_the_words_are() -> None:
    """A few short segments with a great lead explain less than many long ones with a small one."""
    long = [" ".join(f"w{i + k}" for k in range(30)) for i in range(60)]
    short = [" ".join(f"v{i + k}" for k in range(5)) for i in range(30)]
    worse = [text.replace(f"w{i + 15} ", "x ") for i, text in enumerate(long)]
    outputs = {"A": long + short, "B": worse + ["x y"] * 30}
    found = tt.compare(tt.TestSet.of(long + short, outputs), ["bleu"], resamples=200)
    said = "".join(found.words())
    assert "; most on 25+ reference tokens (" in said
    assert "none on" not in said


@pytest.mark.parametrize(
    ("tests", "baseline", "expected"),
    [
        (
            made_tests(
                "bleu",
                {"A": 30.25, "B": 28.125},
                pair(-2.1, "A", p=0.2, p_holm=0.2, smallest_detectable=3.5),
            ),
            None,
            [
                "No significant difference between A and B by BLEU (+2.10), p = .200. "
                "This test set can show differences from about 3.50 BLEU upwards.",
            ],
        ),
        (
            made_tests("bleu", {"A": 30.25, "B": 28.125}, pair(-2.125, "A", p=0.01, p_holm=0.02)),
            "A",
            [
                "A is significantly better than B by BLEU (+2.12), p = .020.",
            ],
        ),
        (
            made_tests("ter", {"A": 0.5, "B": 0.25}, pair(-0.25, "B", p=0.0001, p_holm=0.0002)),
            None,
            [
                "B is significantly better than A by TER (0.2500 lower), p = .0002.",
            ],
        ),
        (
            made_tests("bleu", {"A": 30.0, "B": 28.0}, pair(-2.0, "A", p=1 / 1001, p_holm=1 / 1001)),
            None,
            [
                "A is significantly better than B by BLEU (+2.00), p = .0010.",
            ],
        ),
        (
            made_tests("bleu", {"A": 30.0, "B": 30.0}, pair(0.0, p=1.0, p_holm=1.0, smallest_detectable=0.0)),
            None,
            [
                "No significant difference between A and B by BLEU (equal), p = 1.",
            ],
        ),
        (
            made_tests("macrof1", {"A": None, "B": 2.0}, pair(None)),
            None,
            [
                "MacroF1 of A is undefined: no type at all: hypotheses and references are empty.",
            ],
        ),
    ],
)
def test_words(tests: PairTests, baseline: str | None, expected: list[str]) -> None:
    assert list(outcome([tests], baseline)) == expected


def test_metrics_may_disagree_about_the_best() -> None:
    scores = {"A": 2.0, "B": 1.0, "C": 1.5}
    assert next(outcome([made_tests("bleu", scores), made_tests("ter", scores)])) == (
        "The metrics disagree about the best score: BLEU puts A first; TER puts B first."
    )


def test_many_pairs_do_not_make_many_sentences() -> None:
    names = [f"S{i}" for i in range(16)]
    pairs = [
        PairResult(a, b, float(j - i), b, p=0.0001, p_holm=0.0001)
        for i, a in enumerate(names)
        for j, b in enumerate(names)
        if i < j
    ]
    scores = {name: float(i) for i, name in enumerate(names)}
    assert list(outcome([made_tests("bleu", scores, *pairs)])) == [
        "S15 has the best score (BLEU).",
        "Significantly worse: all 15 others (p ≤ .0001, Holm).",
    ]


def test_ties_are_told_with_their_size() -> None:
    """S3 and S2 are tied; the others are behind."""
    names = [f"S{i}" for i in range(4)]
    pairs = [
        PairResult(a, b, float(j - i), b, p=p, p_holm=p)
        for i, a in enumerate(names)
        for j, b in enumerate(names)
        if i < j and (p := 0.3 if i == 2 else 0.01)
    ]
    assert list(outcome([made_tests("bleu", {name: float(i) for i, name in enumerate(names)}, *pairs)])) == [
        "S3 has the best score (BLEU).",
        "Significantly worse: S1 and S0 (p ≤ .010, Holm).",
        "Not significantly different: S2 (differences up to 1.00 BLEU).",
    ]


@pytest.mark.parametrize("width", [40, 47, 60, 80, 120])
@pytest.mark.parametrize("systems", [2, 3, 12])
def test_the_answer_needs_five_lines_at_most(systems: int, width: int) -> None:
    """However long the names are: there are fewer of them then, and fewer details."""
    reference = [f"the quick brown fox number {n} jumps over {n % 7} lazy dogs" for n in range(60)]
    outputs = {
        f"a-system-with-quite-a-name-{k}-x": [
            " ".join(word for at, word in enumerate(line.split()) if (at * 7 + n) % (k + 3))
            + (" and so on" if k % 2 else "")
            for n, line in enumerate(reference)
        ]
        for k in range(systems)
    }
    found = tt.compare(tt.TestSet.of(reference, outputs), ["bleu", "chrf", "ter"], resamples=200)
    shown = found.text(terminal=True, width=width).split("\n\n")[0]
    assert 1 <= len(shown.splitlines()) <= 5
    assert all(len(line) <= width for line in shown.splitlines())
    assert len(list(found.words())) >= len(found.answer(width))


@pytest.mark.parametrize("baseline", [False, True])
@pytest.mark.parametrize("systems", [2, 3, 12])
@pytest.mark.parametrize("metrics", [1, 3, 6])
def test_five_lines_hold_whatever_came_out(systems: int, metrics: int, baseline: bool) -> None:
    """Leads, ties, disagreement and scores that are undefined, with names of 70 letters, at any width from 40 on."""
    draw = Random(f"{systems} {metrics} {baseline}")
    names = [
        f"{k}-a-system-whose-name-nobody-would-like-to-read-aloud-in-a-meeting-{k}" for k in range(systems)
    ]
    specs = ["bleu", "chrf", "ter", "macrof1", "chrf:word_order=2", "wer"][:metrics]
    for _ in range(3):
        tests = []
        for spec in specs:
            scores = {name: None if draw.random() < 0.1 else draw.uniform(20, 40) for name in names}
            pairs = []
            for i, a in enumerate(names):
                for b in names[i + 1 :]:
                    one, other = scores[a], scores[b]
                    if one is None or other is None:
                        pairs.append(PairResult(a, b, None, None, None))
                        continue
                    better = max(a, b, key=lambda name: scores[name] or 0.0)
                    p = draw.choice([0.0004, 0.02, 0.4])
                    pairs.append(PairResult(a, b, other - one, better, p, p_holm=p))
            tests.append(made_tests(spec, scores, *pairs))
        for width in (40, 53, 60, 80):
            said = fitted(
                lambda brief, own=tests: outcome(own, names[0] if baseline else None, brief=brief), width
            )
            lines = sentences(said, width=width).splitlines()
            assert len(lines) <= 5, lines
            assert all(len(line) <= width for line in lines)
