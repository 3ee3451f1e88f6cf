"""Promises about rows: they add, in any order, grouping, batch and number of threads."""

from __future__ import annotations

from typing import Any

import numpy as np

from tertium.families.base import LEVELS, Metric
from tertium.testing.comparing import added, bits, content, refused, rows_of, same_scores
from tertium.testing.example import Example


def check_rows_add(metric: Metric, example: Example) -> None:
    """The total is the sum of the rows; `+` adds row by row; totals of parts add up."""
    rows = rows_of(metric, example)
    assert len(rows) == len(example), f"{metric}: {len(rows)} rows for {len(example)} segments"
    total = content(rows.total())
    assert total == [added(content(rows))], f"{metric}: the total is not the sum of the rows"
    half = len(rows) // 2
    left, right = rows.take(range(half)), rows.take(range(half, 2 * half))
    pairs = zip(content(left), content(right), strict=True)
    assert content(left + right) == [added(pair) for pair in pairs], f"{metric}: + does not add row by row"
    rest = rows.take(range(half, len(rows)))
    assert content(left.total() + rest.total()) == total, f"{metric}: the totals of two parts do not add up"


def check_algebra(metric: Metric, example: Example) -> None:
    """`take`, `concat` and `grouped` agree with each other; a group without segments is an empty row."""
    rows = rows_of(metric, example)
    n, known = len(rows), content(rows)
    index = [*range(n - 1, -1, -2), 0, 0, 3]
    assert content(rows.take(index)) == [known[i] for i in index], f"{metric}: take gives other rows"
    taken = content(rows.take(np.array(index)))
    assert taken == content(rows.take(index)), f"{metric}: take of a numpy array differs"
    assert len(rows.take([])) == 0, f"{metric}: take of nothing gives rows"
    both = rows.take([1, 2]).concat(rows.take([0]))
    assert content(both) == [known[1], known[2], known[0]], f"{metric}: concat gives other rows"
    groups = [i % 4 if i % 4 != 1 else -1 for i in range(n)]
    grouped = rows.grouped(groups, 5)
    assert len(grouped) == 5, f"{metric}: grouped gives {len(grouped)} rows, not 5"
    for g in range(5):
        members = rows.take([i for i in range(n) if groups[i] == g])
        same = content(grouped.take([g])) == content(members.total())
        assert same, f"{metric}: group {g} is not the sum of its rows"
    same_scores(metric, grouped, rows.grouped(np.array(groups), 5), "when groups are a numpy array")


def check_order(metric: Metric, example: Example) -> None:
    """The order of segments does not matter, to the bit."""
    rows = rows_of(metric, example)
    n = len(example)
    for order in (list(range(n - 1, -1, -1)), sorted(range(n), key=lambda i: (i * 7) % n)):
        shuffled = rows_of(metric, example.take(order))
        same = content(shuffled) == content(rows.take(order))
        assert same, f"{metric}: a segment's row depends on where it stands"
        same_scores(metric, shuffled, rows.take(order), "when segments are reordered")
        one, other = metric.score_total(rows), metric.score_total(shuffled)
        assert one == other, f"{metric}: the corpus score depends on the order: {one} or {other}"


def check_split(metric: Metric, example: Example) -> None:
    """Splitting the batch does not matter (unless the metric says that it must see the whole set)."""
    if metric.needs_whole_set:
        return
    rows = rows_of(metric, example)
    n = len(example)
    for cut in (1, n // 3, n - 1):
        parts = [rows_of(metric, example.take(range(*span))) for span in ((0, cut), (cut, n))]
        joined = parts[0].concat(parts[1])
        assert content(joined) == content(rows), f"{metric}: rows differ when the batch is split at {cut}"
        same_scores(metric, joined, rows, f"when the batch is split at {cut}")
        summed = parts[0].total() + parts[1].total()
        same_scores(metric, summed, rows.total(), f"when the totals of batches split at {cut} are added")


def check_threads(metric: Metric, example: Example) -> None:
    """Any number of threads gives the same bits."""
    rows = rows_of(metric, example)
    for threads in (2, 3, 2 * len(example)):
        again = rows_of(metric, example, threads)
        assert content(again) == content(rows), f"{metric}: {threads} threads give different rows from one"
        same_scores(metric, again, rows, f"with {threads} threads")


def check_direct_totals(metric: Metric, example: Example) -> None:
    """`total` is the sum of the rows, with several references and with one, whatever the number of threads."""
    sources = example.sources if metric.needs_source else None
    by_segment = zip(*example.streams, strict=True)
    single = [next(text for text in texts if text is not None) for texts in by_segment]
    for streams in (example.streams, [single]):
        rows = metric.statistics(example.hypotheses, streams, sources=sources)
        for threads in (1, 3):
            total = metric.total(example.hypotheses, streams, sources=sources, threads=threads)
            assert content(total) == content(rows.total()), f"{metric}: `total` is not the sum of the rows"
            same_scores(metric, total, rows.total(), "when the total is made without rows")
            again = total.accumulate(rows)
            twice = [added(content(rows) * 2)]
            assert content(again) == twice, f"{metric}: nothing can be added to a `total`"


def check_stack(metric: Metric, example: Example) -> None:
    """The score of a stack of rows is that of each row alone, at every level; bad levels are refused."""
    rows = rows_of(metric, example)
    stack = rows.concat(rows.total()).concat(rows.grouped([i % 3 for i in range(len(rows))], 3))
    for level in LEVELS:
        together = metric.score_rows(stack, level)
        assert together.shape == (len(stack),), f"{metric}: {level} scores have the shape {together.shape}"
        alone = [metric.score_rows(stack.take([i]), level)[0] for i in range(len(stack))]
        same = bits(together) == bits(alone)
        assert same, f"{metric}: {level} scores of a stack differ from those of its rows"
    unknown: Any = "sentence"
    refused(lambda: metric.score_rows(rows, unknown), f"{metric}: an unknown level is not refused")


def check_segments(metric: Metric, example: Example) -> None:
    """A segment's score is that of a corpus of this one segment, scored at segment level."""
    scores = metric.score_rows(rows_of(metric, example), "segment")
    if metric.needs_whole_set:
        return
    for i in range(len(example)):
        alone = metric.score_rows(rows_of(metric, example.take([i])).total(), "segment")
        same = bits(alone) == bits(scores[i : i + 1])
        assert same, f"{metric}: segment {i + 1} scores {scores[i]}, alone {alone[0]}"
