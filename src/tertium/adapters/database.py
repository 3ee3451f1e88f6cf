"""Metrics as functions of DuckDB: `SELECT chrf(mt, ref) FROM t`, and `chrf(list(mt), list(ref))` for a corpus."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

from tertium.adapters.columns import Specs, checked, corpus_scores, imported, one, segment_scores
from tertium.errors import InputError, many
from tertium.families.base import Metric


def register(connection: Any, metric: Specs = "chrf", name: str = "") -> str:
    """Make a metric a function of a DuckDB connection, over whole vectors of rows; gives the function's name.

    Its arguments are the translation, the reference or several (or a list of them), and, where the metric needs it, the
    source. A row without a text has no score. Lists of translations, as `list(mt)` makes them of a group, are scored as
    a corpus. A function that has the same name is replaced.
    """
    duckdb = imported("duckdb", "duckdb")
    pyarrow = imported("pyarrow", "duckdb")
    own, [given] = one(metric), checked(metric)
    spec = metric if isinstance(metric, str) else str(own)
    called = name or re.sub(r"\W+", "_", spec.strip().lower().replace("+", "p"))

    def scores(*columns: Any) -> Any:
        wanted = ["translation", *["reference"] * own.needs_references, *["source"] * own.needs_source]
        if len(columns) < len(wanted) or (len(columns) > len(wanted) and not own.needs_references):
            raise InputError(
                f"{called} takes columns of {', '.join(wanted)}, not {many(len(columns), 'column')}"
            )
        texts, *references = (column.to_pylist() for column in columns)
        sources = references.pop() if own.needs_source else [""] * len(texts)
        of = _of_groups if hasattr(columns[0].type, "value_field") else _of_rows  # lists of any kind
        return pyarrow.array(of(called, given, texts, references, sources), type=pyarrow.float64())

    try:
        with suppress(duckdb.InvalidInputException):  # there is none yet
            connection.remove_function(called)
        connection.create_function(called, scores, None, "DOUBLE", type="arrow", null_handling="special")
    except duckdb.CatalogException:
        raise InputError(
            f"the database has a function {called} already, DuckDB's own or of another connection or cursor (which "
            "this one can call): give another name, register(connection, metric, name)"
        ) from None
    return called


def _of_rows(
    called: str, spec: str | Metric, texts: list[Any], references: list[list[Any]], sources: list[Any]
) -> list[float | None]:
    """DuckDB hands over some thousand rows at a time."""
    own = one(spec)
    if own.needs_whole_set:
        raise InputError(
            f"{own.name} weighs words by the whole set, of which DuckDB shows a part at a time: "
            f"score a corpus, {called}(list(mt), list(ref))"
        )
    there = [i for i, text in enumerate(texts) if text is not None and sources[i] is not None]
    given, origin, *streams = ([column[i] for i in there] for column in (texts, sources, *references))
    found = segment_scores(given, streams or None, spec, sources=origin if own.needs_source else None)
    values: list[float | None] = [None] * len(texts)
    for i, value in zip(there, found.tolist(), strict=True):
        values[i] = None if value != value else value
    return values


def _of_groups(
    called: str, spec: str | Metric, texts: list[Any], references: list[list[Any]], sources: list[Any]
) -> list[float | None]:
    own = one(spec)
    values: list[float | None] = []
    for group, origin, *streams in zip(texts, sources, *references, strict=True):
        if not group:
            values.append(None)
            continue
        if None in group or (own.needs_source and None in origin):
            raise InputError(
                f"{called}: a row of a corpus has no text; coalesce(mt, '') counts it as empty, WHERE leaves it out"
            )
        given = origin if own.needs_source else None
        values.append(corpus_scores(group, streams or None, spec, sources=given).scores[0].value)
    return values
