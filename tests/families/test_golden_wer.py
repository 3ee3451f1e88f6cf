"""WER, PER, CDER and TER like Moses equal the Moses evaluator: every integer and score of golden/moses.json.

Integers (errors, lengths, matches of each segment) are equal. The evaluator computes scores in float32 and prints
accuracies, so 1 - score/100 is compared, to 1e-6. The BLEU variants there and CHRF (-nan) belong to other metrics.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tertium import registry
from tests.conftest import SHARED
from tests.families.golden import Case, parametrized, present, rows

pytestmark = pytest.mark.golden
KINDS = ("insertions", "deletions", "substitutions", "shifts")


def moses_cases() -> Iterator[Case]:
    found = json.loads((SHARED / "golden" / "moses.json").read_text(encoding="utf-8"))
    for dataset, systems in found["sets"].items():
        for system, entry in systems.items():
            for metric in ("WER", "PER", "CDER", "TER"):
                if metric in entry["scores"]:
                    results = entry["scores"][metric]
                    files = entry["hyp"], tuple(entry["refs"])
                    yield Case(dataset, system, *files, {"metric": metric.lower()}, results)


CASES = list(moses_cases()) if present() else []


def as_moses_has_them(name: str, found: Any) -> list[list[int]]:
    """Our rows in the evaluator's form: TER's in hundredths, with the rate in percent, cut off."""
    if name == "wer":
        return [[sum(row[:3]), row[3]] for row in found.array.tolist()]
    if name != "ter":
        return [list(row) for row in found.array.tolist()]
    edits = sum(found[kind] for kind in KINDS).tolist()
    lengths = [round(100 * length) for length in found["reference_length"].tolist()]
    return [[100 * e, n, 10000 * e // n] for e, n in zip(edits, lengths, strict=True)]


@parametrized(CASES)
def test_moses(shared: Path, case: Case) -> None:
    name = case.options["metric"]
    metric = registry.metric(f"{name}:like=moses")
    found = rows(metric, case)
    assert as_moses_has_them(name, found) == case.results["seg_stats"]
    score = metric.score_total(found)
    assert score is not None
    assert 1 - score / 100 == pytest.approx(float(case.results["score"]), abs=1e-6)


@parametrized([case for case in CASES if case.options["metric"] == "cder"])
def test_interpolation(shared: Path, case: Case) -> None:
    """The evaluator's CDER,PER+weights:0.25+0.75 is the weighted mean of the two."""
    stored = json.loads((shared / "golden" / "moses.json").read_text(encoding="utf-8"))
    entry = stored["sets"][case.dataset][case.system]["scores"].get("CDER,PER+weights:0.25+0.75")
    if entry is None:  # several references: PER takes one
        assert len(case.references) > 1
        return
    scores = [
        metric.score_total(rows(metric, case))
        for metric in map(registry.metric, ("cder:like=moses", "per:like=moses"))
    ]
    mean = 0.25 * (scores[0] or 0.0) + 0.75 * (scores[1] or 0.0)
    assert 1 - mean / 100 == pytest.approx(float(entry["score"]), abs=1e-6)


@parametrized([case for case in CASES if len(case.references) == 1 and case.options["metric"] != "ter"])
def test_clean_forms_of_one_reference_differ_in_per_only(shared: Path, case: Case) -> None:
    """With one reference WER and CDER are Moses'; PER is never below it: there segments make up for each other."""
    name = case.options["metric"]
    clean, like = (registry.metric(spec) for spec in (name, f"{name}:like=moses"))
    scores = [metric.score_total(rows(metric, case)) for metric in (clean, like)]
    assert scores[0] is not None
    assert scores[1] is not None
    assert scores[0] >= scores[1] if name == "per" else scores[0] == scores[1]


def test_number_of_values(shared: Path) -> None:
    assert sum(len(row) for case in CASES for row in case.results["seg_stats"]) == EXPECTED_INTEGERS
    assert len(CASES) == 22


EXPECTED_INTEGERS = 27858
