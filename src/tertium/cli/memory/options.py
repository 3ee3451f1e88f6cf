"""Options of the commands for memories: how files are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from tertium.cli.parsing import option


def reading_options() -> list[click.Parameter]:
    """How a file becomes units."""
    return [
        option("--from", "form", metavar="FORMAT", help="Format of the input (by its name's ending)."),
        option("--pair", metavar="SRC-TRG", help="Languages: which two of several, or those not named."),
        option("-e", "--encoding", help="Encoding of the files (what they say themselves, or utf-8)."),
    ]


def how_to_read(given: Mapping[str, Any]) -> dict[str, Any]:
    """What `reading_options` say, for the library."""
    from tertium.io.memories.pairs import Pair

    pair = given["pair"]
    return {
        "form": given["form"],
        "pair": None if pair is None else Pair.parse(pair),
        "encoding": given["encoding"],
    }
