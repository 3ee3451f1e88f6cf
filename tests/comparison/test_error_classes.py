"""Errors by class: counted by hand, against a plain twin, with tests that can be repeated."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import tertium as tt
from tertium.cli import main
from tertium.comparison import errorclasses
from tertium.comparison.comparison import compare
from tertium.comparison.errorclasses import class_rows, error_classes
from tertium.comparison.rates import ClassRates, ShareOfColumn
from tertium.comparison.significance import ResamplingPlan
from tertium.measuring import measure
from tertium.stats.edits import ALONE, EQUAL
from tertium.text.stemmers import stemmer
from tertium.text.tokenizers import tokenize
from tests.conftest import SAMPLE
from tests.stats.test_edits import marked
from tools.simulate import ALPHA, SEGMENTS, TEXTS, expected, false_alarms

CLASSES = ("order", "inflection", "missing", "extra", "wrong")


def classes(output: str, *references: str | None, language: str | None = "en") -> dict[str, int]:
    """Those of one segment that are there."""
    testset = tt.TestSet.of(
        references_per_segment=[[own for own in references if own is not None], ["x"]],
        systems={"A": [output, "x"], "B": ["x", "x"]},
    )
    found = error_classes(measure(testset, "bleu"), ResamplingPlan("B", resamples=10), language=language)
    return {name: own["A"].count for name, own in found.rates.items() if own["A"].count}


@pytest.mark.parametrize(
    ("output", "reference", "wanted"),
    [
        ("the cat sleeps", "the cat sleeps", {}),
        ("The CAT sleeps", "the cat sleeps", {}),
        ("the cat slept deeply", "the cat sleeps deeply", {"wrong": 1}),  # no stem says sleep
        ("the cats sleep", "the cat sleeps", {"inflection": 2}),
        ("sleeps the cat", "the cat sleeps", {"order": 1}),
        ("the sleeps", "the cat sleeps", {"missing": 1}),
        ("the big cat sleeps", "the cat sleeps", {"extra": 1}),
        ("the dog sleeps", "the cat sleeps", {"wrong": 1}),
        # the path keeps "the" and replaces "sleeps", which is elsewhere, by "dog": so "cat" is deleted
        ("sleeps the dog", "the cat sleeps", {"order": 1, "wrong": 1, "missing": 1}),
        # of two "the" one is right and one has a partner elsewhere
        ("the the cat", "the cat the", {"order": 1}),
        ("", "the cat sleeps", {"missing": 3}),
        ("the cat sleeps", "", {"extra": 3}),
    ],
)
def test_by_hand(output: str, reference: str, wanted: dict[str, int]) -> None:
    assert classes(output, reference) == wanted


def test_the_nearest_reference_counts() -> None:
    """By word error rate."""
    assert classes("a dog sleeps", "the cat slept well", "a dog slept") == {"wrong": 1}
    assert classes("a b c d", "p q r s t", "a b x") == {"wrong": 1, "extra": 1}


def test_without_a_language_four_letters_are_a_stem() -> None:
    assert classes("houses", "housing", language=None) == {"inflection": 1}
    assert classes("houses", "housing", language="cs") == {"inflection": 1}  # Snowball has no Czech
    assert classes("sings", "singer", language="en") == {"wrong": 1}
    assert classes("sings", "singer", language=None) == {"inflection": 1}


def twin(output: list[str], reference: list[str], stem: Any) -> dict[str, int]:
    marks = marked(*([hash(word) for word in side] for side in (output, reference)))
    left = [
        [(word, mark) for word, mark in zip(words, own, strict=True) if mark != EQUAL]
        for words, own in zip((output, reference), marks, strict=True)
    ]
    found: Counter[str] = Counter()
    for name, key in (("order", lambda word: word), ("inflection", stem)):
        for word in list(left[0]):
            partner = next((own for own in left[1] if key(own[0]) == key(word[0])), None)
            if partner is not None:
                left[0].remove(word)
                left[1].remove(partner)
                found[name] += 1
    found["missing"] = sum(mark == ALONE for _, mark in left[1])
    found["extra"] = sum(mark == ALONE for _, mark in left[0])
    found["wrong"] = sum(mark != ALONE for _, mark in left[0])
    return dict(found)


def test_the_twin_on_the_sample() -> None:
    """Every class of every system, summed over segments."""
    sample = tt.TestSet.sample()
    first = [line or "" for line in sample.references.first]
    measured = measure(tt.TestSet.of(first, sample.systems), "bleu")
    found = error_classes(measured, ResamplingPlan("strong", resamples=10), language="en")
    references = tokenize([line.lower() for line in first], "13a")
    for system, texts in sample.systems.items():
        total: Counter[str] = Counter()
        for line, reference in zip(texts, references, strict=True):
            [words] = tokenize([(line or "").lower()], "13a")
            total.update(twin(words, reference, stemmer("english")))
        assert {name: found.rates[name][system].count for name in CLASSES} == dict(total)


def test_rates_are_tested_like_scores() -> None:
    """Per 100 words, with intervals; p-values by the comparison's own seed and number of resamples."""
    sample = tt.TestSet.sample()
    found = compare(sample, ["bleu"], baseline="smooth", resamples=300, seed=7, language="en")
    assert found.error_classes.rates["missing"]["strong"].low is None  # of 8 documents
    texts = tt.TestSet.of([line or "" for line in sample.references.first], sample.systems)
    segments = compare(texts, ["bleu"], baseline="smooth", resamples=300, seed=7, language="en").error_classes
    assert "300 trials of 69 segments, seed 7" in segments.notes[-1]
    own = segments.rates["missing"]["strong"]
    assert (own.low or 0) < (own.rate or 0) < (own.high or 0)
    rates = found.error_classes
    assert isinstance(rates, ClassRates)
    assert rates.centre == "smooth"
    assert "all 128 swaps of 8 documents, seed 7" in rates.notes[-1]
    own = rates.rates["missing"]["strong"]
    assert own.p is not None
    of_segments = segments.rates["missing"]["strong"].p
    assert of_segments is not None
    assert of_segments < 0.05
    assert rates.rates["missing"]["smooth"].p is None
    again = compare(tt.TestSet.sample(), ["bleu"], baseline="smooth", resamples=300, seed=7, language="en")
    assert again.error_classes == rates
    other = compare(texts, ["bleu"], baseline="smooth", resamples=300, seed=8, language="en")
    assert other.error_classes.rates["order"]["strong"].low != segments.rates["order"]["strong"].low


def test_in_the_comparison_when_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(SAMPLE / name) for name in ("reference1.en", "system-strong.en", "system-smooth.en")]
    given = ["compare", files[0], "-i", *files[1:], "-m", "bleu", "-n", "100", "-l", "de-en"]
    assert main([*given, "--details", "error-classes"]) == 0
    shown = capsys.readouterr().out
    assert "Errors by class" in shown
    assert "inflections by Snowball's English stems" in shown
    found = compare(tt.TestSet.sample(), ["bleu"], resamples=50)
    assert found.data()["error_classes"] is None
    assert found.with_details("error-classes").data()["error_classes"]["rates"]["order"]["strong"]["count"]


def test_long_segments_are_left_out_and_this_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all systems: one that does not stop would else lose its worst segment."""
    long = "a " * 20
    measured = measure(tt.TestSet.of(["a b", "b c"], {"A": [long, "b"], "B": ["a", "b c"]}), "bleu")
    monkeypatch.setattr(errorclasses, "_LONGEST", 10)
    found = error_classes(measured, ResamplingPlan("A", resamples=10))
    assert "1 segment of more than 10 words left out" in found.notes
    assert found.rates["missing"]["A"].count == 1
    assert found.rates["missing"]["B"].count == 0


@pytest.mark.parametrize("part", ["order", "missing"])
def test_true_nulls_are_rejected_as_rarely_as_promised(shared: Path, part: str) -> None:
    """Outputs of two real systems change sides; 1,000 times (tools/simulate.py)."""
    texts = {name: TEXTS.outputs(name)[:SEGMENTS] for name in (TEXTS.first, TEXTS.second)}
    measured = measure(tt.TestSet.of(TEXTS.references[:SEGMENTS], texts), "bleu")
    first, second = class_rows(measured, "en", "13a")[0].values()
    whole = "reference words" if part == "missing" else "output words"
    low, high = expected(ALPHA)
    assert low <= false_alarms(ShareOfColumn(part, whole), first, second) <= high
