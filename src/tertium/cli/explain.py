"""`tertium explain`: formula, paper, options, signature and quirks of a metric."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import click

from tertium.cli.metric_names import complete_specs
from tertium.cli.parsing import command_of
from tertium.errors import TertiumError


@command_of(
    "explain",
    click.Argument(["specs"], nargs=-1, required=True, metavar="METRIC...", shell_complete=complete_specs),
    reads=(),
)
def command(specs: tuple[str, ...]) -> None:
    """Print formula, paper, options, signature and quirks of a metric or a variant of it.

    \b
    tertium explain chrf
    tertium explain bleu:tok=intl
    """
    from tertium import registry

    metrics = [registry.metric(spec) for spec in specs]
    print("\n\n".join("\n".join(_explained(metric)) for metric in metrics))


def _explained(metric: Any) -> Iterator[str]:
    from tertium import registry

    yield f"{metric.name}: {metric.title}"
    yield from _section("formula", metric.formula)
    yield from _section("paper", metric.paper)
    yield from _section(f"options ({metric.name}:key=value,key=value)", "\n".join(_options(metric)))
    direction = "higher is better" if metric.higher_is_better else "lower is better"
    if metric.perfect is not None:
        direction += f"; a hypothesis equal to its reference scores {metric.perfect:g}"
    if metric.undefined:
        direction += f"\nundefined: {metric.undefined}"
    yield from _section("direction", direction)
    try:
        signature = f"{metric.label}|{metric.signature()}"
    except TertiumError as error:  # a file must be named, or an extra is missing
        signature = str(error)
    yield from _section("signature (one reference)", signature)
    yield from _section("quirks", metric.quirks)
    named = registry.SHORTHANDS.items()
    own = [f"{short} = {spec}" for short, spec in named if spec.partition(":")[0] == metric.name]
    yield from _section("shorthands", "\n".join(own))


def _section(title: str, text: str) -> Iterator[str]:
    if text:
        yield ""
        yield title
        yield from (f"  {line}" for line in text.splitlines())


def _options(metric: Any) -> Iterator[str]:
    """A line for each option: its value here, what it is, what it may be."""
    fields = dataclasses.fields(metric)
    shown = {field.name: _shown(getattr(metric, field.name)) for field in fields}
    name_width, value_width = max(map(len, shown), default=0), max(map(len, shown.values()), default=0)
    for field in fields:
        own = getattr(metric, field.name) == field.default
        default = "" if own else f" (default {_shown(field.default)})"
        choices = field.metadata.get("choices", ())
        possible = f": {', '.join(filter(None, choices))}" if choices else ""
        aliases = field.metadata.get("aliases", ())
        also = f" (also {', '.join(aliases)})" if aliases else ""
        line = f"{field.name:<{name_width}}  {shown[field.name]:<{value_width}}  "
        yield line + field.metadata.get("help", "") + possible + default + also


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value).lower() if value is None else str(value)
