"""`tertium memory search`: how something was translated before."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.options import print_options, quiet_option
from tertium.cli.parsing import command_of, flag, option


@command_of(
    "search",
    click.Argument(["text"], metavar="TEXT"),
    option("--memory", required=True, metavar="FILE", help="A memory on disk (`tertium memory import`)."),
    flag("--target", help="Search the targets."),
    option("--most", type=click.IntRange(1), default=20, help="How many units to show (20)."),
    *print_options(),
    quiet_option(),
    reads=("harbour --memory MEMORY.db",),
)
def command(text: str, memory: str, **given: Any) -> Any:
    """Find the units whose source contains a text, shortest first.

    \b
    tertium memory search "power supply" --memory memory.db
    """
    from tertium.matching.searching import search_memory

    return search_memory(text, memory, target=given["target"], most=given["most"])
