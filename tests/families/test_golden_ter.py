"""TER equals sacrebleu 2.6.0 (all 37,900 values of golden/sacrebleu_ter.json), like=tercom equals tercom 0.10.0."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tertium.families.ter import TER
from tests.conftest import SHARED
from tests.families.golden import (
    Case,
    assert_equal,
    parametrized,
    present,
    read,
    rows,
    sacrebleu_cases,
    signature,
)
from tests.families.inputs import files

pytestmark = pytest.mark.golden
CASES = sacrebleu_cases("sacrebleu_ter.json")
TERCOM = json.loads((SHARED / "golden" / "tercom.json").read_text("utf-8"))["sets"] if present() else {}
RUNS = [(d, s, o) for d, systems in TERCOM.items() for s, runs in systems.items() for o in runs]
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


@pytest.mark.parametrize(("dataset", "system", "options"), RUNS or [(None, None, None)])
def test_tercom(shared: Path, dataset: str, system: str, options: str) -> None:
    """Edits, length and rate of every segment, and the totals, to the last digit that tercom prints."""
    run = TERCOM[dataset][system][options]
    given = options.split()
    metric = TER(
        like="tercom", normalized="-N" in given, no_punct="-P" in given, case_sensitive="-s" in given
    )
    hypotheses, references = files(dataset, system, tokenized=True)
    found = metric.statistics(read(hypotheses), [read(name) for name in references])
    edits = sum(found[kind] for kind in EDITS).tolist()
    lengths = found["reference_length"].tolist()
    assert [[float(e), n] for e, n in zip(edits, lengths, strict=True)] == [
        [float(value) for value in segment[1:3]] for segment in run["segment"]
    ]
    rates = [float(segment[3]) for segment in run["segment"]]
    assert metric.score_rows(found, "segment").tolist() == pytest.approx([100 * r for r in rates], abs=1e-12)
    rate, total, words = (float(value) for value in run["total"][0])
    parts = metric.components(found.total())
    assert (parts["edits"], parts["reference_length"]) == (total, words)
    assert metric.score_total(found) == pytest.approx(100 * rate, abs=1e-12)


def test_number_of_tercom_s_values(shared: Path) -> None:
    assert len(RUNS) == 32
    assert sum(len(TERCOM[d][s][o]["segment"]) for d, s, o in RUNS) == 6978
