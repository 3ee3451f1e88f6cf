"""`tertium memory realign`: shifted units stand beside their own texts again."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.memory.options import how_to_read, reading_options
from tertium.cli.options import OutputOption, print_options, quiet_option
from tertium.cli.parsing import command_of, option, written


@command_of(
    "realign",
    click.Argument(["memory"], metavar="FILE"),
    OutputOption(required=True, metavar="FILE", help="The memory put right."),
    written("--removed", required=True, metavar="FILE", help="Texts that have no counterpart."),
    option("--to", metavar="FORMAT", help="Format of the output (by its name's ending)."),
    *reading_options(),
    *print_options(to_file=False),
    quiet_option(),
    reads=(
        "UNITS.tmx -o OUTPUT.tmx --removed OUTPUT2.tmx",
        "UNITS.tsv --pair en-fr -o OUTPUT.tsv --removed OUTPUT2.tsv",
    ),
)
def command(memory: str, output: str, removed: str, to: str | None, **given: Any) -> Any:
    """Repair documents whose units are shifted: every source stands beside its own target again.

    Units that were right are not touched; texts without a counterpart are in a file of their own.

    \b
    tertium memory realign in.tmx -o out.tmx --removed left.tmx
    """
    from tertium.bitext.realigning import realign_memory

    return realign_memory(memory, output, removed, to=to, **how_to_read(given))
