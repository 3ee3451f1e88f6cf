"""`tertium memory policy train`: an order of proposals, learned from a memory's own history."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.options import OutputOption, print_options, quiet_option
from tertium.cli.parsing import command_of, option


@command_of(
    "train",
    click.Argument(["memory"], metavar="FILE"),
    option(
        "--since",
        metavar="DATE",
        help="What was written from this day on is the target (the latest fifth).",
    ),
    option("--pair", metavar="SRC-TRG", help="Languages: which two of several."),
    option("--most", type=click.IntRange(20), default=6000, help="Segments to learn from (6000)."),
    OutputOption(metavar="FILE", required=True, help="Write the policy, as JSON."),
    *print_options(to_file=False),
    quiet_option(),
    reads=("DATED.db --since 2024-01-08 -o OUTPUT.json",),
)
def command(memory: str, since: str | None, pair: str | None, output: str, most: int, **_given: Any) -> Any:
    """Learn which stored translations help: what was written later is the target, candidates come from before it.

    \b
    tertium memory policy train memory.db -o policy.json
    tertium memory match manual.txt --memory memory.db --policy policy.json
    """
    from tertium.io.memories.dates import parsed_date
    from tertium.io.memories.pairs import Pair
    from tertium.matching.training import train_policy

    return train_policy(
        memory,
        output,
        since=None if since is None else parsed_date(since, "--since"),
        pair=None if pair is None else Pair.parse(pair),
        most=most,
    )
