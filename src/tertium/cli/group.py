"""`tertium`: the commands by name, each imported when it is called."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
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
    "judge": "Have language models judge translations.",
    "testset": "Test sets by name: list them, get them.",
    "rows": "Rows as files: shards scored anywhere, added up at home.",
    "nbest": "n-best lists: oracles, reranking, weights tuned to a metric.",
    "meta": "Evaluate metrics: how well they agree with people.",
    "train": "Train metrics on people's judgements.",
    "estimate": "Estimate how good translations are, without references.",
    "readability": "Put texts on one scale of readability, English and French.",
    "doc": "Evaluate documents: what holds a text together.",
    "challenge": "Challenge sets: probe one phenomenon at a time.",
    "memory": "Translation memories: check them, convert them, keep them.",
    "adapt": "Translation that learns from corrections: simulate, judge.",
    "analyse": "New documents: pre-translated, how much work, and whose.",
    "assign": "Translators for documents: who is best suited, and why.",
    "annotate": "Collect human judgements: campaigns, a web app, analysis.",
    "serve": "The office's service: evaluations over HTTP, and a dashboard.",
    "monitor": "The service's data: prepare it, make and revoke keys.",
    "probe": "See which of several equally wrong words a metric prefers.",
    "vectors": "Train word vectors, look at them, store weights of words.",
    "cache": "See, check and clear what is kept between runs.",
    "demo": "Score the bundled sample and explain the table.",
}


class Commands(click.Group):
    """A group of `commands`; or of names with a line each (`table`), which are imported from `package` on demand.

    `check` runs before any of them. `usual` is the one that is meant where none is named.
    """

    def __init__(
        self,
        name: str,
        package: str = "",
        table: Mapping[str, str] | None = None,
        *,
        commands: Sequence[click.Command] = (),
        check: Callable[[], None] = lambda: None,
        usual: str = "",
        **settings: Any,
    ) -> None:
        super().__init__(name, commands, callback=self._begin, invoke_without_command=True, **settings)
        self.package, self.check, self.usual = package, check, usual
        self.table = table or {own.name or "": own.get_short_help_str(200) for own in commands}

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if self.usual and args and args[0] not in (*self.table, *ctx.help_option_names):
            from difflib import get_close_matches

            meant = get_close_matches(args[0], self.table, 1)
            if meant and not os.path.exists(args[0]):
                raise click.UsageError(f"no command {args[0]!r}; did you mean {meant[0]!r}?", ctx)
            args = [self.usual, *args]
        return super().parse_args(ctx, args)

    def _begin(self) -> None:
        """Help, if no command is named."""
        context = click.get_current_context()
        if context.invoked_subcommand is None:
            click.echo(context.get_help())
        else:
            self.check()

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        found = self.commands.get(cmd_name)
        if found is None and cmd_name in self.table:
            found = import_module(f"{self.package}.{cmd_name}").command
        return found

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, Any, list[str]]:
        if args[0] not in self.table and not args[0].startswith("-"):
            raise click.UsageError(f"no command {args[0]!r}{did_you_mean(args[0], self.table)}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):  # click's own format_commands would import every command
            formatter.write_dl(list(self.table.items()))


def version_option() -> click.Option:
    """-V, as sacrebleu has it."""
    settings: dict[str, Any] = {
        "is_flag": True,
        "expose_value": False,
        "is_eager": True,
        "callback": _show_version,
    }
    return click.Option(["-V", "--version"], help="Show the version.", **settings)


def _show_version(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        click.echo(f"tertium {__version__}")
        ctx.exit()


root = Commands(
    "tertium",
    "tertium.cli",
    COMMANDS,
    params=[version_option()],
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help="Tertium: the workbench for judging translations.",
    epilog="Start with: tertium demo; tertium score reference.txt -i output.txt -m bleu chrf",
)
