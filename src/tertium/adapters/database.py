"""Metrics as functions of DuckDB: `SELECT chrf(output, reference) FROM ...`."""

from __future__ import annotations

from typing import Any

from tertium.adapters.columns import chosen, imported, segment_scores


def register(connection: Any, metric: str = "chrf", name: str = "") -> str:
    """Make a metric a function of a DuckDB connection, over whole vectors of rows; gives the function's name.

    A missing text gives a missing score. Metrics that need the source take it as third argument.
    """
    imported("duckdb", "duckdb")
    imported("pyarrow", "duckdb")
    (own,) = chosen(metric)
    called = name or own.name.replace(":", "_").replace("-", "_")

    def scores(hypotheses: Any, references: Any, *sources: Any) -> Any:
        import pyarrow as pa

        columns = [column.to_pylist() for column in (hypotheses, references, *sources)]
        there = [i for i, row in enumerate(zip(*columns, strict=True)) if None not in row]
        given = [[column[i] for i in there] for column in columns]
        values: list[float | None] = [None] * len(columns[0])
        if there:
            found = segment_scores(given[0], given[1], own, sources=given[2] if sources else None)
            for i, value in zip(there, found.tolist(), strict=True):
                values[i] = None if value != value else value
        return pa.array(values, type=pa.float64())

    texts = ["VARCHAR"] * (3 if own.needs_source else 2)
    with_source = lambda a, b, c: scores(a, b, c)  # noqa: E731 - DuckDB counts parameters
    function = with_source if own.needs_source else lambda a, b: scores(a, b)
    connection.create_function(called, function, texts, "DOUBLE", type="arrow", null_handling="special")
    return called
