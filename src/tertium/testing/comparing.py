"""What the checks compare with: rows as plain values, scores to the bit, errors that people can read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from tertium.errors import TertiumError
from tertium.families.base import LEVELS, Metric
from tertium.statistics import DenseStatistics, Statistics
from tertium.statistics.types import SparseStatistics
from tertium.testing.example import Example


def rows_of(metric: Metric, example: Example, threads: int = 1) -> Statistics:
    """The statistics of the example's first system."""
    sources = example.sources if metric.needs_source else None
    return metric.statistics(example.hypotheses, example.streams, sources=sources, threads=threads)


def content(statistics: Statistics) -> list[Any]:
    """Rows as plain values: equal content is equal rows, however types are numbered inside."""
    if isinstance(statistics, DenseStatistics):
        return [tuple(row) for row in statistics.array.tolist()]
    assert isinstance(statistics, SparseStatistics), (
        f"unknown kind of statistics: {type(statistics).__name__}"
    )
    names = statistics.types
    starts, types, counts = (part.tolist() for part in statistics.entries)
    return [{names[types[e]]: tuple(counts[e]) for e in range(*span)} for span in pairwise(starts)]


def added(rows: Sequence[Any]) -> Any:
    """The sum of rows as `content` shows them."""
    if isinstance(rows[0], tuple):
        return tuple(sum(column) for column in zip(*rows, strict=True))
    sums: dict[str, tuple[int, ...]] = {}
    for row in rows:
        for name, counts in row.items():
            sums[name] = tuple(a + b for a, b in zip(sums.get(name, (0, 0, 0)), counts, strict=True))
    return sums


def bits(scores: Any) -> bytes:
    """Scores to the bit; all NaN are one."""
    values = np.array(scores, dtype=np.float64)
    values[np.isnan(values)] = np.nan
    return values.tobytes()


def same_scores(metric: Metric, one: Statistics, other: Statistics, when: str) -> None:
    for level in LEVELS:
        same = bits(metric.score_rows(one, level)) == bits(metric.score_rows(other, level))
        assert same, f"{metric}: {level} scores differ {when}"
        first, second = metric.score_total(one, level), metric.score_total(other, level)
        assert first == second, f"{metric}: {level} score of the total is {first} or {second} {when}"


def refused(call: Callable[[], object], broken: str) -> None:
    """The call raises an error that people can read: one line."""
    try:
        call()
    except TertiumError as error:
        message = str(error)
        assert message, f"{broken}: the error has no message"
        assert "\n" not in message, f"{broken}: the message has several lines: {message!r}"
        return
    raise AssertionError(broken)
