"""`tertium memory index`: a memory prepared for matching."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.options import print_options, quiet_option
from tertium.cli.parsing import command_of, option


@command_of(
    "index",
    click.Argument(["memory"], metavar="FILE"),
    option("--pair", metavar="SRC-TRG", help="Languages: which two of several."),
    *print_options(to_file=False),
    quiet_option(),
    reads=("MEMORY.db",),
)
def command(memory: str, pair: str | None, **_given: Any) -> Any:
    """Write the index of a memory on disk beside it, so that `memory match` begins at once.

    Matching makes the index itself where there is none, and reads what has been added since.

    \b
    tertium memory index memory.db
    """
    from tertium.io.memories.pairs import Pair
    from tertium.matching.indexing import index_memory

    return index_memory(memory, None if pair is None else Pair.parse(pair))
