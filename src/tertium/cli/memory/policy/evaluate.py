"""`tertium memory policy evaluate`: edits that the proposals of a policy save."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.options import print_options, quiet_option
from tertium.cli.parsing import command_of, option


@command_of(
    "evaluate",
    click.Argument(["memory"], metavar="FILE"),
    option("--since", required=True, metavar="DATE", help="Test on what was written from this day on."),
    option("--until", metavar="DATE", help="...and before this one (all)."),
    option("--learn-since", metavar="DATE", help="Learn from this day to that one (three months before it)."),
    option("--pair", metavar="SRC-TRG", help="Languages: which two of several."),
    option("--most", type=click.IntRange(1), help="Segments to test on (all)."),
    *print_options(),
    quiet_option(),
    reads=("DATED.db --since 2024-01-20 --learn-since 2024-01-08",),
)
def command(
    memory: str,
    since: str,
    until: str | None,
    learn_since: str | None,
    pair: str | None,
    most: int | None,
    **_given: Any,
) -> Any:
    """Learn a policy from a memory's past, and measure how many edits its first proposals save in what came later.

    Beside the most alike source, the source itself, and the best of all candidates; and without each piece of
    information.

    \b
    tertium memory policy evaluate memory.db --since 2024-01-01
    """
    from tertium.io.memories.dates import parsed_date
    from tertium.io.memories.pairs import Pair
    from tertium.matching.evaluating import evaluate_policy

    return evaluate_policy(
        memory,
        since=parsed_date(since, "--since"),
        until=None if until is None else parsed_date(until, "--until"),
        learn_since=None if learn_since is None else parsed_date(learn_since, "--learn-since"),
        pair=None if pair is None else Pair.parse(pair),
        most=most,
    )
