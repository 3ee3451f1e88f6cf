"""`tertium adapt stream`: a memory as a stream of corrections."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.options import OutputOption, quiet_option
from tertium.cli.parsing import Names, Several, choice, command_of, day, flag, number, option


@command_of(
    "stream",
    click.Argument(["memory"], metavar="MEMORY"),
    day("--since", default="", help="From this day on."),
    day("--until", default="", help="Before this day."),
    Several("--client", metavar="NAME", help="These clients only."),
    option("--least-words", type=click.IntRange(1), default=1, help="Words of a source, at least (1)."),
    option("--most", type=click.IntRange(1), help="Segments, at most."),
    number("--every", default=1, help="Only each so-manieth unit of a document"),
    choice(
        "--order", among=("shuffled", "alphabetical"), default="shuffled", help="Inside documents (shuffled)."
    ),
    flag("--new", help="Only sources that the memory does not have before --since."),
    number("--seed", default=1, help="Of the shuffling", least=0),
    option("--pair", metavar="SRC-TRG", help="Languages."),
    OutputOption(required=True, metavar="FILE", help="The stream: .tsv, or JSON Lines."),
    quiet_option(),
    reads=("MEMORY.db -o OUTPUT.tsv",),
)
def command(memory: str, output: str, client: Names, pair: str | None, quiet: bool, **given: Any) -> None:
    """Make a stream of a memory: documents in the order of their dates, their units shuffled by a seed (in a catalogue
    they stand in alphabetical order, which flatters systems that learn). References stand for post-edits: the stream
    says so.

    \b
    tertium adapt stream memory.db --since 2022-01-01 --client git -o stream.tsv
    """
    from tertium.adaptation.streams import StreamChoice, memory_stream, write_stream
    from tertium.io.memories.pairs import Pair

    languages = None if pair is None else Pair.parse(pair)
    found = memory_stream(memory, StreamChoice(clients=client, **given), languages)
    write_stream(output, found)
    if not quiet:
        click.echo(f"{output}: {len(found):,} segments; corrections are {found.corrections}.")
