"""`tertium memory import`: files into a memory on disk."""
# ruff: noqa: N999 (a command is in the file of its name)

from __future__ import annotations

from typing import Any

import click

from tertium.cli.memory.options import how_to_read, reading_options
from tertium.cli.options import OutputOption, print_options, quiet_option
from tertium.cli.parsing import Names, command_of


@command_of(
    "import",
    click.Argument(["inputs"], nargs=-1, required=True, metavar="FILE..."),
    OutputOption(required=True, metavar="MEMORY", over=["inputs"], help="The memory: made, or added to."),
    *reading_options(),
    *print_options(to_file=False),
    quiet_option(),
    reads=("UNITS.tmx -o OUTPUT.db", "UNITS.jsonl -o OUTPUT.db"),
)
def command(inputs: Names, output: str, **given: Any) -> Any:
    """Add the units of files to a memory on disk (SQLite), which may be read at the same time.

    All files are added or none; units that are there already are not added again.

    \b
    tertium memory import one.tmx two.tmx -o memory.db
    tertium memory import corpus.en,corpus.fr -o memory.db
    """
    from tertium.memory.importing import import_memory

    return import_memory(inputs, output, **how_to_read(given))
