"""`tertium metrics`: what there is to choose from."""

from __future__ import annotations

import click

from tertium.cli.options import TABLE_FORMATS
from tertium.cli.parsing import Command


def _run(format: str) -> None:
    from tertium import registry
    from tertium.io.tables import Column, Table
    from tertium.results import render

    rows = []
    for name in registry.names():
        shorthands = [short for short, spec in registry.SHORTHANDS.items() if spec.partition(":")[0] == name]
        try:
            kind = registry.metric_class(name)
            better, title = "higher" if kind.higher_is_better else "lower", kind.title
        except Exception as error:  # a broken plug-in must not hide the others
            better, title = None, f"cannot be loaded: {error}"
        origin = "tertium" if name in registry.METRICS else "plug-in"
        rows.append((name, better, title, ", ".join(shorthands), origin))
    labels = ("metric", "better", "what it is", "shorthands", "from")
    keys = ("metric", "better", "title", "shorthands", "from")
    columns = tuple(Column(label, key) for label, key in zip(labels, keys, strict=True))
    hint = "tertium explain METRIC tells formula, paper and options; a variant is written chrf:word_order=2"
    table = Table("", columns, tuple(rows), (hint,))
    print(render(table, format))


command = Command(
    "metrics",
    callback=_run,
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
