"""`tertium memory report`: how many units stand beside the wrong text, where, and why."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.memory.options import how_to_read, reading_options
from tertium.cli.options import print_options, quiet_option
from tertium.cli.parsing import Names, Several, command_of


@command_of(
    "report",
    click.Argument(["memory"], metavar="FILE"),
    Several("--client", metavar="NAME", help="Only units of these clients."),
    *reading_options(),
    *print_options(),
    quiet_option(),
    reads=("UNITS.tmx", "UNITS.tsv --pair en-fr"),
)
def command(memory: str, client: Names, **given: Any) -> Any:
    """Report misaligned units: how many there are by client, document and year, what caused them, and examples.

    Needs units in the order of their documents.

    \b
    tertium memory report in.tmx
    """
    from tertium.bitext.realigning import report_alignment

    return report_alignment(memory, clients=client, **how_to_read(given))
