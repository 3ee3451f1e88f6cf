"""ROUGE equals rouge-score 0.1.2, GLEU and RIBES equal nltk 3.10.4: every value of golden/rouge_nltk.json for them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tertium import registry
from tests.conftest import SHARED
from tests.families.golden import present, read
from tests.families.inputs import files

pytestmark = pytest.mark.golden
GOLDEN = json.loads((SHARED / "golden" / "rouge_nltk.json").read_text("utf-8"))["sets"] if present() else {}
SYSTEMS = [(dataset, system) for dataset, systems in GOLDEN.items() for system in systems]
EVERY_SYSTEM = pytest.mark.parametrize(("dataset", "system"), SYSTEMS or [(None, None)])


def values_of(dataset: str, system: str, spec: str, *, tokenized: bool = False) -> tuple[Any, Any]:
    """The metric and its rows."""
    metric = registry.metric(spec)
    hypotheses, references = files(dataset, system, tokenized=tokenized)
    return metric, metric.statistics(read(hypotheses), [read(name) for name in references])


@EVERY_SYSTEM
@pytest.mark.parametrize("stemmer", ["none", "nltk"])
def test_rouge(shared: Path, dataset: str, system: str, stemmer: str) -> None:
    expected = GOLDEN[dataset][system][f"rouge_stem={stemmer == 'nltk'}"]
    for name, means in expected["mean"].items():
        spec = f"rouge:{name.removeprefix('rouge')},stem={stemmer}"
        metric, rows = values_of(dataset, system, spec)
        parts = metric.components(rows.total())
        assert [value / 100 for value in parts.values()] == pytest.approx(means, abs=1e-9)
        for part, mean in zip("PRF", means, strict=True):
            alone = registry.metric(f"{spec},part={part}")
            assert alone.score_total(rows) == pytest.approx(100 * mean, abs=1e-7)
        if expected["segment_f"]:
            segments = metric.score_rows(rows, "segment") / 100
            assert segments.tolist() == pytest.approx(expected["segment_f"][name], abs=1e-9)


@EVERY_SYSTEM
@pytest.mark.parametrize("name", ["gleu", "ribes"])
def test_nltk(shared: Path, dataset: str, system: str, name: str) -> None:
    metric, rows = values_of(dataset, system, f"{name}:tok=none", tokenized=True)
    assert metric.score_total(rows) / 100 == pytest.approx(GOLDEN[dataset][system][f"nltk_{name}"], abs=1e-9)


def test_number_of_values(shared: Path) -> None:
    assert len(SYSTEMS) == 6
    rouge = [GOLDEN[d][s][f"rouge_stem={stem}"] for d, s in SYSTEMS for stem in (True, False)]
    values = sum(len(v) for r in rouge for part in r.values() if part for v in part.values())
    assert values + 2 * len(SYSTEMS) == 3672
