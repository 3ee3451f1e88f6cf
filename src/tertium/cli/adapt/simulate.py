"""`tertium adapt simulate`: systems in a stream of corrections."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.adapt.options import material_options, materials_of, systems_option
from tertium.cli.options import print_options, quiet_option
from tertium.cli.parsing import Names, command_of, option, written


@command_of(
    "simulate",
    click.Argument(["stream"], metavar="STREAM.tsv"),
    systems_option("static, memory, memory+static"),
    *material_options(),
    option("--outputs", metavar="FILE", help="Outputs of a static system, a line for each segment."),
    option("--probe", metavar="FILE", help="A fixed set, translated now and then: what is forgotten."),
    option("--by", default="", metavar="FIELD", help="Results by client, type, translator or document."),
    written("--segments", metavar="JSONL", help="Write every segment of every system."),
    written("--page", metavar="HTML", help="Write a page with the curves."),
    option("--seed", type=int, default=12345, help="Of the paired tests (12345)."),
    *print_options(),
    quiet_option(),
    reads=(
        "STREAM.tsv --pair en-fr --segments OUTPUT",
        "STREAM.tsv -s memory --memory MEMORY.db --probe STREAM.tsv",
        "STREAM.tsv -s static --outputs SYSTEM",
    ),
)
def command(stream: str, system: Names, page: str | None, **given: Any) -> Any:
    """Run systems through a stream: each segment is translated and scored before its correction is shown.

    \b
    tertium adapt simulate stream.tsv --mt 'python my_mt.py' --page curves.html
    tertium adapt simulate stream.tsv -s memory memory+static:threshold=.8 --memory memory.db
    """
    from tertium.adaptation.simulating import simulate
    from tertium.adaptation.streams import read_stream

    found = simulate(
        read_stream(stream),
        system,
        materials_of(given),
        outputs=given["outputs"],
        probe=None if given["probe"] is None else read_stream(given["probe"]),
        grouped=given["by"],
        segments=given["segments"],
        seed=given["seed"],
    )
    if page is not None:
        from tertium.report.adaptation import write_adaptation_page

        write_adaptation_page(page, found)
    return found
