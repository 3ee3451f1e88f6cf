"""`tertium memory`: translation memories, from one format to another and kept on disk."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.group import Commands
from tertium.cli.options import OutputOption, print_options, quiet_option
from tertium.cli.parsing import Names, command_of, option


def _reading() -> list[click.Parameter]:
    return [
        option("--from", "form", metavar="FORMAT", help="Format of the input (by its name's ending)."),
        option("--pair", metavar="SRC-TRG", help="Languages: which two of several, or those not named."),
        option("-e", "--encoding", help="Encoding of the files (what they say themselves, or utf-8)."),
    ]


def _how(form: str | None, pair: str | None, encoding: str | None) -> dict[str, Any]:
    from tertium.io.memories.pairs import Pair

    return {"form": form, "pair": None if pair is None else Pair.parse(pair), "encoding": encoding}


@command_of(
    "import",
    click.Argument(["inputs"], nargs=-1, required=True, metavar="FILE..."),
    OutputOption(required=True, metavar="MEMORY", help="The memory: made, or added to."),
    *_reading(),
    *print_options(to_file=False),
    quiet_option(),
    reads=("UNITS.tmx -o OUTPUT.db", "UNITS.jsonl -o OUTPUT.db"),
    short="Add files to a memory on disk.",
)
def _import(
    inputs: Names, output: str, form: str | None, pair: str | None, encoding: str | None, **_given: Any
) -> Any:
    """Add the units of files to a memory on disk (SQLite), which may be read at the same time.

    All files are added or none; units that are there already are not added again.

    \b
    tertium memory import one.tmx two.tmx -o memory.db
    tertium memory import corpus.en,corpus.fr -o memory.db
    """
    from tertium.memory.importing import import_memory

    return import_memory(inputs, output, **_how(form, pair, encoding))


@command_of(
    "convert",
    click.Argument(["inputs"], nargs=-1, required=True, metavar="FILE..."),
    click.Argument(["output"], metavar="OUTPUT"),
    *_reading(),
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
    short="Write memories in another format.",
)
def _convert(
    inputs: Names,
    output: str,
    form: str | None,
    pair: str | None,
    encoding: str | None,
    to: str | None,
    **_given: Any,
) -> Any:
    """Write the units of memories to one file in another format, or in the same.

    Formats: tmx, xliff (1.2, 2.x), xliff2, po, mo, tsv, jsonl, parquet, text (two aligned files), and memories on disk.

    \b
    tertium memory convert old.tmx new.jsonl
    tertium memory convert corpus.en,corpus.fr memory.tmx
    tertium memory convert all.tmx french.tmx --pair en-fr
    """
    from tertium.memory.conversion import convert_memory

    return convert_memory(inputs, output, to=to, **_how(form, pair, encoding))


command = Commands(
    "memory", commands=(_import, _convert), help="Translation memories: convert them, keep them on disk."
)
