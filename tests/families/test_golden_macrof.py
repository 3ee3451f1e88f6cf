"""MacroF and MicroF equal their authors' program (1.4.13): all 864 values of golden/macrof.json.

Left out are `macrobleu` and `microbleu`, which the golden README says are not required. Of the printed line,
which has another grammar than ours, the lengths are compared.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tertium import registry
from tests.conftest import SHARED
from tests.families.golden import Case, assert_equal, parametrized, present, rows

pytestmark = pytest.mark.golden


def macrof_cases() -> Iterator[Case]:
    found = json.loads((SHARED / "golden" / "macrof.json").read_text(encoding="utf-8"))
    texts = json.loads((SHARED / "golden" / "sacrebleu_bleu.json").read_text(encoding="utf-8"))["sets"]
    for dataset, systems in found["sets"].items():
        for system, configs in systems.items():
            for config in configs:
                if config["metric"] in ("macrof", "microf"):
                    options = {key: config[key] for key in ("metric", "tokenize", "lc")}
                    files = texts[dataset]["systems"][system]["file"], tuple(texts[dataset]["refs"])
                    yield Case(dataset, system, *files, options, results_of(config))


def results_of(config: dict[str, Any]) -> dict[str, Any]:
    """The stored numbers; the lengths are read from the line that the program prints."""
    lengths = re.search(r"hyp_len = (\d+) ref_len = (\d+)\)$", config["format"])
    assert lengths
    results = {"score": config["score"], "hyp_len": int(lengths[1])}
    if "numrefs.1+" in config["signature"]:
        results["ref_len"] = int(lengths[2])  # with several references: the closest length, which is BLEU's
    return results | {key: config[key] for key in ("segment",) if key in config}


CASES = list(macrof_cases()) if present() else []


@parametrized(CASES)
def test_macrof(shared: Path, case: Case) -> None:
    metric = registry.metric(
        f"{case.options['metric']}:tok={case.options['tokenize']},lc={case.options['lc']}"
    )
    found = rows(metric, case)
    table = found.table()
    ours = {
        "score": metric.score_total(found),
        "hyp_len": sum(row.predicted for row in table),
        "ref_len": sum(row.reference for row in table),
        "segment": metric.score_rows(found, "segment").tolist(),
    }
    assert_equal({key: value for key, value in ours.items() if key in case.results}, case)


def test_number_of_values(shared: Path) -> None:
    assert len(CASES) == 64
    assert sum(case.number_of_values() for case in CASES) == 864
