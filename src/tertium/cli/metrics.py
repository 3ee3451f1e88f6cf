"""`tertium metrics`: what there is to choose from."""

from __future__ import annotations

import click

from tertium.cli.options import TABLE_FORMATS
from tertium.cli.parsing import Command


def _run(format: str) -> None:
    from tertium.catalogue import metrics
    from tertium.results import render

    print(render(metrics().table(), format))


command = Command(
    "metrics",
    callback=_run,
    reads=(),
    help="List all metrics with a line each, those of plug-ins too.",
    params=[
        click.Option(
            ["-f", "--format"],
            type=click.Choice(TABLE_FORMATS),
            default="table",
            help="Output (table).",
        )
    ],
)
