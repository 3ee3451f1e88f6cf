"""chrF, chrF+ and chrF++ equal sacrebleu 2.6.0: all 71,654 values of golden/sacrebleu_chrf.json."""

from __future__ import annotations

from pathlib import Path

import pytest

from tertium.families.chrf import ChrF
from tests.families.golden import Case, assert_equal, parametrized, rows, sacrebleu_cases, signature

pytestmark = pytest.mark.golden
CASES = sacrebleu_cases("sacrebleu_chrf.json")


def metric_of(case: Case) -> ChrF:
    options = {"eps" if key == "eps_smoothing" else key: value for key, value in case.options.items()}
    return ChrF(**options)


@parametrized(CASES)
def test_chrf(shared: Path, case: Case) -> None:
    metric = metric_of(case)
    found = rows(metric, case)
    score = metric.score_total(found)
    ours = {
        "signature": signature(metric, case, beyond_sacrebleu="beta"),  # there it is in the label only
        "system": score,
        "format": f"{metric.label} = {score:.2f}",
    }
    if "segment" in case.results:
        ours["segment"] = metric.score_rows(found, "segment").tolist()
    assert_equal(ours, case)


def test_number_of_values(shared: Path) -> None:
    assert len(CASES) == 400
    assert sum(case.number_of_values() for case in CASES) == 71654
