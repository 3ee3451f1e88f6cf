"""`tertium memory probe`: how well errors are found in a memory, measured on damage of its own units."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.memory.options import how_to_read, reading_options
from tertium.cli.options import print_options, quiet_option
from tertium.cli.parsing import Names, Several, command_of, option


@command_of(
    "probe",
    click.Argument(["memory"], metavar="FILE"),
    Several("--kind", metavar="KIND", help="Only these kinds of damage (all; docs/memory.md lists them)."),
    Several("--also", metavar="FILE", help="Memories that words are learnt from, too."),
    option("--share", type=float, default=0.01, show_default=True, help="Share of units that are damaged."),
    option(
        "--words",
        type=click.IntRange(1),
        default=5,
        show_default=True,
        help="Least words of a source that is damaged.",
    ),
    option(
        "--runs",
        type=click.IntRange(1),
        default=20,
        show_default=True,
        help="Draws of damaged units, of each kind.",
    ),
    option(
        "--labels",
        metavar="FILE",
        help="Units marked wrong by a reader are left out: they are no false alarms.",
    ),
    option("--seed", type=int, default=1, show_default=True, help="Other numbers draw others."),
    *reading_options(),
    *print_options(),
    quiet_option(),
    reads=(
        "UNITS.tmx --words 1 --runs 2",
        "UNITS.jsonl --words 1 --runs 2",
        "UNITS.tsv --pair en-fr --words 1 --runs 2",
        "UNITS.tmx --words 1 --runs 2 --labels MARKED.jsonl",
    ),
)
def command(
    memory: str,
    kind: Names,
    also: Names,
    share: float,
    words: int,
    runs: int,
    seed: int,
    labels: str,
    **given: Any,
) -> Any:
    """Damage copies of a memory's own units in twelve ways, one kind a run, run the checks, and print how much of the
    damage they find: precision, recall and average precision, beside two baselines. The memory is not changed.

    \b
    tertium memory probe in.tmx
    tertium memory probe in.tmx --kind "clause dropped" "number changed" --share 0.02
    tertium memory probe delivery.tmx --also memory.db
    tertium memory probe in.tmx --labels in.tmx.labels.jsonl
    """
    from tertium.memory.probing import probe_memory

    return probe_memory(
        memory,
        kinds=kind,
        also=also,
        share=share,
        least_words=words,
        runs=runs,
        seed=seed,
        labels=labels,
        **how_to_read(given),
    )
