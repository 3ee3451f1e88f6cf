"""The contract of a metric, as checks that any test suite can run: for ours, and for metrics of other packages.

    import pytest
    from tertium.testing import CHECKS, check_metric

    def test_my_metric():
        check_metric(MyMetric())                        # everything

    @pytest.mark.parametrize("check", CHECKS)           # or one test for each promise
    def test_promise(check):
        check(MyMetric(), EXAMPLE)

A check raises AssertionError with a line that says which promise is broken and where.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium import registry
from tertium.errors import TertiumError
from tertium.metrics.base import LEVELS, Level, Metric
from tertium.scoring import score
from tertium.statistics import DenseStatistics, Statistics, TypeStatistics
from tertium.text.segments import References


@dataclass(frozen=True)
class Example:
    """Texts to check a metric with: two systems, references of which some are missing, sources."""

    hypotheses: tuple[str, ...]
    others: tuple[str, ...]
    streams: tuple[tuple[str | None, ...], ...]
    sources: tuple[str, ...]
    perfect: tuple[str, ...]  # segments of ten tokens and more

    def __len__(self) -> int:
        return len(self.hypotheses)

    def take(self, index: Iterable[int]) -> Example:
        """The segments with these numbers."""
        chosen = list(index)

        def pick(column: tuple[Any, ...]) -> tuple[Any, ...]:
            return tuple(column[i] for i in chosen)

        streams = tuple(pick(stream) for stream in self.streams)
        return Example(pick(self.hypotheses), pick(self.others), streams, pick(self.sources), self.perfect)


_WORDS = "the cat sat on a mat while Ünïcödé birds , 3.5 of them ( at least ) sang 東京 aloud again & again".split()


def _example() -> Example:
    """Segments of all lengths, made of few words, so that they overlap; with empty and very long ones."""

    def text(seed: int, length: int) -> str:
        return " ".join(_WORDS[(seed * 7 + i * i * (seed % 5 + 1) + i) % len(_WORDS)] for i in range(length))

    lengths = [7, 0, 1, 12, 25, 3, 5, 0, 40, 9, 2, 70, 18, 140, 11, 6, 4, 33, 8, 21]
    n = range(len(lengths))
    hypotheses = [text(i, lengths[i]) for i in n]
    first = [text(i, max(0, lengths[i] + i % 3 - 1)) if i % 4 else hypotheses[i] for i in n]
    second = [None if i % 3 == 2 else text(i + 1, lengths[i] + 2) for i in n]
    third = [text(i * 3, 6) if i % 5 == 1 else None for i in n]
    first[1], first[2], hypotheses[7] = "", "", "\t \u3000"  # an empty reference, and white space
    streams: list[list[str | None]] = [
        [None if i == 4 else line for i, line in enumerate(first)],
        second,
        third,
    ]
    return Example(
        tuple(hypotheses),
        tuple(text(i + 5, 10 + i) for i in n),
        tuple(tuple(stream) for stream in streams),
        tuple(text(i + 2, 9) for i in n),
        tuple(" ".join(f"{word}{seed}" for word in _WORDS[: 10 + seed]) for seed in range(8)),
    )


EXAMPLE = _example()

Check = Callable[[Metric, Example], None]


def check_metric(metric: Metric, example: Example = EXAMPLE) -> None:
    """All checks. Raises AssertionError for the first promise that does not hold.

    >>> check_metric(registry.metric("bleu"))
    """
    for check in CHECKS:
        check(metric, example)


def rows_of(metric: Metric, example: Example, threads: int = 1) -> Statistics:
    """The statistics of the example's first system."""
    sources = example.sources if metric.needs_source else None
    return metric.statistics(example.hypotheses, example.streams, sources=sources, threads=threads)


def content(statistics: Statistics) -> list[Any]:
    """Rows as plain values: equal content is equal rows, however types are numbered inside."""
    if isinstance(statistics, DenseStatistics):
        return [tuple(row) for row in statistics.array.tolist()]
    assert isinstance(statistics, TypeStatistics), (
        f"statistics are of an unknown kind: {type(statistics).__name__}"
    )
    names = statistics.types
    starts, types, counts = (part.tolist() for part in statistics.entries)
    spans = zip(starts[:-1], starts[1:], strict=True)
    return [{names[types[e]]: tuple(counts[e]) for e in range(begin, end)} for begin, end in spans]


def added(rows: Sequence[Any]) -> Any:
    """The sum of rows as `content` shows them."""
    if isinstance(rows[0], tuple):
        return tuple(sum(column) for column in zip(*rows, strict=True))
    sums: dict[str, tuple[int, ...]] = {}
    for row in rows:
        for name, counts in row.items():
            sums[name] = tuple(a + b for a, b in zip(sums.get(name, (0, 0, 0)), counts, strict=True))
    return sums


def _bits(scores: Any) -> bytes:
    """Scores to the bit; all NaN are one."""
    values = np.array(scores, dtype=np.float64)
    values[np.isnan(values)] = np.nan
    return values.tobytes()


def _same_scores(metric: Metric, one: Statistics, other: Statistics, when: str) -> None:
    for level in LEVELS:
        same = _bits(metric.score(one, level)) == _bits(metric.score(other, level))
        assert same, f"{metric}: {level} scores differ {when}"
        totals = metric.score_total(one, level), metric.score_total(other, level)
        assert totals[0] == totals[1], (
            f"{metric}: {level} score of the total is {totals[0]} or {totals[1]} {when}"
        )


def check_declarations(metric: Metric, example: Example) -> None:
    """It says what it is, and the registry knows it by its name."""
    for attribute in ("name", "title", "formula", "paper"):
        assert getattr(metric, attribute, ""), f"{type(metric).__name__}.{attribute} is empty"
    assert "\n" not in metric.title, f"{metric.name}: the title is more than one line"
    assert metric.label, f"{metric.name}: the label is empty"
    assert type(registry.metric(str(metric))) is type(metric), (
        f"{metric} is registered for another class"
    )
    for field in dataclasses.fields(metric):
        assert field.metadata.get("help"), (
            f"{metric.name}: option {field.name} has no help (make it with `option`)"
        )


def check_round_trips(metric: Metric, example: Example) -> None:
    """The spec string and the signature name the metric: both lead back to an equal one."""
    spec = str(metric)
    assert registry.metric(spec) == metric, f"the spec {spec!r} gives {registry.metric(spec)}"
    for number in (1, 4, None):
        signature = metric.signature(number)
        again = registry.from_signature(metric.label, signature)
        assert again == metric, f"the signature {signature!r} of {spec} gives {again}"


def check_rows_add(metric: Metric, example: Example) -> None:
    """The total is the sum of the rows; `+` adds row by row; the total of a split is the sum of its totals."""
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
    """`take`, `concat` and `grouped` agree with each other; a group without segments is a row of nothing."""
    rows = rows_of(metric, example)
    n, known = len(rows), content(rows)
    index = [*range(n - 1, -1, -2), 0, 0, 3]
    assert content(rows.take(index)) == [known[i] for i in index], f"{metric}: take gives other rows"
    assert content(rows.take(index)) == content(rows.take(np.array(index))), (
        f"{metric}: take of a numpy array differs"
    )
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
    _same_scores(metric, grouped, rows.grouped(np.array(groups), 5), "when groups are a numpy array")


def check_order(metric: Metric, example: Example) -> None:
    """The order of segments does not matter, to the bit."""
    rows = rows_of(metric, example)
    n = len(example)
    for order in (list(range(n - 1, -1, -1)), sorted(range(n), key=lambda i: (i * 7) % n)):
        shuffled = rows_of(metric, example.take(order))
        same = content(shuffled) == content(rows.take(order))
        assert same, f"{metric}: a segment's row depends on where it stands"
        _same_scores(metric, shuffled, rows.take(order), "when segments are reordered")
        totals = metric.score_total(rows), metric.score_total(shuffled)
        assert totals[0] == totals[1], (
            f"{metric}: the corpus score depends on the order: {totals[0]} or {totals[1]}"
        )


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
        _same_scores(metric, joined, rows, f"when the batch is split at {cut}")
        summed = parts[0].total() + parts[1].total()
        _same_scores(metric, summed, rows.total(), f"when the totals of batches split at {cut} are added")


def check_threads(metric: Metric, example: Example) -> None:
    """Any number of threads gives the same bits."""
    rows = rows_of(metric, example)
    for threads in (2, 3, 2 * len(example)):
        again = rows_of(metric, example, threads)
        assert content(again) == content(rows), f"{metric}: {threads} threads give other rows than one"
        _same_scores(metric, again, rows, f"with {threads} threads")


def check_stack(metric: Metric, example: Example) -> None:
    """The score of a stack of rows is that of each row alone, at every level; bad levels are refused."""
    rows = rows_of(metric, example)
    stack = rows.concat(rows.total()).concat(rows.grouped([i % 3 for i in range(len(rows))], 3))
    for level in LEVELS:
        together = metric.score(stack, level)
        assert together.shape == (len(stack),), f"{metric}: {level} scores have the shape {together.shape}"
        alone = [metric.score(stack.take([i]), level)[0] for i in range(len(stack))]
        assert _bits(together) == _bits(alone), (
            f"{metric}: {level} scores of a stack differ from those of its rows"
        )
    _refused(lambda: metric.score(rows, _no_level()), f"{metric}: a level that does not exist is not refused")


def _no_level() -> Level:
    unknown: Any = "sentence"
    level: Level = unknown
    return level


def check_segments(metric: Metric, example: Example) -> None:
    """A segment's score is that of a corpus of this one segment, scored at segment level."""
    scores = metric.score(rows_of(metric, example), "segment")
    if metric.needs_whole_set:
        return
    for i in range(len(example)):
        alone = metric.score(rows_of(metric, example.take([i])).total(), "segment")
        assert _bits(alone) == _bits(scores[i : i + 1]), (
            f"{metric}: segment {i + 1} scores {scores[i]}, alone {alone[0]}"
        )


def check_perfect(metric: Metric, example: Example) -> None:
    """A hypothesis equal to its reference, of ten tokens and more, has the declared perfect score."""
    if metric.perfect is None:
        return
    sources = example.perfect if metric.needs_source else None
    rows = metric.statistics(example.perfect, example.perfect, sources=sources)
    for level in LEVELS:
        found = [*metric.score(rows, level).tolist(), metric.score_total(rows, level)]
        wrong = [value for value in found if value is None or abs(value - metric.perfect) > 1e-9]
        assert not wrong, f"{metric}: equal texts score {wrong[0]} at {level} level, not {metric.perfect}"


def check_empty(metric: Metric, example: Example) -> None:
    """Empty texts give a finite score, or none with a documented reason; an empty corpus is refused."""
    text = "one two three four five six seven eight nine ten"
    for hypothesis, reference in ((text, ""), ("", text), ("", ""), (" \t", "\u3000"), (text, " ")):
        sources = [text] if metric.needs_source else None
        where = f"hypothesis {hypothesis!r} against {reference!r}"
        for level in LEVELS:
            documents = ["document"] if level == "document" else None
            result = score(
                [hypothesis], [reference], metric, sources=sources, documents=documents, level=level
            )
            (value,) = result.scores[0].values
            assert value is None or math.isfinite(value), f"{metric}: {where} scores {value} at {level} level"
            assert value is not None or metric.undefined, (
                f"{metric}: {where} has no score, and `undefined` says nothing"
            )
    sources = [] if metric.needs_source else None
    _refused(lambda: score([], [[]], metric, sources=sources), f"{metric}: an empty corpus is not refused")


def check_frozen(metric: Metric, example: Example) -> None:
    """Scoring changes neither the metric nor what it is given."""
    metric = dataclasses.replace(metric)  # one that has not been used yet
    before = hash(metric), dataclasses.astuple(metric), str(metric), dict(vars(metric))
    hypotheses, streams = list(example.hypotheses), [list(stream) for stream in example.streams]
    sources = list(example.sources)
    prepared = metric.prepare(streams)
    rows = metric.statistics(
        hypotheses, prepared, sources=sources if metric.needs_source else None, threads=2
    )
    known = content(rows)
    for level in LEVELS:
        metric.score(rows, level)
        metric.score_total(rows, level)
        metric.components(rows.total(), level)
        metric.verbose(rows.total(), level)
    after = hash(metric), dataclasses.astuple(metric), str(metric), dict(vars(metric))
    assert after == before, f"{metric}: scoring changed the metric"
    assert content(rows) == known, f"{metric}: scoring changed the rows"
    assert tuple(hypotheses) == example.hypotheses, f"{metric}: scoring changed the hypotheses"
    assert tuple(map(tuple, streams)) == example.streams, f"{metric}: scoring changed the references"
    assert tuple(sources) == example.sources, f"{metric}: scoring changed the sources"
    for field in dataclasses.fields(metric):
        try:
            setattr(metric, field.name, getattr(metric, field.name))
        except dataclasses.FrozenInstanceError:
            continue
        raise AssertionError(f"{metric}: option {field.name} can be changed (make it a frozen dataclass)")


def check_prepared(metric: Metric, example: Example) -> None:
    """Prepared references serve any number of systems, and only the metric that prepared them."""
    prepared = metric.prepare(example.streams)
    sources = example.sources if metric.needs_source else None
    for texts in (example.hypotheses, example.others, example.hypotheses):
        shared = metric.statistics(texts, prepared, sources=sources)
        fresh = metric.statistics(texts, example.streams, sources=sources)
        assert content(shared) == content(fresh), (
            f"{metric}: prepared references give other rows than fresh ones"
        )
        _same_scores(metric, shared, fresh, "when references are prepared first")
    _refused(
        lambda: metric.statistics(example.others[:-1], prepared, sources=example.sources[:-1]),
        f"{metric}: prepared references of another number of segments are not refused",
    )


def check_ragged(metric: Metric, example: Example) -> None:
    """A missing reference is as if it were not there; lists per segment are the same as streams."""
    rows = rows_of(metric, example)
    sources = example.sources if metric.needs_source else None
    lists = [[text for text in texts if text is not None] for texts in zip(*example.streams, strict=True)]
    by_segment = metric.statistics(example.hypotheses, References.per_segment(lists), sources=sources)
    assert content(by_segment) == content(rows), (
        f"{metric}: references per segment give other rows than streams"
    )
    if metric.needs_whole_set:
        return
    for i, texts in enumerate(lists):
        alone = example.take([i])
        own = metric.statistics(
            alone.hypotheses, [[text] for text in texts], sources=sources and alone.sources
        )
        assert content(own) == content(rows.take([i])), (
            f"{metric}: a None beside the references of segment {i + 1} counts"
        )


def check_shapes(metric: Metric, example: Example) -> None:
    """References of a wrong shape are refused, never guessed."""
    three = ["a b", "c d", "e f"]
    wrong: dict[str, Any] = {
        "transposed references": [["a", "b"], ["c", "d"], ["e", "f"]],
        "fewer references than hypotheses": three[:2],
        "more references than hypotheses": [*three, "g"],
        "streams of different lengths": [three, three[:2]],
        "one string": "a b",
        "strings among lists": ["a b", ["c d"], ["e f"]],
        "no references": [],
        "a segment without reference": ["a", None, "b"],
        "numbers": [1, 2, 3],
    }
    sources = three if metric.needs_source else None
    for what, references in wrong.items():
        broken = f"{metric}: {what} instead of one stream of three is not refused"
        _refused(lambda given=references: metric.statistics(three, given, sources=sources), broken)


def check_different(metrics: Sequence[Metric]) -> None:
    """Among variants, equal signatures (with equal labels) mean equal metrics, and equal metrics equal specs."""
    known: dict[tuple[str, str], Metric] = {}
    for metric in metrics:
        same = known.setdefault((metric.label, metric.signature()), metric)
        assert same == metric, f"{same} and {metric} differ, but both have the signature {metric.signature()}"
        assert str(same) == str(metric), f"{same} and {metric} are equal, but have different specs"


def _refused(call: Callable[[], object], broken: str) -> None:
    """The call raises an error that people can read: one line."""
    try:
        call()
    except TertiumError as error:
        message = str(error)
        assert message, f"{broken}: the error has no message"
        assert "\n" not in message, f"{broken}: the message has several lines: {message!r}"
        return
    raise AssertionError(broken)


CHECKS: tuple[Check, ...] = (
    check_declarations,
    check_round_trips,
    check_rows_add,
    check_algebra,
    check_order,
    check_split,
    check_threads,
    check_stack,
    check_segments,
    check_perfect,
    check_empty,
    check_frozen,
    check_prepared,
    check_ragged,
    check_shapes,
)
