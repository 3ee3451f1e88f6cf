"""What the tests against golden numbers share: the cases of a file, their texts, and the comparison."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from tertium.errors import MissingExtraError
from tertium.families.base import Metric
from tests.conftest import SHARED, skip_or_fail

NOT_RESULTS = {"metric", "params", "segment_params", "segment_wall_s", "tokenize", "lc"}  # inputs and timings


@dataclass(frozen=True)
class Case:
    """What an original said of one system with one set of options."""

    dataset: str
    system: str
    hypotheses: str
    references: tuple[str, ...]
    options: dict[str, Any]
    results: dict[str, Any]

    def __str__(self) -> str:
        shown = ",".join(f"{key}={value}" for key, value in self.options.items())
        return f"{self.dataset}-{self.system}-{shown}"

    def number_of_values(self) -> int:
        return sum(len(v) if isinstance(v, list) else 1 for v in self.results.values())


def parametrized(cases: list[Case]) -> pytest.MarkDecorator:
    """One test for each case, named after it. Without ../shared there is none, and `shared` says why."""
    return pytest.mark.parametrize("case", cases or [None], ids=str)


def present() -> bool:
    return (SHARED / "golden").is_dir()


def sacrebleu_cases(name: str) -> list[Case]:
    """All cases of a sacrebleu_*.json."""
    return list(_sacrebleu_cases(name)) if present() else []


def _sacrebleu_cases(name: str) -> Iterator[Case]:
    found = json.loads((SHARED / "golden" / name).read_text(encoding="utf-8"))
    for dataset, texts in found["sets"].items():
        for system, entry in texts["systems"].items():
            for config in entry["configs"]:
                results = {key: value for key, value in config.items() if key not in NOT_RESULTS}
                yield Case(dataset, system, entry["file"], tuple(texts["refs"]), config["params"], results)


@cache
def read(name: str) -> list[str]:
    """An input text, cut into lines as the originals read it."""
    text = (SHARED / "golden" / "inputs" / name).read_bytes().decode("utf-8")
    return [line.rstrip() for line in text.removesuffix("\n").split("\n")]


def rows(metric: Metric, case: Case) -> Any:
    """The statistics of a case."""
    try:
        return metric.statistics(read(case.hypotheses), [read(name) for name in case.references])
    except MissingExtraError as error:
        skip_or_fail(str(error))


def signature(metric: Metric, case: Case, *, beyond_sacrebleu: str = "") -> str:
    """Our signature as sacrebleu 2.6.0 would print it: its version, and without the key that it lacks."""
    items = metric.signature(len(case.references)).split("|")
    kept = [item for item in items if item.partition(":")[0] not in (beyond_sacrebleu, "tertium")]
    return "|".join([*kept, "version:2.6.0"])


def assert_equal(ours: dict[str, Any], case: Case) -> None:
    """Every stored value is there and equal: integers and texts exactly, other numbers to 1e-9."""
    assert ours.keys() == case.results.keys()
    for key, expected in case.results.items():
        found = ours[key]
        wanted = expected if isinstance(expected, list) else [expected]
        given = list(found) if isinstance(expected, list) else [found]
        assert len(given) == len(wanted), f"{key}: {len(given)} values, not {len(wanted)}"
        wrong = [(i, g, w) for i, (g, w) in enumerate(zip(given, wanted, strict=True)) if not same(g, w)]
        assert not wrong, (
            f"{key}: {len(wrong)} of {len(wanted)} differ, first (place, ours, golden) {wrong[0]}"
        )


def same(ours: Any, golden: Any) -> bool:
    """Whether a value is the stored one; real numbers are stored with ten decimals."""
    if isinstance(golden, float):
        return isinstance(ours, float) and abs(ours - golden) <= 1e-9
    return type(ours) is type(golden) and bool(ours == golden)
