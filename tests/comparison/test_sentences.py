"""The outcome in sentences: the sample's, and made-up tests."""

from __future__ import annotations

from typing import Any

import pytest

import tertium as tt
from tertium.comparison.pair_results import PairResult, PairTests, SystemResult
from tertium.comparison.sentences import outcome


def made_tests(metric: str, scores: dict[str, float | None], *pairs: PairResult) -> PairTests:
    systems = tuple(SystemResult(name, value) for name, value in scores.items())
    return PairTests(tt.metric(metric), "bootstrap", 100, 1, "segments", 9, 9, systems, pairs)


def pair(difference: float | None, better: str | None = None, **parts: Any) -> PairResult:
    return PairResult("A", "B", difference, better, **{"p": None, **parts})


def test_words_about_the_sample() -> None:
    found = tt.compare(
        tt.TestSet.sample(), ["bleu", "chrf", "ter", "macrof1"], baseline="literal", resamples=200
    )
    lines = list(outcome(found.tests, found.baseline))
    assert lines[0] == "strong has the best score by every metric (BLEU, chrF2, TER and MacroF1)."
    assert lines[1] == (
        "The metrics disagree about smooth and literal: smooth is better by TER (6.15 lower), "
        "literal by chrF2 (+8.04) and MacroF1 (+4.53). No clear difference by BLEU (+4.18)."
    )
    assert lines[2].startswith(
        "strong is better than literal by BLEU (+47.64), chrF2 (+25.77), TER (34.17 lower)"
    )
    assert lines[2].endswith("chance alone would hardly produce such a difference (p at most 0.040).")
    # randomisation of 8 documents, by MacroF1: two of the 256 ways to swap them are as extreme as none
    assert list(found.words())[:3] == lines[:3]


@pytest.mark.parametrize(
    ("tests", "baseline", "expected"),
    [
        (
            made_tests("bleu", {"A": 30.25, "B": 28.125}, pair(-2.125, "A", p=0.2, smallest_detectable=3.5)),
            None,
            [
                "A has the best score (BLEU).",
                "A and B cannot be told apart: the difference may be due to chance by BLEU (+2.12). "
                "This test set can show differences from about 3.50 BLEU upwards.",
            ],
        ),
        (
            made_tests("bleu", {"A": 30.25, "B": 28.125}, pair(-2.125, "A", p=0.01, p_holm=0.02)),
            "A",
            [
                "A has the best score (BLEU).",
                "A is better than B by BLEU (+2.12); chance alone would hardly produce such a difference (p = 0.020).",
            ],
        ),
        (
            made_tests("ter", {"A": 0.5, "B": 0.25}, pair(-0.25, "B", p=0.0001, p_holm=0.0002)),
            None,
            [
                "B has the best score (TER).",
                "B is better than A by TER (0.2500 lower); chance alone would hardly produce such a difference "
                "(p < 0.001).",
            ],
        ),
        (
            made_tests("macrof1", {"A": None, "B": 2.0}, pair(None)),
            None,
            [
                "B has the best score (MacroF1).",
                "B and A cannot be compared by MacroF1: no type at all: hypotheses and references are empty.",
                "MacroF1 of A is undefined: no type at all: hypotheses and references are empty.",
            ],
        ),
    ],
)
def test_words(tests: PairTests, baseline: str | None, expected: list[str]) -> None:
    assert list(outcome([tests], baseline)) == expected


def test_metrics_may_disagree_about_the_best() -> None:
    both = [made_tests("bleu", {"A": 2.0, "B": 1.0}), made_tests("ter", {"A": 2.0, "B": 1.0})]
    assert next(outcome(both)) == (
        "The metrics disagree about the best system: BLEU puts A first; TER puts B first."
    )


def test_many_pairs_do_not_make_many_sentences() -> None:
    names = [f"S{i}" for i in range(16)]
    pairs = [
        PairResult(a, b, float(j - i), b, p=0.0001, p_holm=0.0001)
        for i, a in enumerate(names)
        for j, b in enumerate(names)
        if i < j
    ]
    lines = list(outcome([made_tests("bleu", {name: float(i) for i, name in enumerate(names)}, *pairs)]))
    assert len(lines) == 8
    assert lines[1].startswith("S15 is better than S0 by BLEU (+15.00)")
    assert lines[-1] == "114 more pairs are in the table of pairs."
