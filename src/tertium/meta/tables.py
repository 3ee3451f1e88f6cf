"""Tables in the shape of the WMT metrics task: a row for each metric, a column for each language pair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from tertium.io.tables import Column, Table, Value, number_column
from tertium.meta.correlations import POOLED, Correlations

TITLES = {
    "system": "system-level metrics with{} human assessment",
    "segment": "segment-level metrics with{} human assessment",
    "document": "document-level metrics with{} human assessment",
    "pairs": "segment-level metrics with better-worse pairs",
    "hybrids": "system-level metrics with{} human assessment for hybrid super-sampled systems",
}
STATISTICS = {
    "pearson": "Absolute Pearson correlation",
    "spearman": "Absolute Spearman correlation",
    "kendall": "Kendall's tau",
    "accuracy": "Pairwise accuracy",
    "soft accuracy": "Soft pairwise accuracy",
    "calibrated accuracy": "Tie-calibrated accuracy",
    "darr": "Tau",
}
ENSEMBLE = "†"
ABSENT = "—"
BACKWARDS = "‡"
_THOUSAND = 1000


def wmt_tables(judged: Sequence[Correlations], name: str = "", kind: str = "") -> Iterator[Table]:
    """All tables of a task. As at WMT, pairs to and out of English have tables of their own, and segments judged by
    scores and by better-worse pairs share one (tables 4 to 14 of Bojar, Graham and Kamran 2017)."""
    levels = dict.fromkeys(own.level for own in judged)
    groups = [[own for own in judged if own.level == level] for level in levels]
    by_scores = next((own for own in groups if own[0].level == "segment"), None)
    by_pairs = next((own for own in groups if own[0].level == "pairs"), None)
    if by_scores and by_pairs and not {own.pair for own in by_scores} & {own.pair for own in by_pairs}:
        groups.remove(by_pairs)
        by_scores += by_pairs
    for group in groups:
        directions: dict[str, list[Correlations]] = {}
        for own in group:
            if own.pair != POOLED:
                directions.setdefault(_direction(own.pair), []).append(own)
        # All language pairs together: a column beside theirs, or a table of its own after several.
        if pooled := [own for own in group if own.pair == POOLED]:
            last = next(iter(directions)) if len(directions) == 1 else POOLED
            directions.setdefault(last, []).extend(pooled)
        for direction, members in directions.items():
            if len({own.level for own in members}) > 1:
                members.sort(key=lambda own: (own.pair == POOLED, own.pair))
            yield wmt_table(members, name, kind=kind, direction=direction if len(directions) > 1 else "")


def _direction(pair: str) -> str:
    source, _, target = pair.partition("-")
    return "to-English" if target == "en" else "out-of-English" if source == "en" else "other"


def wmt_table(
    judged: Sequence[Correlations], name: str = "", *, kind: str = "", direction: str = ""
) -> Table:
    """All language pairs of one level side by side; metrics that none outperforms are marked, by pair.

    Three decimals, four for hybrids (their tables have them). The metric with the highest mean comes first; metrics
    without a value on some pair follow those that have all. `kind` is what people did (DA, HUME, MQM).
    """
    level = judged[0].level
    mixed = len({own.level for own in judged}) > 1
    digits = 4 if level == "hybrids" else 3
    names = _by_value(judged)
    ensembles = {cell.name for own in judged for cell in own.cells if cell.ensemble}
    rows: list[tuple[Value, ...]] = []
    if mixed:
        rows.append(
            ("human evaluation", *("DARR" if o.level == "pairs" else kind or "scores" for o in judged))
        )
    rows.append(("n", *(_size(own) for own in judged)))
    rows.append(("correlation", *(own.symbol for own in judged)))
    best = set()
    signs: dict[tuple[int, int], str] = {}
    for metric in names:
        row: list[Value] = [metric + (f" {ENSEMBLE}" if metric in ensembles else "")]
        for c, own in enumerate(judged, 1):
            if metric not in own.names:
                row.append(ABSENT)
                continue
            row.append(own.shown(own[metric]))
            if own.shown(own[metric]) != own[metric].value:
                signs[len(rows), c] = BACKWARDS
            if metric in own.leading:
                best.add((len(rows), c))
        rows.append(tuple(row))
    notes = []
    if any(own.wins is not None for own in judged):
        tests: dict[str, list[str]] = {}
        for own in judged:
            if own.wins is not None:
                tests.setdefault(own.significance, []).append(own.pair)
        marked = "marked: not significantly outperformed by any other metric on that pair"
        notes.append(f"{marked} ({next(iter(tests))})" if len(tests) == 1 else marked)
        if len(tests) > 1:
            notes += [f"{', '.join(pairs)}: {test}" for test, pairs in tests.items()]
    if ensembles:
        notes.append(f"{ENSEMBLE} ensemble metric: built from other metrics")
    if signs:
        notes.append(
            f"{BACKWARDS} ranks backwards: the correlation is negative, and the table has its absolute value"
        )
    everywhere = [own.notes for own in judged if own.pair != POOLED]
    common = [note for note in everywhere[0] if all(note in own for own in everywhere)] if everywhere else []
    if len(everywhere) > 1:
        notes += common
    for own in judged:
        apart = (note for note in own.notes if len(everywhere) < 2 or note not in common)
        notes += [f"{own.pair}: {note}" for note in apart if "ranks backwards" not in note]
        notes += [f"{own.pair}: {c.name} is undefined, because {c.reason}" for c in own.cells if c.reason]
    columns = (Column("metric"), *(number_column(own.pair, digits=digits) for own in judged))
    what = "Correlation" if mixed else STATISTICS[judged[0].statistic]
    known = f" {kind}" if kind else ""
    title = f"{what} of {direction + ' ' if direction else ''}{TITLES['segment' if mixed else level].format(known)}"
    return Table(
        f"{name}: {title}" if name else title,
        columns,
        tuple(rows),
        tuple(notes),
        frozenset(best),
        signs,
        "marked",
    )


def _by_value(judged: Sequence[Correlations]) -> list[str]:
    """Metrics from the highest mean value to the lowest; those without a value on some pair after all others.

    The mean is of signed values: a metric that ranks backwards is among the last, whatever its absolute value.
    """

    def key(name: str) -> tuple[int, float, str, str]:
        values = [own[name].value for own in judged if name in own.names]
        known = [value for value in values if value is not None]
        mean = sum(known) / len(known) if known else -np.inf
        return len(judged) - len(known), -mean, name.casefold(), name

    return sorted({cell.name for own in judged for cell in own.cells}, key=key)


def _size(own: Correlations) -> str:
    """Hybrids are counted in thousands (10K)."""
    if own.level == "hybrids" and own.n % _THOUSAND == 0:
        return f"{own.n // _THOUSAND}K"
    return f"{own.n:,}"
