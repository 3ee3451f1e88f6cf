"""TER equals sacrebleu 2.6.0: all 37,900 values of golden/sacrebleu_ter.json."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tertium.families.ter import TER
from tests.families.golden import Case, assert_equal, parametrized, rows, sacrebleu_cases, signature

pytestmark = pytest.mark.golden
CASES = sacrebleu_cases("sacrebleu_ter.json")
EDITS = ("insertions", "deletions", "substitutions", "shifts")


@parametrized(CASES)
def test_ter(shared: Path, case: Case) -> None:
    metric = TER(**case.options)
    found = rows(metric, case)
    score = metric.score_total(found)
    parts = metric.components(found.total())
    ours: dict[str, Any] = {
        "signature": signature(metric, case),
        "system": score,
        "format": f"{metric.label} = {score:.2f}",
        "num_edits": parts["edits"],
        "ref_length": parts["reference_length"],
        "segment": metric.score_rows(found, "segment").tolist(),
        "seg_edits": sum(found[kind] for kind in EDITS).tolist(),
        "seg_reflen": found["reference_length"].tolist(),
    }
    assert_equal({key: value for key, value in ours.items() if key in case.results}, case)


def test_number_of_values(shared: Path) -> None:
    assert len(CASES) == 94
    assert sum(case.number_of_values() for case in CASES) == 37900
