"""`tertium rows merge`: shards in one file."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.options import print_options, quiet_option
from tertium.cli.parsing import Names, command_of, written


@command_of(
    "merge",
    click.Argument(["shards"], nargs=-1, required=True, metavar="ROWS..."),
    written("-o", "--output", metavar="FILE", required=True, help="The file of all rows."),
    *print_options(to_file=False),
    quiet_option(),
    reads=("ROWS -o OUTPUT.rows",),
)
def command(shards: Names, output: str, **_given: Any) -> Any:
    """Join the rows of shards, in the order in which they are named. Rows of other versions, metrics or options are
    refused.

    \b
    tertium rows merge 01.rows 02.rows 03.rows -o all.rows
    """
    from tertium.rowfiles.writing import merge_rows

    return merge_rows(shards, output)
