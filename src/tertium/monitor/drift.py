"""Has a system become worse? Batches against those before them with texts as hard, and false alarms counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import median
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import func, select

from tertium import registry
from tertium.monitor import schema
from tertium.monitor.history import Evaluations, scored
from tertium.stats.sequential import KNOWN, Chart, threshold_for
from tertium.web.database import Database

Numbers = NDArray[np.float64]
Classes = NDArray[np.intp]
EDGES = np.array([5.5, 10.5, 20.5, 40.5])  # lengths in words: classes of segments that are alike hard
PRIOR = 20.0  # segments that a class must have before its own mean counts for half
TOGETHER = 50.0  # from so many segments on what they have in common tells more than their number
FIRST = 30  # batches that say where a series stands; without it sizes of batches could not be compared
LEAST_A_YEAR = 3650.0  # batches: ten a day
YEAR = 365.25 * 86400
_done, _scores = schema.evaluations.c, schema.scores.c


class Expectation:
    """What segments of each class had so far, for texts of the same series.

    A class is what makes texts alike hard: their length, and their domain where several are watched together.
    """

    def __init__(
        self,
        sums: Sequence[float] = (),
        counts: Sequence[float] = (),
        mix: Sequence[float] = (),
        batches: int = 0,
    ) -> None:
        self._sums, self._counts = np.array(sums, dtype=np.float64), np.array(counts, dtype=np.float64)
        self._mix = np.array(mix, dtype=np.float64)  # of classes in the first batches: what is usual
        self._batches = batches

    def adjusted(self, values: Numbers, classes: Classes) -> float:
        """The mean of a batch as if its segments were of the usual classes; then these are learnt.

        >>> expected = Expectation()
        >>> long, short = np.full(300, 3), np.full(300, 0)
        >>> _ = expected.adjusted(np.append(np.full(300, 40.0), np.full(300, 60.0)), np.append(long, short))
        >>> round(expected.adjusted(np.full(300, 40.0), long))  # long segments alone: no worse than before
        49
        """
        known = ~np.isnan(values)
        values, classes = values[known], classes[known]
        if not len(values):
            return float("nan")
        more = int(classes.max()) + 1 - len(self._sums)
        if more > 0:
            self._sums, self._counts, self._mix = (
                np.pad(own, (0, more)) for own in (self._sums, self._counts, self._mix)
            )
        total = self._counts.sum()
        level = self._sums.sum() / total if total else float(values.mean())
        usual = (self._sums + PRIOR * level) / (self._counts + PRIOR)
        weight = self._mix.sum()
        if weight:  # the level of the usual mix: how good a system is altogether is for the chart to say
            level = float(self._mix @ usual) / weight
        mean = float((values - usual[classes]).mean()) + level
        counts = np.bincount(classes, minlength=len(self._counts))
        self._sums += np.bincount(classes, values, len(self._sums))
        self._counts += counts
        if self._batches < FIRST:
            self._mix += counts
            self._batches += 1
        return mean

    def data(self) -> list[Any]:
        """What `Expectation(*...)` goes on from."""
        return [self._sums.tolist(), self._counts.tolist(), self._mix.tolist(), self._batches]


class Pairing:
    """Texts that are translated again and again, each compared with what it had before: nothing else changes.

    >>> pairs = Pairing()
    >>> [pairs.difference("a", value) for value in (50.0, 50.0, 44.0)]
    [nan, 0.0, -6.0]
    """

    def __init__(self, before: Mapping[str, Sequence[float]] = MappingProxyType({})) -> None:
        self._before = {name: (own[0], own[1]) for name, own in before.items()}

    def difference(self, name: str, value: float) -> float:
        """A text's mean against its earlier ones; there is none at first."""
        total, count = self._before.get(name, (0.0, 0.0))
        self._before[name] = total + value, count + 1
        return (
            round(value - total / count, 9) if count else float("nan")
        )  # a system that stays has no noise at all

    def data(self) -> dict[str, tuple[float, float]]:
        """What `Pairing(...)` goes on from."""
        return self._before


def length_classes(lengths: NDArray[Any]) -> Classes:
    """Classes of segments by their lengths in words.

    >>> length_classes(np.array([3, 8, 100])).tolist()
    [0, 1, 4]
    """
    return np.searchsorted(EDGES, lengths)


class WatchedBatch(NamedTuple):
    """An evaluation as a series sees it; `label` is what else makes it hard: its domain, or which part of a probe."""

    evaluation: int
    time: float
    value: float | None
    values: Numbers
    lengths: NDArray[Any]
    label: str = ""


class Told(NamedTuple):
    """A series has changed: `worse` or `better`, the batches that belong to it, and mean scores before and after."""

    change: str
    since: int
    begins: float
    batches: int
    before: float | None
    after: float | None


class SeriesWatch:
    """One series, batch by batch, that can be laid aside and taken up again.

    >>> draw = np.random.default_rng(1)
    >>> watch = SeriesWatch(up=True)
    >>> for i in range(100):
    ...     values = draw.normal(50 if i < 60 else 40, 10, 20)
    ...     told = watch.add(WatchedBatch(i, i, float(values.mean()), values, np.full(20, 10)), 9.0)
    ...     if told:
    ...         print(i, told.change, told.since, round(told.before), round(told.after))
    ...     watch = SeriesWatch.of(watch.data(), up=True)
    65 worse 60 49 41
    """

    def __init__(self, *, up: bool, paired: bool = False) -> None:
        self._up, self._paired = up, paired
        self._labels: list[str] = []
        self._begin()

    def _begin(self) -> None:
        self._expected, self._pairs, self._chart = Expectation(), Pairing(), Chart()
        self._first: list[float] = []
        self._middle = 0.0
        self._seen: list[tuple[int, float, float | None]] = []

    def add(self, batch: WatchedBatch, threshold: float) -> Told | None:
        """One more batch; says whether the series has changed. Then it begins anew."""
        level, known = self._level(batch), int((~np.isnan(batch.values)).sum())
        if level != level:
            return None
        if len(self._first) < FIRST:
            self._first.append(level)
            self._middle = median(self._first)
        surplus = (level - self._middle) / (1 / known + 1 / TOGETHER) ** 0.5
        self._seen.append((batch.evaluation, batch.time, batch.value))
        del self._seen[:-KNOWN]
        found = self._chart.add(surplus if self._up else -surplus, threshold)
        if found is None:
            return None
        seen, many = self._seen, min(found.batches, len(self._seen))
        self._begin()
        first = seen[-many]
        change = "worse" if found.kind == "fell" else "better"
        return Told(change, first[0], first[1], many, _mean(seen[:-many]), _mean(seen[-many:]))

    def _level(self, batch: WatchedBatch) -> float:
        """How good a batch is, if its texts had been as hard as usual."""
        if self._paired:
            known = batch.values[~np.isnan(batch.values)]
            return self._pairs.difference(batch.label, float(known.mean())) if len(known) else float("nan")
        if batch.label not in self._labels:
            self._labels.append(batch.label)
        offset = self._labels.index(batch.label) * (len(EDGES) + 1)
        return self._expected.adjusted(batch.values, length_classes(batch.lengths) + offset)

    def data(self) -> dict[str, Any]:
        """As JSON keeps it."""
        chart = self._chart
        return {
            "labels": self._labels,
            "expected": self._expected.data(),
            "pairs": self._pairs.data(),
            "first": self._first,
            "seen": self._seen,
            "known": chart.known,
            "sums": [chart.fallen, chart.risen, chart.falling, chart.rising],
        }

    @classmethod
    def of(cls, data: Mapping[str, Any], *, up: bool, paired: bool = False) -> SeriesWatch:
        """A watch that goes on."""
        made = cls(up=up, paired=paired)
        made._labels, made._first = list(data["labels"]), list(data["first"])
        made._seen = [(int(number), moment, value) for number, moment, value in data["seen"]]
        made._middle = median(made._first) if made._first else 0.0
        made._expected, made._pairs = Expectation(*data["expected"]), Pairing(data["pairs"])
        fallen, risen, falling, rising = data["sums"]
        made._chart = Chart(
            known=list(data["known"]), fallen=fallen, risen=risen, falling=falling, rising=rising
        )
        return made


def shifts(batches: Iterable[WatchedBatch], threshold: float, *, up: bool) -> Iterator[tuple[int, Told]]:
    """Changes of one series, each with the place of the batch that told."""
    watch = SeriesWatch(up=up)
    for place, batch in enumerate(batches):
        told = watch.add(batch, threshold)
        if told is not None:
            yield place, told


def changes(
    database: Database, wanted: Evaluations, spec: str, *, false_alarms: float = 1.0
) -> list[dict[str, Any]]:
    """Where series of a metric have changed, with `false_alarms` a year for all series of the service together."""
    metric = registry.metric(spec)
    query = scored(spec, _done.lengths, _scores.value, _scores["values"]).where(_done.probe == "")
    found: dict[tuple[str, str, str], list[WatchedBatch]] = {}
    for row in database.rows(wanted.of(query)):
        found.setdefault((row.system, row.domain, row.signature), []).append(batch_of(row))
    threshold = threshold_of(*looks(database), false_alarms)
    return [
        {
            "system": system,
            "domain": domain,
            "metric": spec,
            "signature": signature,
            "change": told.change,
            "evaluation": batches[place].evaluation,
            "time": batches[place].time,
            "since": told.since,
            "batches": told.batches,
            "before": told.before,
            "after": told.after,
        }
        for (system, domain, signature), batches in found.items()
        for place, told in shifts(batches, threshold, up=metric.higher_is_better)
    ]


def batch_of(row: Any, label: str = "") -> WatchedBatch:
    """What a row of `scored` with lengths, value and values is to a series."""
    values, lengths = np.frombuffer(row.values), np.frombuffer(row.lengths, dtype=np.int32)
    if len(lengths) != len(values):  # kept before there were lengths
        lengths = np.zeros(len(values), dtype=np.int32)
    return WatchedBatch(row.id, row.time, row.value, values, lengths, label)


def looks(database: Database) -> tuple[int, float]:
    """How often charts have been looked at, and over how many seconds."""
    joined = select(func.count(), func.min(_done.time), func.max(_done.time)).select_from(
        schema.scores.join(schema.evaluations, _scores.evaluation == _done.id)
    )
    [(count, first, last)] = database.rows(joined)
    return int(count), float(last or 0) - float(first or 0)


def threshold_of(count: float, seconds: float, false_alarms: float = 1.0) -> float:
    """The threshold that lets in so many false alarms a year, at the present rate: ten looks a day at least.

    >>> round(threshold_of(0, 0), 2), round(threshold_of(73_000, YEAR), 2)
    (8.55, 12.82)
    """
    rate = float(count) if seconds < 7 * 86400 else count * YEAR / seconds
    return threshold_for(max(LEAST_A_YEAR, rate) / false_alarms)


def _mean(seen: Sequence[tuple[int, float, float | None]]) -> float | None:
    values = [value for _, _, value in seen if value is not None]
    return float(np.mean(values)) if values else None
