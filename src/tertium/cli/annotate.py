"""`tertium annotate`: campaigns of human judgement, from design to analysed result."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from tertium.errors import MissingExtraError, did_you_mean

COMMANDS = {
    "create": "Check a campaign file and create the campaign.",
    "serve": "Run the web app in which people judge.",
    "links": "Print the personal links of the annotators.",
    "export": "Export the judgements in one of the usual formats.",
    "sheets": "Work offline: write an XLSX sheet for each annotator, and read it back.",
    "analyse": "Analyse the judgements.",
    "password": "Set the administrator's password.",
    "token": "Create a token for scripts.",
}


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        found: click.Command = import_module(f"tertium.cli.annotate_{cmd_name}").command
        return found

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, Any, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            raise click.UsageError(f"no command {args[0]!r}{did_you_mean(args[0], COMMANDS)}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


_NEEDED = ("sqlalchemy", "alembic", "fastapi", "uvicorn", "jinja2", "python_multipart", "markdown_it")


def _begin() -> None:
    """Help, if no command is named; otherwise a look whether the extra is there."""
    context = click.get_current_context()
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
        return
    from importlib.util import find_spec

    if any(find_spec(name) is None for name in _NEEDED):
        raise MissingExtraError("annotation", "app")


def database_option() -> click.Option:
    """--db, the same for all."""
    return click.Option(
        ["--db"],
        default="campaigns.db",
        metavar="DATABASE",
        envvar="TERTIUM_ANNOTATE_DATABASE",
        show_default=True,
        help="A SQLite file, or postgresql://user:password@host/name.",
    )


def campaign_option() -> click.Option:
    """-c, needed where a database holds several campaigns."""
    return click.Option(["-c", "--campaign"], metavar="NAME", help="Which campaign (if there are several).")


command = _Commands(
    "annotate",
    callback=_begin,
    invoke_without_command=True,
    help="Collect human judgements: direct assessment, pairs, rankings, questions, error spans, semantic units.",
    epilog="Start with: tertium annotate create campaign.toml; tertium annotate serve",
)
