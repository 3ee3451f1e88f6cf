"""CharacTER equals its authors' script: all values of golden/character.json, segments and means."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tertium.families.character import CharacTER
from tests.conftest import SHARED
from tests.families.golden import Case, assert_equal, parametrized, present, rows

pytestmark = pytest.mark.golden
REFERENCES = {  # the first one of several
    "challenge": "challenge/ref.fr",
    "multi.nist4": "multi/nist4.ref0",
    "multi.readme2": "multi/readme2.ref0",
    "ted": "ted/ref.detok.eng",
    "ted.tok": "ted/ref.eng",
}


def character_cases() -> Iterator[Case]:
    found = json.loads((SHARED / "golden" / "character.json").read_text(encoding="utf-8"))
    for dataset, systems in found["sets"].items():
        for system, entry in systems.items():
            results = {key: entry[key] for key in ("CharacTER", "CharacTER_segment")}
            results |= {key: entry[key] for key in ("pypi_cer_mean", "pypi_cer_segment")}
            yield Case(dataset, system, entry["file"], (REFERENCES[dataset],), {}, results)


CASES = list(character_cases()) if present() else []


@parametrized(CASES)
def test_character(shared: Path, case: Case) -> None:
    metric = CharacTER()
    found = rows(metric, case)
    score, segments = metric.score_total(found), metric.score_rows(found, "segment").tolist()
    ours = {"CharacTER": score, "CharacTER_segment": segments}
    assert_equal(ours | {"pypi_cer_mean": score, "pypi_cer_segment": segments}, case)


def test_number_of_values(shared: Path) -> None:
    assert sum(case.number_of_values() for case in CASES) == EXPECTED_VALUES


EXPECTED_VALUES = 10490
