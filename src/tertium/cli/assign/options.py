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
