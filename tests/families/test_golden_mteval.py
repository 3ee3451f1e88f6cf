"""BLEU and NIST equal mteval-v13a: all 35,770 values of golden/mteval_v13a.json; NIST like nltk's, 6 values."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tertium.families.mteval import NIST, MtevalBLEU
from tertium.statistics import DenseStatistics
from tests.conftest import SHARED
from tests.families.golden import Case, assert_equal, parametrized, present, rows

pytestmark = pytest.mark.golden

FILES = {
    "challenge": ("challenge/{}.fr", ["challenge/ref.fr"]),
    "multi.nist4": ("multi/nist4.sys", [f"multi/nist4.ref{i}" for i in range(4)]),
    "multi.readme2": ("multi/readme2.sys", ["multi/readme2.ref0", "multi/readme2.ref1"]),
    "ted": ("ted/{}.detok.eng", ["ted/ref.detok.eng"]),
    "ted.tok": ("ted/{}.eng", ["ted/ref.eng"]),
}


def results(entry: dict[str, Any], options: set[str]) -> dict[str, Any]:
    """Printed numbers as numbers: both scores, those of segments, and the tables of orders 1 to 9."""
    table = [
        [float(number) for number in re.findall(r"\d+\.\d+", line.partition('"')[0])]
        for line in entry["tables"].splitlines()
        if line.startswith((" NIST:", " BLEU:"))
    ]
    names = ("nist_orders", "bleu_orders", "nist_up_to", "bleu_up_to")
    by_segment = {
        kind: [float(entry[kind][str(i + 1)]) for i in range(len(entry[kind]))]
        for kind in ("segment_nist", "segment_bleu")
    }
    found = {"nist": float(entry["nist"]), "bleu": float(entry["bleu"]), **by_segment}
    return found | dict(zip(names, table, strict=True))


def mteval_cases() -> list[Case]:
    if not present():
        return []
    stored = json.loads((SHARED / "golden" / "mteval_v13a.json").read_text(encoding="utf-8"))
    cases = []
    for dataset, systems in stored["sets"].items():
        hypotheses, references = FILES[dataset]
        for system, entries in systems.items():
            for entry in entries:
                given = set(entry["options"])
                options = {"options": " ".join(entry["options"]) or "none"}
                texts = hypotheses.format(system), tuple(references)
                cases.append(Case(dataset, system, *texts, options, results(entry, given)))
    return cases


CASES = mteval_cases()


def scores(metric: MtevalBLEU | NIST, case: Case) -> tuple[DenseStatistics, float, list[float]]:
    found = rows(metric, case)
    total = metric.score_total(found)
    assert total is not None
    return found, total, metric.score_rows(found, "segment").tolist()


@parametrized(CASES)
def test_mteval(shared: Path, case: Case) -> None:
    """The option -e (spaces around what is not ASCII) does nothing without international tokenisation."""
    given = case.options["options"].split()
    text: dict[str, Any] = {
        "lowercase": "-c" not in given,
        "tok": "intl" if "--international-tokenization" in given else "13a",
    }
    how: dict[str, Any] = text | {
        "smooth": "none" if "--no-smoothing" in given else "halving",
        "reflen": "shortest" if "shortest" in given else "closest",
    }
    ours: dict[str, Any] = {}
    _, ours["nist"], ours["segment_nist"] = scores(NIST(**text), case)
    _, bleu, of_segments = scores(MtevalBLEU(**how), case)
    ours["bleu"], ours["segment_bleu"] = bleu / 100, [score / 100 for score in of_segments]
    nine_rows = rows(NIST(**text, order=9), case).total()
    parts = NIST(**text, order=9).components(nine_rows)
    ours["nist_orders"] = [gain * parts["length_penalty"] for gain in parts["gains"]]
    ours["nist_up_to"] = [scores(NIST(**text, order=n), case)[1] for n in range(1, 10)]
    nine = MtevalBLEU(**how, order=9)
    ours["bleu_orders"] = [p / 100 for p in nine.components(rows(nine, case).total())["precisions"]]
    ours["bleu_up_to"] = [scores(MtevalBLEU(**how, order=n), case)[1] / 100 for n in range(1, 10)]
    assert_equal(ours, case)


@pytest.mark.parametrize("tok", ["13a", "intl"])
def test_a_document_is_the_corpus_of_its_segments(shared: Path, tok: str) -> None:
    """mteval was given one document a set; NIST's information stays that of the whole set."""
    case = next(case for case in CASES if case.dataset == "multi.nist4")
    for metric in (MtevalBLEU(tok=tok), NIST(tok=tok)):
        found = rows(metric, case)
        groups = [0 if i < 8 else 1 for i in range(len(found))]
        documents = metric.score_rows(found.grouped(groups, 2), "document").tolist()
        first, second = found.take(range(8)), found.take(range(8, len(found)))
        assert documents == [metric.score_total(first), metric.score_total(second)]
        assert metric.score_rows(found.total(), "document")[0] == metric.score_total(found)


def test_number_of_values(shared: Path) -> None:
    assert len(CASES) == 41
    assert sum(case.number_of_values() for case in CASES) == 35770


# nltk

NLTK_FILES = {
    "challenge": ("tok13a/challenge.{}.fr", ["tok13a/challenge.ref.fr"]),
    "multi.nist4": ("tok13a/multi.nist4.sys", [f"tok13a/multi.nist4.ref{i}" for i in range(4)]),
    "multi.readme2": ("tok13a/multi.readme2.sys", ["tok13a/multi.readme2.ref0", "tok13a/multi.readme2.ref1"]),
    "ted": ("ted/{}.eng", ["ted/ref.eng"]),
}


def nltk_cases() -> list[Case]:
    if not present():
        return []
    stored = json.loads((SHARED / "golden" / "rouge_nltk.json").read_text(encoding="utf-8"))
    cases = []
    for dataset, systems in stored["sets"].items():
        hypotheses, references = NLTK_FILES[dataset]
        for system, entry in systems.items():
            texts = hypotheses.format(system), tuple(references)
            cases.append(Case(dataset, system, *texts, {}, {"nist": entry["nltk_nist5"]}))
    return cases


@parametrized(nltk_cases())
def test_nltk(shared: Path, case: Case) -> None:
    metric = NIST(tok="none", lowercase=False, like="nltk")
    assert_equal({"nist": metric.score_total(rows(metric, case))}, case)


def test_number_of_nltk_values(shared: Path) -> None:
    assert len(nltk_cases()) == 6
