"""Tables in the shape of the WMT metrics task: a row for each metric, a column for each language pair."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.io.tables import Column, Table, Value, number_column
from tertium.meta.judged import Judged

TITLES = {
    "system": "system-level metrics with human assessment",
    "segment": "segment-level metrics with human assessment",
    "pairs": "segment-level metrics with better-worse pairs",
    "hybrids": "system-level metrics with human assessment, hybrid systems",
}
ENSEMBLE = "†"
ABSENT = "—"


def wmt_table(judged: Sequence[Judged], name: str = "") -> Table:
    """All language pairs of one level side by side; metrics that none outperforms are marked, by pair.

    Three decimals, four for hybrids (their tables have them). Metrics are in alphabetical order.
    """
    level, symbol = judged[0].level, judged[0].symbol
    digits = 4 if level == "hybrids" else 3
    names = sorted({cell.name for own in judged for cell in own.cells}, key=lambda one: (one.casefold(), one))
    ensembles = {cell.name for own in judged for cell in own.cells if cell.ensemble}
    rows: list[tuple[Value, ...]] = [("n", *(f"{own.n:,}" for own in judged))]
    best = set()
    for metric in names:
        row: list[Value] = [metric + (f" {ENSEMBLE}" if metric in ensembles else "")]
        for c, own in enumerate(judged, 1):
            if metric not in own.names:
                row.append(ABSENT)
                continue
            row.append(own.shown(own[metric]))
            if metric in own.leading:
                best.add((len(rows), c))
        rows.append(tuple(row))
    notes = []
    if any(own.wins is not None for own in judged):
        tests = dict.fromkeys(own.significance for own in judged if own.significance)
        notes.append(
            f"marked: not significantly outperformed by any other metric on that pair ({'; '.join(tests)})"
        )
    if ensembles:
        notes.append(f"{ENSEMBLE} ensemble metric: built from other metrics")
    for own in judged:
        notes += [f"{own.pair}: {note}" for note in own.notes]
        notes += [f"{own.pair}: {c.name} is undefined, because {c.reason}" for c in own.cells if c.reason]
    columns = (Column("metric"), *(number_column(own.pair, digits=digits) for own in judged))
    title = f"{symbol} of {TITLES[level]}"
    return Table(f"{name}: {title}" if name else title, columns, tuple(rows), tuple(notes), frozenset(best))
