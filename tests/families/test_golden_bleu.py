"""BLEU equals sacrebleu 2.6.0: all 98,376 values of golden/sacrebleu_bleu.json."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from tertium.families.bleu import BLEU
from tests.families.golden import Case, assert_equal, parametrized, rows, sacrebleu_cases, signature

pytestmark = pytest.mark.golden
CASES = sacrebleu_cases("sacrebleu_bleu.json")
OPTIONS = {
    "tokenize": "tok",
    "lowercase": "lowercase",
    "smooth_method": "smooth",
    "smooth_value": "smooth_value",
    "max_ngram_order": "order",
}


def metric_of(case: Case) -> BLEU:
    options = {OPTIONS[key]: value for key, value in case.options.items() if key != "effective_order"}
    return BLEU(**options, eff="always" if case.options.get("effective_order") else "segment")


def as_sacrebleu_reports(counts: list[int], metric: BLEU) -> list[int]:
    """Its counts have k in them, from bigrams on; ours are what was counted."""
    k = int(metric.smooth_value or 1) if metric.smooth == "add-k" else 0
    return [counts[0], *(count + k for count in counts[1:])]


@parametrized(CASES)
def test_bleu(shared: Path, case: Case) -> None:
    metric = metric_of(case)
    found = rows(metric, case)
    parts = metric.components(found.total())
    score = metric.score_total(found)
    ours: dict[str, Any] = {
        "signature": signature(metric, case, beyond_sacrebleu="order"),
        "system": score,
        "format": f"{metric.label} = {score:.2f} {metric.verbose(found.total())}",
        "counts": as_sacrebleu_reports(parts["matches"], metric),
        "totals": as_sacrebleu_reports(parts["counts"], metric),
        "precisions": parts["precisions"],
        "bp": parts["brevity_penalty"],
        "sys_len": parts["hypothesis_length"],
        "ref_len": parts["reference_length"],
    }
    if "segment" in case.results:
        ours["segment"] = metric.score_rows(found, "segment").tolist()
    if "segment_no_effective_order" in case.results:
        never = dataclasses.replace(metric, eff="never")
        ours["segment_no_effective_order"] = never.score_rows(found, "segment").tolist()
    assert_equal(ours, case)


def test_number_of_values(shared: Path) -> None:
    assert len(CASES) == 356
    assert sum(case.number_of_values() for case in CASES) == 98376
