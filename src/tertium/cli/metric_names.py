"""What a shell offers where metrics are named."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def complete_specs(
    _ctx: click.Context, _param: click.Parameter, incomplete: str
) -> list[CompletionItem[str]]:
    """Metrics; after a colon their options; after an option's `=` its choices."""
    return [item for item in _specs(incomplete) if item.value.startswith(incomplete)]


def _specs(incomplete: str) -> Iterator[CompletionItem[str]]:
    from click.shell_completion import CompletionItem

    from tertium.catalogue import metrics

    name, colon, given = incomplete.partition(":")
    if not colon:
        for entry in metrics():
            yield CompletionItem(entry.name, help=entry.title)
            yield from (CompletionItem(short, help=f"a {entry.name}") for short in entry.shorthands)
        return
    before, comma, last = given.rpartition(",")
    start = f"{name}:{before}{comma}"
    for option in (option for entry in metrics() if entry.name == name for option in entry.options):
        yield CompletionItem(f"{start}{option.name}=", help=option.help)
        if last.startswith(f"{option.name}="):
            yield from (CompletionItem(f"{start}{option.name}={choice}") for choice in option.choices)
