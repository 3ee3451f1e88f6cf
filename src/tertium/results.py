"""One kind of result: every outcome prints itself and becomes JSON, a data frame, a table or sentences.

A result is a frozen dataclass that derives from `Result`, has a `kind`, and writes `table()` (or `tables()` where there
are several), `words()` where it has sentences, and `contents()` where its fields are not what programs want to read.
Everything else is here. `data/schema.json` says what each kind holds.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from tertium.errors import InputError, TertiumError, did_you_mean

if TYPE_CHECKING:
    from tertium.families.base import Metric
    from tertium.io.tables import Table

FORMATS = {
    "table": "text",
    "json": "json",
    "tsv": "tsv",
    "markdown": "markdown",
    "latex": "latex",
    "text": "lines",
    "html": "html",
}
"""Names of formats, and the methods that write them."""

ANSWER = 5  # sentences that are read before the tables


class Result:
    """What all results can do."""

    kind: ClassVar[str] = ""
    schema: ClassVar[int] = 1  # goes up when a part of `data()` changes its meaning or is removed

    def contents(self) -> Mapping[str, Any]:
        """What `data()` holds of this result; by default its fields."""
        return _fields(self)

    def data(self) -> dict[str, Any]:
        """Everything in plain JSON types, with all digits and the version that made it; undefined is None."""
        from tertium import __version__

        head = {"tertium": __version__, "kind": self.kind, "schema": self.schema}
        return {**head, **plain(self.contents())}

    def table(self) -> Table:
        """The table of this result; the first of several."""
        return next(iter(self.tables()))

    def tables(self) -> Iterable[Table]:
        """All tables."""
        return (self.table(),)

    def words(self) -> Iterator[str]:
        """The outcome in sentences, where there are any."""
        return iter(())

    def records(self) -> list[dict[str, Any]]:
        """Rows for programs, with all digits: those of the table, unless that is made for people."""
        return self.table().records()

    def to_frame(self, library: str | None = None) -> Any:
        """The records as a data frame: of polars if it is installed, else of pandas, or of the one you name."""
        return frame(self.records(), library)

    def text(self, *, terminal: bool | None = None, width: int | None = None) -> str:
        """For reading: the answer in up to five sentences, then tables (more sentences come after the tables).

        `terminal` as for tables: None asks standard output for colours, False gives plain columns.
        """
        from tertium.io.tables import sentences

        words = list(self.words())
        parts = [table.text(terminal=terminal, width=width) for table in self.tables()]
        if words:
            said = sentences(words, terminal=terminal, width=width)
            parts.insert(0 if len(words) <= ANSWER else len(parts), said)
        return "\n\n".join(parts)

    def lines(self) -> str:
        """Plain columns without boxes, never cut; a sentence is a line."""
        return self.text(terminal=False)

    def json(self) -> str:
        """The data as JSON text."""
        return json_text(self.data())

    def tsv(self) -> str:
        """The tables, tab-separated, with all digits."""
        return "\n".join(table.tsv() for table in self.tables())

    def markdown(self) -> str:
        """The tables for GitHub and other Markdown."""
        return "\n".join(table.markdown() for table in self.tables())

    def latex(self) -> str:
        """The tables for LaTeX (package booktabs)."""
        return "\n".join(table.latex() for table in self.tables())

    def html(self) -> str:
        """Sentences and tables for a notebook."""
        from tertium.io.escaping import html

        said = [f"<p>{html(sentence)}</p>" for sentence in self.words()]
        parts = [table.html() for table in self.tables()]
        return "".join([*said, *parts] if len(said) <= ANSWER else [*parts, *said])

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return self.html()


def render(result: Result | Table, form: str) -> str:
    """A result in one of `FORMATS`.

    >>> import tertium as tt
    >>> print(render(tt.score(["a b c d"], ["a b c d"], "ter"), "tsv"))  # doctest: +NORMALIZE_WHITESPACE
    system  TER
    system  0.0
    """
    if form not in FORMATS:
        raise InputError(f"there is no format {form!r}{did_you_mean(form, FORMATS)}")
    if form == "table":
        return result.text().rstrip("\n")
    return str(getattr(result, FORMATS[form])()).rstrip("\n")


@cache
def sentence_table() -> dict[str, dict[str, dict[str, str]]]:
    """All sentences that results may say, by what says them and by name: the template and when it may be said."""
    import tomllib
    from importlib import resources

    path = resources.files("tertium") / "data" / "sentences.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


def sentence(name: str, /, **values: object) -> str:
    """A sentence of the table with its values: `sentence("pair.identical", first="A", second="B", metric="BLEU")`.

    Callers see to its condition, which stands beside it (data/sentences.toml).

    >>> sentence("pair.identical", first="A", second="B", metric="BLEU")
    'A and B are the same to BLEU in every segment (p = 1)'
    """
    family, _, own = name.partition(".")
    return sentence_table()[family][own]["text"].format(**values)


def metric_labels(metrics: Iterable[Metric]) -> list[str]:
    """What people call each of these metrics; with its options where two would have the same name.

    This is the one rule for labels in tables, sentences, JSON and pages.

    >>> import tertium as tt
    >>> metric_labels([tt.metric("bleu"), tt.metric("ter"), tt.metric("bleu:tok=intl")])
    ['BLEU (bleu)', 'TER', 'BLEU (bleu:tok=intl)']
    """
    given = list(metrics)
    names = [metric.label for metric in given]
    return [
        name if names.count(name) == 1 else f"{name} ({metric})"
        for name, metric in zip(names, given, strict=True)
    ]


def metric_facts(
    metrics: Iterable[Metric], n_references: int | None = None, pseudo: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """Metrics for `data()`: spec, label, direction, and the signature if it is known."""
    given = list(metrics)

    def signature(metric: Metric) -> str | None:
        try:
            return metric.signature(n_references, pseudo=pseudo)
        except TertiumError:  # a file is missing: the scores came from elsewhere
            return None

    return [
        {
            "metric": str(metric),
            "label": label,
            "higher_is_better": metric.higher_is_better,
            "signature": signature(metric),
        }
        for metric, label in zip(given, metric_labels(given), strict=True)
    ]


def plain(value: Any) -> Any:
    """Plain JSON types: results by their contents, other dataclasses by their fields, undefined numbers None.

    >>> plain({"scores": (1, float("nan"))})
    {'scores': [1, None]}
    """
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Result):
        return plain(value.contents())
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if callable(getattr(value, "signature", None)):  # a metric, by its spec
        return str(value)
    if is_dataclass(value):
        return plain(_fields(value))
    items = value.tolist() if hasattr(value, "tolist") else list(value)  # numpy's, or any sequence
    if not isinstance(items, list):
        return plain(items)
    if set(map(type, items)) <= _PLAIN:  # there may be a hundred thousand
        return items
    return [plain(item) for item in items]


_PLAIN = {str, int, bool, type(None)}


def _fields(value: Any) -> dict[str, Any]:
    return {field.name: getattr(value, field.name) for field in fields(value)}


def json_text(value: Any) -> str:
    """JSON as Tertium writes it: characters as they are, an indent, a line break at the end."""
    import json

    return json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def frame(records: Sequence[Mapping[str, Any]], library: str | None = None) -> Any:
    """Records as a data frame: of polars if it is installed, else of pandas, or of the library named."""
    from importlib import import_module
    from importlib.util import find_spec

    known = ("polars", "pandas")
    if library is not None and library not in known:
        raise InputError(f"data frames must be polars or pandas, not {library!r}")
    found = next((name for name in ([library] if library else known) if find_spec(name)), None)
    if found is None:
        raise InputError(
            f"{library or 'neither polars nor pandas'} is {'not ' if library else ''}installed: "
            "pip install 'tertium[frames]'"
        )
    names = list(dict.fromkeys(name for record in records for name in record))
    columns = {name: _of_one_kind([record.get(name) for record in records]) for name in names}
    return import_module(found).DataFrame(columns)


def _of_one_kind(values: list[Any]) -> list[Any]:
    """Values that a column of a frame can hold: blanks among numbers are missing; numbers among words become words."""
    kinds = {type(value) for value in values if value is not None and value != ""}
    if kinds == {int, float}:
        return [None if value is None or value == "" else float(value) for value in values]
    if str not in kinds:
        return [None if value == "" else value for value in values] if kinds else values
    return [value if value is None or isinstance(value, str) else str(value) for value in values]
