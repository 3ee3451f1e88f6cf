"""`tertium assign evaluate`: how often lists of translators would have been right."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.assign.options import key_option, knowing_options
from tertium.cli.memory.options import how_to_read, reading_options
from tertium.cli.options import print_options, quiet_option
from tertium.cli.parsing import command_of, flag, option


@command_of(
    "evaluate",
    click.Argument(["memory"], metavar="FILE"),
    option(
        "--since",
        required=True,
        metavar="DATE",
        help="Rank documents since this day, each from what came before.",
    ),
    option("--cut", metavar="DATE", help="And those since this day, all from what came before it."),
    flag("--ablation", help="And what each kind of evidence earns."),
    *knowing_options(),
    key_option(),
    *reading_options(),
    *print_options(),
    quiet_option(),
    reads=("JOBS.jsonl --since 2024-01-10", "JOBS.jsonl --since 2024-01-10 --cut 2024-01-20 --ablation"),
)
def command(memory: str, since: str, cut: str | None, *, ablation: bool, **given: Any) -> Any:
    """Rank the documents of a memory's past, and see how often the one who did it comes first.

    Beside plain rules: the latest for this client, the most frequent for this client, the most frequent.

    \b
    tertium assign evaluate memory.db --since 2024-01-01
    """
    from tertium.assignment.evaluating import evaluate_assignment
    from tertium.io.memories.dates import parsed_date

    return evaluate_assignment(
        memory,
        since=parsed_date(since, "--since"),
        cut=None if cut is None else parsed_date(cut, "--cut"),
        ablation=ablation,
        **{name: given[name] for name in ("key", "types", "vectors")},
        **how_to_read(given),
    )
