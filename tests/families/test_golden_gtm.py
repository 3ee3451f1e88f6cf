"""GTM equals GTM 1.4: every score, matching and length that golden/gtm.json prints."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tertium import registry
from tests.conftest import SHARED
from tests.families.golden import present, read
from tests.families.inputs import files

pytestmark = pytest.mark.golden
GOLDEN = json.loads((SHARED / "golden" / "gtm.json").read_text("utf-8"))["sets"] if present() else {}
CASES = [
    (dataset, system, run.removeprefix("e="))
    for dataset, systems in GOLDEN.items()
    for system, runs in systems.items()
    for run in runs
]
SEGMENT = {
    "(maximum matching)^(1/exponent)": "matching",
    "mean length of reference segments": "reference_length",
    "length of test segment": "length",
}
PARTS = {"precision": "P", "recall": "R", "f-measure": "F"}


def printed(dataset: str, system: str, exponent: str) -> dict[tuple[int, str], float]:
    """What the program printed, by segment (0: the document) and name; long outputs are kept in parts."""
    run = GOLDEN[dataset][system][f"e={exponent}"]
    found: dict[tuple[int, str], float] = {}
    for lines in (run["seg_lines"], run["stdout"].split("\n")):
        segment = None
        for line in lines:
            if start := re.fullmatch(r"document: d1(?:, segment: (\d+))?", line):
                segment = int(start[1] or 0)
            elif segment is not None and (value := re.fullmatch(r"\t(.+) = ([\d.E-]+)", line)):
                if segment and value[1].startswith("total "):  # kept without the line that says "document"
                    continue
                found[segment, value[1]] = float(value[2])
    return found


@pytest.mark.parametrize(("dataset", "system", "exponent"), CASES or [(None, None, None)])
def test_gtm(shared: Path, dataset: str, system: str, exponent: str) -> None:
    metric = registry.metric(f"gtm:{exponent},like=original")
    hypotheses, references = files(dataset, system, tokenized=True)
    rows = metric.statistics(read(hypotheses), [read(name) for name in references])
    total = rows.total()
    columns = {name: (rows[column], total.only(column)) for name, column in SEGMENT.items()}
    scores = {}
    for name, part in PARTS.items():
        of_part = registry.metric(f"gtm:{exponent},like=original,part={part}")
        scores[name] = of_part.score_rows(rows, "segment") / 100, (of_part.score_total(rows) or 0) / 100
    for (segment, name), expected in printed(dataset, system, exponent).items():
        if name == "maximum matching":
            ours = columns["(maximum matching)^(1/exponent)"][0][segment - 1] ** metric.exponent  # type: ignore[attr-defined]
        elif segment == 0:
            short = (
                name.removeprefix("total ").removesuffix("s")
                if "test" in name
                else name.removeprefix("total ")
            )
            known = scores[name.removeprefix("document ")] if "document" in name else columns[short]
            ours = known[1]
        else:
            known = scores[name.removeprefix("segment ")] if name.startswith("segment") else columns[name]
            ours = known[0][segment - 1]
        assert ours == pytest.approx(expected, rel=1e-12, abs=1e-12), f"segment {segment}: {name}"


def test_number_of_values(shared: Path) -> None:
    assert len(CASES) == 18
    assert sum(len(printed(*case)) for case in CASES) == 15088
