"""`tertium adapt train`: a translator from a memory."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.options import OutputOption, print_options, quiet_option, threads_option
from tertium.cli.parsing import Names, Several, command_of, day, option
from tertium.errors import SpecError


@command_of(
    "train",
    click.Argument(["memory"], metavar="MEMORY"),
    OutputOption(required=True, metavar="FOLDER", help="The model."),
    option("--setting", default="base", metavar="NAME", help="tiny, small or base (base)."),
    day("--since", default="", help="Units of that day and later are for the test."),
    option("--minutes", type=float, default=0.0, help="As many steps as fit into that time."),
    option(
        "--hard",
        type=float,
        default=None,
        metavar="SHARE",
        help="This share of what is learnt is drawn by how far it diverges (`challenge mine`); 0 to 0.9.",
    ),
    option("--start", default="", metavar="FOLDER", help="A model that is trained further; its sizes stay."),
    option("--mixed", is_flag=True, help="bf16 on a CPU, too (those with avx512_bf16 or amx are faster so)."),
    Several("--set", metavar="NAME=NUMBER", help="Other numbers: steps=4000 dropout=0.2 seed=7..."),
    option("--pair", metavar="SRC-TRG", help="Languages."),
    threads_option("what is learnt does not depend on it"),
    *print_options(to_file=False),
    quiet_option(),
    reads=(),
)
def command(
    memory: str, output: str, set: Names, pair: str | None, threads: int, quiet: bool, **given: Any
) -> Any:
    """Train a neural translator on a translation memory: a Transformer from scratch, in a folder. Clients and domains
    are tags; the best other match of each unit is shown half of the time, so that matches can be repaired. Stopped, the
    same command goes on.

    \b
    tertium adapt train memory.db -o model --since 2023-01-01 --minutes 10
    tertium adapt train memory.jsonl -o small --pair en-fr --setting small --set steps=2000
    tertium adapt train memory.jsonl -o harder --start small --hard 0.3 --set steps=500 rate=0.0003
    """
    from tertium.adaptation.nmt.learning import number_changes, train_translator
    from tertium.io.memories.pairs import Pair

    changes = number_changes(set)
    if given["hard"] is not None:
        changes["hard"] = given["hard"]
    if not 0 <= changes.get("hard", 0) <= 0.9:
        raise SpecError(f"--hard {changes['hard']:g}: a share from 0 to 0.9 is expected")
    return train_translator(
        memory,
        output,
        setting=given["setting"],
        changes=changes,
        since=given["since"],
        minutes=given["minutes"],
        pair=None if pair is None else Pair.parse(pair),
        threads=threads,
        start=given["start"],
        mixed=given["mixed"],
        tell=None if quiet else lambda line: click.echo(line, err=True),
    )
