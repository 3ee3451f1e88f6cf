"""`tertium adapt route`: memory, machine or nothing for every segment."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.adapt.options import material_options, materials_of
from tertium.cli.options import print_options, quiet_option
from tertium.cli.parsing import command_of, day, option


@command_of(
    "route",
    click.Argument(["stream"], metavar="STREAM.tsv"),
    option("--calibrate", required=True, metavar="FILE", help="An earlier stream: what proposals are worth."),
    day("--calibrate-before", default="", help="What the memory knew then (its first date)."),
    *material_options(),
    option("--estimator", metavar="MODEL", help="Scores machine translations (`tertium estimate train`)."),
    option(
        "--promise", type=click.FloatRange(0.001, 0.5), default=0.05, help="Bad ones that may pass (.05)."
    ),
    option("--confidence", type=click.FloatRange(0.5, 0.999), default=0.95, help="Of that promise (.95)."),
    *print_options(),
    quiet_option(),
    reads=("ROUTED.tsv --calibrate ROUTED.tsv --memory MEMORY.db --pair en-fr",),
)
def command(stream: str, calibrate: str, estimator: str | None, **given: Any) -> Any:
    """For each segment the memory's match, the machine translation, or nothing, by what of 100 edits each saves;
    detectors silence what is badly wrong. All decisions have reasons (-f json). What passes without a look keeps a
    promise: at most 5% need more than 20 edits in 100 words.

    \b
    tertium adapt route new.tsv --calibrate earlier.tsv --memory memory.db --before 2023-01-01 --mt 'python my_mt.py'
    """
    from tertium.adaptation.routing import route
    from tertium.adaptation.streams import read_stream
    from tertium.estimation.estimator import Estimator

    return route(
        read_stream(stream),
        materials_of(given),
        read_stream(calibrate),
        earlier_before=given["calibrate_before"],
        estimator=None if estimator is None else Estimator.read(estimator),
        share=given["promise"],
        confidence=given["confidence"],
    )
