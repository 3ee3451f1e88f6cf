"""What the commands for challenge sets share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tertium.cli.options import print_options, width_option
from tertium.cli.parsing import Several, choice, flag, number

if TYPE_CHECKING:
    from tertium.challenge.authors import Release

ROLES = ("judge", "check", "settle")


def set_options() -> list[click.Parameter]:
    """A set, outputs of systems, judgements of them."""
    return [click.Argument(["set_"], metavar="SET"), outputs_option(), judgements_option()]


def outputs_option() -> Several:
    return Several(
        "-i",
        "--outputs",
        metavar="OUT",
        help="Outputs: .jsonl or .tsv by item, or lines in the order of the set (SYSTEM=file, SYSTEM@DATE=file).",
    )


def judgements_option() -> Several:
    return Several("-j", "--judgements", metavar="FILE", help="Judgements, .jsonl or .tsv.")


def session_options() -> list[click.Parameter]:
    """Who judges what, in which order."""
    sentence = "judge; or check another's judgements, or settle differences (with -j)."
    return [
        choice("--role", among=ROLES, default="judge", help=sentence),
        flag("--apart", help="Judge the same text of two systems twice (default: once)."),
        number("--seed", default=12345, help="Seed of the random order", least=0),
    ]


def session_settings(release: Release, given: dict[str, Any]) -> dict[str, Any]:
    """What `session_options` say, for `tertium.challenge.tasks`."""
    how = {"seed": given["seed"], "role": given["role"], "judgements": release.judgements}
    return {**how, "merge": not given["apart"]}


def policy_option() -> click.Option:
    return choice(
        "--na",
        among=("negative", "excluded"),
        default="negative",
        help="How 'not applicable' is treated: as not positive, or left out (negative).",
    )


def format_options(*, to_file: bool = True) -> list[click.Parameter]:
    return [*print_options(to_file=to_file), width_option()]


def loaded(set_: str, given: dict[str, Any]) -> Release:
    """The set, outputs and judgements that the options name."""
    from tertium.challenge.loading import load

    return load(set_, given.get("outputs") or (), given.get("judgements") or ())
