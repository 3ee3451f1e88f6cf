"""Options that the commands of `tertium adapt` share, and what they mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.parsing import Several, day, option

if TYPE_CHECKING:
    from tertium.adaptation.base import Materials


def material_options() -> list[click.Parameter]:
    """What systems are made of."""
    return [
        option(
            "--mt", metavar="PROGRAM", help="A machine translation that speaks the protocol (JSON Lines)."
        ),
        option("--memory", metavar="FILE", help="A memory that is known before the first correction."),
        day("--before", default="", help="Of the memory, only what was written before a day."),
        option("--model", metavar="FOLDER", help="A trained model (`adapt train`)."),
        option("--pair", metavar="SRC-TRG", help="Languages."),
    ]


def systems_option(usual: str) -> Several:
    return Several(
        "--system",
        "-s",
        metavar="SPEC",
        help=f"Systems by name: static, memory, memory+static:threshold=.75... ({usual}).",
    )


def materials_of(given: Mapping[str, Any]) -> Materials:
    """What the options name."""
    from tertium.adaptation.base import Materials
    from tertium.adaptation.programs import ProgramSystem
    from tertium.io.memories.pairs import Pair

    program = given["mt"]
    return Materials(
        machine=None if program is None else lambda: ProgramSystem(program),
        memory=given["memory"],
        model=given["model"],
        pair=None if given["pair"] is None else Pair.parse(given["pair"]),
        before=given["before"],
    )
