"""chrf:like=popovic equals chrF++.py (m-popovic/chrF 6d3c384): every value of golden/chrfpp_popovic.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tertium import registry
from tertium.families.chrf import ChrF
from tests.conftest import SHARED
from tests.families.golden import Case, parametrized, present, rows
from tests.families.inputs import files

pytestmark = pytest.mark.golden


def cases() -> list[Case]:
    if not present():
        return []
    found = json.loads((SHARED / "golden" / "chrfpp_popovic.json").read_text(encoding="utf-8"))
    made = []
    for dataset, systems in found["sets"].items():
        for system, results in systems.items():
            hypotheses, references = files(dataset, system)
            for result in results:
                options = {key: result[key] for key in ("nworder", "ncorder", "beta")}
                values = {k: v for k, v in result.items() if k not in options and v is not None}
                made.append(Case(dataset, system, hypotheses, references, options, values))
    return made


CASES = cases()


def metric_of(case: Case, **more: Any) -> ChrF:
    return ChrF(
        char_order=case.options["ncorder"],
        word_order=case.options["nworder"],
        beta=case.options["beta"],
        like="popovic",
        **more,
    )


@parametrized(CASES)
def test_chrf_popovic(shared: Path, case: Case) -> None:
    micro, macro = metric_of(case), metric_of(case, average="macro")
    found = rows(micro, case)
    assert micro.score_total(found) == pytest.approx(case.results["totalF"], abs=1e-9)
    assert macro.score_total(found) == pytest.approx(case.results["avgF"], abs=1e-9)
    parts = micro.components(found.total())
    orders = micro.char_order + micro.word_order
    for name, key in (("precisions", "totalPrec"), ("recalls", "totalRec")):
        mean = sum(value or 0.0 for value in parts[name]) / orders
        assert mean == pytest.approx(case.results[key], abs=1e-9)
    segments = micro.score_rows(found, "segment").tolist()
    if "segment_4dec" in case.results:
        assert segments == pytest.approx(case.results["segment_4dec"], abs=0.5001e-4)
    assert macro.score_rows(found, "segment").tolist() == pytest.approx(segments, abs=1e-12)


def test_number_of_values(shared: Path) -> None:
    assert len(CASES) == 32
    assert sum(case.number_of_values() for case in CASES) == 4661


@pytest.mark.parametrize("words", [0, 2])
def test_only_blanks_are_no_characters(words: int) -> None:
    """Other white space inside a line is a character there, but none for sacrebleu; words are cut at either."""
    popovic = ChrF(word_order=words, like="popovic")
    eps = ChrF(word_order=words, eps=True)
    plain = ("the cat, sat on", "the cat. sat at")
    for metric in (popovic, eps):
        assert metric.score_total(metric.statistics([plain[0]], [plain[1]])) == pytest.approx(
            eps.score_total(eps.statistics([plain[0]], [plain[1]])), abs=1e-12
        )
    tabbed = [" the\tcat, sat on\u3000"], ["the cat.\u00a0sat at"]
    counts = popovic.statistics(*tabbed)["count_char_1"].tolist()
    assert counts == [len("the\tcat,saton")]
    assert popovic.statistics(*tabbed)["reference_char_1"].tolist() == [len("thecat.\u00a0satat")]
    assert eps.statistics(*tabbed)["count_char_1"].tolist() == [len("thecat,saton")]
    if words:
        assert popovic.statistics(*tabbed)["count_word_1"].tolist() == [5]
        assert popovic.statistics(*tabbed)["match_word_1"].tolist() == [3]


def test_wide_lines() -> None:
    """Lines with more characters than bytes can name, with white space to keep on one side only."""
    many = "".join(chr(0x4E00 + i) for i in range(200))
    metric = ChrF(word_order=2, like="popovic")
    rows = metric.statistics([f"{many}\tend one", many + " end"], [f"{many} end one", f"{many}\tend"])
    assert rows["count_char_1"].tolist() == [207, 203]
    assert rows["match_char_1"].tolist() == [206, 203]
    assert rows["match_word_1"].tolist() == [3, 2]


def test_default_is_untouched() -> None:
    assert str(registry.metric("chrf")) == "chrf"
    assert "like" not in registry.metric("chrf++").signature()
    assert str(registry.metric("chrf:like=popovic,eps=yes")) == "chrf:like=popovic"
    with pytest.raises(registry.SpecError, match="needs like=popovic"):
        registry.metric("chrf:average=macro")
    with pytest.raises(registry.SpecError, match="whitespace"):
        registry.metric("chrf:like=popovic,whitespace=yes")
