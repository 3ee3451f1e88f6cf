"""What there is to choose from: `tertium.metrics()`, and `tertium metrics` on the command line."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tertium import registry
from tertium.results import Result

if TYPE_CHECKING:
    from tertium.io.tables import Table


@dataclass(frozen=True)
class MetricOption:
    """An option of a metric: `name=value` in a spec string."""

    name: str
    default: Any
    help: str
    choices: tuple[str, ...] = ()  # empty: any value of the default's type
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class MetricListing:
    """What is known about a metric without creating one."""

    name: str
    title: str
    higher_is_better: bool | None  # None: it cannot be loaded, and the title says why
    paper: str
    options: tuple[MetricOption, ...]
    needs: tuple[str, ...]  # "source", a file ("vectors"), an extra ("tertium[embeddings]")
    shorthands: tuple[str, ...]
    origin: str  # "tertium" or "plug-in"


@dataclass(frozen=True)
class Catalogue(Result):
    """All metrics, by number or by name. Prints itself as a table."""

    kind = "catalogue"
    entries: tuple[MetricListing, ...]

    def __iter__(self) -> Iterator[MetricListing]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __getitem__(self, key: int | str) -> MetricListing:
        if isinstance(key, int):
            return self.entries[key]
        for entry in self.entries:
            if key in (entry.name, *entry.shorthands):
                return entry
        raise KeyError(key)

    def table(self) -> Table:
        """A row for each metric."""
        from tertium.io.tables import Column, Table

        better = {True: "higher", False: "lower", None: None}
        rows = tuple(
            (e.name, better[e.higher_is_better], e.title, ", ".join(e.shorthands), e.origin) for e in self
        )
        labels = {"metric": "", "better": "", "what it is": "title", "shorthands": "", "from": ""}
        hint = (
            "tertium explain METRIC shows formula, paper and options; a variant is written chrf:word_order=2"
        )
        return Table("", tuple(Column(label, key) for label, key in labels.items()), rows, (hint,))


def metrics() -> Catalogue:
    """All metrics that can be named, those of plug-ins too.

    >>> import tertium as tt
    >>> tt.metrics()["ter"].higher_is_better
    False
    >>> [option.name for option in tt.metrics()["chrf"].options][:3]
    ['char_order', 'word_order', 'beta']
    """
    return Catalogue(tuple(_listed(name) for name in registry.METRICS))


OTHERS = {  # what else is chosen by name
    "tokenizers": "tertium.text.tokenizers:TOKENIZERS",
    "parsers": "tertium.text.parsers:PARSERS",
    "resolvers": "tertium.text.coreference:RESOLVERS",
    "statistics": "tertium.meta.agreement_statistics:STATISTICS",
    "analyses": "tertium.comparison.analyses:ANALYSES",
    "checks": "tertium.comparison.doctor.checks:CHECKS",
    "tuners": "tertium.tuning.tuners:TUNERS",
}


def others_table(kind: str) -> Table:
    """A row for each tokeniser, statistic, analysis or check, those of plug-ins too.

    >>> others_table("tokenizers").rows[1][:2]
    ('13a', "As mteval-v13a.pl, WMT's and sacrebleu's default.")
    """
    from tertium.io.tables import Column, Table

    module, _, name = OTHERS[kind].partition(":")
    table: registry.Registry[Any] = getattr(import_module(module), name)
    rows = tuple((name, table[name].sentence, table.origin(name)) for name in table)
    return Table("", (Column(table.what), Column("what it is"), Column("from")), rows)


def _listed(name: str) -> MetricListing:
    origin = registry.METRICS.origin(name)
    try:
        kind = registry.METRICS[name].from_options({})
        options = tuple(_options(kind))
    except Exception as error:  # a broken plug-in must not hide the others
        return MetricListing(name, f"cannot be loaded: {error}", None, "", (), (), (), origin)
    needs = (*(("source",) if kind.needs_source else ()), *kind.required)
    extra = (f"tertium[{kind.extra}]",) if kind.extra else ()
    shorthands = tuple(s for s, spec in registry.SHORTHANDS.items() if spec.partition(":")[0] == name)
    return MetricListing(
        name, kind.title, kind.higher_is_better, kind.paper, options, (*needs, *extra), shorthands, origin
    )


def _options(kind: Any) -> Iterator[MetricOption]:
    for field in dataclasses.fields(kind):
        said = field.metadata
        choices = tuple(filter(None, said.get("choices", ())))
        yield MetricOption(field.name, field.default, said.get("help", ""), choices, said.get("aliases", ()))
