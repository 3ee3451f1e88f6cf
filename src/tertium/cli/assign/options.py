"""Options of the commands for assignment."""

from __future__ import annotations

import click

from tertium.cli.parsing import option


def key_option() -> click.Option:
    return option(
        "--key",
        metavar="FILE",
        help="Key that makes ids of names, made if it is not there (MEMORY.key).",
    )


def knowing_options() -> list[click.Option]:
    """What is known of the memory's documents besides."""
    return [
        option(
            "--types", metavar="TSV", help="Types of the memory's documents: document, type, perhaps client."
        ),
        option("--vectors", metavar="FILE", help="Word vectors of the source language, for documents alike."),
    ]
