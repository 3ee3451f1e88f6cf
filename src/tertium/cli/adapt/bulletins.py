"""`tertium adapt bulletins`: a made stream."""

from __future__ import annotations

import click

from tertium.cli.options import OutputOption, quiet_option
from tertium.cli.parsing import command_of, flag, number


@command_of(
    "bulletins",
    number("--segments", default=1200, help="How many"),
    number("--seed", default=1, help="Of the draws", least=0),
    flag("--mixed", help="Desks in random order, instead of winter before summer."),
    OutputOption(required=True, metavar="FILE", help="The stream: .tsv, or JSON Lines."),
    quiet_option(),
    reads=(),
)
def command(segments: int, seed: int, mixed: bool, output: str, quiet: bool) -> None:
    """Make a stream of bilingual weather bulletins by type of warning, with a machine translation that makes the same
    mistakes day after day. All of it is made: none of these bulletins was ever sent.

    \b
    tertium adapt bulletins -o bulletins.tsv
    tertium adapt simulate bulletins.tsv
    """
    from tertium.adaptation.bulletins import bulletins
    from tertium.adaptation.streams import write_stream

    found = bulletins(segments, seed=seed, random_order=mixed)
    write_stream(output, found)
    if not quiet:
        click.echo(f"{output}: {len(found):,} segments of {found.name}.")
