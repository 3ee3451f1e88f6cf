"""`tertium memory clean`: a memory without the units that are wrong."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.memory.options import how_to_read, reading_options
from tertium.cli.options import OutputOption, print_options, quiet_option
from tertium.cli.parsing import Names, Several, command_of, flag, option, written


@command_of(
    "clean",
    click.Argument(["memory"], metavar="FILE"),
    OutputOption(required=True, metavar="FILE", help="What is kept."),
    written("--removed", required=True, metavar="FILE", help="What is removed, with the reasons."),
    option(
        "--precision",
        type=float,
        default=0.95,
        help="The share of removed units that shall really be wrong (0.95).",
    ),
    flag("--repair", help="Repair white space, wrong encodings and the order of tags."),
    option(
        "--glossary", metavar="FILE", help="Terms and their translations (TSV or TBX), for the check terms."
    ),
    option(
        "--labels", metavar="FILE", help="Units marked right or wrong, saved from the page: they refine it."
    ),
    option(
        "--mismatched",
        type=float,
        metavar="SHARE",
        help="Share of units whose sides do not belong together (0.003; crawled texts: 0.2).",
    ),
    Several("--check", metavar="CHECK", help="Only these checks (all; docs/memory.md lists them)."),
    flag("--resume", help="Go on where the same command was stopped before."),
    *reading_options(),
    *print_options(to_file=False),
    quiet_option(),
    reads=("UNITS.tmx -o OUTPUT.tmx --removed OUTPUT2.tmx", "UNITS.po -o OUTPUT.po --removed OUTPUT2.jsonl"),
)
def command(memory: str, output: str, removed: str, check: Names, **given: Any) -> Any:
    """Write a translation memory without the units that are wrong. Those are in a second file, each with the reasons:
    nothing vanishes.

    \b
    tertium memory clean in.tmx -o clean.tmx --removed removed.tmx
    tertium memory clean in.tmx -o clean.tmx --removed removed.tmx --precision 0.99 --repair
    """
    from tertium.memory.cleaning import clean_memory

    how = {
        name: given[name] for name in ("precision", "repair", "glossary", "labels", "mismatched", "resume")
    }
    return clean_memory(memory, output, removed, checks=check, **how, **how_to_read(given))
