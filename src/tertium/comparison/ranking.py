"""The systems of a comparison from the best down: rank, scores by every metric, and whether a difference is real."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tertium.comparison.answer import ranked
from tertium.comparison.pair_results import PairTests
from tertium.io.tables import Column, Table, Value, chance_column, number_column


def ranking_table(tests: Sequence[PairTests], baseline: str | None = None) -> Table:
    """A row for each system, best first by the first metric, with p-values against the best or the baseline.

    >>> from tertium import TestSet, compare
    >>> found = compare(TestSet.sample(), ["chrf"], resamples=1_000)
    >>> print(ranking_table(found.tests).tsv(), end="")  # doctest: +NORMALIZE_WHITESPACE +ELLIPSIS
    rank  system   chrF2  chrF2 ±  chrF2 p
    1     strong   71.67...
    2     literal  45.90...
    3     smooth   37.86...
    """
    # Of more than two metrics they would not fit on most screens.
    intervals = len(tests) <= 2 and any(own.has_intervals for own in tests)
    order = [system.name for system in ranked(tests[0])]
    centre = baseline or order[0]
    ranks = _ranks(tests[0])
    columns = [Column("rank", align="right")] if ranks else []
    columns.append(Column("system"))
    for own in tests:
        arrow = "↑" if own.metric.higher_is_better else "↓"
        digits = 2 + own.metric.finer
        columns.append(number_column(f"{own.label} {arrow}", own.label, digits))
        columns += [number_column("±", f"{own.label} ±", digits)] if intervals else []
        columns.append(chance_column("p", f"{own.label} p"))
    rows: list[tuple[Value, ...]] = []
    for name in order:
        row: list[Value] = [ranks[name], name] if ranks else [name]
        for own in tests:
            found = own.system(name)
            row.append(found.value)
            row += ["" if found.half_width is None else found.half_width] if intervals else []
            row.append("" if name == centre else own.pair(centre, name).p_holm)
        rows.append(tuple(row))
    return Table("", tuple(columns), tuple(rows), tuple(_notes(tests, centre, ranks, intervals=intervals)))


def _ranks(tests: PairTests) -> dict[str, str]:
    """The ranks that each system may have: those of its cluster. None without clusters: not all pairs were tested."""
    found: dict[str, str] = {}
    for cluster in tests.clusters or ():
        first, last = len(found) + 1, len(found) + len(cluster)
        found |= dict.fromkeys(cluster, str(first) if first == last else f"{first}-{last}")
    return found


def _notes(
    tests: Sequence[PairTests], centre: str, ranks: dict[str, str], *, intervals: bool
) -> Iterator[str]:
    holm = ", after Holm" if len(tests[0].pairs) > 1 else ""
    half = "; ±: half the 95% interval" if intervals else ""
    yield f"p: of the difference from {centre}{holm}{half}"
    if any("-" in rank for rank in ranks.values()):
        yield f"rank: by {tests[0].label}; a new rank begins where a system is significantly worse than all above it"
    settings = [(own.label, own.settings().removeprefix(f"{own.label}: ")) for own in tests]
    yield from (f"{', '.join(labels)}: {text}" for text, labels in _by_text(settings).items())
    cautions = _by_text((own.label, text) for own in tests for text in own.cautions())
    for text, labels in cautions.items():
        yield text if len(labels) == len(tests) else f"{', '.join(labels)}: {text}"


def _by_text(notes: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """The labels of the metrics that each text is about."""
    labels: dict[str, list[str]] = {}
    for label, text in notes:
        labels.setdefault(text, []).append(label)
    return labels
