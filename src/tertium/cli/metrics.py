"""`tertium metrics`: what there is to choose from."""

from __future__ import annotations

from tertium.cli.options import print_options
from tertium.cli.parsing import Command


def _run(format: str | None) -> None:
    from tertium.catalogue import metrics
    from tertium.results import chosen_format, render

    print(render(metrics().table(), chosen_format(format)))


command = Command(
    "metrics",
    callback=_run,
    reads=(),
    help="List all metrics with a line each, those of plug-ins too.",
    params=print_options(),
)
