"""`tertium adapt sanctioned`: how much of what was written later a system would have said."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from tertium.cli.adapt.options import material_options, materials_of
from tertium.cli.options import print_options, quiet_option
from tertium.cli.parsing import Names, Several, command_of, day, option, written


@command_of(
    "sanctioned",
    click.Argument(["stored"], metavar="MEMORY"),
    day("--since", required=True, help="Documents from this day on are held out."),
    day("--until", default="", help="And before this day."),
    option("--system", "-s", default="memory", metavar="SPEC", help="Who translates (memory)."),
    Several("--client", metavar="NAME", help="These clients only."),
    option("--least-words", type=click.IntRange(1), default=1, help="Words of a source, at least (1)."),
    option("--most", type=click.IntRange(1), help="Sentences, evenly thinned (all)."),
    *material_options(),
    written("--candidates", metavar="JSONL", help="Write all candidates."),
    *print_options(),
    quiet_option(),
    reads=("DATED.db --since 2024-01-08",),
)
def command(stored: str, since: str, system: str, client: Names, **given: Any) -> Any:
    """The share of source sentences of held-out documents whose translation is the one that was written, or any that
    the memory has for that source: exactly, and up to case and punctuation, of the best 1, 5 and 20 candidates.

    \b
    tertium adapt sanctioned memory.db --since 2023-01-01
    tertium adapt sanctioned memory.db --since 2023-01-01 -s static --mt 'python my_mt.py'
    """
    from tertium.adaptation.sanctioned import sanctioned

    materials = materials_of(given)
    if materials.memory is None:
        materials = replace(materials, memory=stored)
    return sanctioned(
        stored,
        since,
        system,
        replace(materials, before=materials.before or since),
        until=given["until"],
        clients=client,
        pair=materials.pair,
        least_words=given["least_words"],
        most=given["most"],
        output=given["candidates"],
    )
