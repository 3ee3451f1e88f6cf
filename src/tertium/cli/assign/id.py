"""`tertium assign id`: the id under which somebody is listed."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.assign.options import key_option
from tertium.cli.options import print_options
from tertium.cli.parsing import Names, command_of, option


@command_of(
    "id",
    click.Argument(["names"], nargs=-1, required=True, metavar="NAME..."),
    option("--memory", required=True, metavar="FILE", help="The memory whose translators they are."),
    key_option(),
    *print_options(),
    reads=(),
)
def command(names: Names, memory: str, key: str | None, **_given: Any) -> Any:
    """Print the ids of translators, named as the memory names them; names are not printed.

    \b
    tertium assign id "Anne Dupont <anne@example.org>" --memory memory.db
    """
    from tertium.assignment.identities import Identities
    from tertium.io.tables import Column, Table, number_column
    from tertium.memory.reading import Source

    Source(memory).check()
    ids = Identities(memory, key)
    rows = tuple((place, ids.translator(name)) for place, name in enumerate(names, 1))
    return Table("", (number_column("number", digits=None), Column("id", whole=True)), rows)
