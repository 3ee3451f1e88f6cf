"""`tertium metrics`: what there is to choose from."""

from __future__ import annotations

import click

from tertium.cli.options import print_options
from tertium.cli.parsing import Command


def _run(format: str, kind: str) -> None:
    from tertium.catalogue import metrics, others_table
    from tertium.results import render

    found = metrics() if kind == "metrics" else others_table(kind)
    print(render(found, format))


command = Command(
    "metrics",
    callback=_run,
    reads=(),
    help="List all metrics, one line each, including those of plug-ins.",
    params=[
        click.Option(
            ["--kind"],
            type=click.Choice(("metrics", "tokenizers", "statistics", "analyses", "checks")),
            default="metrics",
            help="What to list (metrics): tokenisers, statistics of meta, analyses of compare, the doctor's checks.",
        ),
        *print_options(),
    ],
)
