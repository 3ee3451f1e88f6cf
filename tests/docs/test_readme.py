"""README: its speeds are those of the run that docs/benchmarks.md keeps, and the commands in its table exist."""

from __future__ import annotations

import re

from tests.conftest import ROOT
from tests.docs import commands
from tools.readme_speed import ROWS, table

README = (ROOT / "README.md").read_text("utf-8")


def test_speeds_are_printed_by_make_bench() -> None:
    made = table((ROOT / "docs" / "benchmarks.md").read_text("utf-8"))
    assert made in README, "python -m tools.readme_speed writes it"
    assert made.count("\n") == len(ROWS) + 1


def test_commands_of_the_table_exist() -> None:
    found = re.findall(r"`(tertium [^`]+)`", README)
    assert len(found) > 15
    for line in found:
        commands.parse(line)


def test_every_job_has_a_row() -> None:
    """Every command of the first level that a newcomer may look for is named."""
    from tertium.cli.group import root

    small = {
        "metrics",
        "verify",
        "testset",
        "rows",
        "nbest",
        "assign",
        "monitor",
        "probe",
        "vectors",
        "cache",
    }
    assert {name for name in root.table if f"tertium {name}" not in README} <= small
