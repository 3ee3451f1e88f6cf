"""`tertium memory convert`: memories from one format to another."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.memory.options import how_to_read, reading_options
from tertium.cli.options import print_options, quiet_option
from tertium.cli.parsing import Names, command_of, option


@command_of(
    "convert",
    click.Argument(["inputs"], nargs=-1, required=True, metavar="FILE..."),
    click.Argument(["output"], metavar="OUTPUT"),
    *reading_options(),
    option("--to", metavar="FORMAT", help="Format of the output (by its name's ending)."),
    *print_options(to_file=False),
    quiet_option(),
    reads=(
        "UNITS.tmx OUTPUT.jsonl",
        "UNITS.jsonl OUTPUT.tmx",
        "UNITS.xlf OUTPUT.po",
        "UNITS.po OUTPUT.xlf",
        "UNITS.tsv OUTPUT.parquet --pair en-fr",
        "REFERENCE,SYSTEM OUTPUT.tmx --pair de-en",
    ),
)
def command(inputs: Names, output: str, to: str | None, **given: Any) -> Any:
    """Write the units of memories to one file in another format, or in the same.

    Formats: tmx, xliff (1.2, 2.x), xliff2, po, mo, tsv, jsonl, parquet, text (two aligned files), and memories on disk.

    \b
    tertium memory convert old.tmx new.jsonl
    tertium memory convert corpus.en,corpus.fr memory.tmx
    tertium memory convert all.tmx french.tmx --pair en-fr
    """
    from tertium.memory.conversion import convert_memory

    return convert_memory(inputs, output, to=to, **how_to_read(given))
