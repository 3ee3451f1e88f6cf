"""Comparisons to make reports from: the bundled sample, and the least that a page can show."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from tertium import TestSet
from tertium.comparison import Comparison, compare
from tertium.comparison.labels import Label, Labels
from tertium.comparison.robustness import measure_robustness
from tertium.comparison.tags import Tagged, Tags

METRICS = ("bleu", "chrf", "ter", "macrof1")


class Shown(NamedTuple):
    """What a page is made from: `.data()` and `.texts()` of a comparison."""

    data: dict[str, Any]
    texts: dict[str, Any]


def sample_comparison() -> Shown:
    """All parts of a report, from the bundled sample. What people say is made up."""
    sample = TestSet.sample()
    assert sample.documents is not None
    sample = replace(
        sample,
        name="Harbour, kitchen, court: three systems on the sample",
        metadata={"topic": tuple(document.partition("-")[0] for document in sample.documents)},
    )
    found = compare(
        sample,
        METRICS,
        baseline="literal",
        resamples=200,
        strongest=6,
        metadata=["topic"],
        labels=Labels(tuple(Label(i, "literal", "smooth", 1 + i % 3 % 2) for i in range(1, 40))),
        tags=Tags(
            {
                (47, "literal"): Tagged(47, "literal", ("synonym",)),
                (47, "smooth"): Tagged(47, "smooth", (), ("omission",)),
            }
        ),
        **trained(sample),
    )
    return whole(found)


def trained(sample: TestSet) -> dict[str, Any]:
    """Both sides of a training corpus: every third segment of the sample."""
    assert sample.sources is not None
    some = range(0, len(sample), 3)
    [reference, *_] = sample.references.streams
    return {
        "training_source": [sample.sources[i] or "" for i in some],
        "training": [reference[i] or "" for i in some],
    }


def whole(found: Comparison) -> Shown:
    """A comparison with everything that a page can show: kinds of errors, and what (made-up) noise does."""
    testset = found.measured.testset
    noisy = {
        noise: {
            name: [(lines[i] or "").replace(old, new) for i in range(len(testset))]
            for name, lines in testset.systems.items()
        }
        for noise, old, new in (
            ("typos", "the", "teh"),
            ("lost capitals", "T", "t"),
            ("no punctuation", ",", ""),
        )
    }
    metrics = found.measured.metrics[:2]
    robustness = measure_robustness(testset, noisy, metrics, resamples=50)
    found = replace(found, details=("error-classes",), robustness=robustness)
    return Shown(found.data(), found.texts())


def small_comparison(*, texts: dict[str, Any] | None = None, **parts: Any) -> Shown:
    """The least that a report can be made from: two systems, one metric, three segments."""
    given = {
        "documents": None,
        "sources": None,
        "references": [["one cat", "two cats", "three cats"]],
        "hypotheses": {"A": ["one cat", "two dogs", "three"], "B": ["a cat", "two cats", "cats three"]},
        "scores": {"A": {"bleu": [100.0, 10.5, None]}, "B": {"bleu": [50.0, 100.0, 3.25]}},
        "metadata": {},
        "buckets": [],
        **(texts or {}),
    }
    data = {
        "tertium": "0",
        "name": "",
        "segments": len(next(iter(given["hypotheses"].values()))),
        "systems": ["A", "B"],
        "metrics": [{"metric": "bleu", "label": "BLEU", "higher_is_better": True, "signature": "made:up"}],
        "baseline": None,
        "seed": 1,
        "findings": [],
        "significance": {"bleu": made_tests({"A": 30.25, "B": 28.125})},
        "buckets": [],
        "preferences": [],
        "favouritism": [],
        "components": {"metrics": {}},
        "types": {"label": "MacroF1", "ranks": [], "curves": {}, "turns": []},
        "type_differences": [],
        "ngrams": {},
        "words": [],
        **parts,
    }
    return Shown(data, given)


def made_tests(scores: dict[str, float | None], *pairs: dict[str, Any], **parts: Any) -> dict[str, Any]:
    """The tests by one metric."""
    return {
        "systems": [
            {"name": name, "value": value, "low": None, "high": None} for name, value in scores.items()
        ],
        "pairs": list(pairs),
        "clusters": None,
        "settings": "made up",
        "undefined_because": "there are no words",
        **parts,
    }
