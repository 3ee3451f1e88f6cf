"""sentence-bleu, multi-bleu and the evaluator's BLEU equal Moses': 27,960 values of golden/moses.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tertium.families.moses_bleu import MultiBLEU, SentBLEU
from tests.conftest import SHARED
from tests.families.golden import Case, parametrized, present, rows

pytestmark = pytest.mark.golden
FLOAT32 = 1e-6  # the evaluator computes in single precision


def moses_cases() -> list[Case]:
    if not present():
        return []
    stored = json.loads((SHARED / "golden" / "moses.json").read_text(encoding="utf-8"))
    wanted = {"sentence-bleu": "segment", "multi-bleu": "output", "multi-bleu-lc": "output"}
    cases = []
    for dataset, systems in stored["sets"].items():
        for system, entry in systems.items():
            scores = entry["scores"]
            found: dict[str, Any] = {name: scores[name][key] for name, key in wanted.items()}
            found |= {name: float(scores[name]["score"]) for name in scores if name.startswith("BLEU")}
            found["counts"] = [int(number) for row in scores["BLEU"]["seg_stats"] for number in row]
            cases.append(Case(dataset, system, entry["hyp"], tuple(entry["refs"]), {}, found))
    return cases


CASES = moses_cases()


@parametrized(CASES)
def test_sentence_bleu(shared: Path, case: Case) -> None:
    metric = SentBLEU()
    found = metric.score_rows(rows(metric, case), "segment") / 100
    assert len(found) == len(case.results["sentence-bleu"])
    assert found.tolist() == pytest.approx(case.results["sentence-bleu"], abs=FLOAT32)


@parametrized(CASES)
def test_system_score_is_the_mean_of_sentences(shared: Path, case: Case) -> None:
    metric = SentBLEU()
    found = rows(metric, case)
    assert metric.score_total(found) == pytest.approx(metric.score_rows(found, "segment").mean(), abs=1e-11)


@parametrized(CASES)
@pytest.mark.parametrize("name", ["multi-bleu", "multi-bleu-lc"])
def test_multi_bleu_prints(shared: Path, case: Case, name: str) -> None:
    metric = MultiBLEU(lowercase=name.endswith("lc"))
    total = rows(metric, case).total()
    assert f"BLEU = {metric.score_total(total):.2f}, {metric.verbose(total)}" == case.results[name]


@parametrized(CASES)
@pytest.mark.parametrize("reflen", ["closest", "average", "shortest"])
def test_evaluator(shared: Path, case: Case, reflen: str) -> None:
    metric = MultiBLEU(reflen=reflen)
    key = "BLEU" if reflen == "closest" else f"BLEU+reflen:{reflen}"
    score = metric.score_total(rows(metric, case))
    assert score is not None
    assert score / 100 == pytest.approx(case.results[key], abs=FLOAT32)


@parametrized(CASES)
@pytest.mark.parametrize("metric", [MultiBLEU(), SentBLEU()], ids=str)
def test_counts(shared: Path, case: Case, metric: MultiBLEU | SentBLEU) -> None:
    """Moses has matches and counts of each order by turns, then the reference length."""
    ours = [
        number
        for row in rows(metric, case).array.tolist()
        for number in (*(row[place] for n in range(2, 6) for place in (n, n + 4)), row[1])
    ]
    assert ours == case.results["counts"]


def test_number_of_values(shared: Path) -> None:
    assert sum(case.number_of_values() for case in CASES) == 27960
