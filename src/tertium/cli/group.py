"""`tertium`: the commands by name, each imported when it is called."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from tertium import __version__
from tertium.errors import did_you_mean

COMMANDS = {
    "score": "Score translations against references.",
    "metrics": "List all metrics, one line each.",
    "explain": "Print formula, paper, options and quirks of a metric.",
    "compare": "Compare systems: is B better than A, where, and why.",
    "report": "Write a comparison as one HTML file.",
    "verify": "Recompute a published score line and say whether it holds.",
    "doctor": "Check texts for problems before scoring them.",
    "nbest": "Score n-best lists: oracles and reranking.",
    "meta": "Evaluate metrics: how well they agree with people.",
    "challenge": "Challenge sets: probe one phenomenon at a time.",
    "annotate": "Collect human judgements: campaigns, a web app, analysis.",
    "probe": "See which of several equally wrong words a metric prefers.",
    "vectors": "Train word vectors, look at them, store weights of words.",
    "demo": "Score the bundled sample and explain the table.",
}


class Commands(click.Group):
    """A group that knows its commands by name and one line, and imports `<package>.<name>` on demand."""

    def __init__(self, name: str, package: str, table: Mapping[str, str], **settings: Any) -> None:
        super().__init__(name, callback=_help_if_alone, invoke_without_command=True, **settings)
        self.package, self.table = package, table

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.table:
            return None
        found: click.Command = import_module(f"{self.package}.{cmd_name}").command
        return found

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, Any, list[str]]:
        if args[0] not in self.table and not args[0].startswith("-"):
            raise click.UsageError(f"no command {args[0]!r}{did_you_mean(args[0], self.table)}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(self.table.items()))


def show_version(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:
    """The callback of -V."""
    if wanted and not ctx.resilient_parsing:
        click.echo(f"tertium {__version__}")
        ctx.exit()


def version_option() -> click.Option:
    """-V, as sacrebleu has it."""
    return click.Option(
        ["-V", "--version"],
        is_flag=True,
        expose_value=False,
        is_eager=True,
        callback=show_version,
        help="Show the version.",
    )


def _help_if_alone() -> None:
    context = click.get_current_context()
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


root = Commands(
    "tertium",
    "tertium.cli",
    COMMANDS,
    params=[version_option()],
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help="Tertium: the workbench for judging translations.",
    epilog="Start with: tertium demo; tertium score reference.txt -i output.txt -m bleu chrf",
)
