"""What the commands for challenge sets share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tertium.cli.options import print_options
from tertium.cli.parsing import Several

if TYPE_CHECKING:
    from tertium.challenge.authors import Release

ROLES = ("judge", "check", "settle")


def set_argument() -> click.Argument:
    return click.Argument(["set_"], metavar="SET")


def outputs_option() -> Several:
    return Several(
        ["-i", "--outputs"],
        metavar="OUT",
        help="Outputs: .jsonl or .tsv by item, or lines in the order of the set (SYSTEM=file, SYSTEM@DATE=file).",
    )


def judgements_option() -> Several:
    return Several(["-j", "--judgements"], metavar="FILE", help="Judgements, .jsonl or .tsv.")


def role_option() -> click.Option:
    return click.Option(
        ["--role"],
        type=click.Choice(ROLES),
        default="judge",
        help="judge; or check another's judgements, or settle differences (with -j).",
    )


def seed_option() -> click.Option:
    return click.Option(
        ["--seed"], type=click.IntRange(0), default=12345, help="Seed of the random order (12345)."
    )


def apart_option() -> click.Option:
    return click.Option(
        ["--apart"], is_flag=True, help="Judge the same text of two systems twice (default: once)."
    )


def policy_option() -> click.Option:
    return click.Option(
        ["--na"],
        type=click.Choice(("negative", "excluded")),
        default="negative",
        help="How 'not applicable' is treated: as not positive, or left out (negative).",
    )


def format_options(*, to_file: bool = True) -> list[click.Parameter]:
    return [
        *print_options(to_file=to_file),
        click.Option(["-w", "--width"], type=click.IntRange(0, 17), default=1, help="Decimals (1)."),
    ]


def loaded(set_: str, given: dict[str, Any]) -> Release:
    """The set, outputs and judgements that the options name."""
    from tertium.challenge.loading import load

    return load(set_, given.get("outputs") or (), given.get("judgements") or ())
